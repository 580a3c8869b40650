"""From pixels to a vector: what is read of a picture, the numbers of a patch, and the vector that two ways make."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import theme
from explorer.figures.look import look
from explorer.figures.patches import BARE, HEIGHT, SQUARE
from explorer.lessons.vision.figures.answers import around_zero
from explorer.records.image import PatchVectors, Picture
from explorer.records.language import t

COLOURS = ("R", "G", "B")


def pixels(picture: Picture, patch: int, side: int, beyond: int) -> go.Figure:
    """Draw the pixels that the models see, with a patch framed, and dashed what the convolutions see of it.

    Args:
        patch: its number, from 0.
        side: pixels of the patch.
        beyond: how many pixels above and to the left the convolutions see, too.
    """
    row, column = (side * position for position in divmod(patch, len(picture.seen) // side))
    said = t("row {row}, column {column}: red, green, blue {value}").format(row="%{y}", column="%{x}", value="%{z}")
    last = len(picture.seen) + 0.5
    return theme.figure(
        go.Image(z=picture.seen, x0=1, y0=1, hovertemplate=f"{said}<extra></extra>"),
        height=HEIGHT,
        margin={"l": 4, "r": 4, "t": 6, "b": 6},
        shapes=[
            _frame(row - beyond, column - beyond, side + beyond, look().key, dash="dash"),
            _frame(row, column, side, look().query),
        ],
        xaxis=BARE | {"range": [0.5 - beyond, last], "constrain": "domain"},
        yaxis=BARE | SQUARE | {"range": [last, 0.5 - beyond]},
    )


def _frame(row: int, column: int, side: int, colour: str, **line: str) -> dict[str, Any]:
    """Return the outline of a square of pixels."""
    ends = {"x0": column + 0.5, "x1": column + side + 0.5, "y0": row + 0.5, "y1": row + side + 0.5}
    return {"type": "rect", "line": {"color": colour, "width": 4, **line}, **ends}


def numbers(record: PatchVectors, patch: int) -> go.Figure:
    """Draw the numbers of a patch as a map: a row of pixels each, red, green and blue of each pixel side by side."""
    values = record.numbers[patch]
    side = int((len(values) // len(COLOURS)) ** 0.5)
    names = tuple(f"{column} {colour}" for column in range(1, side + 1) for colour in COLOURS)
    positions = 1 + np.arange(len(values)).reshape(side, -1)
    hover = t("number {number}, row {row}, column {column}: {value}").format(
        number="%{customdata}", row="%{y}", column="%{x}", value="%{z:.2f}"
    )
    reach = float(np.abs(record.numbers).max()) or 1.0
    return theme.figure(
        around_zero(
            values.reshape(side, -1),
            reach,
            scale=t("value"),
            hover=hover,
            customdata=positions,
            texttemplate="%{z:.1f}",
            showscale=False,
            xgap=1,
            ygap=1,
        ),
        height=156,
        margin={"l": 4, "r": 4, "t": 6, "b": 6},
        xaxis=theme.token_axis(names),
        yaxis=theme.token_axis(tuple(map(str, range(1, side + 1)))) | {"autorange": "reversed"},
    )


def vectors(record: PatchVectors, patch: int) -> go.Figure:
    """Draw a patch's vector from both ways as a strip of colours each, and their difference."""
    stem, linear = record.stem[patch], record.linear[patch]
    values = np.stack([stem, linear, linear - stem])
    names = (t("convolutions"), t("one linear map"), t("difference"))
    hover = t("{which}, number {number}: {value}").format(which="%{y}", number="%{x}", value="%{z:.2f}")
    reach = float(np.abs(values).max()) or 1.0
    return theme.figure(
        around_zero(values, reach, scale="", hover=hover, x=np.arange(1, len(stem) + 1), ygap=4),
        height=150,
        margin={"l": 4, "r": 4, "t": 6, "b": 6},
        yaxis=theme.token_axis(names) | {"autorange": "reversed"},
    )
