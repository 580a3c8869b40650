"""Shares of the keys in the answer, at every temperature: from the hard look-up over attention to the average."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import hatch, theme
from explorer.figures.look import LIGHT, Look, text_on
from explorer.lessons.queries_keys_values.figures import colours
from explorer.lessons.queries_keys_values.figures.ways import way_names
from explorer.lessons.queries_keys_values.records.lookup import AVERAGE, HARD, SOFT, WAYS, LookupRecord, say_value
from explorer.records import Translate, english

#: From the hard look-up over attention to the average: left and right edge of each panel; and the strip of answers.
PANELS = ((0.0, 0.13), (0.17, 0.83), (0.87, 1.0))
_STRIP, _SHARES = (0.0, 0.13), (0.18, 0.94)
#: Above this temperature the names of keys stand before the mark instead of behind it.
_WARM = 1.0


def shares(record: LookupRecord, *, look: Look = LIGHT, t: Translate = english) -> go.Figure:
    """Draw whose share the answer is at every temperature, between the hard look-up and the average.

    The areas are the weights of the keys, in the colours of their values; the strip below them is the answer.
    """
    names = way_names(t)
    traces = [*_shares(record, look, t), _answers(record, look, t), *_marked(record, look)]
    for place, way in ((0, HARD), (2, AVERAGE)):
        traces += _column(record, way, place, names[way], look, t)
    chosen = float(np.log10(record.temperature))
    heads = [
        theme.heading(f"<b>{names[way]}</b>", at, _SHARES[1] + 0.01, size=15) | {"xanchor": anchor, "align": anchor}
        for way, at, anchor in zip(WAYS, (0.0, 0.5, 1.0), ("left", "center", "right"), strict=True)
    ]
    mark = {"type": "line", "x0": chosen, "x1": chosen, "yref": "paper", "y0": 0, "y1": _SHARES[1]}
    return theme.figure(
        *traces,
        height=460,
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        showlegend=False,
        hovermode="closest",
        barmode="stack",
        bargap=0,
        annotations=heads,
        shapes=[mark | {"line": {"color": look.query, "width": 3}}],
        **_axes(t),
    )


def _axes(t: Translate) -> dict[str, Any]:
    """Place the panels: shares above, answers below, on one axis of temperatures in the middle."""
    made: dict[str, Any] = {
        "yaxis": {"domain": list(_SHARES), "range": [0, 1], "title": {"text": t("weight")}, "anchor": "x2"},
        "yaxis2": {"domain": list(_STRIP), "range": [0, 1], "showticklabels": False, "anchor": "x2"},
    }
    for place, (left, right) in enumerate(PANELS):
        made[f"xaxis{theme.axis_number(place)}"] = {
            "domain": [left, right],
            "anchor": "y2",
            "showticklabels": False,
            "range": [-0.5, 0.5],
        }
    powers = list(range(-3, 4))
    made["xaxis"] = made["xaxis"] | {
        "domain": list(PANELS[1]),
        "range": [-3, 3],
        "showticklabels": True,
        "tickvals": powers,
        "ticktext": [f"{10.0**power:g}" for power in powers],
        "title": {"text": t("temperature T")},
    }
    made["xaxis2"]["domain"] = list(PANELS[0])
    return {name: axis | {"showgrid": False, "zeroline": False} for name, axis in made.items()}


def _shares(record: LookupRecord, look: Look, t: Translate) -> list[go.Scatter]:
    """Draw an area for every key, one on the other, in the colour of its value."""
    hover = t("temperature {temperature}: “{key}” weighs {weight}")
    said = hover.format(temperature="%{customdata:.3g}", key="%{fullData.name}", weight="%{y:.3f}") + "<extra></extra>"
    x = np.log10(record.temperatures).astype(np.float32)
    return [
        go.Scatter(
            x=x,
            y=weights.astype(np.float32),
            customdata=record.temperatures.astype(np.float32),
            stackgroup="keys",
            mode="lines",
            line={"color": look.paper, "width": 2},
            fillcolor=fill,
            name=theme.label(entry.name),
            hovertemplate=said,
        )
        for entry, weights, fill in zip(record.entries, record.path.T, colours.every(record, None, look), strict=True)
    ]


def _marked(record: LookupRecord, look: Look) -> list[go.Scatter]:
    """Name the keys and their weights where the chosen temperature cuts their areas, and what is answered there."""
    weights = record.weights[WAYS.index(SOFT)]
    middles = np.cumsum(weights) - weights / 2
    read = [number for number, weight in enumerate(weights.tolist()) if weight >= hatch.LEAST]
    at, warm = float(np.log10(record.temperature)), record.temperature > _WARM
    output = record.outputs[WAYS.index(SOFT)]
    words = [f" {theme.label(record.entries[each].name)} <b>{hatch.short(float(weights[each]))}</b> " for each in read]
    inks = [text_on(colours.of(record, record.entries[each].value, look)) for each in read]
    common = {"mode": "text", "hoverinfo": "skip", "textposition": "middle left" if warm else "middle right"}
    return [
        go.Scatter(x=[at] * len(read), y=middles[read], text=words, textfont={"size": 15, "color": inks}, **common),
        go.Scatter(
            x=[at],
            y=[0.5],
            yaxis="y2",
            text=[f" <b>{say_value(output)}</b> "],
            textfont={"size": 15, "color": text_on(colours.of(record, output, look))},
            **common,
        ),
    ]


def _answers(record: LookupRecord, look: Look, t: Translate) -> go.Bar:
    """Draw the answer at every temperature as a strip of colour."""
    x = np.log10(record.temperatures)
    outputs = record.path @ np.array([entry.value for entry in record.entries])
    hover = t("temperature {temperature}: answer {answer}")
    said = [
        hover.format(temperature=f"{at:.3g}", answer=colours.hovered(output, record, look))
        for at, output in zip(record.temperatures, outputs, strict=True)
    ]
    return go.Bar(
        x=x.astype(np.float32),
        y=np.ones(len(x), np.float32),
        yaxis="y2",
        width=float(x[1] - x[0]) * 1.02,
        marker={"color": colours.every(record, list(outputs), look), "line": {"width": 0}},
        text=said,
        textposition="none",
        hovertemplate="%{text}<extra></extra>",
    )


def _column(record: LookupRecord, way: str, place: int, name: str, look: Look, t: Translate) -> list[go.Bar]:
    """Draw one end: the weights as a column, and the answer below it."""
    weights, output = record.weights[WAYS.index(way)], record.outputs[WAYS.index(way)]
    axis = f"x{theme.axis_number(2 if place else 1)}"
    hover = t("{way}: “{key}” weighs {weight}")
    column = [
        go.Bar(
            x=[0],
            y=[float(weight)],
            xaxis=axis,
            width=1,
            marker={"color": fill, "line": {"color": look.paper, "width": 2}},
            text=[f"{theme.label(entry.name)} {hatch.short(float(weight))}" if weight >= hatch.LEAST else ""],
            textposition="inside",
            insidetextanchor="middle",
            textangle=0,
            textfont={"color": text_on(colours.of(record, entry.value, look))},
            hovertemplate=hover.format(way=name, key=theme.label(entry.name, None), weight="%{y:.4f}")
            + "<extra></extra>",
        )
        for entry, weight, fill in zip(record.entries, weights, colours.every(record, None, look), strict=True)
    ]
    below = go.Bar(
        x=[0],
        y=[1],
        xaxis=axis,
        yaxis="y2",
        width=1,
        marker={"color": colours.every(record, [output], look)[0], "line": {"color": look.output, "width": 2}},
        text=[f"<b>{say_value(output)}</b>"],
        textposition="inside",
        insidetextanchor="middle",
        textangle=0,
        textfont={"color": text_on(colours.of(record, output, look))},
        hovertemplate=t("{way}: answer {answer}").format(way=name, answer=colours.hovered(output, record, look))
        + "<extra></extra>",
    )
    return [*column, below]
