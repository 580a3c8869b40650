"""A film of whole steps: its numbers packed once, played, stepped and scrubbed in the browser, for `timeline.js`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

import streamlit as st

from explorer.records import wording
from explorer.records.language import current_language
from explorer.ui import cache, language
from explorer.ui.live.live import NOTHING, Data, Live
from explorer.ui.live.told import Link, OneOf, Told
from explorer.ui.scene import picture, state

#: Nothing else is read of a film.
NOTHING_MORE: Mapping[str, Mapping[str, Any]] = MappingProxyType({})
#: What is said of each step, or of each of its parts; `**strong**`.
Sentences = Sequence[str | Sequence[str]]


class Film:
    """A live picture of steps, whose script draws them by `screened` of `timeline.js`."""

    def __init__(self, script: Path) -> None:
        """Register the script."""
        self._picture = Live(script)

    def show(
        self,
        key: str,
        data: Data,
        *,
        step: int,
        link_key: str,
        positions: range,
        sentences: Callable[[], Sentences],
        of: object,
        counted: int | None = None,
        tells: Mapping[str, Told] = NOTHING,
        heading: str = "",
        note: str = "",
        also: Mapping[str, Mapping[str, Any]] = NOTHING_MORE,
        **taken: Any,
    ) -> None:
        """Draw the film, below it what is said of the step, and the icon.

        Args:
            key: English name, unique on the page; the name of the exported files.
            data: makes what its script reads, a mapping; the arrays of all steps are its `arrays`.
            step: that is shown, from 0.
            link_key: key of the hidden field that carries the step in the link.
            positions: what the link calls each step.
            sentences: made once for equal `of`.
            of: what all of it depends on but the step.
            counted: what the reader calls step 0; if not given, as the link does.
            tells: what the reader may change besides the step.
            heading: what stands above.
            note: small print beside the heading.
            also: what else is read of the film, by the names of the exported files; the rest as `taken`.
            taken: title, provenance and table, as of `picture.live_remark`; nothing where the page says itself what is
                below. The reading is the sentence of the step, if it is not given.
        """
        steps = _Steps(step=step, positions=positions, sentences=sentences, of=of, counted=counted)
        whole = partial(_whole, key, data, steps)
        to = Link(link_key, OneOf([str(position) for position in positions]))
        with st.container(key=key):
            if heading:
                picture.heading(heading, note)
            self._picture.draw(f"{key}_live", whole, tells={"to": to, **tells})
            if taken:
                self._picture.remark(key, whole, **{"reading": _spoken(key, sentences, of)[step][0], **taken})
        for name, more in also.items():
            self._picture.remark(name, whole, on_paper=False, **more)

    def remark(
        self,
        key: str,
        data: Data,
        *,
        step: int,
        positions: range,
        sentences: Callable[[], Sentences],
        of: object,
        counted: int | None = None,
        **taken: Any,
    ) -> None:
        """Show what is read of a film that stands above, or of a part of it, and the icon; arguments as of `show`."""
        steps = _Steps(step=step, positions=positions, sentences=sentences, of=of, counted=counted)
        self._picture.remark(key, partial(_whole, key, data, steps), **taken)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Steps:
    """Steps of a film, and what is said of them; as of `Film.show`."""

    step: int
    positions: range
    sentences: Callable[[], Sentences]
    of: object
    counted: int | None


def _whole(key: str, data: Data, steps: _Steps) -> dict[str, Any]:
    """Return what a film draws, in the look of now; key and data as of `Film.show`."""
    look = picture.before_a_room()
    return {
        **data(),
        "id": str((steps.of, current_language(), look)),
        "at": steps.step,
        "presses": state.presses(),
        "first": steps.positions.start if steps.counted is None else steps.counted,
        "stride": steps.positions.step,
        "sentences": [shown for _, shown in _spoken(key, steps.sentences, steps.of)],
        "scale": look.weights,
        "zoom": 1 + (look.zoom - 1) / 3,
    }


def _spoken(key: str, sentences: Callable[[], Sentences], of: object) -> list[tuple[Any, Any]]:
    """Return what is said of each step as it is written, and as it is shown; made once for equal `of`."""
    return cache.once(lambda: _both(sentences()), f"{key}_said", of, current_language())


def _both(sentences: Sentences) -> list[tuple[Sequence[str], Sequence[str]]]:
    """Return what is said of each step as it is written, and as it is shown."""
    return [(each, format_text(each) if isinstance(each, str) else list(map(format_text, each))) for each in sentences]


def format_text(sentence: str) -> str:
    """Return what is said as the page prints it: signs of numbers, gaps of Chinese."""
    return wording.typeset(language.closed_up(sentence))
