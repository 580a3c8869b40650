"""Figures of “Leave cells out”: what a head keeps and loses, and what the model loses."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import theme
from explorer.figures.look import faint, look, opaque
from explorer.lessons.efficient_attention.figures.maps import past
from explorer.lessons.efficient_attention.records.comparison import TaskPoint, TaskRecord, VariantRecord
from explorer.records.language import t

#: Where on the scale of weights a cell begins that is computed, though it holds nothing.
GROUND = -0.04
#: Weight from which a cell that is left out is drawn as lost, and the one that has the full colour.
SEEN, MOST_LOST = 0.005, 0.5
#: Numbers of letters that the model hesitates between, marked on the axis.
_MARKS = (4.2, 4.5, 5, 6, 8, 12, 30)


def draw_kept(record: VariantRecord) -> go.Figure:
    """Draw exact weights in the colours of weights where they are computed, else in that of the output: lost."""
    n, drawn = len(record.labels), record.exact.astype(np.float32)
    said = t("“{query}” attends to “{key}”: {weight}").format(query="%{y}", key="%{x}", weight="%{z:.3f}")
    scales = (
        (t("kept"), record.allowed, look().weights, (GROUND, 1.0)),
        (t("lost"), past(record) & ~record.allowed & (drawn > SEEN), losing(), (0.0, MOST_LOST)),
    )
    traces = [
        {
            "type": "heatmap",
            "name": name,
            "z": np.where(there, drawn, np.float32(np.nan)),
            "zmin": low,
            "zmax": high,
            "colorscale": scale,
            "showscale": False,
            "hoverongaps": False,
            "hovertemplate": f"{said}<extra>{name}</extra>",
        }
        for name, there, scale, (low, high) in scales
    ]
    labels = [f"{position + 1} {theme.label(each)}" for position, each in enumerate(record.labels)]
    ticks = {"tickvals": list(range(n)), "ticktext": labels, "showticklabels": False, "zeroline": False, "ticks": ""}
    ticks |= {"showgrid": False, "range": [-0.5, n - 0.5], "constrain": "domain", "automargin": False}
    return theme.figure(
        *traces,
        height=560,
        margin={"l": 26, "r": 4, "t": 4, "b": 26},
        xaxis=ticks | {"title": {"text": t("who is asked: key"), "standoff": 4}, "constraintoward": "left"},
        yaxis=ticks
        | {"title": {"text": t("who asks: query"), "standoff": 4}, "range": [n - 0.5, -0.5], "scaleanchor": "x"}
        | {"constraintoward": "top"},
        shapes=future(n) if record.causal else [],
        annotations=[_legend()] if record.causal else [],
    )


def losing() -> list[tuple[float, str]]:
    """Return the scale of what is lost: the colour of the output, fading into the paper."""
    shares = ((0.0, 0.12), (0.2, 0.45), (1.0, 1.0))
    return [(stop, opaque(faint(look().output, share), look().paper)) for stop, share in shares]


def future(n: int) -> list[dict[str, Any]]:
    """Return shapes that hatch what lies after each query: one ground and one path, however many cells."""
    stairs = "".join(f"L{row + 0.5},{row - 0.5}L{row + 0.5},{row + 0.5}" for row in range(n - 1))
    ground = f"M-0.5,-0.5{stairs}L{n - 0.5},{n - 1.5}L{n - 0.5},-0.5Z"
    step, strokes = max(n / 44, 1.0), ""
    for total in np.arange(step, 2 * n - 2, step):
        across = min(float(total), n - 0.5)
        start = total / 2 + 0.5
        if across > start:
            strokes += f"M{start:g},{total - start:g}L{across:g},{max(total - across, -0.5):g}"
    common = {"type": "path", "xref": "x", "yref": "y", "layer": "below"}
    return [
        common | {"path": ground, "fillcolor": look().line, "line": {"width": 0}},
        common | {"path": strokes, "line": {"color": look().hatch, "width": 1}},
    ]


def _legend() -> dict[str, Any]:
    """Name the colours on the hatched ground, where nothing else stands."""
    rows = (
        (look().weights[5][1], "■", t("kept")),
        (look().output, "■", t("lost")),
        (look().muted, "□", t("left out, little there")),
    )
    text = "<br>".join(f'<span style="color:{colour}">{mark}</span> {name}' for colour, mark, name in rows)
    position = {"x": 0.97, "y": 0.97, "xref": "x domain", "yref": "y domain", "xanchor": "right", "yanchor": "top"}
    box = {"bgcolor": look().paper, "borderpad": 6, "align": "left", "showarrow": False}
    return position | box | {"text": text, "font": {"size": 14, "color": look().text}}


def model(
    record: TaskRecord,
    point: TaskPoint,
    patterns: Iterable[str],
    *,
    names: Mapping[str, str],
) -> go.Figure:
    """Draw how far the model hesitates over the cells that are computed; all patterns but the point's are pale."""
    whole = (record.length + 1) / 2
    others = sorted(patterns, key=lambda name: name == point.name)  # the chosen one lies above
    lines = [_line(record, name, names, chosen=name == point.name) for name in others]
    exact: dict[str, Any] = {"type": "scatter", "x": [whole], "y": [0.0], "mode": "markers", "name": names["plain"]}
    exact |= {"marker": {"color": look().text, "size": 12}, "customdata": [record.letters]}
    exact["hovertemplate"] = t("all cells: {letters} letters").format(letters="%{customdata:.2f}") + "<extra></extra>"
    cells = [1, 2, 4, 8, 16, 32]
    marks = [record.letters, *_MARKS]
    level = {"type": "line", "x0": 0, "x1": 1, "xref": "x domain", "y0": 0, "y1": 0}
    lost = level | {"type": "rect", "y1": _height(point.added), "layer": "below", "line": {"width": 0}}
    lost |= {"fillcolor": faint(look().output, 0.16)}  # as on the map: from exact attention up to the chosen pattern
    said = [
        {"x": 0, "xref": "x domain", "y": 0, "yanchor": "bottom", "xanchor": "left", "showarrow": False}
        | {"text": t("exact attention: all cells"), "font": {"size": 14}},
        *_said(point, names),
    ]
    return theme.figure(
        *lines,
        exact,
        _here(point),
        height=560,
        shapes=[lost, level | {"line": {"color": look().text, "width": 1.5, "dash": "dash"}}],
        annotations=said,
        showlegend=False,
        margin={"l": 26, "r": 8, "t": 4, "b": 8},  # what the axes take, or all is drawn once more
        xaxis={"type": "log", "range": [-0.12, np.log10(whole) + 0.12], "anchor": "y", "zeroline": False}
        | {"title": {"text": t("cells for each letter, mean"), "standoff": 6}}
        | {"tickvals": [*cells, whole], "ticktext": [*map(str, cells), t("all")]},
        yaxis={"range": [-0.05, 1.45], "zeroline": False}
        | {"title": {"text": t("unsure among so many letters"), "standoff": 4}}
        | {"tickvals": [_height(np.log(each) - record.exact) for each in marks]}
        | {"ticktext": [f"{each:.2g}" for each in marks]},
    )


