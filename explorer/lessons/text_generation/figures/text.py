"""A text as coloured cells, and what becomes of a token in the sampler."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from explorer.figures import heatmap, theme
from explorer.figures.look import faint, look
from explorer.records.generation import Fate, TextRecord
from explorer.records.language import t
from explorer.records.wording import times

ROW_HEIGHT = 26
#: Numbers, letters, and what is said of each cell.
Cells = tuple[npt.NDArray[np.float32], npt.NDArray[np.object_], npt.NDArray[np.object_]]
_BLANK = {"␣": " ", "⏎": "⏎"}


def text(record: TextRecord, rows: Sequence[Sequence[int]], values: npt.NDArray[np.floating[Any]]) -> go.Figure:
    """Draw the text, a cell for each token, coloured where it differs; what was given is underlined.

    Args:
        rows: places of each row.
        values: 1 for each token that differs, else 0.

    Raises:
        ValueError: if there is not one number for each token.
    """
    if values.shape != (len(record.labels),):
        raise ValueError(f"{len(record.labels)} tokens and numbers of shape {values.shape}")
    trace = _heat(_cells(record, rows, values))
    bare = {"visible": False, "fixedrange": True, "showgrid": False, "zeroline": False}
    return theme.figure(
        trace,
        height=96 + ROW_HEIGHT * len(rows),
        margin={"l": 4, "r": 4, "t": 4, "b": 4},
        dragmode=False,
        shapes=_given(record, rows),
        xaxis=bare | {"range": [-0.5, trace.z.shape[1] - 0.5]},
        yaxis=bare | {"range": [len(rows) - 0.4, -0.5]},
    )


def _heat(cells: Cells) -> go.Heatmap:
    """Colour the cells; two texts that differ need no scale."""
    numbers, letters, said = cells
    hover = t("“{letter}”: {what} {value}; {chance}").format(
        letter="%{customdata[0]}",
        what=t("differs"),
        value="%{customdata[2]}",
        chance="%{customdata[1]}",
    )
    return heatmap.cells(
        numbers,
        [[0.0, faint(look().output, 0)], [1.0, faint(look().output, 0.4)]],
        hover,
        ends=(0.0, 1.0),
        text=letters.tolist(),
        texttemplate="%{text}",
        textfont={"color": look().text, "size": 22, "family": "Noto Sans Mono CJK SC, Menlo, Consolas, monospace"},
        customdata=said.tolist(),
        showscale=False,
    )


def _cells(record: TextRecord, rows: Sequence[Sequence[int]], values: npt.NDArray[np.floating[Any]]) -> Cells:
    """Return of each cell its number, its letter, and what is said of it."""
    shape = (len(rows), max(12, *(len(row) for row in rows)))
    cells, letters = np.full(shape, np.nan, np.float32), np.full(shape, "", object)
    said, chances = np.full((*shape, 3), "", object), _chances(record)
    for line, row in enumerate(rows):
        for column, position in enumerate(row):
            number = float(values[position])
            cells[line, column] = number if np.isfinite(number) else 0.0
            letters[line, column] = _letter(record.labels[position])
            said[line, column] = (theme.label(record.labels[position], None), chances[position], _number(number))
    return cells, letters, said


def _number(value: float) -> str:
    return f"{value:.3f}" if np.isfinite(value) else "–"


def _letter(label: str) -> str:
    return theme.label(_BLANK.get(label, label), 2)


def _chances(record: TextRecord) -> list[str]:
    """Return for each token how likely the model took it for."""
    first, given = t("given, not predicted"), t("given; the model gave it one chance in {n}")
    said = [given] * record.n_given + [t("written; the model gave it one chance in {n}")] * (
        len(record.labels) - record.n_given
    )
    numbers = [float(each) for each in record.surprisal]
    return [
        each.format(n=times(np.exp(number))) if np.isfinite(number) else first
        for each, number in zip(said, numbers, strict=True)
    ]


def _given(record: TextRecord, rows: Sequence[Sequence[int]]) -> list[dict[str, Any]]:
    """Return a line under what was given."""
    lines = []
    for line, row in enumerate(rows):
        count = sum(position < record.n_given for position in row)
        if count:
            at = {"x0": -0.45, "x1": count - 0.55, "y0": line + 0.46, "y1": line + 0.46}
            lines.append({"type": "line", "line": {"color": look().muted, "width": 2}} | at)
    return lines


def fate_names() -> dict[Fate, str]:
    """Return what becomes of a token in the sampler."""
    return {
        "kept": t("it can be drawn"),
        "top_k": t("cut by top-k"),
        "top_p": t("cut by top-p"),
        "min_p": t("cut by min-p"),
    }
