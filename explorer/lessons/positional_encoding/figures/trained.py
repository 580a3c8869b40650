"""Figures of positions in trained models: the sum that enters, a learned table, a turned pair."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import theme
from explorer.figures.look import look
from explorer.lessons.positional_encoding.figures.sinusoidal import matrix
from explorer.lessons.positional_encoding.records.trained import (
    EntryRecord,
    LearnedTableRecord,
    RotaryPairRecord,
)
from explorer.records.arrays import Floats
from explorer.records.language import t
from explorer.records.wording import token

#: Positions of a learned table whose likeness to the others is drawn, as shares of its length.
PLACES = (0.125, 0.5, 0.875)


def entry(record: EntryRecord) -> go.Figure:
    """Draw lengths of embedding and code at every token, and below the cosine between them."""
    labels = tuple(token(label) for label in record.labels)
    names = [theme.label(label, None) for label in labels]
    shown = (
        (t("√d × embedding"), record.scaled, look().key),
        (t("position code"), record.position, theme.CATEGORICAL[1]),
        (t("their sum"), record.total, look().output),
    )
    bars = [_bars(name, values, ink, names, "y") for name, values, ink in shown]
    below = _bars(t("cosine between embedding and code"), record.cosine, look().muted, names, "y2")
    return theme.figure(
        *bars,
        below,
        height=520,
        barmode="group",
        xaxis=theme.token_axis(labels) | {"anchor": "y2"},
        yaxis={"domain": [0.38, 1], "title": {"text": t("length")}, "rangemode": "tozero"},
        yaxis2={"domain": [0, 0.26], "title": {"text": t("cosine")}, "range": [-1, 1], "anchor": "x"},
        margin={"l": 8, "r": 8, "t": 60, "b": 8},
    )


def _bars(name: str, values: Floats, ink: str, names: list[str], axis: str) -> go.Bar:
    return go.Bar(
        x=np.arange(len(values)),
        y=values.astype(np.float32),
        yaxis=axis,
        name=name,
        marker={"color": ink},
        customdata=names,
        hovertemplate=f"%{{customdata}}, {name}: %{{y:.3g}}<extra></extra>",
    )


def table(record: LearnedTableRecord, *, reach: float) -> go.Figure:
    """Draw the learned codes, positions × dimensions, on a diverging scale; larger numbers have the last colour."""
    return matrix(
        record.codes,
        reach=reach,
        titles=(t("dimension"), t("position")),
        hover=t("position {row}, dimension {column}: {value}"),
    )


def likeness(record: LearnedTableRecord) -> go.Figure:
    """Draw the cosine of every two learned codes."""
    return matrix(
        record.similarity,
        reach=1.0,
        titles=(t("position"), t("position")),
        hover=t("positions {row} and {column}: cosine {value}"),
        square=True,
    )


def by_offset(record: LearnedTableRecord) -> go.Figure:
    """Draw the mean cosine by offset, and what it is from a few single positions."""
    n = len(record.codes)
    offsets = np.arange(n)
    mean = go.Scatter(
        x=np.concatenate([-offsets[:0:-1], offsets]),
        y=np.concatenate([record.by_offset[:0:-1], record.by_offset]).astype(np.float32),
        mode="lines",
        name=t("mean over all positions"),
        line={"color": look().output, "width": 6},
        opacity=0.7,
    )
    name = t("from position {position}")
    single = []
    for number, position in enumerate(int(share * n) for share in PLACES):
        single.append(
            go.Scatter(
                x=offsets - position,
                y=record.similarity[position],
                mode="lines",
                name=name.format(position=position),
                line={"color": theme.CATEGORICAL[(0, 4, 2)[number]], "width": 2},
            )
        )
    return theme.figure(
        mean,
        *single,
        height=520,
        margin={"l": 8, "r": 8, "t": 70, "b": 8},
        xaxis={"title": {"text": t("offset j − i, in positions")}},
        yaxis={"title": {"text": t("cosine")}, "range": [-1.03, 1.03]},
    )


def pair(record: RotaryPairRecord) -> go.Figure:
    """Draw the score of one query and one key at every distance; where they really stand, and how far training went."""
    strongest = np.argsort(-record.amplitude, kind="stable")[:2]
    waves = [
        go.Scatter(
            x=record.distances,
            y=record.parts[j].astype(np.float32),
            mode="lines",
            name=t("part of pair {pair} (wavelength {length})").format(pair=j, length=f"{record.wavelengths[j]:,.3g}"),
            line={"color": theme.CATEGORICAL[ink], "width": 1.5},
        )
        for j, ink in zip(strongest.tolist(), (5, 3), strict=False)
    ]
    total = go.Scatter(
        x=record.distances,
        y=record.scores.astype(np.float32),
        mode="lines",
        name=t("score, all pairs together"),
        line={"color": look().text, "width": 4},
    )
    here = go.Scatter(
        x=[record.actual],
        y=[record.computed],
        mode="markers",
        name=t("where they stand"),
        marker={"symbol": "diamond", "size": 14, "color": look().query, "line": {"color": look().paper, "width": 1.5}},
    )
    return theme.figure(
        *waves,
        total,
        here,
        height=520,
        margin={"l": 8, "r": 8, "t": 84, "b": 8},
        xaxis={"title": {"text": t("distance, in characters")}} | {"range": [0, float(record.distances[-1])]},
        yaxis={"title": {"text": t("score q·k / √d")}},
        shapes=[border(record.trained_length)],
        annotations=[border_note(record.trained_length)],
    )


def border(length: int) -> dict[str, Any]:
    """Return a line where the training ended."""
    line = {"color": look().muted, "width": 2, "dash": "dash"}
    return {"type": "line", "yref": "paper", "y0": 0, "y1": 1, "x0": length, "x1": length, "line": line}


def border_note(length: int) -> dict[str, Any]:
    """Name the line where the training ended."""
    position = {"x": length, "yref": "paper", "y": 1, "xanchor": "left", "yanchor": "top", "xshift": 4}
    return position | {"text": t("beyond training"), "showarrow": False}
