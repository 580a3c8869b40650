"""Figures of kernels and their widths: shapes, errors by width, a width as it is learned."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import theme
from explorer.figures.look import look
from explorer.lessons.kernel_regression.figures.fit import level
from explorer.lessons.kernel_regression.records import ShapesRecord, WidthSweepRecord
from explorer.records.language import t

#: 1, 2 and 5 of every decade, written in full on logarithmic axes.
_LOG_TICKS = [step * 10.0**power for power in range(-12, 13) for step in (1, 2, 5)]


def kernels(record: ShapesRecord, chosen: str, *, names: Mapping[str, str]) -> go.Figure:
    """Draw every kernel over the distance in widths, the chosen one in front."""
    made = theme.figure(height=320)
    dashes = ("solid", "dash", "dot", "dashdot")
    for position, name in enumerate(record.kernels):
        line: dict[str, Any] = {"color": look().muted, "width": 2, "dash": dashes[position % len(dashes)]}
        if name == chosen:
            line |= {"color": look().query, "width": 4, "dash": "solid"}
        made.add_trace(
            go.Scatter(
                x=record.distance.astype(np.float32),
                y=record.density[position].astype(np.float32),
                name=names[name],
                mode="lines",
                line=line,
            )
        )
    made.update_xaxes(title={"text": t("distance, in widths")})
    made.update_yaxes(title={"text": "K(u)"}, rangemode="tozero")
    return made


def sweep(record: WidthSweepRecord, width: float) -> go.Figure:
    """Errors over the width, the best widths marked, the chosen width as a line; a gap where the error is undefined."""
    made = theme.figure(height=380)
    curves = [
        (t("against the truth"), record.against_truth, record.best_against_truth, look().text),
        (t("leave-one-out"), record.leave_one_out, record.best_leave_one_out, look().output),
    ]
    for name, curve, best, ink in curves:
        if curve is None:
            continue
        made.add_trace(go.Scatter(x=record.widths, y=curve, name=name, mode="lines", line={"color": ink, "width": 3}))
        if best is not None:
            marker = {"symbol": "star", "size": 15, "color": ink, "line": {"color": look().paper, "width": 1}}
            star = go.Scatter(
                x=record.widths[[best]],
                y=curve[[best]],
                name=t("best: {name}").format(name=name),
                mode="markers+text",
                marker=marker,
                text=[f"h = {record.widths[best]:.2g}"],
                textposition="top center",
                showlegend=False,
            )
            made.add_trace(star)
    base = record.average_leave_one_out if record.average_against_truth is None else record.average_against_truth
    made.add_trace(level(record.widths, base, t("average pooling")))
    made.add_vline(width, line={"color": look().query, "width": 2, "dash": "dot"})
    made.update_xaxes(type="log", title={"text": t("width h, in x-units")}, tickvals=_LOG_TICKS, tickformat="~g")
    made.update_yaxes(title={"text": t("mean squared error")}, rangemode="tozero")
    return made
