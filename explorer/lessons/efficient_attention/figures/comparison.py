"""Figures for “Efficient attention”: what changes, errors query by query, error against cost, bytes that are kept."""

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from explorer.figures import heatmap, theme
from explorer.figures.look import LIGHT, Look
from explorer.lessons.efficient_attention.records.comparison import FeatureSweep, VariantCost, VariantRecord
from explorer.records import Translate, english
from explorer.records.wording import said_size

#: Most tick labels along an axis of one of two maps.
MOST_TICKS = 48
#: Letters in a line above a panel that has a third of a phone's width.
NARROW = 9


def difference(record: VariantRecord, *, look: Look = LIGHT, t: Translate = english) -> go.Figure:
    """Draw the mechanism's weights less the exact ones, and the exact ones that it cannot use, on scales around 0.

    Args:
        record: of the mechanism.
        look: colours.
        t: the reader's language.
    """
    n = len(record.labels)
    past = np.tril(np.ones((n, n), bool)) if record.causal else np.ones((n, n), bool)
    change = heatmap.masked(record.weights - record.exact, record.allowed)
    lost = heatmap.masked(-record.exact, past & ~record.allowed)
    reach = float(np.abs(record.weights - record.exact).max()) or 1.0
    titles = (t("change in the cells it uses"), t("lost in the cells it does not use"))
    said = "“%{y}” → “%{x}”: %{z:+.3f}"
    scale = [[0, look.key], [0.5, look.paper], [1, look.query]]
    return _pair((change, lost), titles, record, said, t, (-reach, reach), scale)


def _pair(
    values: tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]],
    titles: tuple[str, str],
    record: VariantRecord,
    said: str,
    t: Translate,
    bounds: tuple[float, float],
    colours: list[list[Any]],
) -> go.Figure:
    """Draw two maps side by side with one scale."""
    traces: list[dict[str, Any]] = []
    layout: dict[str, Any] = {"annotations": []}
    for place, (matrix, title) in enumerate(zip(values, titles, strict=True)):
        number = "" if place == 0 else "2"
        across = [0.0, 0.47] if place == 0 else [0.53, 1.0]
        traces.append(
            {
                "type": "heatmap",
                "z": matrix,
                "zmin": bounds[0],
                "zmax": bounds[1],
                "colorscale": colours,
                "hovertemplate": said + "<extra></extra>",
                "hoverongaps": False,
                "xaxis": f"x{number}",
                "yaxis": f"y{number}",
                "showscale": place == 1,
                "colorbar": {  # below: on a phone the maps need the width
                    "orientation": "h",
                    "thickness": 10,
                    "y": -0.2,
                    "yanchor": "top",
                    "title": {"text": t("weight"), "side": "top"},
                },
            }
        )
        layout[f"xaxis{number}"] = ticks(record.labels, t("keys")) | {"domain": across, "anchor": f"y{number}"}
        layout[f"yaxis{number}"] = ticks(record.labels, t("queries") if place == 0 else "") | {
            "autorange": "reversed",
            "anchor": f"x{number}",
            "showticklabels": place == 0,
        }
        layout["annotations"].append(theme.heading(theme.label(title, None), across[0], 1.01))
    return theme.figure(*traces, height=620, **layout)


def ticks(labels: tuple[str, ...], title: str) -> dict[str, Any]:
    """Return every position's token where there is room, else every few positions' number."""
    if len(labels) <= MOST_TICKS:
        return theme.token_axis(labels, title=title)
    axis = theme.token_axis(labels, title=title)
    places = list(range(0, len(labels), 8))
    text = [f"{place} {theme.label(labels[place])}" for place in places]
    return axis | {"tickvals": places, "ticktext": text, "tickfont": {"size": 11}}


def errors(record: VariantRecord, *, look: Look = LIGHT, t: Translate = english) -> go.Figure:
    """Draw for each query how much of its weight lies elsewhere and how far its output is off.

    Args:
        record: of the mechanism.
        look: colours.
        t: the reader's language.
    """
    places = np.arange(len(record.labels))
    named = np.array([theme.label(each) for each in record.labels])
    lines = [
        {
            "type": "scatter",
            "x": places,
            "y": values,
            "customdata": named,
            "name": name,
            "mode": "lines+markers",
            "line": {"color": colour, "dash": dash},
            "marker": {"size": 5},
            "hovertemplate": f"%{{x}} “%{{customdata}}”, {name}: %{{y:.1%}}<extra></extra>",
        }
        for values, name, colour, dash in (
            (record.output_error, t("output off by"), look.output, "solid"),
            (record.weight_error, t("weight elsewhere"), look.muted, "dot"),
        )
    ]
    return theme.figure(
        *lines,
        height=340,
        xaxis=ticks(record.labels, t("query")) | {"range": [-0.5, len(record.labels) - 0.5]},
        yaxis={"tickformat": ".0%", "rangemode": "tozero"},
    )