def _height(added: float) -> float:
    """Return where an added loss is drawn: its cube root, which spreads small ones and has a place for 0."""
    return float(np.cbrt(added))


def _line(record: TaskRecord, name: str, names: Mapping[str, str], *, chosen: bool) -> dict[str, Any]:
    points = record.of(name)
    colour = look().query if chosen else faint(look().muted, 0.4)
    said = t("{seen} cells, {letters} letters").format(seen="%{x:.1f}", letters="%{customdata:.2f}")
    return {
        "type": "scatter",
        "name": names[name],
        "x": [each.cells for each in points],
        "y": [_height(each.added) for each in points],
        "customdata": [each.letters for each in points],
        "mode": "lines+markers" if len(points) == 1 or chosen else "lines",
        "line": {"color": colour, "width": 3 if chosen else 1.5},
        "marker": {"color": colour, "size": 9 if chosen else 5},
        "hovertemplate": f"{theme.label(names[name], None)}: {said}<extra></extra>",
    }


def _here(point: TaskPoint) -> dict[str, Any]:
    return {
        "type": "scatter",
        "name": t("chosen"),
        "x": [point.cells],
        "y": [_height(point.added)],
        "mode": "markers",
        "marker": {"color": look().query, "size": 17, "line": {"color": look().paper, "width": 2}},
        "hovertemplate": f"{point.letters:.2f}<extra></extra>",
    }


def _said(point: TaskPoint, names: Mapping[str, str]) -> list[dict[str, Any]]:
    """Name the chosen pattern over its point, on paper of its own: the other curves pass behind it.

    Its own curve falls from the left: the name begins over the point, and stands higher where it has to end there.
    """
    if point.cells is None:
        return []
    position: dict[str, Any] = {"x": float(np.log10(point.cells)), "y": _height(point.added)}
    side, across, up = ("right", 8, 48) if point.cells > 20 else ("left", -8, 22)
    position |= {"xanchor": side, "xshift": across, "yshift": up}
    said = t("{name}: {said}").format(name=theme.label(names[point.name], None), said=f"{point.letters:.2g}")
    text = f"<b>{said}</b>"
    return [
        position
        | {"text": text, "showarrow": False, "bgcolor": look().paper, "font": {"color": look().query, "size": 15}}
    ]
