"""A look-up in the plane: keys, query, and what attention would answer at each place."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import theme
from explorer.figures.look import LIGHT, Look
from explorer.lessons.queries_keys_values.figures import colours
from explorer.lessons.queries_keys_values.records.lookup import REACH, SOFT, WAYS, LookupRecord
from explorer.records import Translate, english

#: On the colours of answers, in both themes.
INK = "rgb(22,32,44)"
#: Beyond the plane, so that a marker at its edge is whole.
MARGIN = 0.35
#: With more keys than this their names stand without their weights.
CROWDED = 6
_PLAIN = {"unselected": {"marker": {"opacity": 1}}, "selected": {"marker": {"opacity": 1}}}


def plane(record: LookupRecord, *, look: Look = LIGHT, t: Translate = english) -> go.Figure:
    """Draw keys and query over what attention would answer at each place.

    The width of the line from the query to a key is the weight. Keys at one place are named together.
    """
    return theme.figure(
        _answers(record, look, t),
        *_rays(record),
        _keys(record, look),
        _query(record, look, t),
        height=460 if record.is_colour else 560,  # a scale stands above numbers
        showlegend=False,
        hovermode="closest",
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        annotations=_names(record),
        xaxis=_axis(t("first number")) | {"constrain": "domain"},
        yaxis=_axis(t("second number")) | {"scaleanchor": "x", "constrain": "domain", "constraintoward": "top"},
    )


def _axis(title: str) -> dict[str, Any]:
    return {
        "title": {"text": title},
        "range": [-REACH - MARGIN, REACH + MARGIN],
        "tickvals": list(range(-int(REACH), int(REACH) + 1)),
        "zeroline": False,
        "showgrid": False,
    }


def _answers(record: LookupRecord, look: Look, t: Translate) -> Any:
    """Draw the plane, coloured by the answer at each place."""
    step = float(record.axis[1] - record.axis[0])
    start = float(record.axis[0])
    if record.is_colour:
        pixels = record.answers.round().clip(0, 255).astype(np.uint8)
        return go.Image(z=pixels, x0=start, dx=step, y0=start, dy=step, hoverinfo="skip")
    low, high = colours.span(record)
    return go.Heatmap(
        z=record.answers[..., 0],
        x0=start,
        dx=step,
        y0=start,
        dy=step,
        zmin=low,
        zmax=high,
        colorscale=colours.scale(look),
        hoverinfo="skip",
        colorbar={
            "title": {"text": t("answer"), "side": "top"},
            "thickness": 10,
            "orientation": "h",
            "y": 1.0,
            "yanchor": "bottom",
        },
    )


def _rays(record: LookupRecord) -> list[go.Scatter]:
    """Draw a line from the query to each key, as wide as the weight."""
    weights = record.weights[WAYS.index(SOFT)]
    return [
        go.Scatter(
            x=np.array([record.query[0], x], np.float32),
            y=np.array([record.query[1], y], np.float32),
            mode="lines",
            line={"color": INK, "width": 14 * float(weight)},
            opacity=0.65,
            hoverinfo="skip",
        )
        for (x, y), weight in zip(record.keys.tolist(), weights, strict=True)
        if weight >= 0.005
    ]


def _keys(record: LookupRecord, look: Look) -> go.Scatter:
    """Draw the keys in the colour of their values; of keys at one place, the later lie smaller on the earlier."""
    later = {number: rank for twins in record.twins for rank, number in enumerate(twins)}
    sizes = [max(24 - 8 * later.get(number, 0), 6) for number in range(len(record.entries))]
    fill = {"color": colours.every(record, None, look), "opacity": 1}
    return go.Scatter(
        x=record.keys[:, 0],
        y=record.keys[:, 1],
        mode="markers",
        marker={"size": sizes, "line": {"color": INK, "width": 2}} | fill,
        hoverinfo="skip",
        **_PLAIN,
    )


def _query(record: LookupRecord, look: Look, t: Translate) -> go.Scatter:
    """Draw the query, in the colour of its answer."""
    fill = colours.every(record, [record.outputs[WAYS.index(SOFT)]], look)
    return go.Scatter(
        x=record.query[:1],
        y=record.query[1:],
        mode="markers",
        name=t("query"),
        marker={"symbol": "diamond", "size": 24, "line": {"color": look.query, "width": 4}, "color": fill},
        hoverinfo="skip",
        **_PLAIN,
    )


def _names(record: LookupRecord) -> list[dict[str, Any]]:
    """Name each key above it, with its weight where there is room; one label for keys at one place."""
    weights = record.weights[WAYS.index(SOFT)]
    groups = {twins[0]: twins for twins in record.twins}
    crowded = len(record.entries) > CROWDED
    others = {number for twins in record.twins for number in twins[1:]}
    made = []
    for number, (x, y) in enumerate(record.keys.tolist()):
        if number in others:
            continue
        lines = [
            theme.label(record.entries[each].name) + ("" if crowded else f" {weights[each]:.2f}")
            for each in groups.get(number, (number,))
        ]
        made.append(
            {
                "x": x,
                "y": y,
                "text": "<br>".join(lines[:4]) + ("<br>…" if len(lines) > 4 else ""),
                "showarrow": False,
                "yshift": 18 if y < REACH - 1 else -18,
                "yanchor": "bottom" if y < REACH - 1 else "top",
                "xanchor": "left" if x < 1 - REACH else "right" if x > REACH - 1 else "center",
                "bgcolor": "rgba(255,255,255,0.8)",
                "font": {"size": 14, "color": INK},
            }
        )
    return made
