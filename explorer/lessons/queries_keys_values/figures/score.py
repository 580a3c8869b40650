"""Origin of the scores: the query over the keys, what each feature adds to each score, and the weights."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import hatch, heatmap, theme
from explorer.figures.look import LIGHT, Look, ink_at, text_on
from explorer.lessons.queries_keys_values.figures import colours
from explorer.lessons.queries_keys_values.records.lookup import Floats
from explorer.lessons.queries_keys_values.records.scene import WITH, SceneRecord
from explorer.records import Translate, english
from explorer.records.wording import minus

#: Where the three panels begin and end, in shares of the figure.
PANELS = ((0.0, 0.5), (0.53, 0.8), (0.83, 1.0))


def score(
    record: SceneRecord,
    chosen: int,
    *,
    names: Mapping[str, str],
    features: Mapping[str, str],
    look: Look = LIGHT,
    t: Translate = english,
) -> go.Figure:
    """Draw query and keys in numbers; in the same rows the parts of each score end to end, and the weight.

    Args:
        chosen: number of the object that is framed.
        features: their names, by id.
    """
    labels = [theme.label(names[each]) for each in record.objects]
    rows = [f"<b>{t('query')}</b>", *labels]
    rows[chosen + 1] = f"<b>{labels[chosen]}</b>"
    frame = {"type": "rect", "xref": "paper", "x0": 0, "x1": 1, "y0": chosen + 0.5, "y1": chosen + 1.5}
    return theme.figure(
        *_numbers(record, look),
        *_contributions(record, labels, features, t),
        _totals(record),
        _weights(record, labels, look, t),
        height=520,
        showlegend=False,
        barmode="relative",
        bargap=0.35,
        margin={"l": 8, "r": 8, "t": 40, "b": 8},
        shapes=[frame | {"line": {"color": look.query, "width": 3}, "fillcolor": "rgba(0,0,0,0)"}],
        xaxis=_columns(record, features),
        xaxis2=_panel(1, t("score")) | {"range": _span(record), "zeroline": True},
        xaxis3=_panel(2, t("weight")) | {"range": [0, 1.3], "tickvals": [0, 0.5, 1]},
        yaxis={
            "tickvals": list(range(len(rows))),
            "ticktext": rows,
            "range": [len(rows) - 0.4, -0.6],
            "showgrid": False,
            "zeroline": False,
        },
    )


def _columns(record: SceneRecord, features: Mapping[str, str]) -> dict[str, Any]:
    """Name each feature above its column, with the colour that its part has in the scores."""
    named = [
        f'<span style="color:{theme.colour(place)}">■</span><br>{theme.label(features[feature])}'
        for place, feature in enumerate(record.features)
    ]
    ticks = {"tickvals": list(range(len(named))), "ticktext": named, "side": "top"}
    return ticks | {"domain": list(PANELS[0]), "showgrid": False, "zeroline": False, "anchor": "y"}


def _panel(place: int, title: str) -> dict[str, Any]:
    bare = {"showgrid": False, "zeroline": False, "showticklabels": False, "anchor": "y", "side": "top"}
    return bare | {"domain": list(PANELS[place]), "title": {"text": title}}


def _span(record: SceneRecord) -> list[float]:
    """Return the ends of the axis of scores, with room for the numbers."""
    added = record.parts[WITH]
    low, high = float(np.minimum(added, 0).sum(-1).min()), float(np.maximum(added, 0).sum(-1).max())
    span = max(high - low, 0.1)
    return [low - 0.04 * span, high + 0.26 * span]


def _numbers(record: SceneRecord, look: Look) -> list[Any]:
    """Draw the query in the first row and the keys below it, every number written."""
    query, keys = record.queries[WITH:], record.keys
    asked = ((0.0, look.muted), (0.5, look.paper), (1.0, look.query))
    offered = colours.ramp(look.key, look).weights
    return [
        _cells(query, 0, (-1.0, 1.0), asked),
        _cells(keys, 1, (0.0, 1.0), offered),
        _written(query, 0, [ink_at((number + 1) / 2, _scaled(look, asked)) for number in query.ravel().tolist()]),
        _written(keys, 1, [ink_at(number, _scaled(look, offered)) for number in keys.ravel().tolist()]),
    ]


def _scaled(look: Look, weights: Any) -> Look:
    return replace(look, weights=weights)


def _cells(numbers: Floats, first: int, ends: tuple[float, float], scale: Any) -> go.Heatmap:
    y, hover = np.arange(first, first + len(numbers)), "%{y} · %{x}: %{z:.2f}"
    return heatmap.cells(numbers.astype(np.float32), scale, hover, ends=ends, y=y, xgap=2, ygap=2)


def _written(numbers: Floats, first: int, grounds: Sequence[str]) -> go.Scatter:
    """Write every number on its cell, in black or white, whichever is read better."""
    rows, columns = np.indices(numbers.shape)
    return go.Scatter(
        x=columns.ravel(),
        y=rows.ravel() + first,
        mode="text",
        text=[minus(f"{number:.2g}") for number in numbers.ravel().tolist()],
        textfont={"size": 15, "weight": 600, "color": [text_on(ground) for ground in grounds]},
        hoverinfo="skip",
    )


def _contributions(
    record: SceneRecord, labels: Sequence[str], features: Mapping[str, str], t: Translate
) -> list[go.Bar]:
    """Draw a series of bars for each feature that adds anything."""
    added = record.parts[WITH].astype(np.float32)
    said = t("{object}: {feature} adds {part}")
    hover = said.format(object="%{customdata}", feature="%{fullData.name}", part="%{x:.3f}")
    return [
        go.Bar(
            x=added[:, place],
            y=np.arange(1, len(labels) + 1, dtype=np.int32),
            xaxis="x2",
            orientation="h",
            name=theme.label(features[feature]),
            marker={"color": theme.colour(place)},
            customdata=labels,
            hovertemplate=f"{hover}<extra></extra>",
        )
        for place, feature in enumerate(record.features)
        if added[:, place].any()
    ]


def _totals(record: SceneRecord) -> go.Scatter:
    """Write each score behind its bars."""
    scores = record.scores[WITH].tolist()
    return go.Scatter(
        x=np.maximum(record.parts[WITH], 0).sum(-1).astype(np.float32),
        y=np.arange(1, len(scores) + 1, dtype=np.int32),
        xaxis="x2",
        mode="text",
        text=[minus(f" {score:.2f}") for score in scores],
        textposition="middle right",
        cliponaxis=False,
        hoverinfo="skip",
    )


def _weights(record: SceneRecord, labels: Sequence[str], look: Look, t: Translate) -> go.Bar:
    """Draw what softmax makes of the scores, in the ink of weights."""
    weights = record.weights[WITH].tolist()
    hover = t("{object}: weight {weight}").format(object="%{customdata}", weight="%{x:.4f}")
    return go.Bar(
        x=record.weights[WITH],
        y=np.arange(1, len(labels) + 1, dtype=np.int32),
        xaxis="x3",
        orientation="h",
        marker={"color": [ink_at(weight, look) for weight in weights], "line": {"color": look.muted, "width": 1}},
        text=[hatch.short(weight) if weight >= hatch.LEAST else f"{weight:.3f}".lstrip("0") for weight in weights],
        textposition="outside",
        cliponaxis=False,
        customdata=labels,
        hovertemplate=f"{hover}<extra></extra>",
    )
