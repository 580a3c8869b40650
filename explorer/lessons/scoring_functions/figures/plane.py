"""The plane of queries and keys: one formula's landscape, and the weights that every formula gives."""

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import hatch, heatmap, theme
from explorer.figures.look import LIGHT, Look, faint, text_on
from explorer.lessons.scoring_functions.records import Floats, PlaneRecord
from explorer.records import Translate, english

#: How each formula is written, in Plotly's markup.
WRITTEN = {
    "dot": "q·k",
    "scaled_dot": "q·k / √d",
    "cosine": "q·k / ‖q‖‖k‖",
    "gaussian": "−½‖q − k‖²",
    "general": "qᵀW k",
    "additive": "vᵀtanh(W[q;k]+b)",
}
#: Half the width that is drawn, the number of steps of ink, and the darkest ink, so that letters stay legible on it.
SHOWN, _STEPS, _DARKEST = 3.7, 12, 0.5
#: Of the thumbnails: pixels along each side, and rows left free below each.
_PIXELS, _FREE = 22, 4


def landscape(
    record: PlaneRecord,
    formula: str,
    *,
    nicknames: Mapping[str, str],
    look: Look = LIGHT,
    t: Translate = english,
) -> go.Figure:
    """Draw the score of a key at every place of the plane, the query as an arrow, and the keys, the winner ringed.

    Args:
        formula: whose landscape.
        nicknames: what stands beside a key, by letter.
    """
    inside = np.abs(record.axis) <= SHOWN
    field = record.field[record.formulas.index(formula)]
    low, high = _ends(field[np.ix_(inside, inside)])
    ground = go.Contour(
        z=field.astype(np.float32),
        x=record.axis,
        y=record.axis,
        zmin=low,
        zmax=high,
        colorscale=[(stop / _DARKEST, ink) for stop, ink in look.weights if stop <= _DARKEST],
        contours={"start": low, "end": high, "size": (high - low) / _STEPS},
        line={"color": look.paper, "width": 1},
        showscale=False,
        hovertemplate=t("a key here would score {score}").format(score="%{z:.2f}") + "<extra></extra>",
    )
    axis = {"range": [-SHOWN, SHOWN], "visible": False, "constrain": "range"}
    return theme.figure(
        ground,
        _keys(record, formula, look, t),
        height=540,
        margin={"l": 0, "r": 0, "t": 4, "b": 4},
        showlegend=False,
        xaxis=axis,
        yaxis=axis | {"scaleanchor": "x"},
        annotations=[_arrow(record, look), _asks(record, look, t), *_beside(record, nicknames, look)],
    )


def rows(
    record: PlaneRecord,
    formula: str,
    *,
    names: Mapping[str, str],
    hidden: Collection[str] = (),
    look: Look = LIGHT,
) -> go.Figure:
    """Draw every formula's landscape in small, and its weights for the same keys, the largest framed.

    Args:
        formula: the one whose name is marked.
        hidden: formulas whose answer is not shown yet.
    """
    secret = np.array([[name in hidden] for name in record.formulas])
    weights = np.where(secret, np.nan, record.weights).astype(np.float32)
    whose = np.broadcast_to(np.array([[names[name]] for name in record.formulas], object), weights.shape)
    hover = "%{customdata}, %{x}: %{z:.3f}"
    cells = heatmap.cells(weights, look.weights, hover, xgap=2, ygap=14, customdata=whose)
    shapes = hatch.cells(np.broadcast_to(secret, weights.shape), look)
    shapes += [_frame(row, int(values.argmax()), look) for row, values in enumerate(weights) if not secret[row]]
    return theme.figure(
        cells,
        hatch.numbers(weights, look),
        _thumbnails(record, secret[:, 0], look),
        _queries(record, look),
        height=540,
        margin={"l": 8, "r": 4, "t": 30, "b": 4},
        showlegend=False,
        shapes=shapes,
        xaxis=theme.token_axis(tuple(record.letters), side="top") | {"domain": [0.24, 1], "anchor": "y"},
        xaxis2={"domain": [0, 0.19], "visible": False, "range": [-0.5, _PIXELS - 0.5], "anchor": "y"},
        yaxis=_names_axis(record, formula, names),
        annotations=[_question(row, look) for row in np.flatnonzero(secret)],
    )


def _names_axis(record: PlaneRecord, formula: str, names: Mapping[str, str]) -> dict[str, Any]:
    """Name and formula of every row, the chosen one in bold."""
    said = [f"{theme.label(names[name], None)}<br>{WRITTEN[name]}" for name in record.formulas]
    bold = [f"<b>{each}</b>" if name == formula else each for name, each in zip(record.formulas, said, strict=True)]
    ends = [len(record.formulas) - 0.5, -0.5]
    font = {"size": 14}
    return {"tickfont": font, "tickvals": list(range(len(bold))), "ticktext": bold, "range": ends} | {
        "showgrid": False,
        "zeroline": False,
        "anchor": "x2",
    }


