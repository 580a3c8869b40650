"""Figures of “Leave cells out”: what a head keeps and loses, what the model loses, every pattern as a small map."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
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
#: Small maps in a row, and the share of the figure's height that they take.
_ACROSS, _LOW = 4, 0.36
#: Letters of each, the first: with all of them a column one letter wide could not be seen.
_THUMB = 32


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
    labels = [f"{place + 1} {theme.label(each)}" for place, each in enumerate(record.labels)]
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
    place = {"x": 0.97, "y": 0.97, "xref": "x domain", "yref": "y domain", "xanchor": "right", "yanchor": "top"}
    box = {"bgcolor": look().paper, "borderpad": 6, "align": "left", "showarrow": False}
    return place | box | {"text": text, "font": {"size": 14, "color": look().text}}


def model(
    record: TaskRecord,
    point: TaskPoint,
    masks: Mapping[str, npt.NDArray[np.bool_]],
    *,
    names: Mapping[str, str],
    shown: bool = True,
) -> go.Figure:
    """Draw how far the model hesitates over the cells that are computed; below, the patterns to choose from.

    `shown` says whether the dilated window may be seen, which a prediction asks about.
    """
    whole = (record.length + 1) / 2
    drawn = [name for name in masks if name != "dilated" or shown]
    lines = [_line(record, name, names, chosen=name == point.name) for name in drawn]
    exact: dict[str, Any] = {"type": "scatter", "x": [whole], "y": [0.0], "mode": "markers", "name": names["plain"]}
    exact |= {"marker": {"color": look().text, "size": 12}, "customdata": [record.letters]}
    exact["hovertemplate"] = t("all cells: {letters} letters").format(letters="%{customdata:.2f}") + "<extra></extra>"
    cells = [1, 2, 4, 8, 16, 32]
    marks = [record.letters, *_MARKS]
    level = {"type": "line", "x0": 0, "x1": 1, "xref": "x domain", "y0": 0, "y1": 0}
    lost = level | {"type": "rect", "y1": _height(point.added), "layer": "below", "line": {"width": 0}}
    lost |= {"fillcolor": faint(look().output, 0.16)}  # as on the map: from exact attention up to the chosen pattern
    small, layout = _small(masks, point.name, names)
    layout["shapes"] += [lost, level | {"line": {"color": look().text, "width": 1.5, "dash": "dash"}}]
    layout["annotations"] += [
        {"x": 0, "xref": "x domain", "y": 0, "yanchor": "bottom", "xanchor": "left", "showarrow": False}
        | {"text": t("exact attention: all cells"), "font": {"size": 14}},
        *_said(point, names),
    ]
    return theme.figure(
        *lines,
        exact,
        _here(point),
        *small,
        height=560,
        showlegend=False,
        margin={"l": 26, "r": 8, "t": 4, "b": 8},  # what the axes take, or all is drawn once more
        xaxis={"type": "log", "range": [-0.12, np.log10(whole) + 0.12], "anchor": "y", "zeroline": False}
        | {"title": {"text": t("cells for each letter, mean"), "standoff": 6}}
        | {"tickvals": [*cells, whole], "ticktext": [*map(str, cells), t("all")]},
        yaxis={"domain": [_LOW + 0.17, 1.0], "range": [-0.05, 1.45], "zeroline": False}
        | {"title": {"text": t("letters"), "standoff": 4}}
        | {"tickvals": [_height(np.log(each) - record.exact) for each in marks]}
        | {"ticktext": [f"{each:.2g}" for each in marks]},
        **layout,
    )


def _height(added: float) -> float:
    """Return where an added loss is drawn: its cube root, which spreads small ones and has a place for 0."""
    return float(np.cbrt(added))


def _line(record: TaskRecord, name: str, names: Mapping[str, str], *, chosen: bool) -> dict[str, Any]:
    points = record.of(name)
    colour = look().query if chosen else look().key
    said = t("{seen} cells, {letters} letters").format(seen="%{x:.1f}", letters="%{customdata:.2f}")
    return {
        "type": "scatter",
        "name": names[name],
        "x": [each.cells for each in points],
        "y": [_height(each.added) for each in points],
        "customdata": [each.letters for each in points],
        "mode": "lines+markers",
        "line": {"color": colour if chosen else faint(look().muted, 0.55), "width": 3 if chosen else 1.2},
        "marker": {"color": colour, "size": 9 if chosen else 6},
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
    place: dict[str, Any] = {"x": float(np.log10(point.cells)), "y": _height(point.added)}
    side, across, up = ("right", 8, 48) if point.cells > 20 else ("left", -8, 22)
    place |= {"xanchor": side, "xshift": across, "yshift": up}
    said = t("{name}: {said}").format(name=theme.label(names[point.name], None), said=f"{point.letters:.2g}")
    text = f"<b>{said}</b>"
    return [
        place | {"text": text, "showarrow": False, "bgcolor": look().paper, "font": {"color": look().query, "size": 15}}
    ]


def _small(
    masks: Mapping[str, npt.NDArray[np.bool_]], chosen: str, names: Mapping[str, str]
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return a small map of each pattern in one picture, and over each a mark that hears a click."""
    masks = {name: mask[:_THUMB, :_THUMB] for name, mask in masks.items()}
    n, wide, tall = next(iter(masks.values())).shape[0], 1.7, 1.8
    rows = -(-len(masks) // _ACROSS)
    # 0 between the maps, 1 for a cell left out, 2 for one computed: a quarter of the bytes of floats with NaN.
    sheet = np.zeros((round(tall * n) * rows, round(wide * n) * _ACROSS), np.int8)
    boxes, texts, marks = [], [], []
    for place, (name, mask) in enumerate(masks.items()):
        down, across = divmod(place, _ACROSS)
        top, left = down * round(tall * n), across * round(wide * n) + round((wide - 1) * n / 2)
        sheet[top : top + n, left : left + n] = np.where(mask, 2, np.tri(n))
        middle = left + n / 2 - 0.5
        side = {
            "type": "rect",
            "xref": "x2",
            "yref": "y2",
            "x0": left - 1,
            "x1": left + n,
            "y0": top - 1,
            "y1": top + n,
        }
        ink = {"color": look().query, "width": 3} if name == chosen else {"color": look().line, "width": 1}
        boxes.append(side | {"line": ink})
        texts.append({"x": middle, "y": top + n + 1, "text": theme.label(names[name], None).replace("\u00a0", "<br>")})
        marks.append((middle, top + n / 2 - 0.5, name))
    places = {"xref": "x2", "yref": "y2", "showarrow": False, "yanchor": "top", "font": {"size": look().close(12)}}
    image = {"type": "heatmap", "z": sheet, "xaxis": "x2", "yaxis": "y2", "showscale": False, "hoverinfo": "skip"}
    image |= {"colorscale": [[0, "rgba(0,0,0,0)"], [0.5, look().board], [1, look().key]], "zmin": 0, "zmax": 2}
    x, y, of = zip(*marks, strict=True)
    said = [names[each] for each in of]
    ears: dict[str, Any] = {"type": "scatter", "x": x, "y": y, "customdata": of, "text": said, "name": ""}
    ears |= {"mode": "markers", "marker": {"size": 62, "opacity": 0, "symbol": "square"}, "xaxis": "x2", "yaxis": "y2"}
    ears["hovertemplate"] = "%{text}<extra></extra>"
    still = {"visible": False, "automargin": False, "fixedrange": True}
    axes = {
        "xaxis2": still | {"range": [-0.5, sheet.shape[1] - 0.5], "anchor": "y2", "domain": [0, 1]},
        "yaxis2": still | {"range": [sheet.shape[0] - 0.5, -2.5], "anchor": "x2", "domain": [0, _LOW]},
    }
    return [image, ears], axes | {"shapes": boxes, "annotations": [places | each for each in texts]}
