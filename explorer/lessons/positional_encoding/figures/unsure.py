"""Figure of models on text longer than they were trained on: how unsure each is of the next character."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from explorer.figures import theme
from explorer.figures.look import LIGHT, Look, faint, text_on
from explorer.lessons.positional_encoding.figures.compared import STYLE
from explorer.lessons.positional_encoding.records.extrapolation import BeyondRecord
from explorer.records import Translate, english


def unsure(
    records: Sequence[BeyondRecord],
    read: int,
    *,
    signs: int,
    names: Mapping[str, str],
    whole: bool,
    look: Look = LIGHT,
    t: Translate = english,
) -> go.Figure:
    """Draw among how many characters each model wavers at each place, exp(loss), up to the place that is read.

    `signs`: characters there are to choose from; `whole`: what comes after is drawn as well, faintly.
    """
    first, last = records[0], int(records[0].edges[-1])
    traces = [trace for record in records for trace in _wavering(record, read, whole, names[record.kind], t)]
    lowest = min(float(np.nanmin(record.bucket_loss)) for record in records)
    span = [lowest / math.log(10) - 0.06, math.log10(signs) + 0.08]
    ground = {"type": "rect", "x0": 0, "x1": first.trained_length, "y0": 0, "y1": 1, "yref": "paper"}
    here = {"type": "line", "x0": read, "x1": read, "y0": 0, "y1": 1, "yref": "paper"}
    blind = {"type": "line", "x0": 0, "x1": last, "y0": signs, "y1": signs}
    ticks = [each for each in (2, 4, 8, 16, 32, 64) if span[0] <= math.log10(each) <= span[1]]
    return theme.figure(
        *traces,
        height=540,
        showlegend=False,
        margin={"l": 8, "r": 8, "t": 30, "b": 8},
        xaxis={"domain": [0, 0.8], "range": [0, last], "dtick": first.trained_length, "showgrid": False}
        | {"title": {"text": t("place in the text, in characters")}, "zeroline": False},
        yaxis={"type": "log", "range": span, "tickvals": ticks, "title": {"text": t("characters it wavers among")}},
        shapes=[
            ground | {"fillcolor": look.board, "line": {"width": 0}, "layer": "below"},
            ground
            | {
                "x0": first.trained_length,
                "x1": max(read, first.trained_length),
                "layer": "below",
                "line": {"width": 0},
            }
            | {"fillcolor": faint(look.query, 0.12)},
            here | {"line": {"color": look.query, "width": 2.5}},
            blind | {"line": {"color": look.muted, "width": 1.5, "dash": "dash"}},
        ],
        annotations=[*_ends(records, read, names, span), *_marks(first, read, signs, whole, look, t)],
    )


def wavering(record: BeyondRecord, read: int) -> float:
    """Return among how many characters a model wavers around a place, exp(loss); NaN if it cannot read it."""
    return math.exp(float(record.bucket_loss[int(np.searchsorted(record.edges, read, side="right")) - 1]))


def middles(record: BeyondRecord) -> npt.NDArray[np.floating[Any]]:
    """Return the middle of the places that were measured together, from the first to the last."""
    found: npt.NDArray[np.floating[Any]] = (record.edges[:-1] + record.edges[1:]) / 2
    return found


def _wavering(record: BeyondRecord, read: int, whole: bool, name: str, t: Translate) -> list[go.Scatter]:
    """Return a model's line up to the place that is read, the rest of it faint, and a dot at its end."""
    at, losses = middles(record), np.exp(record.bucket_loss)
    ink, dash = STYLE[record.kind]
    hover = t("{kind}, {x} characters: {n}").format(kind=name, x="%{x:,.0f}", n="%{y:.1f}") + "<extra></extra>"
    inside = (at <= read) & np.isfinite(losses)
    line = go.Scatter(
        x=at[inside],
        y=losses[inside],
        mode="lines",
        name=name,
        line={"color": ink, "dash": dash, "width": 4},
        hovertemplate=hover,
    )
    symbol = "x" if math.isnan(wavering(record, read)) else "circle"
    last = {"x": line.x[-1:], "y": line.y[-1:], "mode": "markers", "hoverinfo": "skip"}
    found = [line, go.Scatter(**last, marker={"size": 11, "color": ink, "symbol": symbol})]
    if whole:
        after = {"x": at, "y": losses, "mode": "lines", "hoverinfo": "skip"}
        found.append(go.Scatter(**after, line={"color": faint(ink, 0.3), "width": 2}))
    return found


def _ends(
    records: Sequence[BeyondRecord], read: int, names: Mapping[str, str], span: list[float]
) -> list[dict[str, Any]]:
    """Return each model's number beside the lines, pushed apart where they would cover each other."""
    values = {record.kind: wavering(record, read) for record in records}
    order = sorted(values, key=lambda kind: math.inf if math.isnan(values[kind]) else values[kind])
    places: list[float] = []
    step = 0.125 * (span[1] - span[0])
    for kind in order:
        wanted = span[1] if math.isnan(values[kind]) else math.log10(values[kind])
        places.append(max(wanted, places[-1] + step) if places else wanted)
    while places and places[-1] > span[1]:  # the uppermost goes down, and pushes those below it
        places[-1] = span[1]
        for i in range(len(places) - 2, -1, -1):
            places[i] = min(places[i], places[i + 1] - step)
    found = []
    for kind, height in zip(order, places, strict=True):
        value = values[kind]
        number = "–" if math.isnan(value) else f"{value:.1f}" if value < 10 else f"{value:.0f}"
        text = f'<span style="font-size:22px"><b>{number}</b></span><br>{names[kind]}'
        where = {"xref": "paper", "x": 0.815, "y": height, "xanchor": "left", "showarrow": False, "align": "left"}
        found.append(where | {"text": text, "font": {"color": STYLE[kind][0], "size": 14}})
    return found


def _marks(first: BeyondRecord, read: int, signs: int, whole: bool, look: Look, t: Translate) -> list[dict[str, Any]]:
    """Name the training length, blind guessing, the place that is read, and what is not shown yet."""
    quiet = {"showarrow": False, "font": {"size": 14, "color": look.muted}}
    chip = {"bgcolor": look.query, "font": {"color": text_on(look.query), "size": 15, "weight": 700}, "borderpad": 3}
    found = [
        quiet
        | {"x": first.trained_length / 2, "yref": "paper", "y": 0.88, "yanchor": "top", "text": t("trained on these")},
        quiet
        | {"x": int(first.edges[-1]), "y": math.log10(signs), "xanchor": "right", "yanchor": "top"}
        | {"text": t("guessing blindly among all {n}").format(n=signs)},
        {"x": read, "yref": "paper", "y": 1, "yanchor": "bottom", "text": str(read), "showarrow": False, **chip},
    ]
    if not whole and read <= first.trained_length:
        middle = (first.trained_length + int(first.edges[-1])) / 2
        ask = {
            "text": t("What happens<br>out here?"),
            "font": {"size": 18, "color": look.muted},
        }
        found.append({"x": middle, "yref": "paper", "y": 0.5, "showarrow": False} | ask)
    return found
