"""The way of a token through the decoder: lengths, and what the logit lens reads on it."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from explorer.figures import heatmap, theme
from explorer.figures.look import LIGHT, Look
from explorer.records import Translate, english
from explorer.records.residual_stream import StreamRecord, SubLayer

#: Maps with more tokens than this name the lens's choices on hover only.
MOST_WRITTEN = 20
#: One colour for each kind of sub-layer.
COLOURS: dict[SubLayer, str] = {
    "read": theme.DATA,
    "self": theme.BASELINE,
    "cross": theme.QUERY,
    "net": theme.PREDICTION,
}
_CHARACTERS = 9


def lens_map(record: StreamRecord, *, names: Sequence[str], look: Look = LIGHT, t: Translate = english) -> go.Figure:
    """For every written token the likeliest next token before the first layer and after each; colour: its probability.

    A choice that is the written token is bold.
    """
    ends, columns = record.layer_ends, len(record.written_labels)
    best = [[record.likeliest[end][place][0] for place in range(columns)] for end in ends]
    shares = np.array([[each.probability for each in row] for row in best], np.float32)
    whose = [[_said(record, end, place) for place in range(columns)] for end in ends]
    said = t("{where}, writing “{written}”: the lens reads “{best}” ({share}); “{written}” has rank {rank}")
    hover = said.format(
        where="%{y}", written="%{x}", best="%{customdata[0]}", share="%{z:.1%}", rank="%{customdata[1]}"
    )
    figure = _cells(shares, tuple(names), record.written_labels, f"{hover}<extra></extra>", look, t)
    figure.update_traces(customdata=whose)
    if columns <= MOST_WRITTEN:
        texts = [
            [_bold(best[row][place].label, record.rank[end, place] == 0) for place in range(columns)]
            for row, end in enumerate(ends)
        ]
        figure.update_traces(text=texts, texttemplate="%{text}", textfont={"size": 16})
    return figure.update_xaxes(title=t("written token"))


def choices(
    record: StreamRecord, place: int, *, names: Sequence[str], look: Look = LIGHT, t: Translate = english
) -> go.Figure:
    """One token: the likeliest next tokens, best first, before the first layer and after each."""
    rows = [record.likeliest[end][place] for end in record.layer_ends]
    shares = np.array([[each.probability for each in row] for row in rows], np.float32)
    ranks = tuple(str(number + 1) for number in range(shares.shape[1]))
    token = record.written_labels[place]
    said = t("{where}, choice {rank}: “{read}”, probability {share}")
    hover = said.format(where="%{y}", rank="%{x}", read="%{customdata}", share="%{z:.1%}")
    figure = _cells(shares, tuple(names), ranks, f"{hover}<extra></extra>", look, t)
    texts = [[f"{_bold(each.label, each.label == token)}<br>{each.probability:.0%}" for each in row] for row in rows]
    labels = [[theme.label(each.label, None) for each in row] for row in rows]
    figure.update_traces(customdata=labels, text=texts, texttemplate="%{text}", textfont={"size": 12})
    return figure.update_xaxes(title=t("choice"))


def lengths(record: StreamRecord, place: int, *, names: Sequence[str], t: Translate = english) -> go.Figure:
    """From top to bottom every step of the way: how long what it adds is (bar), and the vector after it (point)."""
    rows = np.arange(len(record.points), dtype=np.int32)
    said = [theme.label(name, None) for name in names]
    whole = go.Scatter(
        x=record.norm[:, place],
        y=rows,
        mode="lines+markers",
        line={"color": theme.TRUTH, "width": 2},
        marker={"size": 9},
        customdata=said,
        hovertemplate=t("after {where} the vector has length {length}").format(where="%{customdata}", length="%{x:.2f}")
        + "<extra></extra>",
        name=t("length of the vector after each"),
    )
    axis = theme.token_axis(tuple(names)) | {"ticktext": said, "autorange": "reversed", "tickfont": {"size": 13}}
    return theme.figure(
        *_added(record, place, said, t),
        whole,
        barmode="overlay",
        height=130 + 28 * len(rows),
        margin={"l": 8, "r": 8, "t": 60, "b": 8},
        xaxis={"title": {"text": t("length")}, "rangemode": "tozero"},
        yaxis=axis,
    )


def _added(record: StreamRecord, place: int, said: Sequence[str], t: Translate) -> list[go.Bar]:
    """Draw the length of what each step adds; the bars of one kind of sub-layer are one trace of the legend."""
    kinds: dict[SubLayer, str] = {
        "read": t("adds: embedding and position"),
        "self": t("adds: self-attention"),
        "cross": t("adds: cross-attention"),
        "net": t("adds: feed-forward net"),
    }
    added, rows = [], np.arange(len(record.points), dtype=np.int32)
    for kind, kind_name in kinds.items():
        here = [row for row, point in enumerate(record.points) if point.what == kind]
        added.append(
            go.Bar(
                x=record.added[here, place],
                y=rows[here],
                orientation="h",
                width=0.7,  # of a row: left to itself it follows from how far apart the kind's own bars are
                marker={"color": COLOURS[kind]},
                customdata=[said[row] for row in here],
                hovertemplate=t("{where} adds {length}").format(where="%{customdata}", length="%{x:.2f}")
                + "<extra></extra>",
                name=kind_name,
            )
        )
    return added


def _cells(
    shares: npt.NDArray[np.float32],
    rows: tuple[str, ...],
    columns: tuple[str, ...],
    hover: str,
    look: Look,
    t: Translate,
) -> go.Figure:
    figure = heatmap.matrix(shares, rows=rows, columns=columns, value_title=t("probability"), hover=hover)
    figure.update_traces(colorscale=look.weights, showscale=False)
    return figure.update_layout(margin={"l": 8, "r": 8, "t": 8, "b": 8})


def _bold(label: str, chosen: Any) -> str:
    text = theme.label(label, _CHARACTERS)
    return f"<b>{text}</b>" if chosen else text


def _said(record: StreamRecord, end: int, place: int) -> list[str]:
    best = record.likeliest[end][place][0]
    return [theme.label(best.label, None), f"{record.rank[end, place] + 1:,}"]
