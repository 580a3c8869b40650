"""Figures of the weight matrix of a fit, queries by keys."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import heatmap, theme
from explorer.figures.look import look
from explorer.lessons.kernel_regression.figures.fit import stack_axes
from explorer.lessons.kernel_regression.records import RegressionRecord
from explorer.records.language import t

#: Ticks on each axis of a matrix whose rows and columns are positions.
_TICKS = 9


def weights(record: RegressionRecord, query: float | None = None) -> go.Figure:
    """Draw the weight matrix, queries by keys, from 0 to its largest weight; beside it what comes of each row.

    Rows without a key are missing, and so is their prediction.
    """
    marks: list[go.Scatter] = []
    shapes: list[dict[str, Any]] = []
    if query is not None:
        row = record.row(query)
        at = float(record.queries[row])
        shapes = [_across(at, {"color": look().query, "width": 2})]
        marks = [_asked_beside(record, row)]
    positions = [f"{key:.3g}" for key in record.points.x]
    ticks = np.unique(np.linspace(0, len(positions) - 1, _TICKS).round().astype(int)).tolist()
    keys = {
        "tickvals": ticks,
        "ticktext": [positions[i] for i in ticks],
        "domain": [0, 0.7],
        "showgrid": False,
        "zeroline": False,
    }
    return theme.figure(
        _matrix(record),
        _predicted(record),
        *marks,
        height=480,
        shapes=shapes,
        xaxis=keys | {"title": {"text": t("keys, in the order of x")}},
        xaxis2={"domain": [0.75, 1], "title": {"text": t("prediction")}, "anchor": "y", "zeroline": False}
        | _around(record.prediction),
        yaxis={"title": {"text": t("queries")}, "autorange": "reversed", "showgrid": False, "zeroline": False},
    )


def sharper(first: RegressionRecord, second: RegressionRecord, *, names: tuple[str, str]) -> go.Figure:
    """Draw two weight matrices of the same points above one another, on one scale: a sharper band is a narrower one."""
    top = float(max(first.weights.max(), second.weights.max())) or 1.0
    hover = t("query {query} gives key {key} the weight {weight}")
    traces, layout = [], stack_axes((0.5, 0.5))
    for position, record in enumerate((first, second)):
        here = theme.axis_number(position)
        keys = np.broadcast_to(record.points.x.astype(np.float32), record.weights.shape)
        said = hover.format(query="%{y:.4g}", key="%{customdata:.4g}", weight="%{z:.4f}") + "<extra></extra>"
        axes = {"xaxis": f"x{here}", "yaxis": f"y{here}", "customdata": keys, "hovertemplate": said}
        scale = {"zmin": 0, "zmax": top, "colorscale": look().weights, "showscale": False}
        traces.append(go.Heatmap(z=record.weights, y=record.queries, name=names[position], **axes, **scale))
        layout[f"yaxis{here}"] |= {"autorange": "reversed", "showgrid": False, "title": {"text": names[position]}}
        layout[f"xaxis{here}"] |= {"showgrid": False, "showticklabels": False}
    layout["xaxis2"]["title"] = {"text": t("keys, in the order of x")}
    return theme.figure(*traces, height=420, **layout)


def _matrix(record: RegressionRecord) -> go.Heatmap:
    """Make the weights, missing where a query has no key."""
    drawn = np.where(record.weights.any(-1, keepdims=True), record.weights, np.float32(np.nan))
    top = float(record.weights.max()) or 1.0
    hover = t("query {query} gives key {key} the weight {weight}")
    return heatmap.cells(
        drawn,
        look().weights,
        hover.format(query="%{y:.4g}", key="%{customdata:.4g}", weight="%{z:.4f}"),
        ends=(0, top),
        customdata=np.broadcast_to(record.points.x.astype(np.float32), drawn.shape),
        y=record.queries,
        showscale=True,
        colorbar=_scale(t("weight (0 to {top})").format(top=f"{top:.3g}")),
    )


def _predicted(record: RegressionRecord) -> go.Scatter:
    """Make the prediction of every row, beside the matrix."""
    hover = t("query {query}: prediction {value}").format(query="%{y:.4g}", value="%{x:.4g}") + "<extra></extra>"
    return go.Scatter(
        x=record.prediction,
        y=record.queries,
        xaxis="x2",
        mode="lines",
        line={"color": look().output, "width": 4},
        showlegend=False,
        name=t("prediction"),
        hovertemplate=hover,
    )


def _asked_beside(record: RegressionRecord, row: int) -> go.Scatter:
    """Mark the query beside the matrix, where it runs downwards."""
    marker = {"symbol": "diamond", "size": 14, "color": look().query, "line": {"color": look().paper, "width": 2}}
    return go.Scatter(
        x=record.prediction[[row]],
        y=record.queries[[row]],
        xaxis="x2",
        name=t("query"),
        mode="markers",
        marker=marker,
        showlegend=False,
    )


def _around(values: np.ndarray) -> dict[str, Any]:
    """Return a range that leaves room for what is drawn at its ends; Plotly's own where there is no value."""
    if np.isnan(values).all():
        return {}
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    pad = 0.08 * (high - low) or 0.5
    return {"range": [low - pad, high + pad]}


def _scale(title: str) -> dict[str, Any]:
    """Place the colour bar above the matrix, where it takes none of its width."""
    return {
        "title": {"text": title, "side": "right", "font": {"size": 14}},
        "orientation": "h",
        "thickness": 10,
        "lenmode": "pixels",
        "len": 300,
        "x": 0,
        "xanchor": "left",
        "y": 1,
        "yanchor": "bottom",
        "nticks": 3,
        "ypad": 4,
    }


def _across(at: float, line: dict[str, Any]) -> dict[str, Any]:
    """Return a line at a place of the y axis, through every panel."""
    return {"type": "line", "y0": at, "y1": at, "yref": "y", "x0": 0, "x1": 1, "xref": "paper", "line": line}
