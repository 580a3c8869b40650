"""A batched product as blocks of numbers: weights · values = output, a row of blocks for each batch."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import hatch, theme, weight_map
from explorer.figures.look import faint, look
from explorer.lessons.queries_keys_values.records.batches import BatchesRecord
from explorer.records.language import t

#: Cells between two blocks, where the sign stands, and between two batches.
_ACROSS, _DOWN = 2.0, 1.0


def batches(record: BatchesRecord) -> go.Figure:
    """Draw the blocks of every batch, each number in its cell; above them the shapes."""
    parts = (
        (t("weights"), record.weights, look().key),
        (t("values"), record.values, look().value),
        (t("output"), record.output, look().output),
    )
    count, _, keys = record.weights.shape
    tall = max(keys, record.output.shape[1])
    size = 15 if count * tall <= 12 else 12 if count * tall <= 20 else 10
    traces, shapes, notes = [], list[dict[str, Any]](), list[dict[str, Any]]()
    left = 0.0
    for position, (name, cells, ink) in enumerate(parts):
        rows, columns = cells.shape[1:]
        for batch in range(count):
            top = batch * (tall + _DOWN) + (tall - rows) / 2
            shapes += _block(left, top, rows, columns, ink)
            if position:
                middle = batch * (tall + _DOWN) + tall / 2
                notes.append(_said("·" if position == 1 else "=", left - _ACROSS / 2, middle, 26, look().text))
            traces.append(_numbers(cells[batch], left, top, name, batch, size))
        shape = ", ".join(map(str, cells.shape))
        notes.append(_said(f"<b>{name}</b><br>({shape})", left + columns / 2, -1.1, 14, ink))
        left += columns + _ACROSS
    rows_named = [
        _said(t("sentence {number}").format(number=batch), -0.7, batch * (tall + _DOWN) + tall / 2, 13, look().muted)
        | {"textangle": -90}
        for batch in range(count)
    ]
    bare = {"visible": False, "constrain": "domain"}
    return theme.figure(
        *traces,
        height=500,
        showlegend=False,
        margin={"l": 4, "r": 4, "t": 4, "b": 4},
        shapes=shapes,
        annotations=[*notes, *rows_named],
        xaxis=bare | {"range": [-1.3, left - _ACROSS + 0.2]},
        yaxis=bare | {"range": [count * (tall + _DOWN) - _DOWN + 0.2, -2.2], "scaleanchor": "x"},
    )


def weights(record: BatchesRecord) -> go.Figure:
    """Draw the weights as a heat map: the queries of every sentence, below each other, by keys."""
    batches, queries, keys = record.weights.shape
    named = t("sentence {number}")
    sentences = [f"{named.format(number=at)}, " if batches > 1 else "" for at in range(batches)]
    rows = tuple(f"{sentence}q{position + 1}" for sentence in sentences for position in range(queries))
    columns = tuple(f"k{position + 1}" for position in range(keys))
    return weight_map.draw_weights(record.weights.reshape(-1, keys), rows, columns)


def _block(left: float, top: float, rows: int, columns: int, ink: str) -> list[dict[str, Any]]:
    """Return the cells of one matrix."""
    cell = {"type": "rect", "fillcolor": faint(ink, 0.14), "line": {"color": ink, "width": 1}, "layer": "below"}
    return [
        cell | {"x0": left + x, "x1": left + x + 1, "y0": top + y, "y1": top + y + 1}
        for y in range(rows)
        for x in range(columns)
    ]


def _numbers(cells: np.ndarray, left: float, top: float, name: str, batch: int, size: int) -> go.Scatter:
    rows, columns = np.indices(cells.shape)
    said = t("{part}, sentence {which}: {number}").format(part=name, which=batch, number="%{customdata:.4g}")
    return go.Scatter(
        x=(left + columns.ravel() + 0.5).astype(np.float32),
        y=(top + rows.ravel() + 0.5).astype(np.float32),
        mode="text",
        name=f"{name} {batch}",
        text=[_short(number) for number in cells.ravel().tolist()],
        textfont={"size": size, "color": look().text},
        customdata=cells.ravel(),
        hovertemplate=said + "<extra></extra>",
    )


def _short(number: float) -> str:
    """Write a number as short as a cell is wide."""
    if 0 < number < 0.005:
        return "≈0"
    return hatch.short(number) if 0 < number < 1 else f"{number:.3g}"


def _said(text: str, x: float, y: float, size: int, ink: str) -> dict[str, Any]:
    return {"text": text, "x": x, "y": y, "showarrow": False, "font": {"size": size, "color": ink}}
