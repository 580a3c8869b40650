"""Figures of codes as clocks: waves with the hands of one place, and two hands whose angle an offset fixes."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import theme
from explorer.figures.look import LIGHT, Look, faint, ink_at, text_on
from explorer.lessons.positional_encoding.figures.sinusoidal import short
from explorer.lessons.positional_encoding.records.sinusoidal import (
    CodesRecord,
    Floats,
    LikenessRecord,
    RotationRecord,
)
from explorer.records import Translate, english

#: Columns of the picture of the waves, in shares of its width: waves, clocks, numbers.
_WAVES, _CLOCKS, _NUMBERS = [0.0, 0.63], [0.65, 0.79], [0.8, 1.0]
#: Height of a wave, where rows are 1 apart; radius of a clock in pixels; centres of the turning clocks, in radii.
_HEIGHT, _RADIUS, _APART, _BELOW = 0.4, 23, 2.3, 2.65
#: Share of the scale of ink that numbers up to 1 take.
_PALE = 0.3
_RING = np.linspace(0, 2 * np.pi, 73)


def waves(
    codes: CodesRecord, likeness: LikenessRecord, pairs: tuple[int, ...], *, look: Look = LIGHT, t: Translate = english
) -> go.Figure:
    """Draw waves over the places, the hands and numbers at one of them, and how alike its code is to every other.

    Args:
        codes: of the places that are drawn.
        likeness: of the place.
        pairs: that are drawn, the fastest first.
        look: colours.
        t: the reader's language.
    """
    place, rows, last = likeness.place, len(pairs), len(codes.code) - 1
    code = codes.code[place].reshape(-1, 2)[list(pairs)]  # [drawn, 2]: sine, cosine
    traces: list[Any] = [
        _wave(codes, which, pairs, ink, name, t)
        for which, ink, name in ((1, faint(look.muted, 0.6), t("cosine")), (0, look.text, t("sine")))
    ]
    at = np.repeat(np.arange(rows), 2) - _HEIGHT * code.ravel()
    dots = {"color": look.query, "size": 9}
    traces.append(go.Scatter(x=[place] * len(at), y=at, mode="markers", marker=dots, hoverinfo="skip"))
    traces += [_alike(likeness, last, rows, look, t), _faces(rows, look), _numbers(code, pairs, look, t)]
    hidden = {"visible": False}
    line = {"type": "line", "x0": place, "x1": place, "y0": -0.5, "y1": rows + 0.45}
    return theme.figure(
        *traces,
        height=560,
        margin={"l": 4, "r": 4, "t": 8, "b": 30},
        showlegend=False,
        xaxis={"domain": _WAVES, "range": [-0.5, last + 0.5], "showgrid": False, "zeroline": False}
        | {"title": {"text": t("position")}, "tickvals": [*range(0, last + 1, max(1, (last + 1) // 8)), last]},
        xaxis2=hidden | {"domain": _CLOCKS, "range": [-1, 1]},
        xaxis3=hidden | {"domain": _NUMBERS, "range": [-0.5, 1.5]},
        yaxis=hidden | {"range": [rows + 0.5, -0.75]},
        shapes=[line | {"line": {"color": look.query, "width": 2}}, *_grounds(code, look)],
        annotations=[
            *_hands_at(code, look),
            *_captions(codes, pairs, t, look),
            *_column_names(place, rows, look, t),
        ],
    )


def _wave(codes: CodesRecord, which: int, pairs: tuple[int, ...], ink: str, name: str, t: Translate) -> go.Scatter:
    """Return one wave of every drawn pair as a single trace, a row for each, parted by gaps."""
    gap = [np.nan]
    x = np.concatenate([part for _ in pairs for part in (codes.fine, gap)])
    y = np.concatenate(
        [part for row, pair in enumerate(pairs) for part in (row - _HEIGHT * codes.waves[which, pair], gap)]
    )
    said = np.concatenate([part for pair in pairs for part in (codes.waves[which, pair], gap)])
    hover = t("place {place}: {value}").format(place="%{x:.1f}", value="%{customdata:.2f}")
    return go.Scatter(
        x=x.astype(np.float32),
        y=y.astype(np.float32),
        customdata=said.astype(np.float32),
        mode="lines",
        name=name,
        line={"color": ink, "width": 2},
        hovertemplate=f"{name}, {hover}<extra></extra>",
    )


def _alike(record: LikenessRecord, last: int, row: int, look: Look, t: Translate) -> go.Scatter:
    """Return how alike the place's code is to every other, 1 for itself, below the waves."""
    places = record.offsets + record.place
    inside = places <= last
    own = record.at(0)
    shares = record.products[inside] / own
    return go.Scatter(
        x=places[inside],
        y=(row + 0.35 - 0.75 * shares).astype(np.float32),
        customdata=shares.astype(np.float32),
        mode="lines",
        name=t("likeness"),
        line={"color": look.output, "width": 3},
        fill=None,
        hovertemplate=t("place {place}: {value}").format(place="%{x}", value="%{customdata:.2f}") + "<extra></extra>",
    )


def _faces(rows: int, look: Look) -> go.Scatter:
    ring = {"size": 2 * _RADIUS + 2, "color": look.board, "line": {"color": look.line, "width": 1}}
    face = {"x": np.zeros(rows), "y": np.arange(rows), "xaxis": "x2", "mode": "markers", "hoverinfo": "skip"}
    return go.Scatter(**face, marker=ring)


