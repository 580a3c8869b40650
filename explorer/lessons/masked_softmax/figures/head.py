"""A head's map with its mask, and one row of it: the weights before, the weights after, and where they went."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import hatch, heatmap, theme
from explorer.figures.look import faint, ink_at, look, text_on
from explorer.lessons.masked_softmax.records import HeadRecord, names
from explorer.records.language import t
from explorer.records.wording import token

#: Half the width of a bar, and the least distance of two names beside it, in shares of its height.
_HALF, _APART = 0.17, 0.032


def matrix(record: HeadRecord, row: int, *, masked: bool) -> go.Figure:
    """Draw the weights of the words that ask; forbidden cells hatched, over their weight where the mask is lifted."""
    named, asks = names(record), slice(0, record.n_words)
    weights = (np.where(record.allowed, record.after, np.float32(np.nan)) if masked else record.before)[asks]
    hover, named_keys = name_key(heatmap.attends()), keys(named)[asks]
    cells = heatmap.cells(weights, look().weights, hover, xgap=1, ygap=1, customdata=named_keys)
    shapes = hatch.cells(~record.allowed[asks])
    if not masked and shapes:  # grey over the weights, which are seen through it
        grounds, strokes = ({**each, "layer": "above"} for each in shapes)
        grounds |= {"fillcolor": faint(look().line, 0.35)}
        shapes = [grounds, strokes | {"line": {"color": faint(look().hatch, 0.8), "width": 1}}]
    return theme.figure(cells, hatch.numbers(weights, size=14), **frame(named, row, rows=record.n_words, shapes=shapes))


def name_key(hover: str) -> str:
    """Let a cell's `customdata` name its key: of equal columns of padding `frame` names the first."""
    return hover.replace("%{x}", "%{customdata}")


def keys(labels: tuple[str, ...]) -> list[list[str]]:
    """Return the key of each cell of a square map, `[keys, keys]`."""
    return [[theme.label(token(label)) for label in labels]] * len(labels)


def frame(
    labels: tuple[str, ...],
    row: int,
    *,
    rows: int | None = None,
    shapes: Sequence[dict[str, Any]] = (),
    legend: bool = False,
) -> dict[str, Any]:
    """Return the layout of a map, the row that asks framed; cells are square, unless only the first rows are drawn."""
    size, axis = len(labels), theme.token_axis(labels)
    tall = rows or size
    down = theme.token_axis(labels[:tall])
    square = {"scaleanchor": "x"} if tall == size else {}
    ends = {"x0": -0.5, "x1": size - 0.5, "y0": row - 0.5, "y1": row + 0.5, "type": "rect"}
    bold = [f"<b>{text}</b>" if position == row else text for position, text in enumerate(down["ticktext"])]
    still = {"constrain": "domain", "showgrid": False}
    return {
        "height": 560,
        "margin": {"l": 4, "r": 8, "t": 8, "b": 4},
        "showlegend": legend,
        "legend": {"orientation": "h", "x": 0, "y": -0.01, "yanchor": "top", "itemclick": False},
        "shapes": [*shapes, ends | {"line": {"color": look().query, "width": 3}}],
        "xaxis": axis
        | still
        | {
            "side": "top",
            "tickangle": -45,
            "range": [-0.54, size - 0.46],
            "ticktext": theme.name_once(axis["ticktext"], theme.label(t("pad"))),
        },
        "yaxis": down | still | square | {"ticktext": bold, "range": [tall - 0.46, -0.54]},
    }


def bars(record: HeadRecord, row: int, *, masked: bool) -> go.Figure:
    """Draw one row as two bars of equal height: hatched parts end, the others swell by one factor."""
    named, allowed = names(record), record.allowed[row]
    before, after = record.before[row], record.after[row]
    something = masked and bool(allowed.any())
    traces = [*_ribbons(before, after)] if something else []
    traces.append(_bar(0, before, allowed, named, t("before")))
    notes = [*_beside(0, before, allowed, named), _head(0, t("before")), _head(1, t("masked"))]
    if something:
        traces.append(_bar(1, after, allowed, named, t("masked")))
        notes += _beside(1, after, allowed, named)
    factor = t("× {factor}").format(factor=f"{record.factor(row):.2f}") if something else ""
    share = f"{record.lost[row]:.0%}"
    said = (
        f"<b>{factor}</b><br>" + t("every word<br>that stays")
        if something
        else f"<b>{share}</b><br>" + t("of the weight<br>is forbidden")
    )
    notes.append(_note(0.5, 0.3, said, 15))
    if not something:
        notes.append(_note(1, 0.5, "<b>0</b><br>" + t("nothing<br>is left") if masked else "<b>?</b>", 18))
    empty = {"type": "rect", "x0": 1 - _HALF, "x1": 1 + _HALF, "y0": 0, "y1": 1}
    return theme.figure(
        *traces,
        height=560,
        margin={"l": 4, "r": 4, "t": 30, "b": 6},
        barmode="overlay",
        showlegend=False,
        shapes=[] if something else [empty | {"line": {"color": look().muted, "dash": "dash", "width": 1.5}}],
        annotations=notes,
        xaxis={"visible": False, "range": [-0.62, 1.62]},
        yaxis={"visible": False, "range": [1.0, 0.0]},
    )


