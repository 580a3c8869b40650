"""Figure of an offset as a turn: two hands on every clock, their angles, and the score."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import theme
from explorer.figures.look import LIGHT, Look, faint, text_on
from explorer.lessons.positional_encoding.figures.sinusoidal import short
from explorer.lessons.positional_encoding.records.extrapolation import Floats
from explorer.lessons.positional_encoding.records.sinusoidal import LikenessRecord, RotationRecord
from explorer.records import Translate, english
from explorer.records.wording import minus

#: Centres of the clocks, in radii: one from the next, the lower row from the upper.
_APART, _BELOW = 2.3, 2.95
_RING = np.linspace(0, 2 * np.pi, 73)


def turn(
    record: RotationRecord, likeness: LikenessRecord, span: int, *, look: Look = LIGHT, t: Translate = english
) -> go.Figure:
    """Draw two places on a line, two hands on every clock, the angles between them set upright, and the score."""
    n, other = len(record.pairs), record.place + record.offset
    traces = [
        *_ruler(record.place, other, look),
        *_dials(record, look),
        *_score(likeness, record.offset, look, t),
    ]
    hidden, quiet = {"visible": False}, {"showgrid": False, "zeroline": False}
    reach = 32 if abs(record.offset) <= 32 else 64
    return theme.figure(
        *traces,
        height=560,
        margin={"l": 8, "r": 8, "t": 4, "b": 4},
        showlegend=False,
        xaxis=quiet | {"range": [-1.5, span + 0.5], "anchor": "y", "showline": True, "ticks": "outside"},
        yaxis=hidden | {"domain": [0.91, 1], "range": [0, 1.15]},
        xaxis2=hidden
        | {"range": [-1.3, (n - 1) * _APART + 1.3], "anchor": "y2", "scaleanchor": "y2", "constrain": "domain"},
        yaxis2=hidden | {"domain": [0.23, 0.82], "range": [-_BELOW - 1.85, 1.85], "constrain": "domain"},
        xaxis3=quiet
        | {"domain": [0, 0.78], "range": [-0.4, reach], "title": {"text": t("places apart")}, "anchor": "y3"},
        yaxis3={"domain": [0, 0.17], "anchor": "x3", "zeroline": False, "range": _limits(likeness, reach)},
        annotations=_turn_notes(record, likeness, look, t),
    )


def _ruler(place: int, other: int, look: Look) -> list[go.Scatter]:
    """Return the two places, joined by an arc."""
    arc = np.linspace(0, np.pi, 40)
    middle, half = (place + other) / 2, (other - place) / 2
    line = {"color": look.muted, "width": 2}
    joined = go.Scatter(
        x=middle - half * np.cos(arc), y=0.35 + 0.75 * np.sin(arc), mode="lines", line=line, hoverinfo="skip"
    ).update(fill="tozeroy", fillcolor=faint(look.output, 0.35))
    marks = go.Scatter(
        x=[place, other],
        y=[0.3, 0.3],
        mode="markers+text",
        text=[str(place), str(other)],
        textfont={"color": [text_on(look.key), text_on(look.query)], "size": 14, "weight": 700},
        marker={"size": 30, "color": [look.key, look.query]},
        hoverinfo="skip",
    )
    return [joined, marks]


def _dials(record: RotationRecord, look: Look) -> list[go.Scatter]:
    """Return two rows of clocks: both hands with the angle between them, and the angles alone, from 12 o'clock."""
    rings, wedges, upright, first, second = [], [], [], [], []
    for column in range(len(record.pairs)):
        centre, below = np.array([column * _APART, 0.0]), np.array([column * _APART, -_BELOW])
        start = math.atan2(record.before[column][1], record.before[column][0])
        turned = math.radians(record.between(column))
        rings += [centre + _points(_RING), below + _points(_RING)]
        wedges.append(centre + 0.96 * _wedge(start, turned))
        upright.append(below + 0.96 * _wedge(0.0, turned))
        first.append(centre + 0.96 * np.stack([np.zeros(2), _points(np.array(start))]))
        second.append(centre + 0.96 * np.stack([np.zeros(2), _points(np.array(start + turned))]))
    return [
        _strokes(rings, look.line, 1.5, fill=look.board),
        _strokes(wedges, faint(look.output, 0.0), 0, fill=faint(look.output, 0.35)),
        _strokes(upright, look.output, 1, fill=look.output),
        _strokes(first, look.key, 5),
        _strokes(second, look.query, 4),
    ]


