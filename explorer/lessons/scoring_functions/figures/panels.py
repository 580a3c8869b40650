"""Small matrices side by side, as one trace: a function or a model to each tile."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from explorer.figures import hatch, heatmap, theme
from explorer.figures.look import colour_at, look, text_on
from explorer.lessons.scoring_functions.records import Shown
from explorer.records.arrays import Float32
from explorer.records.language import t
from explorer.records.scoring import FittedScorersRecord, ScoringRecord
from explorer.records.wording import minus

Scale = tuple[tuple[float, str], ...]
#: Rows left free above each tile, for a title of two lines.
GAP = 2
#: Matrices with more cells print no numbers.
_MOST_NUMBERS = 64
_BARE = {"showgrid": False, "zeroline": False}


def scoring(records: Sequence[ScoringRecord], *, shown: Shown, names: Mapping[str, str]) -> go.Figure:
    """Draw what every scoring function made of the same queries and keys.

    Weights are drawn on 0…1 and outputs on one scale for all. Scores live on scales of their own, from ±1 (cosine) to
    hundreds (Gaussian): each tile is coloured by its own largest score, which stands in its title.

    Args:
        records: one per function, at least one.
        shown: which of its matrices.
    """
    first = records[0].attention
    rows, columns = first.query_labels, first.key_labels
    titles = [names[record.name] for record in records]
    values = [heatmap.mask_values(record.scores, first.allowed) for record in records]
    if shown == "weights":
        values = [heatmap.mask_values(record.weights, first.allowed) for record in records]
        return tiles(values, titles=titles, rows=rows, columns=columns, value_title=t("weight"))
    if shown == "scores":
        reach = [float(np.nanmax(np.abs(each), initial=0.0)) or 1.0 for each in values]
        titles = [f"{title}\n±{size:.3g}" for title, size in zip(titles, reach, strict=True)]
        return tiles(values, titles=titles, rows=rows, columns=columns, value_title=t("score"), reach=reach)
    outputs = [record.output for record in records]
    shared = max(float(np.abs(each).max()) for each in outputs) or 1.0
    return tiles(
        outputs,
        titles=titles,
        rows=rows,
        columns=_components(records[0]),
        value_title=t("output"),
        column_title=t("components of the output"),
        reach=[shared] * len(outputs),
    )


def apart(record: ScoringRecord) -> go.Figure:
    """Draw one function step by step: scores, weights and outputs, each large enough to print its numbers."""
    queries, keys, allowed = record.attention.query_labels, record.attention.key_labels, record.attention.allowed
    masked = np.zeros(record.weights.shape, bool) if allowed is None else ~allowed
    hidden = np.where(masked, np.float32(np.nan), record.weights)
    reaches = [float(np.abs(each).max()) or 1.0 for each in (record.scores, record.output)]
    panels = (
        (record.scores / reaches[0], record.scores, diverging(), -1.0, t("1 scores"), keys),
        (hidden, hidden, look().weights, 0.0, t("2 weights: the softmax of each row"), keys),
        (record.output / reaches[1], record.output, diverging(), -1.0, t("3 outputs: the values, averaged"), None),
    )
    layout: dict[str, Any] = {"annotations": [], "shapes": _on(hatch.cells(masked), "x2", "y2")}
    traces: list[Any] = []
    for position, (drawn, told, scale, low, title, columns) in enumerate(panels):
        here, top = theme.axis_number(position), 1 - position / 3
        axes = {"xaxis": f"x{here}", "yaxis": f"y{here}"}
        names = columns or _components(record)
        trace = go.Heatmap(z=drawn, zmin=low, zmax=1.0, colorscale=scale, showscale=False, xgap=1, ygap=1, **axes)
        trace.update(customdata=told, hovertemplate="%{y} · %{x}: %{customdata:.4g}<extra></extra>", hoverongaps=False)
        traces.append(trace)
        if told.size <= _MOST_NUMBERS:
            traces.append(_numbers(told, drawn, scale, low).update(axes))
        width = 1.0 if columns else min(1.0, len(names) / len(keys))
        bare = {"showgrid": False, "zeroline": False}
        layout[f"xaxis{here}"] = theme.token_axis(names) | bare | {"domain": [0, width], "anchor": f"y{here}"}
        rows = {"domain": [top - 0.23, top - 0.045], "anchor": f"x{here}", "autorange": "reversed"}
        layout[f"yaxis{here}"] = theme.token_axis(queries) | bare | rows
        layout["annotations"].append(theme.heading(f"<b>{title}</b>", 0, top - 0.045, size=15))
    return theme.figure(*traces, height=560, margin={"l": 8, "r": 8, "t": 4, "b": 4}, showlegend=False, **layout)


def draw_signed(values: Float32) -> go.Figure:
    """Draw a square matrix of numbers on both sides of 0, square cell by square cell."""
    reach = float(np.abs(values).max()) or 1.0
    names = tuple(str(number + 1) for number in range(len(values)))
    drawn = (values / reach).astype(np.float32)
    hover = "%{y} · %{x}: %{customdata:.4g}"
    trace = heatmap.cells(drawn, diverging(), hover, ends=(-1.0, 1.0), xgap=1, ygap=1, customdata=values)
    numbers = [_numbers(values, drawn, diverging(), -1.0)] if values.size <= _MOST_NUMBERS else []
    columns = theme.token_axis(names) | {"constrain": "domain"}
    rows = theme.token_axis(names) | {"autorange": "reversed", "scaleanchor": "x", "constrain": "domain"}
    return theme.figure(trace, *numbers, height=480, showlegend=False, xaxis=columns, yaxis=rows)


def _numbers(told: Float32, drawn: Float32, scale: Scale, low: float) -> go.Scatter:
    """Each number on its cell, in black or white, whichever is read better."""
    rows, columns = np.nonzero(np.isfinite(told))
    inks = [text_on(colour_at((x - low) / (1 - low), scale)) for x in drawn[rows, columns].tolist()]
    text = [minus(f"{x:.2f}") for x in told[rows, columns].tolist()]
    font = {"size": 14, "color": inks}
    return go.Scatter(x=columns, y=rows, mode="text", text=text, textfont=font, hoverinfo="skip", showlegend=False)


def _on(shapes: list[dict[str, Any]], x: str, y: str) -> list[dict[str, Any]]:
    return [shape | {"xref": x, "yref": y} for shape in shapes]


def diverging() -> Scale:
    """A colour scale for numbers on both sides of 0, which is the paper's colour."""
    return ((0.0, look().output), (0.5, look().paper), (1.0, look().key))