def _starts(weights: Any) -> Any:
    return np.concatenate([[0.0], np.cumsum(weights, dtype=np.float64)[:-1]])


def _bar(x: int, weights: Any, allowed: Any, named: tuple[str, ...], title: str) -> go.Bar:
    """Return a bar of one part for each key; a forbidden part is hatched."""
    inks = [ink_at(float(weight)) if seen else look().line for weight, seen in zip(weights, allowed, strict=True)]
    return go.Bar(
        x=np.full(len(weights), x),
        y=weights,
        base=_starts(weights),
        width=2 * _HALF,
        name=title,
        marker={
            "color": inks,
            "line": {"color": look().paper, "width": 1.5},
            "pattern": {
                "shape": ["" if seen else "/" for seen in allowed],
                "fgcolor": look().hatch,
                "size": 9,
                "solidity": 0.22,
                "fillmode": "overlay",
            },
        },
        text=[hatch.short(float(weight)) if weight >= hatch.LEAST else "" for weight in weights],
        textposition="inside",
        insidetextanchor="middle",
        textangle=0,
        textfont={
            "size": 15,
            "color": [text_on(ink) if seen else look().text for ink, seen in zip(inks, allowed, strict=True)],
        },
        customdata=[[theme.label(name, None), f"{weight:.3f}"] for name, weight in zip(named, weights, strict=True)],
        hovertemplate="%{customdata[0]}: %{customdata[1]}<extra></extra>",
    )


def _ribbons(before: Any, after: Any) -> list[go.Scatter]:
    """Return a ribbon for each key that stays, from its part of one bar to its part of the other."""
    x = np.linspace(_HALF, 1 - _HALF, 24)
    bend = (1 - np.cos(np.linspace(0, np.pi, 24))) / 2
    found = []
    for weight, start, grown, there in zip(before, _starts(before), after, _starts(after), strict=True):
        if grown > 0:
            top, end = start + (there - start) * bend, start + weight + (there + grown - start - weight) * bend
            found.append(
                go.Scatter(
                    x=np.concatenate([x, x[::-1]]),
                    y=np.concatenate([top, end[::-1]]),
                    mode="lines",
                    fill="toself",
                    fillcolor=faint(look().key, 0.2),
                    line={"color": faint(look().key, 0.55), "width": 1},
                    hoverinfo="skip",
                )
            )
    return found


def _beside(x: int, weights: Any, allowed: Any, named: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return the names beside a bar, the heaviest first; one that would lie over another is left out."""
    middles, notes = _starts(weights) + weights / 2, []
    placed: list[float] = []
    side = {"xanchor": "right", "x": x - _HALF - 0.03} if x == 0 else {"xanchor": "left", "x": x + _HALF + 0.03}
    for position in np.argsort(-weights).tolist():
        if (x == 1 and not allowed[position]) or any(abs(middles[position] - other) < _APART for other in placed):
            continue
        placed.append(middles[position])
        text = theme.label(named[position])
        struck = text if allowed[position] else f"<s>{text}</s>"
        font = {"size": 14, "color": look().text if allowed[position] else look().muted}
        notes.append(side | {"y": float(middles[position]), "text": struck, "showarrow": False, "font": font})
    return notes


def _head(x: float, text: str) -> dict[str, Any]:
    font = {"size": 15, "color": look().text, "weight": 650}
    return {"x": x, "y": 1, "yref": "paper", "yanchor": "bottom", "text": text, "showarrow": False, "font": font}


def _note(x: float, y: float, text: str, size: int) -> dict[str, Any]:
    position = {"x": x, "y": y, "text": text, "showarrow": False, "bgcolor": faint(look().paper, 0.75), "borderpad": 3}
    return position | {"font": {"size": look().close(size), "color": look().text}}
