"""Two scores of the same queries and keys as heat maps, and their difference."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import plotly.graph_objects as go

from explorer.figures import hatch, heatmap, theme
from explorer.figures.look import look
from explorer.lessons.scoring_functions.figures.panels import Scale
from explorer.lessons.scoring_functions.records import BesideRecord
from explorer.records.arrays import Floats
from explorer.records.language import t
from explorer.records.wording import minus

Shown = Literal["weights", "scores", "difference"]
Span = tuple[float, float]
Names = tuple[str, str]
#: Places of the maps, in shares of the figure: one above the other, or both above and their difference below.
_LEFT, _RIGHT, _WHOLE = (0.0, 0.47), (0.53, 1.0), (0.0, 1.0)
_ABOVE, _BELOW = (0.59, 1.0), (0.0, 0.37)
_STACKED = ((_WHOLE, (0.58, 1.0)), (_WHOLE, (0.0, 0.42)))
#: Pixels beside a row that the mark takes, which says whether the right key was chosen.
_MARK = 26
#: Pixels beside a map that its rows' numbers take, above it its columns' letters, and above these a title of two lines.
_NUMBER, _LETTERS, _TITLE = 20, 26, 46
#: The largest difference has the full colour, but never less than this.
_LEAST_REACH = 0.3
#: With more keys numbers are written smaller.
_ROOMY = 6


@dataclass(frozen=True, slots=True)
class _Map:
    """A heat map of the figure.

    Attributes:
        values: `[queries, keys]`, NaN where masked.
        scale: colours from `ends[0]` to `ends[1]`.
        written: what stands in a cell.
        what: it holds, for the hover.
    """

    values: Floats
    scale: Scale
    ends: Span
    written: Callable[[float], str]
    what: str
    title: str
    x: Span
    y: Span


def maps(record: BesideRecord, shown: Shown, *, names: Names, short: Names) -> go.Figure:
    """Draw what both scores make of every query and key; a mark beside a row says whether it chose the right key.

    Args:
        names: of both scores, in the reader's language.
        short: the same as short as can be.
        shown: what the maps hold; with `difference` both weights, and below them how they differ.
    """
    panels = tuple(_score(record, score, shown, names) for score in (0, 1))
    if shown == "difference":
        panels += (_difference(record, short),)
    layout: dict[str, Any] = {"shapes": [], "annotations": []}
    traces = []
    for position, panel in enumerate(panels):
        number = theme.axis_number(position)
        x, y = f"x{number}", f"y{number}"
        traces.append(_cells(panel, record).update(xaxis=x, yaxis=y))
        masked = np.isnan(panel.values)
        below = (_ground(masked.shape), *hatch.cells(masked))
        layout["shapes"] += [shape | {"xref": x, "yref": y} for shape in below]
        title = theme.heading(panel.title, panel.x[0], panel.y[1], size=look().close(15))
        layout["annotations"].append(title | {"yshift": _LETTERS})
        layout |= _axes(panel, record, number)
    layout["shapes"] += [frame for number in ("", "2") for frame in _frames(record, number)]
    if shown != "difference":
        layout["annotations"] += [mark for score in (0, 1) for mark in _marks(record, score)]
    margin = {"l": _NUMBER, "r": _MARK, "t": _LETTERS + _TITLE, "b": 4}
    return theme.figure(*traces, height=560, margin=margin, showlegend=False, **layout)


def _score(record: BesideRecord, score: int, shown: Shown, names: Names) -> _Map:
    """Hold the weights, or the scores, of one of both."""
    x, y = ((_LEFT, _RIGHT)[score], _ABOVE) if shown == "difference" else _STACKED[score]
    ink, position = _inks()[score], {"x": x, "y": y}
    title = f"<b>{theme.label(names[score], None)}</b><br>{_formula(record, score)}"
    if shown != "scores":
        weights = heatmap.mask_values(record.weights[score], record.allowed)
        return _Map(weights, ((0.0, look().paper), (1.0, ink)), (0.0, 1.0), _short, t("weight"), title, **position)
    values = record.scores[score].astype(np.float32)
    reach = float(np.abs(values).max()) or 1.0
    scale = ((0.0, look().muted), (0.5, look().paper), (1.0, ink))
    return _Map(values, scale, (-reach, reach), _plain, t("score"), title, **position)


def _formula(record: BesideRecord, score: int) -> str:
    """Write a score, in Plotly's markup: trained, the dot product has a matrix between both."""
    first = "qᵀWk / √d" if record.parameters[0] else "q·k / √d"
    return (first, "1·(q + k)" if record.names[1] == "sum" else "vᵀtanh(W[q;k])")[score]


