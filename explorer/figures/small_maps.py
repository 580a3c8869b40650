"""Many maps over small copies of a picture: every head, or one patch layer by layer."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from explorer.figures import heatmap, patches, theme
from explorer.figures.look import look
from explorer.records.arrays import Float32
from explorer.records.image import Picture
from explorer.records.language import t

#: Cells between two small maps.
GAP = 1
#: Height of a row of small maps, in pixels; room for names, as a share of a tile.
TILE, NAMES = 78, 0.35


def overview(
    picture: Picture, maps: npt.NDArray[np.float32], *, rows: Sequence[str], columns: Sequence[str], hover: str = ""
) -> go.Figure:
    """Draw many maps over small copies of a picture, each as bright as its own largest value; hover says the value.

    Args:
        picture: the reader's.
        maps: `[rows, columns, grid, grid]`.
        rows: names of the rows of maps.
        columns: names of its columns.
        hover: with `{row}`, `{column}`, `{position}` and `{value}`; of layers and heads if empty.
    """
    down, across, grid = maps.shape[:3]
    step = grid + GAP
    canvas, said = _tiled(maps)
    corners = [(column * step - 0.5, row * step - 0.5) for row in range(down) for column in range(across)]
    hover = hover or t("layer {row}, head {column}; row and column {position} of the picture: {value}")
    hover = hover.format(
        row="%{y}", column="%{x}", position="%{customdata[1]}, %{customdata[2]}", value="%{customdata[0]:.4f}"
    )
    trace = heatmap.cells(canvas, patches.VEIL, hover, customdata=said)
    centres = [[each * step + position for each in range(n) for position in range(grid)] for n in (across, down)]
    names = [[theme.label(name, None) for name in each for _ in range(grid)] for each in (columns, rows)]
    return theme.figure(
        trace,
        height=round((down + NAMES) * (TILE + 8)) + 16,
        margin={"l": 4, "r": 4, "t": 6, "b": 6},
        images=[patches.image(picture.thumbnail, corner, grid) for corner in corners],
        annotations=_names(rows, columns, grid, step, look().text),
        xaxis=patches.BARE | _ticks(centres[0], names[0]) | {"range": _ends(canvas, 1, step), "constrain": "domain"},
        yaxis=patches.BARE | _ticks(centres[1], names[1]) | patches.SQUARE | {"range": _ends(canvas, 0, step)[::-1]},
    )


def _tiled(maps: npt.NDArray[np.float32]) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Lay maps `[rows, columns, grid, grid]` beside each other: as bright as their largest value, and what is said."""
    down, across, grid = maps.shape[:3]
    step = grid + GAP
    canvas = np.full((down * step - GAP, across * step - GAP), np.nan, np.float32)
    said = np.zeros((*canvas.shape, 3), np.float32)
    for row, column in np.ndindex(down, across):
        tile = np.s_[row * step : row * step + grid, column * step : column * step + grid]
        values = maps[row, column]
        canvas[tile] = values / (float(values.max()) or 1.0)
        said[tile] = np.dstack([values, patches.numbers_of((grid, grid))])
    return canvas, said


def layer_by_layer(picture: Picture, maps: Float32) -> go.Figure:
    """Draw a small map after each layer, three in a row, its name in the corner.

    Args:
        picture: the reader's.
        maps: `[layers, grid, grid]`; their number can be divided by three.
    """
    across, grid = 3, maps.shape[-1]
    tiles = maps.reshape(-1, across, grid, grid)
    hover = t("row and column {position} of the picture: {value}")
    figure = overview(picture, tiles, rows=[""] * len(tiles), columns=[""] * across, hover=hover)
    words = {"showarrow": False, "font": {"size": 15, "color": look().text}, "bgcolor": look().paper, "borderpad": 3}
    for layer in range(len(maps)):
        row, column = divmod(layer, across)
        corner = {"x": column * (grid + GAP) - 0.5, "y": row * (grid + GAP) - 0.5, "xanchor": "left", "yanchor": "top"}
        figure.add_annotation(text=t("after layer {layer}").format(layer=layer), **words, **corner)
    down, wide = (count * (grid + GAP) - GAP - 0.5 for count in (len(tiles), across))
    return figure.update_xaxes(range=[-0.5, wide]).update_yaxes(range=[down, -0.5])


def _ticks(positions: Sequence[int], names: Sequence[str]) -> dict[str, Any]:
    """Return invisible ticks, which hover reads."""
    return {"tickmode": "array", "tickvals": list(positions), "ticktext": list(names)}


def _names(rows: Sequence[str], columns: Sequence[str], grid: int, step: int, colour: str) -> list[dict[str, Any]]:
    """Return names left of the rows and above the columns."""
    bare, middle = {"showarrow": False, "font": {"size": 14, "color": colour}}, (grid - 1) / 2
    left = [
        bare | {"text": f"<b>{theme.label(name, None)}</b>", "x": -1.0, "y": i * step + middle, "xanchor": "right"}
        for i, name in enumerate(rows)
        if name
    ]
    above = [
        bare | {"text": f"<b>{theme.label(name, None)}</b>", "x": i * step + middle, "y": -0.8, "yanchor": "bottom"}
        for i, name in enumerate(columns)
        if name
    ]
    return left + above


def _ends(canvas: Float32, axis: int, step: int) -> list[float]:
    """Return the range of an axis: all tiles, and before them room for their names."""
    return [-0.5 - step * NAMES, canvas.shape[axis] - 0.5]
