"""Attention on a picture: light or colour over its patches, one map large or every head small."""

from collections.abc import Collection, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from explorer.figures import theme
from explorer.figures.look import LIGHT, Look
from explorer.records import Translate, english
from explorer.records.image import Picture

Floats = npt.NDArray[np.float32]
Style = Literal["light", "colour"]
#: Light falls where attention goes: from nearly black to the picture itself, by the square root of the share of the
#: largest weight. By the share itself all but one or two patches would be black.
VEIL = [
    [share, f"rgba(4,8,16,{0.8 * (1 - share**0.5):.3f})"] for share in (0, 0.01, 0.04, 0.1, 0.2, 0.35, 0.55, 0.75, 1)
]
#: Height of a large map, in pixels.
HEIGHT = 440
#: Cells between two small maps.
GAP = 1
#: Height of a row of small maps, in pixels; room for names, as a share of a tile.
TILE, NAMES = 78, 0.35
_SQUARE = {"scaleanchor": "x", "constrain": "domain", "constraintoward": "top"}
BARE = {
    "showgrid": False,
    "zeroline": False,
    "showline": False,
    "showticklabels": False,
    "ticks": "",
    "fixedrange": True,
}


def overlay(
    picture: Picture,
    values: Floats,
    *,
    style: Style = "light",
    top: float | None = None,
    asks: int | None = None,
    value_title: str = "",
    look: Look = LIGHT,
    t: Translate = english,
) -> go.Figure:
    """Draw a map over the whole of a picture, each cell covering its part of it; hover says row, column and number.

    Args:
        values: `[rows, columns]`, not negative.
        style: light falls where the values are large, or colour stands for them.
        top: the value of full light or of the strongest colour; the largest there is if None.
        asks: number of the patch that asks, from 0, negative for none; the one with the largest value is framed too.
        value_title: what a number is.
    """
    reach = top if top is not None else float(values.max()) or 1.0
    trace = go.Heatmap(
        z=values,
        zmin=0.0,
        zmax=reach,
        colorscale=VEIL if style == "light" else look.weights,
        opacity=1.0 if style == "light" else 0.78,
        hovertemplate=t("row {row}, column {column}: {value}").format(
            row="%{customdata[0]}", column="%{customdata[1]}", value="%{z:.4f}"
        )
        + "<extra></extra>",
        customdata=_numbers(values.shape),
        showscale=style == "colour",
        colorbar=_scale(value_title),
        xgap=1,
        ygap=1,
    )
    figure = _on(picture.uri, trace, values.shape, scale=style == "colour")
    if asks is not None:
        framed = [(int(values.argmax()), look.key), *([(asks, look.query)] if asks >= 0 else [])]
        figure.update_layout(shapes=[_frame(patch, values.shape[1], colour) for patch, colour in framed])
    return figure


def _frame(patch: int, grid: int, colour: str) -> dict[str, Any]:
    """Return the outline of a patch."""
    row, column = divmod(patch, grid)
    sides = {"x0": column - 0.46, "x1": column + 0.46, "y0": row - 0.46, "y1": row + 0.46}
    return {"type": "rect", "line": {"color": colour, "width": 4}, **sides}


def patches(
    picture: Picture,
    grid: int,
    *,
    hidden: Collection[int] = (),
    look: Look = LIGHT,
    t: Translate = english,
) -> go.Figure:
    """Draw the picture with the lines between its patches; hover says which patch it is.

    Args:
        grid: patches on each side.
        hidden: numbers of patches that are painted over, row by row from 0; framed as what was chosen.
    """
    values = np.zeros((grid, grid), np.float32)
    values.ravel()[[each for each in hidden if 0 <= each < grid**2]] = 1
    mean = picture.seen.reshape(-1, 3).mean(0).round().astype(int)
    painted = f"rgb({mean[0]},{mean[1]},{mean[2]})"
    lines = _lines(grid)
    trace = go.Heatmap(
        z=values,
        zmin=0.0,
        zmax=1.0,
        colorscale=[[0.0, "rgba(0,0,0,0)"], [0.5, "rgba(0,0,0,0)"], [0.5, painted], [1.0, painted]],
        hovertemplate=t("patch in row {row}, column {column}, number {number}").format(
            row="%{customdata[0]}", column="%{customdata[1]}", number="%{customdata[2]}"
        )
        + "<extra></extra>",
        customdata=np.dstack([_numbers(values.shape), 1 + np.arange(grid**2).reshape(grid, grid)]),
        showscale=False,
    )
    figure = _on(picture.uri, trace, values.shape)
    framed = [_frame(patch, grid, look.query) for patch in hidden if 0 <= patch < grid**2]
    return figure.update_layout(shapes=[*lines, *framed])