def _hands_at(code: Floats, look: Look) -> list[dict[str, Any]]:
    """Return the hand of every clock, clockwise from 12 o'clock: the sine goes sideways, the cosine up."""
    reach = 1.2 * _RADIUS * look.zoom  # Plotly leaves room for the text that is not there
    return [
        {"x": 0, "y": row, "xref": "x2", "yref": "y", "ax": reach * float(sine), "ay": -reach * float(cosine)}
        | {"showarrow": True, "arrowhead": 0, "arrowwidth": 4, "arrowcolor": look.query, "text": ""}
        for row, (sine, cosine) in enumerate(code.tolist())
    ]


def _numbers(code: Floats, pairs: tuple[int, ...], look: Look, t: Translate) -> go.Scatter:
    """Return the numbers of the code."""
    rows, columns = np.indices(code.shape)
    return go.Scatter(
        x=columns.ravel(),
        y=rows.ravel() - 0.1,
        xaxis="x3",
        mode="text",
        text=[f"{value:.2f}".replace("-", "−") for value in code.ravel().tolist()],
        textfont={"size": 15, "color": [text_on(_ground(value, look)) for value in code.ravel().tolist()]},
        customdata=np.stack([np.array(pairs)[rows.ravel()], code.ravel()], -1),
        hovertemplate=t("pair {pair}: {value}").format(pair="%{customdata[0]}", value="%{customdata[1]:.4f}")
        + "<extra></extra>",
    )


def _grounds(code: Floats, look: Look) -> list[dict[str, Any]]:
    """Return the cells of the numbers: more ink for what is farther from 0."""
    common = {"type": "rect", "xref": "x3", "yref": "y", "layer": "below", "line": {"width": 0}}
    return [
        common
        | {"x0": column - 0.46, "x1": column + 0.46, "y0": row - 0.3, "y1": row + 0.1}
        | {"fillcolor": _ground(float(code[row, column]), look)}
        for row, column in np.ndindex(code.shape)
    ]


def _ground(value: float, look: Look) -> str:
    return ink_at(_PALE * abs(value), look)


def _captions(codes: CodesRecord, pairs: tuple[int, ...], t: Translate, look: Look) -> list[dict[str, Any]]:
    """Say below each row of numbers after how many places the clock is round."""
    return [
        {"x": 0.5, "y": row + 0.1, "xref": "x3", "yref": "y", "yanchor": "top", "showarrow": False}
        | {
            "text": t("round in {n}").format(n=short(codes.wavelengths[pair])),
            "font": {"size": 13, "color": look.muted},
        }
        for row, pair in enumerate(pairs)
    ]


def _column_names(place: int, rows: int, look: Look, t: Translate) -> list[dict[str, Any]]:
    """Name place, hands, sine and cosine above, and the curve below."""
    top = {"y": -0.75, "yref": "y", "yanchor": "top", "showarrow": False}
    chip = {"bgcolor": look.query, "font": {"color": text_on(look.query), "size": 15, "weight": 700}, "borderpad": 3}
    quiet = {"font": {"size": 14, "color": look.muted}}
    return [
        top | {"x": place, "xref": "x", "text": str(place), "yanchor": "middle", **chip},
        top | {"x": 0, "xref": "x2", "text": t("hand"), **quiet},
        top | {"x": 0, "xref": "x3", "text": f"<b>{t('sine')}</b>", "font": {"size": 14, "color": look.text}},
        top | {"x": 1, "xref": "x3", "text": t("cosine"), **quiet},
        {"x": _CLOCKS[0], "xref": "paper", "y": rows + 0.02, "yref": "y", "showarrow": False, "xanchor": "left"}
        | {"text": t("How alike is its code<br>to that of every other place?"), "align": "left"}
        | {"font": {"size": 14, "color": look.output}},
    ]


def turn(
    record: RotationRecord, likeness: LikenessRecord, span: int, *, look: Look = LIGHT, t: Translate = english
) -> go.Figure:
    """Draw two places on a line, two hands on every clock, the angles between them set upright, and the score.

    Args:
        record: codes of both places, pair by pair.
        likeness: the score by offset.
        span: places on the line.
        look: colours.
        t: the reader's language.
    """
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
        yaxis=hidden | {"domain": [0.89, 1], "range": [0, 1.15]},
        xaxis2=hidden
        | {"range": [-1.3, (n - 1) * _APART + 1.3], "anchor": "y2", "scaleanchor": "y2", "constrain": "domain"},
        yaxis2=hidden | {"domain": [0.23, 0.85], "range": [-_BELOW - 1.45, 1.5], "constrain": "domain"},
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
        turned = math.radians(math.fmod(record.angle(column), 360))
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
    degrees = [
        {"x": column * _APART, "y": -_BELOW - 1.12, "xref": "x2", "yref": "y2", "yanchor": "top", "showarrow": False}
        | {"text": f"{short(math.fmod(record.angle(column), 360))}°", "font": {"size": 15, "color": look.text}}
        for column in range(len(record.pairs))
    ]
    score = likeness.at(record.offset)
    large = {"text": f"<b>{score:.2f}</b>", "font": {"size": 34, "color": look.output}}
    corner = {"xref": "paper", "x": 0.81, "xanchor": "left", "yref": "paper", "showarrow": False, "align": "left"}
    beside = {"yref": "y2", "yanchor": "top"}
    return [
        *degrees,
        theme.heading(f"<b>{t('The hands turn when the pair moves')}</b>", 0, 1.5, size=15) | beside,
        theme.heading(f"<b>{t('The angles, each set upright: they stay')}</b>", 0, -1.12, size=15) | beside,
        theme.heading(f"<b>{t('All angles together: the score of the two codes')}</b>", 0, 0.18, size=15),
        corner | large | {"y": 0.2, "yanchor": "top"},
    ]
