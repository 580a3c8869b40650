"""Three ways of answering from the same keys and values."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import theme
from explorer.figures.look import look
from explorer.lessons.queries_keys_values.figures import colours
from explorer.lessons.queries_keys_values.records.lookup import WAYS, LookupRecord, say_value
from explorer.records.arrays import Floats
from explorer.records.language import t

#: Of a column and of the space between two, in shares of the figure.
_WIDTH, _BETWEEN = 0.92 / 3, 0.04


def way_names() -> dict[str, str]:
    """Name the ways of answering in the reader's language."""
    return {"hard": t("hard look-up"), "soft": t("attention"), "average": t("average pooling")}


def ways(record: LookupRecord) -> go.Figure:
    """Draw three columns of weights over the same keys, and under each what it answers."""
    names, n = way_names(), len(record.entries)
    labels = (*(entry.name for entry in record.entries), t("answer"))
    keys = theme.token_axis(labels) | {"range": [n + 0.6, -0.6]}
    weights = {"side": "top", "range": [0, 1.4], "tickvals": [0, 0.5, 1], "showgrid": False}
    traces, axes = [], dict[str, Any]()
    for position, (way, shares, output) in enumerate(zip(WAYS, record.weights, record.outputs, strict=True)):
        here = theme.axis_number(position)
        on = {"xaxis": f"x{here}", "yaxis": f"y{here}"}
        both = (_bars(record, shares, names[way]), _answer(record, output, n, names[way]))
        traces += [trace.update(on) for trace in both]
        title = {"text": names[way].replace(" ", "<br>"), "font": {"size": 13}}
        left = position * (_WIDTH + _BETWEEN)
        axes[f"xaxis{here}"] = weights | {"title": title, "domain": [left, left + _WIDTH], "anchor": f"y{here}"}
        axes[f"yaxis{here}"] = keys | {"anchor": f"x{here}", "showticklabels": position == 0}
        axes[f"yaxis{here}"] |= {"matches": "y"} if position else {}
    margin = {"l": 8, "r": 8, "t": 8, "b": 8}
    return theme.figure(*traces, height=170 + 34 * n, margin=margin, showlegend=False, bargap=0.3, **axes)


def _bars(record: LookupRecord, weights: Floats, way: str) -> go.Bar:
    hover = t("{way}: “{key}” weighs {weight}").format(way=way, key="%{customdata}", weight="%{x:.4f}")
    return go.Bar(
        x=weights.astype(np.float32),
        y=np.arange(len(weights), dtype=np.int32),
        orientation="h",
        marker={"line": {"color": look().muted, "width": 1}, "color": colours.every(record, None)},
        text=[_written(weight) for weight in weights.tolist()],
        textposition="outside",
        cliponaxis=False,
        customdata=[theme.label(entry.name, None) for entry in record.entries],
        hovertemplate=hover + "<extra></extra>",
    )


def _answer(record: LookupRecord, output: Floats, row: int, way: str) -> go.Scatter:
    """Draw the answer under the bars: a patch of the colour, or the number."""
    patch = {"symbol": "square", "size": 28, "line": {"color": look().output, "width": 2}}
    return go.Scatter(
        x=np.array([0.17], np.float32),
        y=np.array([row], np.int32),
        mode="markers+text",
        marker=patch | {"color": colours.every(record, [output])},
        text=["  " + say_value(output)],
        textposition="middle right",
        cliponaxis=False,
        hovertemplate=t("{way}: answer {answer}").format(way=way, answer=colours.format_hover(output, record))
        + "<extra></extra>",
    )


def _written(weight: float) -> str:
    """Write a weight; an exact 0 and 1 look different from nearly 0 and 1."""
    if weight in (0.0, 1.0):
        return f"{weight:.0f}"
    return f"{weight:.2f}" if weight >= 0.005 else "≈0"