def _lines(grid: int) -> list[dict[str, Any]]:
    line = {"color": "rgba(255,255,255,0.65)", "width": 1}
    ends = (-0.5, grid - 0.5)
    upright = [{"x0": at - 0.5, "x1": at - 0.5, "y0": ends[0], "y1": ends[1]} for at in range(1, grid)]
    level = [{"y0": at - 0.5, "y1": at - 0.5, "x0": ends[0], "x1": ends[1]} for at in range(1, grid)]
    return [{"type": "line", "line": line, **each} for each in upright + level]


def overview(
    picture: Picture,
    maps: npt.NDArray[np.float32],
    *,
    rows: Sequence[str],
    columns: Sequence[str],
    hover: str = "",
    look: Look = LIGHT,
    t: Translate = english,
) -> go.Figure:
    """Draw many maps over small copies of a picture, each as bright as its own largest value; hover says the value.

    Args:
        maps: `[rows, columns, grid, grid]`.
        rows: names of the rows of maps.
        columns: names of its columns.
        hover: with `{row}`, `{column}`, `{place}` and `{value}`; of layers and heads if empty.
    """
    down, across, grid = maps.shape[:3]
    step = grid + GAP
    canvas = np.full((down * step - GAP, across * step - GAP), np.nan, np.float32)
    said = np.zeros((*canvas.shape, 3), np.float32)
    images = []
    for row in range(down):
        for column in range(across):
            tile = np.s_[row * step : row * step + grid, column * step : column * step + grid]
            values = maps[row, column]
            canvas[tile] = values / (float(values.max()) or 1.0)
            said[tile] = np.dstack([values, _numbers((grid, grid))])
            images.append(_image(picture.thumbnail, (column * step - 0.5, row * step - 0.5), grid))
    hover = hover or t("layer {row}, head {column}; row and column {place} of the picture: {value}")
    trace = go.Heatmap(
        z=canvas,
        zmin=0.0,
        zmax=1.0,
        colorscale=VEIL,
        showscale=False,
        hoverongaps=False,
        customdata=said,
        hovertemplate=hover.format(
            row="%{y}", column="%{x}", place="%{customdata[1]}, %{customdata[2]}", value="%{customdata[0]:.4f}"
        )
        + "<extra></extra>",
    )
    centres = [[each * step + place for each in range(n) for place in range(grid)] for n in (across, down)]
    names = [[theme.label(name, None) for name in each for _ in range(grid)] for each in (columns, rows)]
    return theme.figure(
        trace,
        height=round((down + NAMES) * (TILE + 8)) + 16,
        margin={"l": 4, "r": 4, "t": 6, "b": 6},
        dragmode=False,
        images=images,
        annotations=_names(rows, columns, grid, step, look.text),
        xaxis=BARE | _ticks(centres[0], names[0]) | {"range": _ends(canvas, 1, step)},
        yaxis=BARE | _ticks(centres[1], names[1]) | _SQUARE | {"range": _ends(canvas, 0, step)[::-1]},
    )


def _ticks(places: Sequence[int], names: Sequence[str]) -> dict[str, Any]:
    """Return invisible ticks, which hover reads."""
    return {"tickmode": "array", "tickvals": list(places), "ticktext": list(names)}


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
    ]
    return left + above


def _ends(canvas: Floats, axis: int, step: int) -> list[float]:
    """Return the range of an axis: all tiles, and before them room for their names."""
    return [-0.5 - step * NAMES, canvas.shape[axis] - 0.5]


def _numbers(shape: tuple[int, ...]) -> npt.NDArray[np.int16]:
    """Return the row and column of every cell, from 1."""
    return np.dstack(np.meshgrid(*(np.arange(1, n + 1) for n in shape), indexing="ij")).astype(np.int16)


def _image(uri: str, corner: tuple[float, float], cells: int) -> dict[str, Any]:
    """Return a picture beneath the cells, its upper left corner at `corner` (x, y)."""
    place = {"x": corner[0], "y": corner[1], "sizex": cells, "sizey": cells, "xref": "x", "yref": "y"}
    return {"source": uri, "layer": "below", "sizing": "stretch", **place}


def _on(uri: str, trace: Any, shape: tuple[int, ...], *, height: int = HEIGHT, scale: bool = False) -> go.Figure:
    """Draw a square figure of a picture with a trace over it."""
    rows, columns = shape
    image = _image(uri, (-0.5, -0.5), columns) | {"sizey": rows}
    return theme.figure(
        trace,
        height=height + (44 if scale else 0),
        margin={"l": 4, "r": 4, "t": 50 if scale else 6, "b": 6},
        dragmode=False,
        images=[image],
        xaxis=BARE | {"range": [-0.5, columns - 0.5], "constrain": "domain"},
        yaxis=BARE | _SQUARE | {"range": [rows - 0.5, -0.5]},
    )


def _scale(title: str) -> dict[str, Any]:
    """Return a scale above the picture."""
    place = {"orientation": "h", "thickness": 10, "len": 0.6, "x": 0.5, "y": 1.0, "yanchor": "bottom", "ypad": 4}
    return place | {"title": {"text": title, "side": "top"}}
