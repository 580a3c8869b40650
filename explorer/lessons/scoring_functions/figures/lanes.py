"""Two lanes, q·k and q·k/√d: scores, the weights of one query, and what is left of the gradient."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import theme
from explorer.figures.look import LIGHT, Look, ink_at
from explorer.lessons.scoring_functions.records import LanesRecord
from explorer.records import Translate, english
from explorer.records.wording import typeset

#: The lanes, as they are written.
WRITTEN = ("q·k", "q·k / √d")
#: Scores are drawn from −REACH to REACH at every d, in bins of this width: on an axis that moved, nothing would spread.
_REACH, _BIN = 60, 2.0
_DOMAINS: dict[str, list[float]] = {"upper": [0.72, 0.95], "lower": [0.4, 0.63], "curve": [0.0, 0.27]}
_LEFT, _RIGHT = [0.0, 0.56], [0.62, 1.0]


def lanes(record: LanesRecord, *, whole: bool, look: Look = LIGHT, t: Translate = english) -> go.Figure:
    """Draw scores and weights of both lanes, and the gradient against d.

    Args:
        whole: whether the curves are drawn to the longest d; else to the chosen one.
    """
    traces: list[Any] = []
    for lane in range(2):
        traces += [*_heap(record, lane, look, t), _bars(record, lane, look, t)]
    traces += [_curve(record, lane, whole, look, t) for lane in range(2)]
    return theme.figure(
        *traces,
        height=560,
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        showlegend=False,
        bargap=0.12,
        annotations=_headings(record, look, t),
        shapes=[_here(record, look)],
        **_axes(record, t),
    )


def _heap(record: LanesRecord, lane: int, look: Look, t: Translate) -> list[go.Scatter]:
    """All scores as a heap, and those of the query shown as sticks, the largest in the query's colour."""
    edges = np.arange(-_REACH, _REACH + _BIN / 2, _BIN)
    count, _ = np.histogram(np.clip(record.scores[lane], edges[0], edges[-1]), edges)
    axes = {"xaxis": f"x{theme.axis_number(2 * lane)}", "yaxis": f"y{theme.axis_number(2 * lane)}"}
    heap = go.Scatter(
        x=np.repeat(edges, 2)[1:-1],
        y=np.repeat(count / count.max(), 2).astype(np.float32),
        mode="lines",
        line={"color": look.muted, "width": 1},
        fill="tozeroy",
        fillcolor=look.line,
        hoverinfo="skip",
        **axes,
    )
    own = record.scores[lane, record.chosen].astype(float)
    top = int(own.argmax())
    sticks = [_stick(own[[i for i in range(len(own)) if i != top]], look.key, t), _stick(own[[top]], look.query, t)]
    return [heap, *(stick.update(axes) for stick in sticks)]


def _stick(scores: Any, ink: str, t: Translate) -> go.Scatter:
    return go.Scatter(
        x=np.repeat(scores.clip(-_REACH, _REACH), 3),  # what lies beyond stands at the edge
        y=np.tile([0, 0.62, np.nan], len(scores)),
        mode="lines",
        line={"color": ink, "width": 4},
        connectgaps=False,
        cliponaxis=False,
        customdata=[typeset(f"{score:.2f}") for score in np.repeat(scores, 3)],
        hovertemplate=t("score") + " %{customdata}<extra></extra>",
    )


def _bars(record: LanesRecord, lane: int, look: Look, t: Translate) -> go.Bar:
    weights = record.weights[lane].astype(float)
    top = int(weights.argmax())
    edge = [look.query if i == top else ink_at(0.5, look) for i in range(len(weights))]
    return go.Bar(
        x=[f"k{i + 1}" for i in range(len(weights))],
        y=weights,
        marker={
            "color": [ink_at(max(weight, 0.25), look) for weight in weights],
            "line": {"color": edge, "width": [3 if i == top else 0 for i in range(len(weights))]},
        },
        text=[f"{weight:.0%}" if weight >= 0.05 else "" for weight in weights] if len(weights) <= 12 else None,
        textposition="outside",
        cliponaxis=False,
        hovertemplate="%{x}: %{y:.3f} " + t("weight") + "<extra></extra>",
        xaxis=f"x{theme.axis_number(2 * lane + 1)}",
        yaxis=f"y{theme.axis_number(2 * lane + 1)}",
    )


