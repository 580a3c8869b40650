"""Outputs beside their source as a film: weights and context of each word, packed once, scrubbed in the browser."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.lessons.seq2seq_attention import numbers, readings
from explorer.lessons.seq2seq_attention.figures.columns import plain_names
from explorer.records.recurrent import RecurrentRecord
from explorer.records.wording import joined
from explorer.ui import scripts
from explorer.ui.language import t
from explorer.ui.live import film
from explorer.ui.live.ribbons import read

_film = scripts.component(Path(__file__).with_suffix(".js"))
#: A longer word is cut; the browser breaks a shorter one where it does not fit.
MOST_LETTERS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A record as it is drawn.

    Attributes:
        title: of the column.
        note: small print below it.
        strong: output words in the colour of an output.
        pieces: whether the output is drawn token by token, and not by words.
        forced: the token that was made to look where it does; None for none.
        waits: whether it is only the place of an output that the reader has yet to make: pale, without a moment.
    """

    title: str
    note: str
    record: RecurrentRecord
    strong: Collection[int] = ()
    pieces: bool = False
    forced: int | None = None
    waits: bool = False


def draw(
    columns: Sequence[Column],
    step: int,
    *,
    key: str,
    of: object,
    link_key: str,
    across: int = 3,
    on_picked: Callable[[int, int], None] | None = None,
) -> None:
    """Draw the columns; those with fewer words stay at their last.

    Args:
        step: number of the output word that is followed, from 0.
        of: what the columns depend on.
        link_key: key of the hidden field that carries the step in the link.
        across: columns that stand side by side.
        on_picked: called with the step and the source word that is clicked; without it a source word cannot be clicked.
    """
    found = [numbers.looks(each.record, pieces=each.pieces) for each in columns]
    last = max(len(written) for written, _, _ in found)
    sources = [each.record.trace.source.word_labels for each in columns]

    def picked(told: Any) -> None:
        at, word = read(told, last, "step"), read(told, max(map(len, sources)), "word")
        if at is not None and word is not None and on_picked:
            on_picked(at, word)

    film.show(
        _film,
        {
            "columns": [
                _head(each, source, written)
                for each, source, (written, _, _) in zip(columns, sources, found, strict=True)
            ],
            "across": across,
            "picks": on_picked is not None,
        },
        {name: array for place, each in enumerate(found) for name, array in _arrays(place, *each[1:]).items()},
        key=key,
        step=step,
        sentences=lambda: [_sentence(columns, found, place) for place in range(last)],
        said=_said(last, pieces=columns[0].pieces),
        of=of,
        link_key=link_key,
        counted=1,
        on_picked=picked,
    )


def _head(column: Column, source: Sequence[str], written: Sequence[str]) -> dict[str, Any]:
    strong = set(column.strong)
    if column.pieces:
        strong = {place for place in range(len(written)) if column.record.trace.written.word_of(place) in strong}
    return {
        "title": column.title,
        "note": column.note,
        "source": plain_names(source, t, MOST_LETTERS),
        "written": plain_names(written, t, MOST_LETTERS),
        "strong": sorted(strong),
        "forced": column.forced,
        "waits": column.waits,
        "looks": column.record.trace.alignment is not None,
        "vector": t("{n} numbers").format(n=column.record.trace.summary.size),
    }


def _arrays(place: int, weights: npt.NDArray[Any], contexts: npt.NDArray[Any]) -> dict[str, npt.NDArray[np.float32]]:
    """Return what the browser draws of a column: weights `[written, words]`, and the contexts' first numbers."""
    return {
        f"weights_{place}": weights.astype(np.float32),
        f"contexts_{place}": contexts[:, : numbers.DRAWN].astype(np.float32),
    }


def _sentence(columns: Sequence[Column], found: Sequence[Any], place: int) -> str:
    """Say of each column what the followed word looks at."""
    said = []
    for column, (written, weights, _) in zip(columns, found, strict=True):
        if column.waits:
            continue
        row = min(place, len(written) - 1)
        own = weights[row] if column.record.trace.alignment is not None else None
        look = readings.describe_look(written[row], column.record.trace.source.word_labels, own, t)
        said.append(t("{name}: {said}").format(name=column.title, said=look))
    return joined(said, t)


def _said(last: int, *, pieces: bool) -> dict[str, str]:
    place = t("Step {n} of {m}") if pieces else t("Word {n} of {m}")
    return {
        "where": t("Step") if pieces else t("Follow output word"),
        "place": place.format(n="{n}", m=last),
        "alt": t("What each output word saw of the source: weights, and the context they add up to"),
        "weight": t("weight"),
        "context": t("context"),
        "pick": t("look only here"),
    }
