"""A film of whole steps: its numbers packed once, played, stepped and scrubbed in the browser, for `screen.js`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy.typing as npt
import streamlit as st

from explorer.records import wording
from explorer.ui import appearance, cache, fields, language
from explorer.ui.live import foot
from explorer.ui.live.pack import pack
from explorer.ui.live.ribbons import read
from explorer.ui.scene import link, picture, state


def show(
    film: Any,
    head: Mapping[str, Any],
    arrays: Mapping[str, npt.NDArray[Any]],
    *,
    key: str,
    step: int,
    sentences: Callable[[], Sequence[Sequence[str]]],
    said: Mapping[str, str],
    of: object,
    link_key: str,
    first: int = 0,
    stride: int = 1,
    heading: str = "",
    note: str = "",
    counted: int | None = None,
    on_picked: Callable[[Any], None] | None = None,
    **taken: Any,
) -> None:
    """Draw the film, below it what is said of the step, and the icon.

    Args:
        film: the component.
        head: words and settings that its script reads.
        arrays: float16 or float32, of all steps.
        key: English name, unique on the page; the name of the exported files.
        step: that is shown, from 0.
        sentences: returns what is said of each step, or of each of its parts; `**strong**`. Made once for equal `of`.
        said: `where` names the slider, `place` a step (with {n}), `alt` the picture; and words of its own.
        of: what all of it depends on but the step.
        link_key: key of the hidden field that carries the step in the link.
        first: what the link calls step 0.
        stride: by how much it counts from a step to the next.
        heading: what stands above.
        note: small print beside the heading.
        counted: what the reader calls step 0; if not given, as the link does.
        on_picked: gets what its script tells besides, whatever that is.
        taken: `draw`, `title`, `provenance` and `table` of the step's figure to take away, as of `picture.remark`;
            nothing where the page says itself what is below.
    """
    all_said = cache.once(lambda: _both(sentences()), f"{key}_said", of, language.current())

    def moved() -> None:
        to = read(getattr(st.session_state.get(f"{key}_film"), "moved", None), len(all_said), "to")
        if to is not None:
            fields.put({link_key: str(to * stride + first)})

    def picked() -> None:
        if on_picked:
            on_picked(getattr(st.session_state.get(f"{key}_film"), "picked", None))

    look = appearance.current(zoom=picture.ROOM if link.presenting() else 1.0)
    whole = {
        **head,
        "id": str((of, language.current(), look)),
        "at": step,
        "presses": state.presses(),
        "first": first if counted is None else counted,
        "stride": stride,
        "sentences": [shown for _, shown in all_said],
        "scale": look.weights,
        "zoom": 1 + (look.zoom - 1) / 3,
        "said": {**foot.said(), **said},
    }
    with st.container(key=key):
        if heading:
            picture.heading(heading, note)
        film(data=pack(whole, arrays), key=f"{key}_film", on_moved_change=moved, on_picked_change=picked)
        if taken:
            picture.remark(key, reading=str(all_said[step][0]), **taken)


def _both(sentences: Sequence[Sequence[str]]) -> list[tuple[Sequence[str], Sequence[str]]]:
    """Return what is said of each step as it is written, and as it is shown."""
    return [(each, printed(each) if isinstance(each, str) else list(map(printed, each))) for each in sentences]


def printed(sentence: str) -> str:
    """Return what is said as the page prints it: signs of numbers, gaps of Chinese."""
    return wording.typeset(language.closed_up(sentence))