def _curve(record: LanesRecord, lane: int, whole: bool, look: Look, t: Translate) -> go.Scatter:
    drawn = len(record.lengths) if whole else record.place + 1
    ink = look.key if lane else look.output
    sizes = [13 if place == record.place else 5 for place in range(drawn)]
    return go.Scatter(
        x=record.lengths[:drawn],
        y=record.left[lane, :drawn],
        mode="lines+markers+text",
        line={"color": ink, "width": 4},
        marker={"size": sizes, "color": ink, "line": {"width": 0}},
        text=[f"{value:.0%}" if place == record.place else "" for place, value in enumerate(record.left[lane, :drawn])],
        textposition="bottom center" if lane == 0 else "top center",
        textfont={"color": ink, "size": 15, "weight": 700},
        cliponaxis=False,
        hovertemplate=f"{WRITTEN[lane]}, d = %{{x}}: %{{y:.0%}}<br>"
        + t("frozen: {share} of the queries").format(share="%{customdata:.0%}")
        + "<extra></extra>",
        customdata=record.frozen[lane, :drawn],
        xaxis="x5",
        yaxis="y5",
    )


def _axes(record: LanesRecord, t: Translate) -> dict[str, Any]:
    quiet = {"showgrid": False, "zeroline": False}
    scores = quiet | {"range": [-_REACH, _REACH], "domain": _LEFT, "dtick": 20}
    layout: dict[str, Any] = {}
    for lane, rows in enumerate((_DOMAINS["upper"], _DOMAINS["lower"])):
        left, right = (theme.axis_number(2 * lane + side) for side in (0, 1))
        layout[f"xaxis{left}"] = scores | {"anchor": f"y{left}"}
        layout[f"yaxis{left}"] = quiet | {"domain": rows, "range": [0, 1.05], "visible": False, "anchor": f"x{left}"}
        layout[f"xaxis{right}"] = quiet | {"domain": _RIGHT, "anchor": f"y{right}"}
        layout[f"yaxis{right}"] = {
            "domain": rows,
            "range": [0, 1.18],
            "tickvals": [0, 1],
            "anchor": f"x{right}",
            "zeroline": False,
        }
    layout["xaxis5"] = quiet | {
        "type": "log",
        "tickvals": list(record.lengths),
        "range": [0.2, np.log10(record.lengths[-1]) + 0.08],
        "title": {"text": t("d, length of the vectors")},
        "anchor": "y5",
    }
    share = {"tickformat": ".0%", "tickvals": [0, 0.5, 1], "range": [0, 1.18]}
    layout["yaxis5"] = share | {"domain": _DOMAINS["curve"], "anchor": "x5"}
    return layout


def _headings(record: LanesRecord, look: Look, t: Translate) -> list[dict[str, Any]]:
    inks = (look.output, look.key)
    plain, heated = t("weights of its keys"), t("weights, T = {temperature}")
    weighed = plain if record.temperature == 1 else heated.format(temperature=f"{record.temperature:g}")
    lane_names = (t("as they are"), t("divided by {root}").format(root=f"{record.d**0.5:.3g}"))
    found = []
    for lane, rows in enumerate((_DOMAINS["upper"], _DOMAINS["lower"])):
        name = f"<b>{WRITTEN[lane]}</b> {lane_names[lane]}"
        found.append(theme.heading(name, _LEFT[0], rows[1], size=15) | {"font": {"color": inks[lane], "size": 15}})
        found.append(theme.heading(weighed, _RIGHT[0], rows[1], size=14))
    names = " · ".join(
        f'<span style="color:{ink}"><b>{name}</b></span>' for ink, name in zip(inks, WRITTEN, strict=True)
    )
    left = t("gradient that is left") + "  " + names
    return [*found, theme.heading(left, _LEFT[0], _DOMAINS["curve"][1], size=14)]


def _here(record: LanesRecord, look: Look) -> dict[str, Any]:
    ends = {"x0": record.d, "x1": record.d, "y0": 0, "y1": 1}
    return ends | {"type": "line", "xref": "x5", "yref": "y5", "line": {"color": look.text, "width": 1.5}}
