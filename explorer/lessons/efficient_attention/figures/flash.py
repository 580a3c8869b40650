"""Figures of the flash player: the map of which one tile exists, and what one row keeps."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import theme
from explorer.figures.look import LIGHT, Look, faint
from explorer.lessons.efficient_attention.figures.left_out import future
from explorer.lessons.efficient_attention.records.comparison import FlashRecord
from explorer.records import Translate, english

#: Most letters beside an axis; with more, nobody could read them.
_MOST_LETTERS = 40
#: Below this an output differs from the exact one by rounding alone.
_ROUNDING = 1e-5
#: Heights of the four panels, from the top.
_PANELS = ((0.76, 0.94), (0.42, 0.62), (0.24, 0.3), (0.05, 0.11))


def tiles(record: FlashRecord, step: int, row: int, *, look: Look = LIGHT, t: Translate = english) -> go.Figure:
    """Draw the scores of one tile; tiles before it are forgotten, those after it are not computed yet."""
    at, n = record.steps[step], len(record.labels)
    here = np.full((n, n), np.nan, np.float32)
    rows, columns = slice(*at.queries), slice(*at.keys)
    here[rows, columns] = record.scores[rows, columns]
    low, high = strong(record)
    current = {"type": "heatmap", "z": here, "zmin": low, "zmax": high, "colorscale": look.weights, "showscale": False}
    current |= {"hoverongaps": False, "hovertemplate": "“%{y}” · “%{x}”: %{z:.2f}<extra></extra>"}
    causal = bool(np.isnan(record.scores).any())
    boxes, words = _boxes(record, step, look, t)
    frame = _rectangle((at.keys[0], at.keys[1]), (at.queries[0], at.queries[1]))
    line = _rectangle((0, at.keys[1]), (at.queries[0] + row, at.queries[0] + row + 1))
    frames = [frame | {"line": {"color": look.key, "width": 4}}, line | {"line": {"color": look.query, "width": 3}}]
    across = _letters(record, at.keys, look.key, t("keys"))
    down = _letters(record, at.queries, look.query, t("queries"))
    return theme.figure(
        current,
        height=560,
        margin={"l": 8, "r": 4, "t": 4, "b": 4},
        xaxis=across | {"side": "top", "range": [-0.5, n - 0.5], "constrain": "domain", "constraintoward": "left"},
        yaxis=down | {"range": [n - 0.5, -0.5], "scaleanchor": "x", "constrain": "domain", "constraintoward": "top"},
        shapes=[*(future(n, look) if causal else []), *boxes, *frames],
        annotations=words,
    )


def strong(record: FlashRecord) -> tuple[float, float]:
    """Return the scores that are drawn palest and strongest."""
    return float(np.nanpercentile(record.scores, 10)), float(np.nanpercentile(record.scores, 98))


def _boxes(
    record: FlashRecord, step: int, look: Look, t: Translate
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return a box for each tile: forgotten ones filled and named where there is room, later ones dashed."""
    boxes, words = [], []
    wide = min(record.tiles) * 4 >= len(record.labels)
    for place, tile in enumerate(record.steps):
        box = _rectangle(tile.keys, tile.queries) | {"layer": "below"}
        if place < step:
            boxes.append(box | {"fillcolor": look.board, "line": {"color": look.line, "width": 1}})
            if wide:
                x, y = (sum(side) / 2 - 0.5 for side in (tile.keys, tile.queries))
                word = {"x": x, "y": y, "text": t("forgotten"), "showarrow": False}
                words.append(word | {"font": {"color": look.muted, "size": 14}})
        elif place > step:
            boxes.append(box | {"line": {"color": look.muted, "width": 1, "dash": "dot"}})
    return boxes, words


def _rectangle(across: tuple[int, int], down: tuple[int, int]) -> dict[str, Any]:
    """Return a frame around cells, first and last + 1 of either side."""
    x0, x1, y0, y1 = across[0] - 0.5, across[1] - 0.5, down[0] - 0.5, down[1] - 0.5
    return {"type": "rect", "x0": x0, "x1": x1, "y0": y0, "y1": y1, "line": {"width": 0}}


