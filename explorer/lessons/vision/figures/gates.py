"""Channel attention: the gate of every channel, and the maps that it turns up and down."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import theme
from explorer.figures.look import look
from explorer.figures.patches import BARE
from explorer.lessons.vision.figures.answers import around_zero
from explorer.records.image import ChannelGates
from explorer.records.language import t


def channels(record: ChannelGates) -> go.Figure:
    """Draw the gate of every channel, sorted; where it usually stands on other pictures as a mark."""
    order = np.argsort(-record.gate, kind="stable")
    said = t("channel {channel}: passes {gate}, usually {usual}").format(
        channel="%{customdata[0]}", gate="%{customdata[1]:.3f}", usual="%{customdata[2]:.3f}"
    )
    numbers = np.stack([order.astype(np.float32), record.gate[order], record.usual[order]], -1)
    shared: dict[str, Any] = {"customdata": numbers, "hovertemplate": f"{said}<extra></extra>"}
    position = np.arange(len(order))
    bars = go.Bar(x=position, y=record.gate[order], name=t("on this picture"), marker={"color": look().muted}, **shared)
    marks = go.Scatter(
        x=position,
        y=record.usual[order],
        name=t("mean of the others"),
        mode="markers",
        marker={"symbol": "line-ew", "size": 9, "line": {"width": 2.5, "color": look().output}},
        **shared,
    )
    few = len(order) <= 64
    return theme.figure(
        bars,
        marks,
        height=360,
        dragmode=False,
        bargap=0.15 if few else 0,
        xaxis={
            "title": {"text": t("channels, sorted")},
            "tickvals": [],
            "fixedrange": True,
        },
        yaxis={"title": {"text": t("gate")}, "range": [0, 1], "fixedrange": True},
    )


def maps(record: ChannelGates, groups: Mapping[str, Sequence[int]]) -> go.Figure:
    """Draw maps of some channels before and after the gate, on one scale for all.

    Args:
        groups: name in the reader's language to numbers of channels; a group is two rows: before, after.
    """
    rows, columns = record.read.shape[1:]
    across = max(map(len, groups.values()))
    lines = [(name, which) for name in groups for which in (0, 1)]
    down = max(2, round(rows * 0.3))
    canvas = np.full((len(lines) * (rows + down) - down, across * (columns + 1) - 1), np.nan, np.float32)
    said = np.zeros((*canvas.shape, 2), np.float32)
    notes = []
    for i, (name, after) in enumerate(lines):
        top = i * (rows + down)
        notes.append(_above(t("{group}, after the gate") if after else "{group}", name, -0.5, top - 0.5))
        for j, channel in enumerate(groups[name]):
            tile = np.s_[top : top + rows, j * (columns + 1) : j * (columns + 1) + columns]
            canvas[tile] = record.read[channel] * (record.gate[channel] if after else 1.0)
            said[tile] = (channel, record.gate[channel])
    reach = float(np.nanmax(np.abs(canvas))) or 1.0
    hover = t("channel {channel}, gate {gate}: {value}").format(
        channel="%{customdata[0]}", gate="%{customdata[1]:.2f}", value="%{z:.3f}"
    )
    return theme.figure(
        around_zero(canvas, reach, scale=t("value"), hover=hover, customdata=said),
        height=520,
        dragmode=False,
        margin={"l": 4, "r": 4, "t": 32, "b": 6},
        annotations=notes,
        xaxis=BARE,
        yaxis=BARE | {"autorange": "reversed"},
    )


def _above(text: str, group: str, x: float, y: float) -> dict[str, Any]:
    return {
        "text": text.format(group=theme.label(group, None)),
        "x": x,
        "y": y,
        "showarrow": False,
        "xanchor": "left",
        "yanchor": "bottom",
        "font": {"size": 13},
    }