def features(sweep: FeatureSweep, at: int, *, look: Look = LIGHT, t: Translate = english) -> go.Figure:
    """Draw a Performer's error over the number of its features: median, reach over the draws, and 1/√m beside them.

    Args:
        sweep: the errors.
        at: the number of features that is looked at.
        look: colours.
        t: the reader's language.
    """
    m, lowest = np.array(sweep.features), sweep.median[-1]
    names = [
        t("as they are") if length == 1 else t("{times:.0f} times shorter").format(times=1 / length)
        for length in sweep.lengths
    ]
    colours = (look.output, look.key, look.value)
    lines = [
        {
            "type": "scatter",
            "x": m,
            "y": median,
            "error_y": {"array": drawn.max(0) - median, "arrayminus": median - drawn.min(0), "thickness": 1.2},
            "name": theme.label(name, None),
            "mode": "lines+markers",
            "line": {"color": colour, "width": 3},
            "marker": {"size": [14 if each == at else 7 for each in sweep.features]},
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
        "line": {"color": look.muted, "dash": "dash", "width": 2},
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


def costs(
    records: Sequence[VariantCost],
    *,
    looked_at: str,
    names: Mapping[str, str],
    look: Look = LIGHT,
    t: Translate = english,
) -> go.Figure:
    """Draw multiply-adds and bytes of each mechanism against exact attention's, and how far its output is off.

    Args:
        records: of all mechanisms.
        looked_at: name of the one that is looked at.
        names: of the mechanisms, in the reader's language.
        look: colours.
        t: the reader's language.
    """
    exact = next(cost for cost in records if cost.name == "plain")
    panels = (
        (
            _narrow(t("multiply-adds"), t("exact = 1")),
            [cost.operations / exact.operations for cost in records],
            ".2g",
        ),
        (
            _narrow(t("held at once"), t("exact = 1")),
            [cost.peak_bytes / exact.peak_bytes for cost in records],
            ".2g",
        ),
        (_narrow(t("output"), t("off by")), [cost.output_error for cost in records], ".0%"),
    )
    layout: dict[str, Any] = {"annotations": []}
    traces = []
    for place, (title, values, form) in enumerate(panels):
        number, across = theme.axis_number(place), [0.345 * place, 0.345 * place + 0.31]
        traces.append(
            _bars(records, values, form, looked_at, names, number, look) | {"hovertemplate": _said(title, form)}
        )
        most = 1.8 * max(values) or 1.0  # room for the number beside the longest bar, on a phone too
        layout[f"xaxis{number}"] = {
            "domain": across,
            "range": [0, most],
            "anchor": f"y{number}",
            "nticks": 2 if form == ".0%" else 3,  # side by side on a phone
            "tickangle": 0,
        }
        layout[f"xaxis{number}"] |= {"tickformat": "~%" if form == ".0%" else "~g"}
        layout[f"yaxis{number}"] = theme.token_axis(tuple(names[cost.name] for cost in records)) | {
            "autorange": "reversed",
            "anchor": f"x{number}",
            "showticklabels": place == 0,
        }
        layout["annotations"].append(theme.heading(title, across[0], 1.0))
    layout["margin"] = {"l": 8, "r": 8, "t": 62, "b": 8}
    return theme.figure(*traces, height=514, bargap=0.3, showlegend=False, **layout)


def kept_bytes(
    choices: Mapping[int, VariantCost], groups: int, *, look: Look = LIGHT, t: Translate = english
) -> go.Figure:
    """Draw what a decoder keeps of what it has read, by how many heads of keys and values are left.

    Args:
        choices: cost by number of heads of keys and values.
        groups: the number that is looked at.
        look: colours.
        t: the reader's language.
    """
    places, kept = list(range(len(choices))), [cost.kept_bytes / 1024 for cost in choices.values()]
    bars = {
        "type": "bar",
        "x": places,
        "y": kept,
        "text": [f"<b>{said_size(cost.kept_bytes)}</b>" for cost in choices.values()],
        "textposition": "outside",
        "cliponaxis": False,
        "marker": {"color": [look.query if each == groups else look.key for each in choices]},
        "name": t("kept (KiB)"),
        "hovertemplate": "%{x}: %{y:.3g} KiB<extra></extra>",
    }
    ticks = {"tickvals": places, "ticktext": [str(each) for each in choices], "showgrid": False}
    return theme.figure(
        bars,
        height=540,
        bargap=0.4,
        xaxis=ticks | {"title": {"text": t("heads of keys and values")}},
        yaxis={"title": {"text": t("kept (KiB)")}, "range": [0, 1.15 * max(kept)]},
    )


def _bars(
    records: Sequence[VariantCost],
    values: Sequence[float],
    form: str,
    looked_at: str,
    names: Mapping[str, str],
    number: str,
    look: Look,
) -> dict[str, Any]:
    """Return one panel: a bar for each mechanism with its number at the end."""
    return {
        "type": "bar",
        "orientation": "h",
        "x": np.array(values),
        "y": np.arange(len(records)),
        "customdata": np.array([names[cost.name] for cost in records]),
        "text": [format(value, form) for value in values],
        "textposition": "outside",
        "cliponaxis": False,
        "marker": {
            "color": [look.query if cost.name == looked_at else look.key for cost in records],
        },
        "xaxis": f"x{number}",
        "yaxis": f"y{number}",
    }


def _said(title: str, form: str) -> str:
    return f"%{{customdata}}: {title.replace('-<br>', '-').replace('<br>', ' ')}: %{{x:{form}}}<extra></extra>"


def _narrow(first: str, second: str) -> str:
    """Return a heading that fits above a narrow panel on a phone."""
    return "<br>".join(theme.label(line, None) for line in (*textwrap.wrap(first, NARROW), second))