def _letters(record: FlashRecord, among: tuple[int, int], ink: str, title: str) -> dict[str, Any]:
    """Return an axis with a letter at each place, those of the tile in its colour; few places where there are many."""
    labels = [theme.label(each, 6) for each in record.labels]
    text = [
        f'<span style="color:{ink};font-weight:700">{word}</span>' if among[0] <= place < among[1] else word
        for place, word in enumerate(labels)
    ]
    axis = {"showgrid": False, "zeroline": False, "tickangle": 0, "ticks": "", "title": {"text": title, "standoff": 2}}
    every = 1 if len(labels) <= _MOST_LETTERS else 8
    return axis | {"tickvals": list(range(0, len(labels), every)), "ticktext": text[::every], "tickfont": {"size": 13}}


def running(record: FlashRecord, step: int, row: int, *, look: Look = LIGHT, t: Translate = english) -> go.Figure:
    """Draw what one row keeps, before and after a tile: largest score, sum, answer; and how much is in memory."""
    at = record.steps[step]
    traces, notes = _largest(record, step, row, look, t)
    parts = (_sum(record, step, row, look, t), _answer(record, step, row, look, t), _memory(record, step, look, t))
    for more, words in parts:
        traces += more
        notes += words
    titles = (
        t("1 · Largest score so far"),
        t("2 · Sum so far, of e^(score − largest)"),
        t("3 · Error of the answer so far"),
        t("Scores in memory now"),
    )
    tops = (_PANELS[0][1] + 0.005, *(panel[1] + 0.015 for panel in _PANELS[1:]))
    heads = [theme.heading(f"<b>{title}</b>", 0, top, size=15) for title, top in zip(titles, tops, strict=True)]
    most = 1.25 * max(float(at.total_before[row]), float(at.total[row]), 1e-9)
    spans = (ends(record), (0, most), (0, 1), (0, 1))
    layout: dict[str, Any] = {}
    for place, (panel, span) in enumerate(zip(_PANELS, spans, strict=True)):
        number = theme.axis_number(place)
        across = {"range": list(span), "anchor": f"y{number}", "showgrid": False, "zeroline": False}
        layout[f"xaxis{number}"] = across | {"visible": place == 0}
        down = {"domain": list(panel), "anchor": f"x{number}", "range": [-0.5, 1.5]}
        layout[f"yaxis{number}"] = down | {"visible": False}
    return theme.figure(
        *traces,
        height=560,
        barmode="stack",
        showlegend=False,
        annotations=[*heads, *notes],
        margin={"l": 8, "r": 8, "t": 4, "b": 4},
        **layout,
    )


def ends(record: FlashRecord) -> tuple[float, float]:
    """Return where the axis of scores begins and ends."""
    low, high = float(np.nanmin(record.scores)), float(np.nanmax(record.scores))
    pad = 0.06 * (high - low) or 1.0
    return low - pad, high + pad


def _largest(record: FlashRecord, step: int, row: int, look: Look, t: Translate) -> tuple[list[Any], list[Any]]:
    """Return a dot for each score that the row has met, and its largest before and now."""
    at = record.steps[step]
    query = at.queries[0] + row
    scores = record.scores[query]
    groups = (
        (range(at.keys[0]), t("forgotten"), look.muted, 0.45),
        (range(at.keys[0], at.keys[1]), t("this tile"), look.key, 1.0),
    )
    traces: list[Any] = []
    for keys, name, ink, opacity in groups:
        seen = [key for key in keys if np.isfinite(scores[key])]
        dots: dict[str, Any] = {
            "type": "scatter",
            "x": [float(scores[key]) for key in seen],
            "y": [0.15] * len(seen),
            "name": name,
        }
        dots |= {"text": [theme.label(record.labels[key]) for key in seen], "mode": "markers"}
        dots |= {"marker": {"color": ink, "size": 13 if ink == look.key else 9, "opacity": opacity}}
        traces.append(dots | {"hovertemplate": f"“%{{text}}”: %{{x:.2f}}<extra>{name}</extra>"})
    now, before = float(at.maximum[row]), float(at.maximum_before[row])
    lines = [(now, "solid", 4)] + ([(before, "dot", 2)] if np.isfinite(before) and before < now else [])
    for value, dash, width in lines:
        if np.isfinite(value):
            line = {"type": "scatter", "x": [value, value], "y": [-0.2, 1.1], "mode": "lines", "hoverinfo": "skip"}
            drawn = {"color": look.query, "dash": dash, "width": width}
            traces.append(line | {"line": drawn, "name": f"{value:.2f}"})
    label = {"x": now, "y": 1.15, "text": f"<b>{now:.2f}</b>", "showarrow": False, "yanchor": "bottom"}
    return traces, [label | {"font": {"color": look.query, "size": 15}}] if np.isfinite(now) else []


