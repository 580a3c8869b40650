"""Attention on a picture: light or colour over its patches."""

from collections.abc import Collection
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from explorer.figures import heatmap, theme
from explorer.figures.look import look
from explorer.records.arrays import Float32
from explorer.records.image import Picture
from explorer.records.language import t

Style = Literal["light", "colour"]
#: Light falls where attention goes: from nearly black to the picture itself, by the square root of the share of the
#: largest weight. By the share itself all but one or two patches would be black.
VEIL = [
    [share, f"rgba(4,8,16,{0.8 * (1 - share**0.5):.3f})"] for share in (0, 0.01, 0.04, 0.1, 0.2, 0.35, 0.55, 0.75, 1)
]
#: Colours of weights on a picture, which is grey below them; no weight is the picture itself.
HEAT = ((0.0, "#3b1a6e"), (0.33, "#a3307e"), (0.66, "#f2703d"), (1.0, "#ffe35a"))
#: Height of a large map, in pixels.
HEIGHT = 440
SQUARE = {"scaleanchor": "x", "constrain": "domain", "constraintoward": "top"}
BARE = {
    "showgrid": False,
    "zeroline": False,
    "showline": False,
    "showticklabels": False,
    "ticks": "",
}


def overlay(
    picture: Picture,
    values: Float32,
    *,
    style: Style = "light",
    top: float | None = None,
    asks: int | None = None,
    value_title: str = "",
) -> go.Figure:
    """Draw a map over the whole of a picture, each cell covering its part of it; hover says row, column and number.

    Args:
        picture: the reader's.
        values: `[rows, columns]`, not negative.
        style: light falls where the values are large, or colour stands for them.
        top: the value of full light or of the strongest colour; the largest there is if None.
        asks: number of the patch that asks, from 0, negative for none; the one with the largest value is framed too.
        value_title: what a number is.
    """
    reach = top if top is not None else float(values.max()) or 1.0
    hover = t("row {row}, column {column}: {value}")
    trace = heatmap.cells(
        values,
        VEIL if style == "light" else look().weights,
        hover.format(row="%{customdata[0]}", column="%{customdata[1]}", value="%{z:.4f}"),
        ends=(0.0, reach),
        opacity=1.0 if style == "light" else 0.78,
        customdata=numbers_of(values.shape),
        showscale=style == "colour",
        colorbar=_scale(value_title),
        xgap=1,
        ygap=1,
    )
    figure = _on(picture.uri, trace, values.shape, scale=style == "colour")
    if asks is not None:
        framed = [(int(values.argmax()), look().key), *([(asks, look().query)] if asks >= 0 else [])]
        figure.update_layout(shapes=[_frame(patch, values.shape[1], colour) for patch, colour in framed])
    return figure


def _frame(patch: int, grid: int, colour: str) -> dict[str, Any]:
    """Return the outline of a patch."""
    row, column = divmod(patch, grid)
    sides = {"x0": column - 0.46, "x1": column + 0.46, "y0": row - 0.46, "y1": row + 0.46}
    return {"type": "rect", "line": {"color": colour, "width": 4}, **sides}


def patches(picture: Picture, grid: int, *, hidden: Collection[int] = (), asked: int = -1) -> go.Figure:
    """Draw the picture with the lines between its patches; hover says which patch it is.

    Args:
        picture: the reader's.
        grid: patches on each side.
        hidden: numbers of patches that are painted over, row by row from 0; framed as what was chosen.
        asked: number of a patch that is framed as what is looked at, while it is not hidden; negative for none.
    """
    values = np.zeros((grid, grid), np.float32)
    values.ravel()[[each for each in hidden if 0 <= each < grid**2]] = 1
    mean = picture.seen.reshape(-1, 3).mean(0).round().astype(int)
    painted = f"rgb({mean[0]},{mean[1]},{mean[2]})"
    lines = _lines(grid)
    hover = t("patch in row {row}, column {column}, number {number}")
    trace = heatmap.cells(
        values,
        [[0.0, "rgba(0,0,0,0)"], [0.5, "rgba(0,0,0,0)"], [0.5, painted], [1.0, painted]],
        hover.format(row="%{customdata[0]}", column="%{customdata[1]}", number="%{customdata[2]}"),
        customdata=np.dstack([numbers_of(values.shape), 1 + np.arange(grid**2).reshape(grid, grid)]),
    )
    figure = _on(picture.uri, trace, values.shape)
    framed = [_frame(patch, grid, look().query) for patch in hidden if 0 <= patch < grid**2]
    framed += [_frame(asked, grid, look().key)] if asked >= 0 and asked not in hidden else []
    return figure.update_layout(shapes=[*lines, *framed])


def _lines(grid: int) -> list[dict[str, Any]]:
    line = {"color": "rgba(255,255,255,0.65)", "width": 1}
    ends = (-0.5, grid - 0.5)
    upright = [{"x0": at - 0.5, "x1": at - 0.5, "y0": ends[0], "y1": ends[1]} for at in range(1, grid)]
    level = [{"y0": at - 0.5, "y1": at - 0.5, "x0": ends[0], "x1": ends[1]} for at in range(1, grid)]
    return [{"type": "line", "line": line, **each} for each in upright + level]


def numbers_of(shape: tuple[int, ...]) -> npt.NDArray[np.int16]:
    """Return the row and column of every cell, from 1."""
    return np.dstack(np.meshgrid(*(np.arange(1, n + 1) for n in shape), indexing="ij")).astype(np.int16)


def image(uri: str, corner: tuple[float, float], cells: int) -> dict[str, Any]:
    """Return a picture beneath the cells, its upper left corner at `corner` (x, y)."""
    position = {"x": corner[0], "y": corner[1], "sizex": cells, "sizey": cells, "xref": "x", "yref": "y"}
    return {"source": uri, "layer": "below", "sizing": "stretch", **position}


def _on(uri: str, trace: Any, shape: tuple[int, ...], *, scale: bool = False) -> go.Figure:
    """Draw a square figure of a picture with a trace over it."""
    rows, columns = shape
    below = image(uri, (-0.5, -0.5), columns) | {"sizey": rows}
    return theme.figure(
        trace,
        height=HEIGHT + (44 if scale else 0),
        margin={"l": 4, "r": 4, "t": 50 if scale else 6, "b": 6},
        images=[below],
        xaxis=BARE | {"range": [-0.5, columns - 0.5], "constrain": "domain"},
        yaxis=BARE | SQUARE | {"range": [rows - 0.5, -0.5]},
    )


def _scale(title: str) -> dict[str, Any]:
    """Return a scale above the picture."""
    position = {"orientation": "h", "thickness": 10, "len": 0.6, "x": 0.5, "y": 1.0, "yanchor": "bottom", "ypad": 4}
    return position | {"title": {"text": title, "side": "top"}}
