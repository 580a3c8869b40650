"""Figures that lay the kinds of positions side by side: attention against distance, loss beyond the training length."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import theme
from explorer.figures.look import look
from explorer.lessons.positional_encoding.figures.trained import border, border_note
from explorer.lessons.positional_encoding.records.extrapolation import BeyondRecord, Over
from explorer.lessons.positional_encoding.records.trained import DecayRecord
from explorer.records.language import t

#: Colour and dashes of each kind, the same on every figure; grey is the model without positions.
STYLE = {
    "none": (theme.CATEGORICAL[7], "dot"),
    "sinusoidal": (theme.CATEGORICAL[0], "solid"),
    "learned": (theme.CATEGORICAL[1], "dash"),
    "rotary": (theme.CATEGORICAL[3], "solid"),
    "alibi": (theme.CATEGORICAL[2], "solid"),
}


def decay(records: Sequence[DecayRecord], *, names: Mapping[str, str], logarithmic: bool = True) -> go.Figure:
    """Draw the mean weight against distance, a line for each kind."""
    hover = t("{kind}, distance {distance}: {weight}")
    lines = [
        go.Scatter(
            x=record.distances,
            y=record.mean_weights.astype(np.float32),
            mode="lines",
            name=names[record.kind],
            line=_line(record.kind),
            hovertemplate=hover.format(kind=names[record.kind], distance="%{x}", weight="%{y:.4f}") + "<extra></extra>",
        )
        for record in records
    ]
    even = 1 / records[0].trained_length
    level = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": even, "y1": even}
    return theme.figure(
        *lines,
        height=520,
        showlegend=True,
        margin={"l": 8, "r": 8, "t": 40, "b": 8},
        xaxis={"title": {"text": t("distance back, in characters")}},
        yaxis={"title": {"text": t("mean weight")}, "tickformat": "~g"}
        | ({"type": "log", "dtick": 1} if logarithmic else {"rangemode": "tozero"}),
        shapes=[level | {"line": {"color": look().muted, "width": 1, "dash": "dot"}}],
        annotations=[
            {
                "xref": "paper",
                "x": 1,
                "y": math.log10(even) if logarithmic else even,
                "xanchor": "right",
                "yanchor": "bottom",
            }
            | {"text": t("even share, 1/{n}").format(n=records[0].trained_length), "showarrow": False}
        ],
    )


def beyond(records: Sequence[BeyondRecord], *, over: Over, names: Mapping[str, str]) -> go.Figure:
    """Draw the perplexity, e to the loss, on texts of growing length, or at positions farther in; the border marked.

    Where a model cannot read, its line ends with a cross.
    """
    traces = [trace for record in records for trace in _loss(record, over, names[record.kind])]
    first = records[0]
    title = t("length of the text, in characters") if over == "length" else t("position in the text, in characters")
    return theme.figure(
        *traces,
        height=520,
        showlegend=True,
        margin={"l": 8, "r": 8, "t": 40, "b": 8},
        xaxis={"title": {"text": title}, "tickvals": first.lengths.tolist(), "rangemode": "tozero"},
        yaxis={"title": {"text": t("characters it hesitates between")}},
        shapes=[border(first.trained_length)],
        annotations=[border_note(first.trained_length)],
    )


def _loss(record: BeyondRecord, over: Over, name: str) -> list[go.Scatter]:
    x = record.lengths if over == "length" else (record.edges[:-1] + record.edges[1:]) / 2
    y, error = (record.loss, record.loss_error) if over == "length" else (record.bucket_loss, record.bucket_error)
    known = np.isfinite(y)
    y = np.exp(y)
    error = error * y
    hover = t("{kind}, {x} characters: between {n}").format(kind=name, x="%{x:,.0f}", n="%{y:.2f}")
    ends = known.any() and not known.all()
    said = t("{kind}: no code beyond {limit}").format(kind=name, limit=record.limit) if ends else name
    line = go.Scatter(
        x=x[known],
        y=y[known].astype(np.float32),
        error_y={"array": np.nan_to_num(error[known]).astype(np.float32), "thickness": 1, "width": 3},
        mode="lines+markers",
        name=said,
        line=_line(record.kind),
        hovertemplate=hover + "<extra></extra>",
    )
    if not ends:
        return [line]
    end = go.Scatter(
        x=[float(x[known][-1])],
        y=[float(y[known][-1])],
        mode="markers",
        marker={"symbol": "x", "size": 14, "color": _line(record.kind)["color"]},
        showlegend=False,
        hoverinfo="skip",
    )
    return [line, end]


def _line(kind: str) -> dict[str, Any]:
    ink, dash = STYLE[kind]
    return {"color": ink, "dash": dash, "width": 3}