def _sum(record: FlashRecord, step: int, row: int, look: Look, t: Translate) -> tuple[list[Any], list[Any]]:
    """Return the sum before as a bar, below it the same rescaled, and what this tile adds."""
    at = record.steps[step]
    before, after, factor = float(at.total_before[row]), float(at.total[row]), float(at.rescale[row])
    kept = before * factor
    axes = {"xaxis": "x2", "yaxis": "y2"}
    bars = (
        (before, 1.0, faint(look.muted, 0.35), t("before")),
        (kept, 0.0, look.muted, t("before, rescaled")),
        (after - kept, 0.0, look.key, t("this tile adds")),
    )
    traces = [_bar(value, y, ink, name) | axes for value, y, ink, name in bars]
    words = [_word(after, 0.0, f"<b>{after:.2f}</b>", look.text)]
    if before > 0:
        words.append(_word(before, 1.0, f"<b>{before:.2f}</b>", look.muted))
        corners: dict[str, Any] = {"type": "scatter", "x": [0, before, kept, 0], "y": [0.64, 0.64, 0.36, 0.36]}
        corners |= {
            "fill": "toself",
            "mode": "lines",
            "line": {"width": 0},
            "fillcolor": faint(look.muted, 0.16),
            "hoverinfo": "skip",
        }
        traces.append(corners | axes)
        said = (
            t("× {factor} rescaled").format(factor=f"{factor:.2g}") if factor < 0.995 else t("× 1: nothing to rescale")
        )
        middle = {"x": 0, "y": 0.5, "text": f"<b>{said}</b>", "xanchor": "left", "xshift": 10, "showarrow": False}
        words.append(middle | {"xref": "x2", "yref": "y2", "font": {"color": look.query, "size": 15}})
    return traces, words


def _word(x: float, y: float, text: str, ink: str) -> dict[str, Any]:
    place = {"x": x, "y": y, "xref": "x2", "yref": "y2", "xanchor": "left", "xshift": 6, "showarrow": False}
    return place | {"text": text, "font": {"color": ink, "size": 15}}


def _bar(value: float, y: float, ink: str, name: str, width: float = 0.72) -> dict[str, Any]:
    bar = {"type": "bar", "orientation": "h", "x": [value], "y": [y], "width": width, "name": name}
    said = f"{theme.label(name, None)}: %{{x:.3g}}<extra></extra>"
    return bar | {"marker": {"color": ink, "line": {"width": 0}}, "hovertemplate": said}


def _share(share: float, name: str, number: str, inks: tuple[str, str]) -> list[Any]:
    """Return a bar that fills a share of its panel, and a quiet one that fills the rest."""
    axes = {"xaxis": f"x{number}", "yaxis": f"y{number}"}
    rest = _bar(1 - share, 0.5, inks[1], "", 2.0) | axes | {"hoverinfo": "skip", "hovertemplate": None}
    return [_bar(share, 0.5, inks[0], name, 2.0) | axes, rest]


def _below(text: str, number: str, ink: str, size: int) -> dict[str, Any]:
    place = {"x": 0, "y": -0.1, "xref": f"x{number}", "yref": f"y{number} domain", "xanchor": "left", "yanchor": "top"}
    return place | {"text": text, "showarrow": False, "font": {"color": ink, "size": size}}


def _answer(record: FlashRecord, step: int, row: int, look: Look, t: Translate) -> tuple[list[Any], list[Any]]:
    """Return how far the row's output is off, as a bar that shrinks to nothing."""
    error = float(record.steps[step].error[row])
    said = t("exact result") if error < _ROUNDING else t("off by {error}").format(error=f"{error:.0%}")
    bars = _share(min(error, 1.0), t("off by"), "3", (look.output, look.line))
    return bars, [_below(f"<b>{said}</b>", "3", look.output, 16)]


def _memory(record: FlashRecord, step: int, look: Look, t: Translate) -> tuple[list[Any], list[Any]]:
    """Return the share of all scores that exists now."""
    at, n = record.steps[step], len(record.labels)
    cells = (at.queries[1] - at.queries[0]) * (at.keys[1] - at.keys[0])
    said = t("{cells} of {all} scores").format(cells=f"{cells:,}", all=f"{n * n:,}")
    return _share(cells / n**2, t("in memory"), "4", (look.key, look.board)), [_below(said, "4", look.text, 14)]
