"""Figures of a fit: its curve and points, and two fits beside each other."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import look as looks, theme
from explorer.lessons.kernel_regression.records import RegressionRecord
from explorer.records.language import t

#: Between panels above one another, in shares of the figure.
_BETWEEN = 0.04


def fit(record: RegressionRecord) -> go.Figure:
    """Draw points, truth, baseline and prediction. Where nothing is predicted the curve has a gap."""
    low, high = float(record.queries[0]), float(record.queries[-1])
    pad = 0.02 * (high - low)
    off = [] if record.truth is None else _ground(record.queries, record.truth, record.prediction, looks.look().output)
    return theme.figure(
        *(*off, *_curves(record), _points(record)),
        height=380,
        xaxis={"range": [low - pad, high + pad], "title": {"text": t("x (keys and query)")}},
        yaxis={"title": {"text": t("y (values)")}},
    )


def draw_two_fits(first: RegressionRecord, second: RegressionRecord, *, names: tuple[str, str]) -> go.Figure:
    """Draw two fits of the same points: the first dotted, over the second, which is solid."""
    truth, points = _curves(second)[:-1], _points(second)
    styles = (
        {"color": looks.look().text, "width": 2.5, "dash": "dot"},
        {"color": looks.look().output, "width": 4},
    )
    drawn = [
        go.Scatter(x=fit.queries, y=fit.prediction, name=name, mode="lines", line=line, connectgaps=False)
        for fit, name, line in zip((first, second), names, styles, strict=True)
    ]
    axes = {"xaxis": {"title": {"text": t("x (keys and query)")}}, "yaxis": {"title": {"text": t("y (values)")}}}
    between = _ground(first.queries, first.prediction, second.prediction, looks.look().output)
    return theme.figure(*between, *truth[1:], points, *reversed(drawn), height=420, **axes)


def _curves(record: RegressionRecord) -> list[go.Scatter]:
    made = [level(record.queries, record.average, t("average pooling"))]
    if record.truth is not None:
        line = {"color": looks.look().text, "width": 2.5, "dash": "dash"}
        made.append(go.Scatter(x=record.queries, y=record.truth, name=t("truth"), mode="lines", line=line))
    line = {"color": looks.look().output, "width": 4}
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


def level(x: np.ndarray, y: float, name: str) -> go.Scatter:
    """Draw a value that does not depend on x."""
    line = {"color": looks.look().muted, "width": 1.5, "dash": "dot"}
    return go.Scatter(x=[float(x[0]), float(x[-1])], y=[y, y], name=name, mode="lines", line=line)


def _points(record: RegressionRecord) -> go.Scatter:
    hover = t("key {key}, value {value}").format(key="%{x:.4g}", value="%{y:.4g}") + "<extra></extra>"
    return go.Scatter(
        x=record.points.x,
        y=record.points.y,
        name=t("training points"),
        mode="markers",
        marker={"color": looks.look().value, "size": 8, "opacity": 0.4, "line": {"width": 0}},
        hovertemplate=hover,
    )


def stack_axes(heights: tuple[float, ...]) -> dict[str, Any]:
    """Return the axes of panels above one another that share what runs to the right.

    `make_subplots`, with traces added and axes updated one by one, takes some thirty times as long.
    """
    layout: dict[str, Any] = {}
    shares = np.array(heights) / sum(heights) * (1 - _BETWEEN * (len(heights) - 1))
    top = 1.0
    for position, share in enumerate(shares.tolist()):
        here = theme.axis_number(position)
        layout[f"yaxis{here}"] = {"domain": [max(0.0, top - share), top], "anchor": f"x{here}"}
        layout[f"xaxis{here}"] = {"anchor": f"y{here}", "showticklabels": position == len(heights) - 1}
        layout[f"xaxis{here}"] |= {"matches": "x"} if position else {}
        top -= share + _BETWEEN
    return layout
