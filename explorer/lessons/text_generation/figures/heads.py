"""Heads: where they looked when a token was written, and what they do on a sequence that is repeated."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from explorer.figures import hatch, heatmap, theme
from explorer.figures.look import look
from explorer.records import AttentionRecord
from explorer.records.generation import InductionRecord
from explorer.records.language import t

#: Maps with more tokens than this name them on hover only.
MOST_NAMED = 48


def rows(weights: npt.NDArray[np.float32], *, heads: Sequence[str], keys: Sequence[str]) -> go.Figure:
    """Draw one query in every layer and head: a row for each head, a column for each key.

    Args:
        weights: `[heads, keys]`.
        heads: name of each row.
    """
    said = t("head {head} looks at “{key}”: {weight}").format(head="%{y}", key="%{x}", weight="%{z:.3f}")
    figure = heatmap.matrix(
        weights,
        rows=tuple(heads),
        columns=tuple(keys),
        row_title=t("layer.head"),
        column_title=t("looked at"),
        value_title=t("weight"),
        hover=f"{said}<extra></extra>",
    )
    figure.update_traces(texttemplate=None, colorscale=look().weights)
    figure.update_yaxes(tickfont={"size": 11})
    figure.update_xaxes(tickangle=0, tickfont={"size": 11})  # a key is one character
    return figure.update_traces(showscale=False).update_layout(margin={"l": 8, "r": 8, "t": 8, "b": 8})


def attention(record: AttentionRecord) -> go.Figure:
    """Draw the map of one head: a row for each token that was written, a column for each that was looked at."""
    figure = heatmap.attention(record, head=0, query_title=t("written"), key_title=t("looked at"))
    n = len(record.key_labels)
    figure.update_traces(xgap=0, ygap=0, colorscale=look().weights, texttemplate=None)
    if n > MOST_NAMED:
        bare = {"showticklabels": False, "ticks": "", "title": {"text": ""}}
        figure.update_xaxes(bare).update_yaxes(bare)
    return figure.update_traces(showscale=False).update_layout(margin={"l": 8, "r": 8, "t": 8, "b": 8})


def induction(record: InductionRecord, *, names: Sequence[str]) -> go.Figure:
    """Draw three scores of every head: a panel each, a row for each layer, a column for each head."""
    layers, heads = record.prefix.shape
    traces: list[Any] = []
    axes: dict[str, Any] = {}
    width = 1 / 3
    for number, (name, scores) in enumerate(zip(names, (record.prefix, record.copying, record.previous), strict=True)):
        axis = theme.axis_number(number)
        traces.append(_scores(name, scores, record.even[number], axis))
        bare = {"showgrid": False, "zeroline": False, "tickmode": "array"}
        axes[f"xaxis{axis}"] = bare | {
            "domain": [number * width + (0.02 if number else 0.0), (number + 1) * width - 0.01],
            "anchor": f"y{axis}",
            "tickvals": list(range(heads)),
        }
        axes[f"yaxis{axis}"] = bare | {
            "anchor": f"x{axis}",
            "tickvals": list(range(layers)),
            "range": [layers - 0.5, -0.5],
            "showticklabels": number == 0,
        }
        axes.setdefault("annotations", []).append(
            theme.heading(f"<b>{theme.label(name, None)}</b>", number * width + 0.01, 1.0)
        )
    figure = theme.figure(*traces, **axes)
    return figure.update_layout(margin={"l": 30, "r": 8, "t": 34, "b": 30})


def _scores(name: str, scores: npt.NDArray[np.float32], even: float, axis: str) -> go.Heatmap:
    """Make the panel of one score."""
    said = t("{score}, layer {layer}, head {head}: {value}; evenly spread {even}").format(
        score=theme.label(name, None), layer="%{y}", head="%{x}", value="%{z:.3f}", even=f"{even:.3f}"
    )
    return heatmap.cells(
        scores,
        look().weights,
        said,
        text=[[hatch.short(score) if score >= hatch.LEAST else "" for score in row] for row in scores.tolist()],
        texttemplate="%{text}",
        textfont={"size": 13},
        xgap=1,
        ygap=1,
        xaxis=f"x{axis}",
        yaxis=f"y{axis}",
    )
