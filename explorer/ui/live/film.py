"""A film of whole steps: its numbers packed once, played, stepped and scrubbed in the browser, for `screen.js`."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy.typing as npt
import streamlit as st

from explorer.records import wording
from explorer.ui import appearance, language
from explorer.ui.live import foot
from explorer.ui.live.pack import pack
from explorer.ui.live.ribbons import read
from explorer.ui.scene import link, picture


def show(
    film: Any,
    head: Mapping[str, Any],
    arrays: Mapping[str, npt.NDArray[Any]],
    *,
    key: str,
    step: int,
    sentences: Sequence[str],
    said: Mapping[str, str],
    of: object,
    link_key: str,
    first: int = 0,
) -> None:
    """Draw the film.

    Args:
        film: the component.
        head: words and settings that its script reads.
        arrays: float16 or float32, of all steps.
        key: English name, unique on the page.
        step: that is shown, from 0.
        sentences: what is said of each step; `**strong**`.
        said: `where` names the slider, `place` a step (with {n}), `alt` the picture; and words of its own.
        of: what all of it depends on but the step.
        link_key: key of the hidden field that carries the step in the link.
        first: what the link calls step 0.
    """

    def moved() -> None:
        to = read(getattr(st.session_state.get(key), "moved", None), len(sentences), "to")
        if to is not None:
            st.session_state[link_key] = str(to + first)

    look = appearance.current(zoom=picture.ROOM if link.presenting() else 1.0)
    whole = {
        **head,
        "id": str((of, language.current(), look)),
        "at": step,
        "first": first,
        "sentences": [wording.typeset(language.closed_up(each)) for each in sentences],
        "scale": look.weights,
        "zoom": 1 + (look.zoom - 1) / 3,
        "said": {**foot.said(), **said},
    }
    film(data=pack(whole, arrays), key=key, on_moved_change=moved)
