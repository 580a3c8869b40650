"""Marks on the cells of a heat map: strokes where a cell is masked, numbers where they can be read."""

from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from explorer.figures.look import ink_at, look, text_on

#: A smaller weight gets no number.
LEAST = 0.05
#: Strokes of one cell, from lower left to upper right, in shares of the cell.
_STROKES = ((0.0, 0.5, 0.5, 1.0), (0.0, 0.0, 1.0, 1.0), (0.5, 0.0, 1.0, 0.5))


def cells(masked: npt.NDArray[np.bool_]) -> list[dict[str, Any]]:
    """Shapes for `layout.shapes`: masked cells on a ground of their own, hatched, below the map, whose cell is missing.

    Args:
        masked: `[rows, columns]`; the map's axes count both from 0.
    """
    positions = [(int(row), int(column)) for row, column in np.argwhere(masked)]
    if not positions:
        return []
    grounds = "".join(
        f"M{x - 0.5},{y - 0.5}L{x + 0.5},{y - 0.5}L{x + 0.5},{y + 0.5}L{x - 0.5},{y + 0.5}Z" for y, x in positions
    )
    strokes = "".join(
        f"M{x - 0.5 + a:g},{y + 0.5 - b:g}L{x - 0.5 + c:g},{y + 0.5 - d:g}"
        for y, x in positions
        for a, b, c, d in _STROKES
    )
    common = {"type": "path", "xref": "x", "yref": "y", "layer": "below"}
    return [
        common | {"path": grounds, "fillcolor": look().line, "line": {"width": 0}},
        common | {"path": strokes, "line": {"color": look().hatch, "width": 1.2}},
    ]


def numbers(weights: npt.NDArray[np.floating[Any]], *, size: float = 15) -> go.Scatter:
    """A trace that writes each weight worth its ink on its cell, in black or white, whichever is read better.

    Args:
        weights: `[rows, columns]`, NaN where masked; the map's axes count both from 0.
        size: of the letters; leave the trace out where a cell has less than 25 pixels. Before a room they grow less
            than other type, for cells hardly grow.
    """
    rows, columns = np.nonzero(np.nan_to_num(weights) >= LEAST)
    values = weights[rows, columns].astype(float)
    inks = [text_on(ink_at(value)) for value in values]
    return go.Scatter(
        x=columns,
        y=rows,
        mode="text",
        text=[short(value) for value in values],
        textfont={"size": look().close(size), "weight": 600, "color": inks},
        hoverinfo="skip",
        showlegend=False,
    )


def short(weight: float) -> str:
    """A weight in two decimals without the zero in front: .62, 1."""
    return f"{weight:.2f}".lstrip("0") if round(weight, 2) < 1 else "1"
