"""Figure of codes as clocks: waves over the places, and hands and numbers of one of them."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import theme
from explorer.figures.look import LIGHT, Look, faint, ink_at, text_on
from explorer.lessons.positional_encoding.figures.sinusoidal import short
from explorer.lessons.positional_encoding.records.extrapolation import Floats
from explorer.lessons.positional_encoding.records.sinusoidal import (
    CodesRecord,
    LikenessRecord,
)
from explorer.records import Translate, english
from explorer.records.wording import minus

#: Columns of the picture of the waves, in shares of its width: waves, clocks, numbers.
_WAVES, _CLOCKS, _NUMBERS = [0.0, 0.63], [0.65, 0.79], [0.8, 1.0]
#: Height of a wave, where rows are 1 apart; radius of a clock in pixels.
_HEIGHT, _RADIUS = 0.4, 23
#: Share of the scale of ink that numbers up to 1 take.
_PALE = 0.3


def waves(
    codes: CodesRecord, likeness: LikenessRecord, pairs: tuple[int, ...], *, look: Look = LIGHT, t: Translate = english
) -> go.Figure:
    """Draw waves over the places, the hands and numbers at one of them, and how alike its code is to every other."""
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
    ring = {"size": (2 * _RADIUS + 2) / look.zoom, "color": look.board, "line": {"color": look.line, "width": 1}}
    face = {"x": np.zeros(rows), "y": np.arange(rows), "xaxis": "x2", "mode": "markers", "hoverinfo": "skip"}
    return go.Scatter(**face, marker=ring)


def _hands_at(code: Floats, look: Look) -> list[dict[str, Any]]:
    """Return the hand of every clock, clockwise from 12 o'clock: the sine goes sideways, the cosine up."""
    reach = 1.2 * _RADIUS  # Plotly leaves room for the text that is not there
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
        text=[minus(f"{value:.2f}") for value in code.ravel().tolist()],
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
            "text": t("every {n}").format(n=short(codes.wavelengths[pair])),
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
        | {"text": t("How alike are<br>the other codes?"), "align": "left"}
        | {"font": {"size": 14, "color": look.output}},
    ]