def _components(record: ScoringRecord) -> tuple[str, ...]:
    return tuple(f"o{i + 1}" for i in range(record.output.shape[1]))


def draw_fitted(record: FittedScorersRecord, moment: int, *, names: Mapping[str, str]) -> go.Figure:
    """Weights of the reference and of every fitted scorer on queries that are noisy copies of the keys.

    Args:
        moment: of the training.
        names: of the scorers, and `best` for the reference, in the reader's language.
    """
    keys = record.weights.shape[-1]
    return tiles(
        list(record.weights[moment]),
        titles=[names[name] for name in ("best", *record.scorers)],
        rows=tuple(f"q{i + 1}" for i in range(keys)),
        columns=tuple(f"k{i + 1}" for i in range(keys)),
        value_title=t("weight"),
        across=2,
    )


def tiles(
    matrices: Sequence[Float32],
    *,
    titles: Sequence[str],
    rows: tuple[str, ...],
    columns: tuple[str, ...],
    value_title: str,
    column_title: str = "",
    reach: Sequence[float] | None = None,
    across: int = 4,
) -> go.Figure:
    """Draw matrices of one shape, side by side in a single heat map; hover says tile, row, column and the true number.

    Args:
        matrices: at least one; NaN cells stay empty.
        titles: one for each; a second line stands below the first.
        rows: names of the rows of all.
        columns: names of the columns of all.
        value_title: what a number is.
        column_title: what the columns are; nothing is written if empty.
        reach: each matrix is coloured from -reach to +reach, diverging; None colours all from 0 to 1.
        across: tiles in a row.
    """
    high, wide = matrices[0].shape
    across = min(across, len(matrices))
    down = math.ceil(len(matrices) / across)
    canvas = np.full((down * (high + GAP) - GAP, across * (wide + 1) - 1), np.nan, np.float32)
    named = np.full((*canvas.shape, 4), "", dtype=object)
    corners = [((i // across) * (high + GAP), (i % across) * (wide + 1)) for i in range(len(matrices))]
    for i, ((top, left), matrix) in enumerate(zip(corners, matrices, strict=True)):
        tile = np.s_[top : top + high, left : left + wide]
        canvas[tile] = matrix if reach is None else matrix / reach[i]
        named[tile] = _said(matrix, titles[i].partition("\n")[0], rows, columns)
    return theme.figure(
        _trace(canvas, named, value_title, signed=reach is not None),
        shapes=hatch.cells(_masked(canvas, matrices, corners)),
        height=int(np.clip(30 * down * (high + GAP) + 90, 240, 760)),
        xaxis=_BARE | {"tickvals": [], "title": {"text": column_title}},
        yaxis=_row_axis(rows, [top for top, left in corners if left == 0]),
        annotations=[_title(title, corner) for title, corner in zip(titles, corners, strict=True)],
    )


def _said(matrix: Float32, title: str, rows: tuple[str, ...], columns: tuple[str, ...]) -> npt.NDArray[np.object_]:
    """Return what hovering says of every cell of a tile: tile, row, column, number."""
    said = np.empty((*matrix.shape, 4), dtype=object)
    said[..., 0] = theme.label(title, None)
    said[..., 1] = np.array(rows, object)[:, None]
    said[..., 2] = np.array(columns, object)
    said[..., 3] = [[f"{x:.4g}" for x in row] for row in matrix.tolist()]
    return said


def _row_axis(rows: tuple[str, ...], starts: Sequence[int]) -> dict[str, Any]:
    """Return the names of the rows, again for every row of tiles."""
    positions = [start + row for start in starts for row in range(len(rows))]
    return _BARE | {"tickvals": positions, "ticktext": list(rows) * len(starts), "autorange": "reversed"}


def _title(title: str, corner: tuple[int, int]) -> dict[str, Any]:
    """Return a tile's title, above its upper left corner (row, column)."""
    return {
        "x": corner[1] - 0.5,
        "y": corner[0] - 0.5,
        "text": "<br>".join(theme.label(line, None) for line in title.split("\n")),
        "align": "left",
        "showarrow": False,
        "xanchor": "left",
        "yanchor": "bottom",
        "font": {"size": 13},
    }


def _masked(canvas: Float32, matrices: Sequence[Float32], corners: Sequence[tuple[int, int]]) -> npt.NDArray[np.bool_]:
    """Return which cells of the canvas belong to a tile and are missing."""
    missing = np.zeros(canvas.shape, bool)
    for (top, left), matrix in zip(corners, matrices, strict=True):
        missing[top : top + matrix.shape[0], left : left + matrix.shape[1]] = np.isnan(matrix)
    return missing


def _trace(canvas: Float32, named: npt.NDArray[np.object_], value_title: str, *, signed: bool) -> go.Heatmap:
    return heatmap.cells(
        canvas,
        diverging() if signed else look().weights,
        f"%{{customdata[0]}}<br>%{{customdata[1]}} · %{{customdata[2]}}<br>{value_title} %{{customdata[3]}}",
        ends=(-1.0 if signed else 0.0, 1.0),
        xgap=1,
        ygap=1,
        showscale=not signed,
        colorbar={"title": {"text": value_title}, "thickness": 12, "orientation": "h", "y": -0.05, "yanchor": "top"},
        customdata=named,
    )