def _inks() -> tuple[str, str]:
    """Return the colours of both scores."""
    return look().value, look().output


def _difference(record: BesideRecord, short: Names) -> _Map:
    """Hold what the second score weighs more than the first."""
    values = heatmap.mask_values(record.difference, record.allowed)
    reach = max(_LEAST_REACH, float(np.nan_to_num(np.abs(values)).max()))
    pairs = zip(_inks(), short, strict=True)
    one, other = (f'<span style="color:{ink}">{theme.label(name, None)}</span>' for ink, name in pairs)
    scale: Scale = ((0.0, look().value), (0.5, look().paper), (1.0, look().output))
    title = f"<b>{t('Difference')}</b><br>{t('more in {other}, more in {one}').format(one=one, other=other)}"
    return _Map(values, scale, (-reach, reach), _signed, t("difference"), title, _WHOLE, _BELOW)


def _cells(panel: _Map, record: BesideRecord) -> go.Heatmap:
    hover = t("query {query}, key {key}: {what} {value}")
    return heatmap.cells(
        panel.values,
        panel.scale,
        hover.format(query="%{y}", key="%{x}", what=panel.what, value="%{z:.3f}"),
        ends=panel.ends,
        xgap=2,
        ygap=2,
        text=[["" if np.isnan(each) else panel.written(each) for each in row] for row in panel.values.tolist()],
        texttemplate="%{text}",
        textfont={"size": 14 if len(record.keys) <= _ROOMY else 13},
    )


def _ground(size: tuple[int, ...]) -> dict[str, Any]:
    """Lay a sheet under a map, seen between its cells: empty ones are seen to be there."""
    ends = {"x0": -0.5, "x1": size[1] - 0.5, "y0": -0.5, "y1": size[0] - 0.5}
    return ends | {"type": "rect", "layer": "below", "fillcolor": look().line, "line": {"width": 0}}


def _axes(panel: _Map, record: BesideRecord, number: str) -> dict[str, Any]:
    """Name the columns above each map and the rows beside it."""
    rows = tuple(str(row + 1) for row in range(len(record.queries)))
    bare: dict[str, Any] = {"showline": False, "ticklen": 4, "tickcolor": "rgba(0,0,0,0)", "automargin": False}
    bare |= {"tickfont": {"size": look().close(14)}}
    across = theme.token_axis(tuple(record.letters), side="top") | bare | {"domain": panel.x, "anchor": f"y{number}"}
    down = theme.token_axis(rows) | bare | {"domain": panel.y, "anchor": f"x{number}", "autorange": "reversed"}
    return {f"xaxis{number}": across, f"yaxis{number}": down}


def _frames(record: BesideRecord, number: str) -> list[dict[str, Any]]:
    """Frame the right key of every query, where there is one."""
    common = {"type": "rect", "xref": f"x{number}", "yref": f"y{number}"}
    lines = ({"color": look().paper, "width": 4}, {"color": look().text, "width": 2, "dash": "5px,4px"})
    return [
        common | {"x0": column - 0.45, "x1": column + 0.45, "y0": row - 0.45, "y1": row + 0.45, "line": line}
        for row, column in enumerate(record.right.tolist())
        if column >= 0
        for line in lines  # dashes are seen on any colour
    ]


def _marks(record: BesideRecord, score: int) -> list[dict[str, Any]]:
    """Say beside each row whether the score chose the right key, where there is one."""
    number = theme.axis_number(score)
    beside = {"xref": "paper", "x": 1, "xanchor": "left", "xshift": 4, "yref": f"y{number}", "showarrow": False}
    marks = {True: ("✓", look().right), False: ("✗", look().text)}
    found = [
        (row, marks[record.choice(score, row) == column])
        for row, column in enumerate(record.right.tolist())
        if column >= 0
    ]
    return [
        beside | {"y": row, "text": f"<b>{sign}</b>", "font": {"size": 20, "color": ink}} for row, (sign, ink) in found
    ]


def _short(weight: float) -> str:
    return hatch.short(weight) if weight >= hatch.LEAST else ""


def _plain(score: float) -> str:
    return minus(f"{round(score, 1) + 0.0:.1f}")


def _signed(difference: float) -> str:
    return f"{'+' if difference > 0 else '−'}{_short(abs(difference))}" if abs(difference) >= hatch.LEAST else ""
