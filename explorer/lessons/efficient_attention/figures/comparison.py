"""Figures for “Efficient attention”: errors query by query, error over features and cost, bytes that are kept."""

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import theme
from explorer.figures.look import look
from explorer.lessons.efficient_attention.records.comparison import FeatureSweep, VariantCost, VariantRecord
from explorer.records.language import t
from explorer.records.wording import said_size

#: Most tick labels along an axis of one of two maps.
MOST_TICKS = 48
#: Letters in a line above a panel that has a third of a phone's width.
NARROW = 9


def ticks(labels: tuple[str, ...], title: str) -> dict[str, Any]:
    """Return every position's token where there is room, else every few positions' number."""
    if len(labels) <= MOST_TICKS:
        return theme.token_axis(labels, title=title)
    axis = theme.token_axis(labels, title=title)
    positions = list(range(0, len(labels), 8))
    text = [f"{position} {theme.label(labels[position])}" for position in positions]
    return axis | {"tickvals": positions, "ticktext": text, "tickfont": {"size": 11}}


def errors(record: VariantRecord) -> go.Figure:
    """Draw for each query how much of its weight lies elsewhere and how far its output is off."""
    positions = np.arange(len(record.labels))
    named = np.array([theme.label(each) for each in record.labels])
    lines = [
        {
            "type": "scatter",
            "x": positions,
            "y": values,
            "customdata": named,
            "name": name,
            "mode": "lines+markers",
            "line": {"color": colour, "dash": dash},
            "marker": {"size": 5},
            "hovertemplate": f"%{{x}} “%{{customdata}}”, {name}: %{{y:.1%}}<extra></extra>",
        }
        for values, name, colour, dash in (
            (record.output_error, t("output off by"), look().output, "solid"),
            (record.weight_error, t("weight elsewhere"), look().muted, "dot"),
        )
    ]
    return theme.figure(
        *lines,
        height=340,
        xaxis=ticks(record.labels, t("query")) | {"range": [-0.5, len(record.labels) - 0.5]},
        yaxis={"tickformat": ".0%", "rangemode": "tozero"},
    )


def features(sweep: FeatureSweep, at: int) -> go.Figure:
    """Draw a Performer's error over the number of its features: median, reach over the draws, and 1/√m beside them."""
    m, lowest = np.array(sweep.features), sweep.median[-1]
    names = [
        t("as they are") if length == 1 else t("{times:.0f} times shorter").format(times=1 / length)
        for length in sweep.lengths
    ]
    colours = (look().output, look().key, look().value)
    lines = [
        {
            "type": "scatter",
            "x": m,
            "y": median,
            "error_y": {"array": drawn.max(0) - median, "arrayminus": median - drawn.min(0), "thickness": 1.2},
            "name": theme.label(name, None),
            "mode": "lines+markers",
            "line": {"color": colour, "width": 3},
            "marker": {"size": [14 if each == at else 7 for each in sweep.features], "line": {"width": 0}},
            "hovertemplate": f"m = %{{x}}, {theme.label(name, None)}: %{{y:.1%}}<extra></extra>",
        }
        for median, drawn, name, colour in zip(sweep.median, sweep.errors, names, colours, strict=True)
    ]
    law = {
        "type": "scatter",
        "x": m,
        "y": 0.8 * lowest[0] * np.sqrt(m[0] / m),
        "name": "1/√m",
        "mode": "lines",
        "line": {"color": look().muted, "dash": "dash", "width": 2},
        "hoverinfo": "skip",
    }
    ticks_at = [10.0**power for power in range(-4, 2)]
    return theme.figure(
        *lines,
        law,
        height=380,
        xaxis={"type": "log", "tickvals": list(sweep.features), "title": {"text": t("features m")}},
        yaxis={"type": "log", "tickformat": "~%", "tickvals": ticks_at, "title": {"text": t("output off by")}},
    )


def costs(records: Sequence[VariantCost], *, looked_at: str, names: Mapping[str, str]) -> go.Figure:
    """Draw multiply-adds and bytes of each mechanism against exact attention's, and how far its output is off."""
    exact = next(cost for cost in records if cost.name == "plain")
    panels = (
        (t("multiply-adds"), t("exact = 1"), [cost.operations / exact.operations for cost in records], ".2g", "~g"),
        (t("held at once"), t("exact = 1"), [cost.peak_bytes / exact.peak_bytes for cost in records], ".2g", "~g"),
        (t("output"), t("off by"), [cost.output_error for cost in records], ".0%", "~%"),
    )
    said = tuple(names[cost.name] for cost in records)
    inks = [look().query if cost.name == looked_at else look().key for cost in records]
    layout: dict[str, Any] = {"annotations": [], "margin": {"l": 8, "r": 8, "t": 62, "b": 8}}
    traces = []
    for position, (title, unit, values, form, ticks_as) in enumerate(panels):
        number, left = theme.axis_number(position), 0.345 * position
        bars: dict[str, Any] = {"type": "bar", "orientation": "h", "x": np.array(values), "y": np.arange(len(records))}
        bars |= {"customdata": np.array(said), "text": [format(value, form) for value in values], "cliponaxis": False}
        bars |= {"textposition": "outside", "marker": {"color": inks}, "xaxis": f"x{number}", "yaxis": f"y{number}"}
        hover = f"%{{customdata}}: {theme.label(title, None)} ({unit}): %{{x:{form}}}<extra></extra>"
        traces.append(bars | {"hovertemplate": hover})
        most = 1.8 * max(values) or 1.0  # room for the number beside the longest bar, on a phone too
        across = {"domain": [left, left + 0.31], "range": [0, most], "anchor": f"y{number}", "tickangle": 0}
        layout[f"xaxis{number}"] = across | {"nticks": 2 if position == 2 else 3, "tickformat": ticks_as}
        down = {"autorange": "reversed", "anchor": f"x{number}", "showticklabels": position == 0}
        layout[f"yaxis{number}"] = theme.token_axis(said) | down
        lines = (*textwrap.wrap(title, NARROW), unit)
        head = "<br>".join(theme.label(line, None) for line in lines)
        layout["annotations"].append(theme.heading(head, left, 1.0))
    return theme.figure(*traces, height=514, bargap=0.3, showlegend=False, **layout)


def kept_bytes(choices: Mapping[int, VariantCost], groups: int) -> go.Figure:
    """Draw what a decoder keeps of what it has read, by how many heads of keys and values are left."""
    positions, kept = list(range(len(choices))), [cost.kept_bytes / 1024 for cost in choices.values()]
    bars = {
        "type": "bar",
        "x": positions,
        "y": kept,
        "text": [f"<b>{said_size(cost.kept_bytes)}</b>" for cost in choices.values()],
        "textposition": "outside",
        "cliponaxis": False,
        "marker": {"color": [look().query if each == groups else look().key for each in choices]},
        "name": t("kept (KiB)"),
        "hovertemplate": "%{x}: %{y:.3g} KiB<extra></extra>",
    }
    ticks = {"tickvals": positions, "ticktext": [str(each) for each in choices], "showgrid": False}
    return theme.figure(
        bars,
        height=540,
        bargap=0.4,
        xaxis=ticks | {"title": {"text": t("heads of keys and values")}},
        yaxis={"title": {"text": t("kept (KiB)")}, "range": [0, 1.15 * max(kept)]},
    )
