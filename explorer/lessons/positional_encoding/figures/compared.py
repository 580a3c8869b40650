"""Figures that lay the kinds of positions side by side: attention against distance, loss beyond the training length."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from explorer.figures import theme
from explorer.figures.look import LIGHT, Look, faint, text_on
from explorer.lessons.positional_encoding.figures.trained import border, border_note
from explorer.lessons.positional_encoding.records.extrapolation import BeyondRecord
from explorer.lessons.positional_encoding.records.trained import DecayRecord
from explorer.records import Translate, english

#: Colour and dashes of each kind, the same on every figure; grey is the model without positions.
STYLE = {
    "none": (theme.CATEGORICAL[7], "dot"),
    "sinusoidal": (theme.CATEGORICAL[0], "solid"),
    "learned": (theme.CATEGORICAL[1], "dash"),
    "rotary": (theme.CATEGORICAL[3], "solid"),
    "alibi": (theme.CATEGORICAL[2], "solid"),
}
Over = Literal["length", "place"]


def decay(
    records: Sequence[DecayRecord],
    *,
    names: Mapping[str, str],
    logarithmic: bool = True,
    look: Look = LIGHT,
    t: Translate = english,
) -> go.Figure:
    """Draw the mean weight against distance, a line for each kind.

    Args:
        records: one for each kind, at least one.
        names: of the kinds, in the reader's language.
        logarithmic: whether equal steps of the axis are equal factors.
        look: colours.
        t: the reader's language.
    """
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
        shapes=[level | {"line": {"color": look.muted, "width": 1, "dash": "dot"}}],
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


def beyond(
    records: Sequence[BeyondRecord], *, over: Over, names: Mapping[str, str], look: Look = LIGHT, t: Translate = english
) -> go.Figure:
    """Draw the loss on texts of growing length, or at places farther and farther in; the training length marked.

    Where a model cannot read, its line ends with a cross.

    Args:
        records: one for each kind, at least one.
        over: `length` for the mean loss of whole texts, `place` for the loss at the places of a bucket.
        names: of the kinds, in the reader's language.
        look: colours.
        t: the reader's language.
    """
    traces = [trace for record in records for trace in _loss(record, over, names[record.kind], t)]
    first = records[0]
    title = t("length of the text, in characters") if over == "length" else t("place in the text, in characters")
    return theme.figure(
        *traces,
        height=520,
        showlegend=True,
        margin={"l": 8, "r": 8, "t": 40, "b": 8},
        xaxis={"title": {"text": title}, "tickvals": first.lengths.tolist(), "rangemode": "tozero"},
        yaxis={"title": {"text": t("loss, nats per character")}},
        shapes=[border(first.trained_length, look)],
        annotations=[border_note(first.trained_length, t)],
    )


def _loss(record: BeyondRecord, over: Over, name: str, t: Translate) -> list[go.Scatter]:
    x = record.lengths if over == "length" else (record.edges[:-1] + record.edges[1:]) / 2
    y, error = (record.loss, record.loss_error) if over == "length" else (record.bucket_loss, record.bucket_error)
    known = np.isfinite(y)
    hover = t("{kind}, {x} characters: {loss} nats").format(kind=name, x="%{x:,.0f}", loss="%{y:.3f}")
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

    Args:
        records: one for each kind, at least one.
        read: the place up to which the text is read.
        signs: characters there are to choose from.
        names: of the kinds, in the reader's language.
        whole: whether what comes after is drawn as well, faintly.
        look: colours.
        t: the reader's language.
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


def _middles(record: BeyondRecord) -> npt.NDArray[np.floating[Any]]:
    middles: npt.NDArray[np.floating[Any]] = (record.edges[:-1] + record.edges[1:]) / 2
    return middles


def _wavering(record: BeyondRecord, read: int, whole: bool, name: str, t: Translate) -> list[go.Scatter]:
    """Return a model's line up to the place that is read, the rest of it faint, and a dot at its end."""
    middles, losses = _middles(record), np.exp(record.bucket_loss)
    ink, dash = STYLE[record.kind]
    hover = t("{kind}, {x} characters: {n}").format(kind=name, x="%{x:,.0f}", n="%{y:.1f}") + "<extra></extra>"
    inside = (middles <= read) & np.isfinite(losses)
    line = go.Scatter(
        x=middles[inside],
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
        after = {"x": middles, "y": losses, "mode": "lines", "hoverinfo": "skip"}
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
            "text": t("What happens<br>out here?<br>Predict, or read on."),
            "font": {"size": 18, "color": look.muted},
        }
        found.append({"x": middle, "yref": "paper", "y": 0.5, "showarrow": False} | ask)
    return found
