"""Figures of a fit: its curve and points, and two fits beside each other."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import look as looks, theme
from explorer.figures.look import LIGHT, Look
from explorer.lessons.kernel_regression.records import RegressionRecord
from explorer.records import Translate, english

#: Between panels above one another, in shares of the figure.
_BETWEEN = 0.04


def fit(
    record: RegressionRecord,
    query: float | None = None,
    *,
    look: Look = LIGHT,
    t: Translate = english,
) -> go.Figure:
    """Draw points, truth, baseline and prediction; one query with its weights over the keys below.

    A point is drawn the larger, the more weight the query gives it. Where nothing is predicted the curve has a gap.

    Args:
        query: position asked about; the nearest computed one is drawn. None draws the curves alone.
    """
    low, high = float(record.queries[0]), float(record.queries[-1])
    pad = 0.02 * (high - low)
    along = {"range": [low - pad, high + pad]}
    titles = {"x": {"text": t("x (keys and query)")}, "y": {"text": t("y (values)")}, "weight": {"text": t("weight")}}
    if query is None:
        off = [] if record.truth is None else _ground(record.queries, record.truth, record.prediction, look.output)
        curves = (*off, *_curves(record, look, t), _points(record, None, look, t))
        return theme.figure(*curves, height=380, xaxis=along | {"title": titles["x"]}, yaxis={"title": titles["y"]})
    row = record.row(query)
    layout = stacked((0.76, 0.24))
    layout["xaxis"] |= along
    layout["xaxis2"] |= along | {"title": titles["x"]}
    layout["yaxis"] |= {"title": titles["y"]}
    layout["yaxis2"] |= {"title": titles["weight"], "rangemode": "tozero"}
    at = float(record.queries[row])
    return theme.figure(
        *_curves(record, look, t),
        _points(record, row, look, t),
        _asked(record, row, look, t),
        _bars(record, row, look, t),
        height=540,
        barmode="overlay",
        shapes=[down(at, {"color": look.query, "width": 1.5, "dash": "dot"})],
        **layout,
    )


def compared(
    first: RegressionRecord,
    second: RegressionRecord,
    *,
    names: tuple[str, str],
    look: Look = LIGHT,
    t: Translate = english,
) -> go.Figure:
    """Draw two fits of the same points: the first dotted, over the second, which is solid."""
    truth, points = _curves(second, look, t)[:-1], _points(second, None, look, t)
    styles = (
        {"color": look.text, "width": 2.5, "dash": "dot"},
        {"color": look.output, "width": 4},
    )
    drawn = [
        go.Scatter(x=fit.queries, y=fit.prediction, name=name, mode="lines", line=line, connectgaps=False)
        for fit, name, line in zip((first, second), names, styles, strict=True)
    ]
    axes = {"xaxis": {"title": {"text": t("x (keys and query)")}}, "yaxis": {"title": {"text": t("y (values)")}}}
    between = _ground(first.queries, first.prediction, second.prediction, look.output)
    return theme.figure(*between, *truth[1:], points, *reversed(drawn), height=420, **axes)


def _curves(record: RegressionRecord, look: Look, t: Translate) -> list[go.Scatter]:
    made = [level(record.queries, record.average, t("average pooling"), look)]
    if record.truth is not None:
        line = {"color": look.text, "width": 2.5, "dash": "dash"}
        made.append(go.Scatter(x=record.queries, y=record.truth, name=t("truth"), mode="lines", line=line))
    line = {"color": look.output, "width": 4}
    prediction = go.Scatter(
        x=record.queries, y=record.prediction, name=t("prediction"), mode="lines", line=line, connectgaps=False
    )
    return [*made, prediction]


def _ground(x: np.ndarray, one: np.ndarray, other: np.ndarray, ink: str) -> list[go.Scatter]:
    """Return the ground between two curves, where both are everywhere."""
    if np.isnan(one).any() or np.isnan(other).any():
        return []
    quiet = {"mode": "lines", "line": {"width": 0}, "showlegend": False, "hoverinfo": "skip"}
    return [
        go.Scatter(x=x, y=one, **quiet),
        go.Scatter(x=x, y=other, fill="tonexty", fillcolor=looks.faint(ink, 0.2), **quiet),
    ]


def level(x: np.ndarray, y: float, name: str, look: Look) -> go.Scatter:
    """Draw a value that does not depend on x."""
    line = {"color": look.muted, "width": 1.5, "dash": "dot"}
    return go.Scatter(x=[float(x[0]), float(x[-1])], y=[y, y], name=name, mode="lines", line=line)


def _points(record: RegressionRecord, row: int | None, look: Look, t: Translate) -> go.Scatter:
    weights = np.zeros(len(record.points.x), np.float32) if row is None else record.weights[row]
    share = weights / (weights.max() or 1)
    base = 8 if row is None else 6
    hover = t("key {key}, value {value}") if row is None else t("key {key}, value {value}: weight {weight}")
    return go.Scatter(
        x=record.points.x,
        y=record.points.y,
        name=t("training points"),
        mode="markers",
        marker={
            "color": look.value,
            "size": (base + 10 * np.sqrt(share)).astype(np.float32),
            "opacity": (0.4 + 0.6 * share).astype(np.float32),
            "line": {"width": 0},
        },
        customdata=weights,
        hovertemplate=hover.format(key="%{x:.4g}", value="%{y:.4g}", weight="%{customdata:.4f}") + "<extra></extra>",
    )


def _asked(record: RegressionRecord, row: int, look: Look, t: Translate) -> go.Scatter:
    marker = {"symbol": "diamond", "size": 16, "color": look.query, "line": {"color": look.paper, "width": 2}}
    return go.Scatter(
        x=record.queries[[row]], y=record.prediction[[row]], name=t("query"), mode="markers", marker=marker
    )


def _bars(record: RegressionRecord, row: int, look: Look, t: Translate) -> go.Bar:
    hover = t("key {key}: weight {weight}").format(key="%{x:.4g}", weight="%{y:.4f}")
    return go.Bar(
        x=record.points.x,
        y=record.weights[row],
        xaxis="x2",
        yaxis="y2",
        width=float(record.queries[-1] - record.queries[0]) / 220,
        name=t("weights of the query"),
        showlegend=False,
        marker={"color": look.key, "line": {"width": 0}},
        hovertemplate=hover + "<extra></extra>",
    )


def stacked(heights: tuple[float, ...]) -> dict[str, Any]:
    """Return the axes of panels above one another that share what runs to the right.

    `make_subplots`, with traces added and axes updated one by one, takes some thirty times as long.
    """
    layout: dict[str, Any] = {}
    shares = np.array(heights) / sum(heights) * (1 - _BETWEEN * (len(heights) - 1))
    top = 1.0
    for place, share in enumerate(shares.tolist()):
        here = theme.axis_number(place)
        layout[f"yaxis{here}"] = {"domain": [max(0.0, top - share), top], "anchor": f"x{here}"}
        layout[f"xaxis{here}"] = {"anchor": f"y{here}", "showticklabels": place == len(heights) - 1}
        layout[f"xaxis{here}"] |= {"matches": "x"} if place else {}
        top -= share + _BETWEEN
    return layout


def down(at: int | float, line: dict[str, Any]) -> dict[str, Any]:
    """Return a line at a place of the x axis, through every panel."""
    return {"type": "line", "x0": at, "x1": at, "xref": "x", "y0": 0, "y1": 1, "yref": "paper", "line": line}