def _points(angle: Floats) -> Floats:
    """Return places on a clock of radius 1: angle 0 is up, clockwise; so the sine is x and the cosine y."""
    return np.stack([np.sin(angle), np.cos(angle)], -1)


def _wedge(start: float, turned: float) -> Floats:
    arc = _points(start + np.linspace(0, turned, 61))
    return np.vstack([np.zeros((1, 2)), arc, np.zeros((1, 2))])


def _strokes(lines: Sequence[Floats], ink: str, width: float, *, fill: str = "") -> go.Scatter:
    """Return several lines as one trace, parted by gaps, filled if a colour is given."""
    gap = np.full((1, 2), np.nan)
    points = np.vstack([part for line in lines for part in (line, gap)]).astype(np.float32)
    trace = go.Scatter(
        x=points[:, 0], y=points[:, 1], mode="lines", line={"color": ink, "width": width}, hoverinfo="skip"
    ).update(xaxis="x2", yaxis="y2")
    return trace.update(fill="toself", fillcolor=fill) if fill else trace


def _score(record: LikenessRecord, offset: int, look: Look, t: Translate) -> list[go.Scatter]:
    """Return the score by distance, and the pair's own."""
    ahead = record.offsets_all >= 0
    hover = t("{n} apart: {score}").format(n="%{x}", score="%{y:.2f}") + "<extra></extra>"
    axes = {"xaxis": "x3", "yaxis": "y3", "hovertemplate": hover}
    curve = go.Scatter(
        x=record.offsets_all[ahead],
        y=record.by_offset[ahead].astype(np.float32),
        mode="lines",
        name=t("score"),
        line={"color": look.text, "width": 3},
        **axes,
    )
    mark = {"size": 15, "color": look.output}
    dot = go.Scatter(x=[abs(offset)], y=[record.at(offset)], mode="markers", marker=mark, hoverinfo="skip")
    return [curve, dot.update(xaxis="x3", yaxis="y3")]


def _limits(record: LikenessRecord, reach: int) -> list[float]:
    shown = record.by_offset[np.abs(record.offsets_all) <= reach]
    low, high = min(0.0, float(shown.min())), float(shown.max())
    return [low - 0.1 * (high - low), high + 0.12 * (high - low)]


def _turn_notes(record: RotationRecord, likeness: LikenessRecord, look: Look, t: Translate) -> list[dict[str, Any]]:
    """Return the headings, the angle below each clock, and the score in large type."""
    small = 15 / look.zoom  # on a projector as well: the rows leave no room for more
    degrees = [
        {"x": column * _APART, "y": -_BELOW - 1.05, "xref": "x2", "yref": "y2", "yanchor": "top", "showarrow": False}
        | {"text": f"{minus(short(record.between(column)))}°", "font": {"size": small, "color": look.text}}
        for column in range(len(record.pairs))
    ]
    score = likeness.at(record.offset)
    large = {"text": f"<b>{minus(f'{score:.2f}')}</b>", "font": {"size": 34, "color": look.output}}
    corner = {"xref": "paper", "x": 0.81, "xanchor": "left", "yref": "paper", "showarrow": False, "align": "left"}
    beside = {"yref": "y2", "yanchor": "top"}
    return [
        *degrees,
        theme.heading(f"<b>{t('The hands turn when the pair moves')}</b>", 0, 1.85, size=small) | beside,
        theme.heading(f"<b>{t('The angles, each set upright: they stay')}</b>", 0, -1.1, size=small) | beside,
        theme.heading(f"<b>{t('All angles together: the score of the two codes')}</b>", 0, 0.18, size=small),
        corner | large | {"y": 0.2, "yanchor": "top"},
    ]
