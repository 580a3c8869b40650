"""Any matrices side by side as one heat map: a canvas with a gap between the tiles."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go
from plotly.colors import named_colorscales

from explorer.figures import hatch, theme
from explorer.figures.look import look
from explorer.records.arrays import Float32

#: Pixels: width and height of all tiles, the largest cell, the smallest whose row is named and whose number is written.
_WIDE, _HIGH, _LARGEST, _NAMED, _NUMBERED = 860, 1200, 44, 14, 30
#: Pixels: a tile's heading, and its gap to the next on the right.
_HEADING, _GAP = 26, 14
#: Cells of a canvas, gaps and all: where a map is long and low, a gap has many times its cells.
MOST_CELLS = 4_000_000


class Canvas(NamedTuple):
    """Tiles laid out row by row.

    Attributes:
        cells: `[rows, columns]`; NaN in the gaps.
        tile: number of the tile that a cell belongs to.
        corners: row and column of each tile's first cell.
    """

    cells: Float32
    tile: npt.NDArray[Any]
    corners: list[tuple[int, int]]


def lay_out(maps: Float32, columns: int, *, down: int, across: int) -> Canvas:
    """Lay out maps `[tiles, queries, keys]`, `columns` in a row, with gaps of `down` and `across` cells."""
    tiles, queries, keys = maps.shape
    rows = math.ceil(tiles / columns)
    cells = np.full((rows * (queries + down) - down, columns * (keys + across) - across), np.nan, np.float32)
    of_cell = np.zeros(cells.shape, np.uint8 if tiles <= 256 else np.int32)
    corners = [((tile // columns) * (queries + down), (tile % columns) * (keys + across)) for tile in range(tiles)]
    for tile, (top, left) in enumerate(corners):
        position = np.s_[top : top + queries, left : left + keys]
        cells[position], of_cell[position] = maps[tile], tile
    return Canvas(cells, of_cell, corners)


def columns_for(tiles: int) -> int:
    """Return the fewest columns, from the square root up to twice it, that leave no tile empty; else the root."""
    root = math.ceil(math.sqrt(tiles))
    return next((columns for columns in range(root, 2 * root + 1) if tiles % columns == 0), root)


def is_colorscale(name: str) -> bool:
    """Return whether Plotly has a colour scale of a name; `_r` behind it turns the scale round."""
    return name.lower().removesuffix("_r") in named_colorscales()


def heatmaps(
    maps: Float32,
    *,
    columns: int,
    titles: Sequence[str],
    query_title: str,
    key_title: str,
    size: tuple[float, float] | None = None,
    colorscale: str | None = None,
) -> go.Figure:
    """Draw maps `[tiles, queries, keys]` of any finite numbers in square cells, the places as their names.

    Weights (all within 0…1) stand on the fixed scale of weights; other numbers on one that is centred on 0, or from
    the least to the greatest if a colour scale is named.

    Args:
        size: width and height of the whole figure, in pixels, that its cells at most fill; as large as can be read if
            it is not given.
        colorscale: name of one of Plotly's, in the place of the app's own; numbers are then not written into cells.

    Raises:
        ValueError: if the maps are so long and low that the gaps between them would fill the memory.
    """
    tiles, queries, keys = maps.shape
    rows = math.ceil(tiles / columns)
    margin = {"l": 64, "r": 84, "t": 8 + _HEADING, "b": 60}
    wide, high = (size[0] - margin["l"] - margin["r"], size[1] - margin["t"] - margin["b"]) if size else (_WIDE, _HIGH)
    # Gaps and headings leave each tile something, however small the figure is wanted.
    across_tile, down_tile = max(wide / columns - _GAP, 8), max(high / rows - _HEADING, 8 if size else 40)
    cell = min(_LARGEST, across_tile / keys, down_tile / queries)
    down, across = math.ceil(_HEADING / cell), math.ceil(_GAP / cell)
    if rows * (queries + down) * columns * (keys + across) > MOST_CELLS:
        raise ValueError(f"maps of {queries} × {keys} are too long for their height to stand in tiles; draw a part")
    canvas = lay_out(maps, columns, down=down, across=across)
    high, wide = canvas.cells.shape
    weights = bool(maps.min() >= 0 and maps.max() <= 1)
    traces = [_cells(canvas, maps, weights=weights, colorscale=colorscale)]
    if weights and not colorscale and cell >= _NUMBERED:
        traces.append(hatch.numbers(canvas.cells, size=12))
    return theme.figure(
        *traces,
        width=round(max(wide * cell, 90)) + margin["l"] + margin["r"],
        height=round(max(high * cell, 90)) + margin["t"] + margin["b"],
        margin=margin,
        xaxis=_axis(keys, columns, keys + across, key_title, shown=cell >= _NAMED),
        yaxis=_axis(queries, rows, queries + down, query_title, shown=cell >= _NAMED) | {"autorange": "reversed"},
        shapes=[
            {"type": "rect", "x0": left - 0.5, "x1": left + keys - 0.5, "y0": top - 0.5, "y1": top + queries - 0.5}
            | {"line": {"color": look().line, "width": 1}}
            for top, left in canvas.corners
        ],
        annotations=[
            {"x": left - 0.5, "y": top - 0.5, "text": theme.label(title, None) if title else " ", "font": {"size": 13}}
            | {"showarrow": False, "xanchor": "left", "yanchor": "bottom"}
            for (top, left), title in zip(canvas.corners, titles, strict=False)
        ],
    )


def _cells(canvas: Canvas, maps: Float32, *, weights: bool, colorscale: str | None) -> go.Heatmap:
    """Colour the cells: weights from 0 to 1, others about 0, or from end to end on a scale that somebody names."""
    reach = float(np.abs(maps).max()) or 1.0
    least, most = (0.0, 1.0) if weights else (float(maps.min()), float(maps.max())) if colorscale else (-reach, reach)
    own = look().weights if weights else [(0.0, look().query), (0.5, look().paper), (1.0, look().key)]
    return go.Heatmap(
        z=canvas.cells,
        customdata=canvas.tile,
        zmin=least,
        zmax=most,
        colorscale=colorscale or own,
        hovertemplate="[%{customdata}] %{y}, %{x}: %{z:.4g}<extra></extra>",
        hoverongaps=False,
        colorbar={"thickness": 12, "outlinecolor": look().line, "tickfont": {"color": look().muted}},
    )


def _axis(positions: int, tiles: int, pitch: int, title: str, *, shown: bool) -> dict[str, Any]:
    """Return an integer axis over all tiles, on which the places are counted anew in each."""
    axis = theme.token_axis(tuple(map(str, range(positions))) * tiles, title=theme.label(title, None))
    at = [tile * pitch + position for tile in range(tiles) for position in range(positions)]
    return axis | {"tickvals": at, "showticklabels": shown, "ticks": "", "tickfont": {"size": 12}}
