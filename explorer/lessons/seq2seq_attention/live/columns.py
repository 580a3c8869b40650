"""Outputs beside their source as a film: weights and context of each word, packed once, scrubbed in the browser."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.lessons.seq2seq_attention import numbers, readings
from explorer.lessons.seq2seq_attention.figures.columns import plain_names
from explorer.lessons.seq2seq_attention.live.german import explain_german
from explorer.records.language import t
from explorer.records.recurrent import RecurrentRecord
from explorer.records.wording import join_sentences
from explorer.ui.live.film import Film
from explorer.ui.live.told import Action, Index

PICTURE = Film(Path(__file__).with_suffix(".js"))
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


def show(
    columns: Sequence[Column],
    step: int,
    *,
    key: str,
    of: object,
    link_key: str,
    across: int = 3,
    on_picked: Callable[[int, int], None] | None = None,
) -> None:
    """Show the columns; those with fewer words stay at their last.

    Args:
        columns: what is drawn.
        step: number of the output word that is followed, from 0.
        key: English name, unique on the page.
        of: what the columns depend on.
        link_key: key of the hidden field that carries the step in the link.
        across: columns that stand side by side.
        on_picked: called with the step and the source word that is clicked; without it a source word cannot be clicked.
    """
    last, words = _longest(columns), max(len(each.record.trace.source.word_labels) for each in columns)
    PICTURE.show(
        key,
        partial(pack, columns, across=across, picks=on_picked is not None),
        step=step,
        link_key=link_key,
        tells={"picked": Action(on_picked, step=Index(last), word=Index(words))} if on_picked else {},
        **_steps(columns, last, of),
    )


def remark(column: Column, step: int, *, key: str, of: object, **taken: Any) -> None:
    """Show what is said of one of the columns, and the icon, which hands it out alone; arguments as of `show`."""
    last = _longest([column])
    PICTURE.remark(
        key,
        partial(pack, [column], across=1, picks=False),
        step=min(step, last - 1),
        **_steps([column], last, of),
        title=column.title,
        provenance=column.record.provenance,
        **taken,
    )


def _longest(columns: Sequence[Column]) -> int:
    return max(len(numbers.looks(each.record, pieces=each.pieces)[0]) for each in columns)


def _steps(columns: Sequence[Column], last: int, of: object) -> dict[str, Any]:
    return {
        "positions": range(last),
        "sentences": lambda: [_sentence(columns, position) for position in range(last)],
        "of": of,
        "counted": 1,
    }


def pack(columns: Sequence[Column], *, across: int, picks: bool) -> dict[str, Any]:
    """Return the columns; `picks`: whether a source word can be clicked."""
    found = [numbers.looks(each.record, pieces=each.pieces) for each in columns]
    return {
        "columns": [
            _head(each, each.record.trace.source.word_labels, written)
            for each, (written, _, _) in zip(columns, found, strict=True)
        ],
        "across": across,
        "picks": picks,
        "pieces": columns[0].pieces,
        "arrays": {
            name: each for position, of in enumerate(found) for name, each in _arrays(position, *of[1:]).items()
        },
    } | explain_german(each.record for each in columns)


def _head(column: Column, source: Sequence[str], written: Sequence[str]) -> dict[str, Any]:
    strong = set(column.strong)
    if column.pieces:
        strong = {
            position for position in range(len(written)) if column.record.trace.written.word_of(position) in strong
        }
    return {
        "title": column.title,
        "note": column.note,
        "source": plain_names(source, MOST_LETTERS),
        "written": plain_names(written, MOST_LETTERS),
        "strong": sorted(strong),
        "forced": column.forced,
        "waits": column.waits,
        "looks": column.record.trace.alignment is not None,
        "vector": t("{n} numbers").format(n=column.record.trace.summary.size),
    }


def _arrays(position: int, weights: npt.NDArray[Any], contexts: npt.NDArray[Any]) -> dict[str, npt.NDArray[np.float32]]:
    """Return what the browser draws of a column: weights `[written, words]`, and the contexts' first numbers."""
    return {
        f"weights_{position}": weights.astype(np.float32),
        f"contexts_{position}": contexts[:, : numbers.DRAWN].astype(np.float32),
    }


def _sentence(columns: Sequence[Column], position: int) -> str:
    """Say of each column what the followed word looks at."""
    said = []
    for column in columns:
        if column.waits:
            continue
        written, weights, _ = numbers.looks(column.record, pieces=column.pieces)
        row = min(position, len(written) - 1)
        own = weights[row] if column.record.trace.alignment is not None else None
        look = readings.describe_look(written[row], column.record.trace.source.word_labels, own)
        said.append(t("{name}: {said}").format(name=column.title, said=look))
    return join_sentences(said)
