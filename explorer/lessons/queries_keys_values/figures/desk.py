"""The desk, with the weight that each object gets: asked for, and unasked."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from explorer.figures import theme
from explorer.figures.look import LIGHT, Look, faint
from explorer.lessons.queries_keys_values.figures import drawings
from explorer.lessons.queries_keys_values.records.scene import WITH, WITHOUT, SceneRecord
from explorer.records import Translate, english

#: Edges of the desk in its own units, and the radius of the halo of an object that has all the weight.
LEFT, RIGHT, LOW, HIGH, RADIUS = -0.7, 12.7, 0.0, 8.0, 1.55
#: The wood, on light and on dark paper, and the halo, which lies on it in both.
WOOD = {False: "#ecdfc9", True: "#b39c7b"}
HALO = "#3450b4"
_RING = "rgba(22,32,44,0.6)"


def desk(record: SceneRecord, *, names: Mapping[str, str], look: Look = LIGHT, t: Translate = english) -> go.Figure:
    """Draw the desk; the area of the disc behind an object is its weight, the area of its dotted ring that unasked."""
    labels = [names[each] for each in record.objects]
    bare = {"visible": False}
    shapes = [_desk(look), *_circles(record, WITH), *_circles(record, WITHOUT), *_objects(record)]
    return theme.figure(
        *_legend(t),
        *_gaze(record, t),
        _captions(record, labels),
        _hovers(record, labels, t),
        height=560,
        shapes=shapes,
        margin={"l": 0, "r": 0, "t": 30, "b": 0},
        xaxis=bare | {"range": [LEFT, RIGHT], "constrain": "domain"},
        yaxis=bare | {"range": [LOW, HIGH], "scaleanchor": "x", "constrain": "domain", "constraintoward": "top"},
    )


def _legend(t: Translate) -> list[go.Scatter]:
    """Explain disc and ring, which are shapes and have no line of their own there."""
    disc = {"size": 14, "color": faint(HALO, 0.45), "line": {"color": HALO, "width": 2}}
    ring = {"size": 14, "symbol": "circle-open-dot", "color": LIGHT.muted, "line": {"width": 2}}
    marks = ((t("weight with the query"), disc), (t("weight without it"), ring))
    return [
        go.Scatter(x=[None], y=[None], mode="markers", name=name, marker=mark, hoverinfo="skip") for name, mark in marks
    ]


def _captions(record: SceneRecord, labels: Sequence[str]) -> go.Scatter:
    """Write name and weight below every object and its halo."""
    weights, (x, y) = record.weights[WITH].tolist(), record.places.T
    heights = y - np.maximum(0.9, np.maximum(radii(record, WITH), radii(record, WITHOUT)) + 0.08)
    across, up = record.gaze[WITH]
    covered = (np.abs(across - x) < 1.5) & (np.abs(up + 0.2 - heights) < 0.6)  # the cross would lie on the words
    return go.Scatter(
        x=x,
        y=np.where(covered, up - 0.4, heights),
        mode="text",
        text=[
            f"{theme.label(name)} <b>{f'{weight:.2f}' if weight >= 0.005 else '≈0'}</b>"
            for name, weight in zip(labels, weights, strict=True)
        ],
        textposition="bottom center",
        textfont={"size": 15, "color": drawings.INK},
        hoverinfo="skip",
        showlegend=False,
    )


def _gaze(record: SceneRecord, t: Translate) -> list[go.Scatter]:
    """Draw the way from where the weights look unasked to where they look with the query."""
    places = record.gaze[[WITHOUT, WITH]]
    way = go.Scatter(
        x=places[:, 0],
        y=places[:, 1],
        mode="lines",
        line={"color": LIGHT.output, "width": 3, "dash": "dot"},
        hoverinfo="skip",
        showlegend=False,
    )
    name = t("weighted mean of the places")
    marker = {"symbol": "x", "size": 15, "color": LIGHT.output, "line": {"color": "white", "width": 2}}
    there = go.Scatter(
        x=places[1:, 0],
        y=places[1:, 1],
        mode="markers",
        name=name,
        marker=marker,
        hovertemplate=name + "<extra></extra>",
    )
    return [way, there]


def _hovers(record: SceneRecord, labels: Sequence[str], t: Translate) -> go.Scatter:
    """Put unseen marks that say weight and score where an object is pointed at."""
    said = t("{object}: weight {weight} (unasked {before}), score {score}")
    numbers = zip(labels, *record.weights[[WITH, WITHOUT]].tolist(), record.scores[WITH].tolist(), strict=True)
    return go.Scatter(
        x=record.places[:, 0],
        y=record.places[:, 1],
        mode="markers",
        marker={"size": 60},
        opacity=0,
        text=[
            said.format(
                object=theme.label(label, None), weight=f"{weight:.3f}", before=f"{before:.3f}", score=f"{score:.2f}"
            )
            for label, weight, before, score in numbers
        ],
        hovertemplate="%{text}<extra></extra>",
        showlegend=False,
    )


def _desk(look: Look) -> dict[str, Any]:
    corners = {"type": "rect", "x0": LEFT, "x1": RIGHT, "y0": LOW, "y1": HIGH}
    return corners | {"fillcolor": WOOD[look.dark], "line": {"width": 0}, "layer": "below"}


def radii(record: SceneRecord, row: int) -> npt.NDArray[np.floating[Any]]:
    """Return the radius of each object's circle in one row of the weights."""
    return np.asarray(RADIUS * np.sqrt(record.weights[row]))


def _circles(record: SceneRecord, row: int) -> list[dict[str, Any]]:
    """Draw a disc (with the query) or a dotted ring (without) behind each object, named by it."""
    disc = {"fillcolor": faint(HALO, 0.4), "line": {"color": HALO, "width": 2.5}}
    ring = {"fillcolor": "rgba(0,0,0,0)", "line": {"color": _RING, "width": 2, "dash": "dot"}}
    return [
        {
            "type": "circle",
            "name": name if row == WITH else f"{name} unasked",
            "x0": x - radius,
            "x1": x + radius,
            "y0": y - radius,
            "y1": y + radius,
            "layer": "below",
        }
        | (disc if row == WITH else ring)
        for name, (x, y), radius in zip(
            record.objects, record.places.tolist(), radii(record, row).tolist(), strict=True
        )
    ]


def _objects(record: SceneRecord) -> list[dict[str, Any]]:
    places = zip(record.objects, record.places.tolist(), strict=True)
    return [shape | {"layer": "below"} for name, (x, y) in places for shape in drawings.draw(name, x, y)]
