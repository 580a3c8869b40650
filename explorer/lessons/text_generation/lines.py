"""“Text generation”: a text as rows of cells, one cell a token."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

import numpy as np
import numpy.typing as npt

from explorer.data.corpus import CorpusKind
from explorer.data.verse import AFTER
from explorer.lessons.text_generation.state import Result
from explorer.records.generation import TextRecord

#: Cells in a row; longer lines are broken at a space.
COLUMNS = 40
_NEW_LINE, _SPACE = "⏎", "␣"


def lines(labels: Sequence[str], kind: CorpusKind) -> tuple[tuple[int, ...], ...]:
    """Return the places of each row: a new one after every end of line; in verse after every pair of lines.

    Args:
        labels: of the tokens, the unseen start first: it begins the first row.
    """
    rows: list[list[int]] = [[]]
    for position, label in enumerate(labels):
        rows[-1].append(position)
        couplet = kind == "verse" and label == AFTER and _goes_on(labels, position)
        if couplet or (label == _NEW_LINE and position):
            rows.append([])
        elif len(rows[-1]) > COLUMNS:
            rows += [_broken_off(rows[-1], labels)]
    return tuple(tuple(row) for row in rows if row)


def pair(before: Result, after: Result) -> tuple[TextRecord, tuple[tuple[int, ...], ...], npt.NDArray[np.float32]]:
    """Return two texts as one: its tokens, its rows with an empty one between, and 1 for what differs at its place."""
    one, other = (lines(each.text.labels, each.kind) for each in (before, after))
    beyond = len(before.ids)
    rows = (*one, (), *(tuple(beyond + position for position in row) for row in other))
    both = replace(
        after.text,
        labels=(*before.text.labels, *after.text.labels),
        surprisal=np.concatenate([before.text.surprisal, after.text.surprisal]),
        n_given=0,
    )
    differs = [float(a != b) for a, b in zip_longest(before.ids, after.ids)]
    values = [*differs[:beyond], *differs[: len(after.ids)]]
    return both, rows, np.array(values, np.float32)


def _goes_on(labels: Sequence[str], position: int) -> bool:
    """Return whether something other than an end of line follows: that one stays in its row."""
    return position + 1 < len(labels) and labels[position + 1] != _NEW_LINE


def _broken_off(row: list[int], labels: Sequence[str]) -> list[int]:
    """Return what goes into the next row: the word that did not fit; the row is cut."""
    cut = next((number for number in range(len(row) - 1, 0, -1) if labels[row[number]] == _SPACE), len(row) - 2)
    rest = row[cut + 1 :]
    del row[cut + 1 :]
    return rest


def nearest(rows: Sequence[Sequence[int]], row: float, column: float) -> int:
    """Return the place of the cell nearest to where somebody clicked."""
    line = rows[min(max(round(row), 0), len(rows) - 1)]
    return line[min(max(round(column), 0), len(line) - 1)]