def _ends(field: Floats) -> tuple[float, float]:
    """Lowest and highest score, apart even where all are equal."""
    low, high = float(field.min()), float(field.max())
    return (low, high) if high > low else (low - 1, high + 1)


def _keys(record: PlaneRecord, formula: str, look: Look, t: Translate) -> go.Scatter:
    row = record.formulas.index(formula)
    wins = [letter == record.order(formula)[0] for letter in record.letters]
    return go.Scatter(
        x=record.keys[:, 0],
        y=record.keys[:, 1],
        mode="markers+text",
        text=list(record.letters),
        textfont={"color": text_on(look.key), "size": 15, "weight": 700},
        marker={
            "size": [34 if each else 26 for each in wins],
            "color": look.key,
            "line": {
                "color": [look.query if each else look.paper for each in wins],
                "width": [5 if w else 2 for w in wins],
            },
        },
        customdata=np.column_stack([record.scores[row], record.weights[row]]),
        hovertemplate=t("key {key}: score {score}, weight {weight}").format(
            key="%{text}", score="%{customdata[0]:.2f}", weight="%{customdata[1]:.2f}"
        )
        + "<extra></extra>",
    )


def _arrow(record: PlaneRecord, look: Look) -> dict[str, Any]:
    ends = dict(zip(("x", "y"), map(float, record.query), strict=True))
    return ends | {
        "ax": 0,
        "ay": 0,
        "axref": "x",
        "ayref": "y",
        "text": "",
        "showarrow": True,
        "arrowhead": 2,
        "arrowsize": 1.2,
        "arrowwidth": 4,
        "arrowcolor": look.query,
    }


def _asks(record: PlaneRecord, look: Look, t: Translate) -> dict[str, Any]:
    """The word at the arrow's head, on the side away from the keys that lie along it."""
    x, y = map(float, record.query)
    return _label(f"<b>{t('query')}</b>", x, y, look) | {"font": {"color": look.query, "size": 15}, "yshift": 22}


def _beside(record: PlaneRecord, nicknames: Mapping[str, str], look: Look) -> list[dict[str, Any]]:
    places = zip(record.letters, record.keys.astype(float), strict=True)
    return [
        _label(theme.label(nicknames[letter], None), float(x), float(y), look) | {"yshift": -28}
        for letter, (x, y) in places
        if letter in nicknames
    ]


def _label(text: str, x: float, y: float, look: Look) -> dict[str, Any]:
    return {
        "x": x,
        "y": y,
        "text": text,
        "showarrow": False,
        "font": {"color": look.text, "size": 14},
        "bgcolor": faint(look.paper, 0.72),
        "borderpad": 1,
    }


def _frame(row: int, column: int, look: Look) -> dict[str, Any]:
    """A frame around the largest weight of a row, which is drawn with a gap above and below."""
    corners = {"x0": column - 0.48, "x1": column + 0.48, "y0": row - 0.43, "y1": row + 0.43}
    return corners | {"type": "rect", "line": {"color": look.query, "width": 3}}


def _question(row: Any, look: Look) -> dict[str, Any]:
    middle = {"x": 2, "y": int(row), "text": "<b>?</b>", "showarrow": False}
    return middle | {"font": {"size": 22, "color": look.text}, "bgcolor": look.paper, "borderpad": 4}


def _thumbnails(record: PlaneRecord, secret: Any, look: Look) -> go.Heatmap:
    """Every landscape in few pixels, beside its row; what is not shown yet is missing."""
    near = np.flatnonzero(np.abs(record.axis) <= SHOWN)
    picked = near[np.linspace(0, len(near) - 1, _PIXELS).round().astype(int)]
    free = np.full((_FREE, _PIXELS), np.nan)
    blocks = []
    for field, unknown in zip(record.field[:, picked][:, :, picked], secret, strict=True):
        low, high = _ends(field)
        small = (field[::-1] - low) / (high - low)
        blocks += [free[: _FREE // 2], np.full_like(small, np.nan) if unknown else small, free[: _FREE // 2]]
    z, step = np.vstack(blocks).astype(np.float32), 1 / (_PIXELS + _FREE)
    scale = [(stop / _DARKEST, ink) for stop, ink in look.weights if stop <= _DARKEST]
    y = -0.5 + step * (np.arange(len(z)) + 0.5)
    return heatmap.cells(z, scale, x=np.arange(_PIXELS), y=y, xaxis="x2")


def _queries(record: PlaneRecord, look: Look) -> go.Scatter:
    """The query as a short line on every thumbnail."""
    half, reach = (_PIXELS - 1) / 2, SHOWN
    across, up = (float(part) / reach for part in record.query)
    tall = _PIXELS / (_PIXELS + _FREE) / 2
    x: list[float | None] = []
    y: list[float | None] = []
    for row in range(len(record.formulas)):
        x += [half, half + half * across, None]
        y += [row, row - tall * up, None]
    return go.Scatter(x=x, y=y, xaxis="x2", mode="lines", line={"color": look.query, "width": 3}, hoverinfo="skip")
