"""Weights of heads as maps of square cells."""

from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from explorer.figures import hatch, heatmap, theme
from explorer.figures.look import LIGHT, Look
from explorer.records import AttentionRecord, Translate, english
from explorer.records.wording import token

#: With at most this many rows and columns a cell is large enough for its number, and lines between cells help.
MOST_NUMBERED, MOST_LINED = 14, 48


def head(
    record: AttentionRecord, *, row: int | None = None, column: int | None = None, look: Look = LIGHT, t: Translate
) -> go.Figure:
    """Draw a record with one head: rows ask, columns are asked; what a mask forbids is hatched."""
    weights = heatmap.masked(record.weights.mean(0), record.allowed)
    return weighed(weights, record.query_labels, record.key_labels, row=row, column=column, look=look, t=t)


def weighed(
    weights: npt.NDArray[np.float32],
    rows: tuple[str, ...],
    columns: tuple[str, ...],
    *,
    row: int | None = None,
    column: int | None = None,
    look: Look = LIGHT,
    t: Translate = english,
) -> go.Figure:
    """Draw weights 0…1 of named rows and columns, NaN where a mask forbids to look; `row` and its `column` framed."""
    asks, asked = (tuple(token(label, t) for label in labels) for labels in (rows, columns))
    size = 15 if max(weights.shape) <= MOST_NUMBERED else 12 if max(weights.shape) <= 30 else 9
    traces = [heatmap.cells(weights, look.weights, heatmap.attends(t))]
    if max(weights.shape) <= MOST_NUMBERED:
        traces.append(hatch.numbers(weights, look, size=14))
    longest = (max(len(theme.visible(label, theme.LABEL_CHARACTERS)) for label in labels) for labels in (asks, asked))
    beside, above = (8 + 0.58 * size * look.zoom * letters for letters in longest)
    top = {
        "side": "top",
        "constrain": "domain",
        "constraintoward": "left",
        "tickangle": -45,
        "tickfont": {"size": size},
    }
    side = {
        "range": (weights.shape[0] - 0.5, -0.5),
        "constraintoward": "top",
        "scaleanchor": "x",
        "constrain": "domain",
        "tickfont": {"size": size},
    }
    return theme.figure(
        *traces,
        height=520,
        showlegend=False,
        margin={"l": beside, "r": 1.7 * size * look.zoom, "t": size + 0.8 * above, "b": 8},
        xaxis=theme.token_axis(asked)
        | top
        | {"automargin": False, "ticks": "", "range": (-0.5, weights.shape[1] - 0.5)},
        yaxis=theme.token_axis(asks) | side | {"automargin": False, "ticks": ""},
        shapes=[
            *hatch.cells(np.isnan(weights), look),
            *_lines(weights.shape, look),
            *_chosen(weights, row, column, look),
        ],
    )


def _lines(shape: tuple[int, ...], look: Look) -> list[dict[str, Any]]:
    """Return the lines between cells, as one shape; none where cells are small."""
    rows, columns = shape
    if max(shape) > MOST_LINED:
        return []
    down = "".join(f"M{x - 0.5},-0.5V{rows - 0.5}" for x in range(columns + 1))
    across = "".join(f"M-0.5,{y - 0.5}H{columns - 0.5}" for y in range(rows + 1))
    return [{"type": "path", "path": down + across, "line": {"color": look.line, "width": 1}}]


def _chosen(weights: npt.NDArray[np.float32], row: int | None, column: int | None, look: Look) -> list[dict[str, Any]]:
    """Return the frames of the chosen row, and of the chosen cell in it."""
    if row is None:
        return []
    line = {"type": "rect", "y0": row - 0.5, "y1": row + 0.5, "fillcolor": "rgba(0,0,0,0)"}
    frames = [line | {"x0": -0.5, "x1": weights.shape[1] - 0.5, "line": {"color": look.query, "width": 3}}]
    if column is not None:
        frames.append(line | {"x0": column - 0.5, "x1": column + 0.5, "line": {"color": look.key, "width": 3}})
    return frames
