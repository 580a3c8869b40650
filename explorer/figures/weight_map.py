"""Weights, and scores, of named rows and columns as one heat map."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go

from explorer.figures import hatch, heatmap, theme
from explorer.figures.look import look
from explorer.records.arrays import Floats
from explorer.records.language import t
from explorer.records.wording import token

#: With at most this many rows and columns a cell is large enough for its number, and lines between cells help.
MOST_NUMBERED, MOST_LINED = 14, 48


def draw_weights(
    weights: Floats,
    rows: tuple[str, ...],
    columns: tuple[str, ...],
    *,
    row: int | None = None,
    column: int | None = None,
    hover: str = "",
    square: bool = True,
) -> go.Figure:
    """Draw weights 0…1 of named rows and columns, NaN where a mask forbids to look; `row` and its `column` framed.

    Args:
        hover: what a cell says, of `%{y}`, `%{x}` and `%{z}`; who attends to whom if empty.
        square: whether cells are square; else they fill the figure.
    """
    drawn = weights.astype(np.float32)
    traces = [heatmap.cells(drawn, look().weights, hover or heatmap.attends())]
    if max(drawn.shape) <= MOST_NUMBERED:
        traces.append(hatch.numbers(drawn, size=14))
    masked = hatch.cells(np.isnan(drawn))
    return _named(traces, drawn.shape, (rows, columns), (row, column), masked, square=square)


def draw_scores(
    scores: Floats,
    rows: tuple[str, ...],
    columns: tuple[str, ...],
    *,
    row: int | None = None,
    column: int | None = None,
    hover: str = "",
    square: bool = True,
) -> go.Figure:
    """Draw numbers of either sign likewise: 0 has the colour of the paper, ink means far from it."""
    drawn = scores.astype(np.float32)
    reach = float(np.nanmax(np.abs(drawn), initial=0)) or 1.0
    scale = [(0.0, look().muted), (0.5, look().paper), (1.0, look().output)]
    said = hover or t("{row} · {column}: {value}").format(row="%{y}", column="%{x}", value="%{z:.3f}")
    numbers = {"texttemplate": "%{z:.2f}", "textfont": {"size": 14}} if max(drawn.shape) <= MOST_NUMBERED else {}
    traces = [heatmap.cells(drawn, scale, said, ends=(-reach, reach), **numbers)]
    masked = hatch.cells(np.isnan(drawn))
    return _named(traces, drawn.shape, (rows, columns), (row, column), masked, square=square)


class Named(NamedTuple):
    """A map that stands among others: its title, its weights, and the names of its rows and columns."""

    title: str
    weights: Floats
    rows: tuple[str, ...]
    columns: tuple[str, ...]


def draw_maps(maps: Sequence[Named | None], *, across: int) -> go.Figure:
    """Draw maps of any shapes side by side, `across` in a row, each zoomed for itself; None leaves a place free."""
    down = math.ceil(len(maps) / across)
    traces: list[Any] = []
    layout: dict[str, Any] = {}
    titles: list[dict[str, Any]] = []
    for position, drawn in enumerate(maps):
        if drawn is None:
            continue
        row, column = divmod(position, across)
        here, left, top = theme.axis_number(len(traces)), column / across, 1 - row / down
        cells = drawn.weights.astype(np.float32)
        said = f"{theme.label(drawn.title, None)}: {heatmap.attends()}"
        traces.append(heatmap.cells(cells, look().weights, said, xaxis=f"x{here}", yaxis=f"y{here}"))
        bare = {"showticklabels": False, "ticks": "", "automargin": False, "linecolor": look().line, "mirror": True}
        sides = [(left, left + 0.94 / across), (top - 1 / down, top - 0.14 / down)]
        for letter, names, domain in zip("xy", (drawn.columns, drawn.rows), sides, strict=True):
            axis = theme.token_axis(names) | bare | {"domain": domain}
            layout[f"{letter}axis{here}"] = axis | {"anchor": f"{'yx'[letter == 'y']}{here}", "showline": True}
        layout[f"yaxis{here}"] |= {"autorange": "reversed"}
        titles.append(theme.heading(theme.label(drawn.title, None), left, sides[1][1]))
    margin = {"l": 4, "r": 4, "t": 4, "b": 4}
    return theme.figure(*traces, height=560, margin=margin, showlegend=False, annotations=titles, **layout)


def _named(
    traces: list[Any],
    shape: tuple[int, ...],
    names: tuple[tuple[str, ...], tuple[str, ...]],
    chosen: tuple[int | None, int | None],
    masked: list[dict[str, Any]],
    *,
    square: bool,
) -> go.Figure:
    """Put the names of rows and columns beside cells, lines between them and frames around what is chosen."""
    asks, asked = names
    size = 15 if max(shape) <= MOST_NUMBERED else 12 if max(shape) <= 30 else 9
    longest = (
        max(len(theme.visible(token(label), theme.LABEL_CHARACTERS)) for label in labels) for labels in (asks, asked)
    )
    beside, above = (8 + 0.58 * size * look().zoom * letters for letters in longest)
    common = {"automargin": False, "ticks": "", "tickfont": {"size": size}}
    top = common | {"side": "top", "tickangle": -45, "range": [-0.5, shape[1] - 0.5]}
    side = common | {"range": [shape[0] - 0.5, -0.5]}
    if square:
        top |= {"constrain": "domain", "constraintoward": "left"}
        side |= {"constrain": "domain", "constraintoward": "top", "scaleanchor": "x"}
    return theme.figure(
        *traces,
        height=520,
        showlegend=False,
        margin={"l": beside, "r": 1.7 * size * look().zoom, "t": size + 0.8 * above, "b": 8},
        xaxis=theme.token_axis(asked) | top,
        yaxis=theme.token_axis(asks) | side,
        shapes=[*masked, *_lines(shape), *_chosen(shape, *chosen)],
    )


def _lines(shape: tuple[int, ...]) -> list[dict[str, Any]]:
    """Return the lines between cells, as one shape; none where cells are small."""
    rows, columns = shape
    if max(shape) > MOST_LINED:
        return []
    down = "".join(f"M{x - 0.5},-0.5V{rows - 0.5}" for x in range(columns + 1))
    across = "".join(f"M-0.5,{y - 0.5}H{columns - 0.5}" for y in range(rows + 1))
    return [{"type": "path", "path": down + across, "line": {"color": look().line, "width": 1}}]


def _chosen(shape: tuple[int, ...], row: int | None, column: int | None) -> list[dict[str, Any]]:
    """Return the frames of the chosen row, and of the chosen cell in it."""
    if row is None:
        return []
    line = {"type": "rect", "y0": row - 0.5, "y1": row + 0.5, "fillcolor": "rgba(0,0,0,0)"}
    frames = [line | {"x0": -0.5, "x1": shape[1] - 0.5, "line": {"color": look().query, "width": 3}}]
    if column is not None:
        frames.append(line | {"x0": column - 0.5, "x1": column + 0.5, "line": {"color": look().key, "width": 3}})
    return frames
