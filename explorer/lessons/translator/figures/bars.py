"""Bars: the weights of one row, what else could have been written, what an interference changed."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import factors, theme
from explorer.figures.look import faint, look
from explorer.lessons.translator.names import name
from explorer.lessons.translator.records import ChangeRecord
from explorer.records.language import t
from explorer.records.sequence import Likely, Step, TokenRow, word_shares
from explorer.records.wording import percent, said_change

#: Weights beside a map: the largest so many.
MOST_LOOKS = 6
#: Rows of a document: up to so many each has its number.
MOST_NUMBERED = 12
_BARE = {"showgrid": False, "zeroline": False}


def looks(weights: np.ndarray[Any, Any], labels: Sequence[str]) -> go.Figure:
    """Draw the largest weights of one row, the largest on top."""
    order = np.argsort(-weights, kind="stable")[:MOST_LOOKS].tolist()
    names = [name(labels[position]) for position in order]
    return _lying(names, weights[order], [look().query] * len(order), t("weight"))


def following(likeliest: Sequence[Likely], chosen: int | None) -> go.Figure:
    """Draw the likeliest next pieces, the best on top; the one that was written is full, the others are pale."""
    colours = [
        look().output if position == chosen else faint(look().output, 0.45) for position in range(len(likeliest))
    ]
    names = [name(each.label) for each in likeliest]
    return _lying(names, np.array([each.probability for each in likeliest]), colours, t("probability"))


def rates(names: Sequence[str], values: Sequence[float]) -> go.Figure:
    """Draw one error rate for each of some ways."""
    return _lying(names, np.array(values), [look().query] * len(names), t("alignment error rate"))


def column(weights: np.ndarray[Any, Any], labels: Sequence[str], *, asks: bool) -> go.Figure:
    """Draw one row (`asks`) or one column of a map, in the order of the words."""
    names = tuple(name(label) for label in labels)
    trace = go.Bar(
        x=np.arange(len(names), dtype=np.int32),
        y=weights.astype(np.float32),
        marker={"color": look().query if asks else look().key},
        text=[f"{each:.2f}".lstrip("0") if each >= 0.05 else "" for each in weights],
        textposition="outside",
        hovertemplate="%{x}: %{y:.3f}<extra></extra>",
        cliponaxis=False,
    )
    figure = theme.figure(trace, height=420, showlegend=False, bargap=0.25)
    figure.update_xaxes(theme.token_axis(names))
    return figure.update_yaxes(title=t("weight"), range=[0, 1.08], tickvals=[0, 0.25, 0.5, 0.75, 1])


def sureness(written: TokenRow, steps: Sequence[Step]) -> go.Figure:
    """Draw the probability of each written word; the pointer finds what else could have stood there, or its pieces."""
    names = tuple(map(name, written.word_labels))
    told = [
        steps[word[0]].likeliest[:4] if len(word) == 1 else [steps[position].written for position in word]
        for word in written.words
    ]
    others = [
        t(", ").join(f"“{theme.label(name(each.label), None)}” {percent(each.probability)}" for each in found)
        for found in told
    ]
    trace = go.Bar(
        x=np.arange(len(names), dtype=np.int32),
        y=np.array(word_shares(written, steps), np.float32),
        marker={"color": look().output},
        customdata=others,
        hovertemplate="%{x}: %{y:.1%}<br>%{customdata}<extra></extra>",
    )
    room = {"height": 115, "minreducedheight": 40}  # on a phone words stand aslant, and take from the bars' height
    figure = theme.figure(trace, margin={"l": 8, "r": 8, "t": 4, "b": 4}, showlegend=False, bargap=0.4, **room)
    figure.update_xaxes(theme.token_axis(names))
    # a title of the axis, which the heading and the reading name, would be taller than the bars before a room
    return figure.update_yaxes(range=[0, 1.02], tickvals=[0, 0.5, 1], showgrid=True)


def document(sure: Sequence[float | None], lengths: Sequence[int]) -> go.Figure:
    """Draw how sure each row of a document is; before any is translated, how many characters it has."""
    done = any(each is not None for each in sure)
    values = [each or 0.0 for each in sure] if done else lengths
    trace = go.Bar(
        x=np.arange(1, len(sure) + 1, dtype=np.int32),
        y=np.array(values, np.float32),
        marker={"color": look().output if done else look().key},
        hovertemplate="%{x}: %{y:.3g}<extra></extra>",
    )
    figure = theme.figure(trace, height=200, margin={"l": 8, "r": 8, "t": 8, "b": 8}, showlegend=False, bargap=0.3)
    every = {"dtick": 1} if len(sure) <= MOST_NUMBERED else {}
    figure.update_xaxes(title=t("row"), tickformat="d", showgrid=False, **every)
    return figure.update_yaxes(title=t("probability of a piece") if done else t("characters"), rangemode="tozero")


def changes(record: ChangeRecord) -> go.Figure:
    """Draw for each word of the old translation how its log-probability changed."""
    change, labels = record.change, tuple(name(label) for label in record.before_words)
    before, after = np.exp(record.log_probability_before), np.exp(record.log_probability_after)
    said = t("“{written}”: probability {before} before, {after} now; {change}").format(
        written="%{customdata[0]}", before="%{customdata[1]}", after="%{customdata[2]}", change="%{customdata[3]}"
    )
    told = [
        (theme.label(text, None), f"{old:.1%}", f"{new:.1%}", said_change(float(each)))
        for text, old, new, each in zip(labels, before, after, change, strict=True)
    ]
    trace = go.Bar(
        x=np.arange(len(labels), dtype=np.int32),
        y=factors.tens(change),
        marker={"color": [look().value if each >= 0 else look().output for each in change]},
        customdata=told,
        hovertemplate=f"{said}<extra></extra>",
    )
    return theme.figure(
        trace,
        height=385,
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        showlegend=False,
        bargap=0.25,
        xaxis=theme.token_axis(record.before_words),
        yaxis=factors.axis(change),
    )


def _lying(names: Sequence[str], values: Any, colours: Sequence[str], said: str) -> go.Figure:
    trace = go.Bar(
        x=np.asarray(values, np.float32),
        y=np.arange(len(names), dtype=np.int32),
        orientation="h",
        marker={"color": list(colours)},
        text=[percent(float(each)) for each in values],
        textposition="outside",
        textfont={"color": look().muted},
        hovertemplate="%{y}: %{x:.3f}<extra></extra>",
        cliponaxis=False,
    )
    figure = theme.figure(
        trace,
        height=20 + 30 * len(names),
        margin={"l": 8, "r": 8, "t": 0, "b": 0},
        showlegend=False,
        bargap=0.35,
        xaxis=_BARE | {"range": [0, 1.2], "showticklabels": False, "title": {"text": ""}},
        yaxis=theme.token_axis(tuple(names)) | {"autorange": "reversed"},
    )
    figure.data[0].name = said
    return figure
