"""Figures of kernels and their widths: shapes, errors by width, a width as it is learned."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import theme
from explorer.figures.look import LIGHT, Look, faint
from explorer.lessons.kernel_regression.figures.fit import down, level, stacked
from explorer.lessons.kernel_regression.records import LearningRecord, ShapesRecord, WidthSweepRecord
from explorer.records import Translate, english

#: Up to so many epochs each has a mark.
_FEW = 12
#: 1, 2 and 5 of every decade, written in full on logarithmic axes.
_LOG_TICKS = [step * 10.0**power for power in range(-12, 13) for step in (1, 2, 5)]


def kernels(
    record: ShapesRecord,
    chosen: str,
    *,
    names: Mapping[str, str],
    look: Look = LIGHT,
    t: Translate = english,
) -> go.Figure:
    """Draw every kernel over the distance in widths, the chosen one in front."""
    made = theme.figure(height=320)
    dashes = ("solid", "dash", "dot", "dashdot")
    for place, name in enumerate(record.kernels):
        line: dict[str, Any] = {"color": look.muted, "width": 2, "dash": dashes[place % len(dashes)]}
        if name == chosen:
            line |= {"color": look.query, "width": 4}
        made.add_trace(
            go.Scatter(
                x=record.distance.astype(np.float32),
                y=record.density[place].astype(np.float32),
                name=names[name],
                mode="lines",
                line=line,
            )
        )
    made.update_xaxes(title={"text": t("distance, in widths")})
    made.update_yaxes(title={"text": "K(u)"}, rangemode="tozero")
    return made


def sweep(record: WidthSweepRecord, width: float, *, look: Look = LIGHT, t: Translate = english) -> go.Figure:
    """Errors over the width, the best widths marked, the chosen width as a line; a gap where the error is undefined."""
    made = theme.figure(height=380)
    curves = [
        (t("against the truth"), record.against_truth, record.best_against_truth, look.text),
        (t("leave-one-out"), record.leave_one_out, record.best_leave_one_out, look.output),
    ]
    for name, curve, best, ink in curves:
        if curve is None:
            continue
        made.add_trace(go.Scatter(x=record.widths, y=curve, name=name, mode="lines", line={"color": ink, "width": 3}))
        if best is not None:
            marker = {"symbol": "star", "size": 15, "color": ink, "line": {"color": look.paper, "width": 1}}
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
    made.add_trace(level(record.widths, base, t("average pooling"), look))
    made.add_vline(width, line={"color": look.query, "width": 2, "dash": "dot"})
    made.update_xaxes(type="log", title={"text": t("width h, in x-units")}, tickvals=_LOG_TICKS, tickformat="~g")
    made.update_yaxes(title={"text": t("mean squared error")}, rangemode="tozero")
    return made


def learning(
    chosen: LearningRecord,
    contrast: LearningRecord | None,
    epoch: int,
    *,
    look: Look = LIGHT,
    t: Translate = english,
) -> go.Figure:
    """Draw the loss, w and error against the truth by epoch; dotted the other way, if it may be seen.

    What lies beyond the epoch shown is faint: the curves grow, point by point, as it is played.
    """
    rows = [(t("loss"), "loss"), (t("w = 1/width"), "w")]
    ways = [(chosen, True)] if contrast is None else [(contrast, False), (chosen, True)]
    if any(each.against_truth is not None and np.isfinite(each.against_truth).any() for each, _ in ways):
        rows.append((t("error against<br>the truth"), "against_truth"))
    layout = stacked(tuple(1 / len(rows) for _ in rows))
    names = {True: t("each point left out"), False: t("each point kept in")}
    traces = []
    for place, (title, measure) in enumerate(rows):
        here = theme.axis_number(place)
        for record, main in ways:
            ink = look.output if record.leave_one_out else look.text
            curve, until = getattr(record, measure), min(epoch, record.epochs) + 1 if main else record.epochs + 1
            trace = go.Scatter(
                y=curve[:until],
                xaxis=f"x{here}",
                yaxis=f"y{here}",
                name=names[record.leave_one_out],
                mode="lines+markers" if main and record.epochs <= _FEW else "lines",
                line={"color": ink, "width": 3 if main else 2, "dash": "solid" if main else "dot"},
                showlegend=place == 0,
            )
            traces.append(trace)
            if until <= record.epochs:
                rest = {"x": np.arange(until - 1, record.epochs + 1), "y": curve[until - 1 :], "mode": "lines"}
                faded = {"line": {"color": faint(ink, 0.3), "width": 1.5}, "showlegend": False}
                to_come = t("{name}, still to come").format(name=names[record.leave_one_out])
                traces.append(go.Scatter(rest | faded, name=to_come, xaxis=f"x{here}", yaxis=f"y{here}"))
        axis = layout[f"yaxis{here}"]
        axis["title"] = {"text": title}
        if measure != "w" and all(np.nan_to_num(getattr(each, measure), nan=np.inf).min() > 0 for each, _ in ways):
            axis |= {"type": "log", "tickformat": ".2~g", "nticks": 4}
            drawn = np.concatenate([getattr(each, measure) for each, _ in ways])
            axis |= {"tickvals": _LOG_TICKS} if drawn.max() > 3 * drawn.min() else {}
    layout[f"xaxis{theme.axis_number(len(rows) - 1)}"]["title"] = {"text": t("epoch")}
    marked = down(min(epoch, chosen.epochs), {"color": look.query, "width": 2, "dash": "dot"})
    return theme.figure(*traces, height=200 * len(rows), shapes=[marked], **layout)
