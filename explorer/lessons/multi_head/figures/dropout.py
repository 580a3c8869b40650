"""A row of weights before dropout, after one draw, and as the mean over many draws."""

import numpy as np
import plotly.graph_objects as go

from explorer.figures import theme
from explorer.figures.look import faint, look
from explorer.records.heads import DropoutRecord
from explorer.records.language import t
from explorer.records.wording import token


def dropout(record: DropoutRecord) -> go.Figure:
    """Draw two bars for each key, and the mean as a mark with its standard error; what was dropped has a cross."""
    n = len(record.key_labels)
    at = np.arange(n)
    words = tuple(token(label) for label in record.key_labels)
    bars = [
        go.Bar(x=at, y=record.before, name=t("before"), marker={"color": faint(look().key, 0.45)}),
        go.Bar(x=at, y=record.drawn, name=t("one draw"), marker={"color": look().output}),
    ]
    gone = np.flatnonzero(record.drawn == 0)
    cross = {"symbol": "x", "size": 11, "color": look().output}
    crosses = go.Scatter(
        x=gone + 0.2, y=np.zeros(len(gone)), name=t("dropped"), mode="markers", marker=cross, hoverinfo="skip"
    )
    mean = go.Scatter(
        x=at,
        y=record.mean,
        name=t("mean (draws: {draws})").format(draws=f"{record.draws:,}"),
        mode="markers",
        marker={"symbol": "diamond", "size": 12, "color": look().query, "line": {"color": look().paper, "width": 1.5}},
        error_y={"type": "data", "array": record.error, "color": look().query, "thickness": 2},
    )
    top = 1.08 * max(float(record.before.max() / (1 - record.share)), float((record.mean + record.error).max()))
    return theme.figure(
        *bars,
        crosses,
        mean,
        height=460,
        bargap=0.2,
        xaxis=theme.token_axis(words, title=t("keys")),
        yaxis={"title": {"text": t("weight")}, "range": [-0.03 * top, top]},
    )
