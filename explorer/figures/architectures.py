"""Curves for page 08: costs by formula, measured time, measured memory."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import theme
from explorer.records import Translate, english
from explorer.records.architectures import DRAWN, NAMES, CostCurves
from explorer.records.timing import Crossing, Floats, TimingRecord

#: One colour for each of `DRAWN`, and a shape, so that they stay apart in grey.
COLOURS = dict(zip(DRAWN, (theme.CATEGORICAL[i] for i in (1, 6, 2, 0)), strict=True))
SHAPES = dict(zip(DRAWN, ("square", "diamond", "triangle-up", "circle"), strict=True))
#: Bytes of a number in float32.
FLOAT = 4
_LOG = {"type": "log", "exponentformat": "power", "dtick": 1}


def quantities(t: Translate = english) -> dict[str, str]:
    """The costs that are drawn along n or d, with their units."""
    return {
        "operations": t("multiply-adds per layer"),
        "peak": t("activations at once (MiB)"),
        "sequential": t("operations that must wait in line"),
        "longest_path": t("longest path (steps)"),
    }


def costs(curves: CostCurves, *, names: Mapping[str, str], t: Translate = english) -> go.Figure:
    """Operations, memory, sequential operations and longest path of each architecture, on logarithmic scales.

    Args:
        curves: the costs along an axis; the reader's value on it is marked.
        names: of the architectures, in the reader's language.
        t: the reader's language.
    """
    traces, layout = [], _grid(list(quantities(t).values()), curves, t)
    for place, quantity in enumerate(quantities(t)):
        for name in DRAWN:
            if name == "dilated" and quantity != "longest_path":
                continue
            values = curves.along(quantity, name) * (FLOAT / 2**20 if quantity == "peak" else 1)
            line = _line(curves.values, values, name, names, f"{curves.axis} = %{{x}}: %{{y:,.4g}}")
            traces.append(
                line
                | {"xaxis": f"x{_axis(place)}", "yaxis": f"y{_axis(place)}", "legendgroup": name}
                | {"showlegend": place == 0 or name == "dilated"}
            )
    return theme.figure(*traces, height=620, **layout)


def time(
    record: TimingRecord | None,
    curves: CostCurves,
    *,
    crossings: Mapping[str, Crossing | None],
    equal: Mapping[str, float | None],
    names: Mapping[str, str],
    t: Translate = english,
) -> go.Figure:
    """Forward times with their spread, beside the counts scaled to meet each curve at its largest size.

    Args:
        record: what is measured so far; None, or nothing in it, draws the counts alone.
        curves: the counts at the same sizes.
        crossings: where the measured curve of self-attention crosses another's, by that one's name.
        equal: where the counts say so.
        names: of the architectures, in the reader's language.
        t: the reader's language.
    """
    if record is None or not record.rounds.any():
        said = f"{curves.axis} = %{{x}}: %{{y:,.4g}}"
        bare = [_line(curves.values, curves.along("operations", name), name, names, said) for name in NAMES]
        return theme.figure(
            *bare, *_marks({}, equal, curves, names, t), **_single(curves, t("multiply-adds per layer"))
        )
    traces: list[Any] = []
    for row, name in enumerate(record.names):
        traces += _timed(record, row, curves, names[name], t)
    return theme.figure(
        *traces,
        *_marks(crossings, equal, curves, names, t),
        **_single(curves, t("time of a forward pass (ms)")),
    )


def _timed(record: TimingRecord, row: int, curves: CostCurves, title: str, t: Translate) -> list[dict[str, Any]]:
    """Median and quartiles of one layer, and its count as a dotted line through the last point."""
    name, median = record.names[row], 1e3 * record.median[row]
    low, high = (1e3 * record.quantile(share)[row] for share in (0.25, 0.75))
    there = np.isfinite(median)
    if not there.any():
        return []
    x = curves.values[there]
    said = f"{curves.axis} = %{{x}}: %{{y:.4g}} ms (%{{customdata[0]:.4g}}–%{{customdata[1]:.4g}})"
    points = _line(x, median[there], name, {name: title}, said) | {
        "customdata": np.stack([low, high], -1)[there],
        "error_y": {
            "array": (high - median)[there],
            "arrayminus": (median - low)[there],
            "thickness": 1.5,
            "width": 4,
        },
    }
    count = curves.along("operations", name)
    scaled = count * (median[there][-1] / count[there][-1])
    dotted = _line(curves.values, scaled, name, {name: title}, t("as the count grows") + ": %{y:.4g} ms")
    dotted |= {"mode": "lines", "showlegend": False, "opacity": 0.6}
    dotted["line"] = dotted["line"] | {"dash": "dot", "width": 1.5}
    return [dotted, points]


def _marks(
    crossings: Mapping[str, Crossing | None],
    equal: Mapping[str, float | None],
    curves: CostCurves,
    names: Mapping[str, str],
    t: Translate,
) -> list[dict[str, Any]]:
    """Where curves cross: stars where they were measured to, hollow stars where the counts say so."""
    marks = []
    for name, found in crossings.items():
        if found is not None:
            title = t("measured: as fast as {name}").format(name=names[name])
            marks.append(_star(found.at, 1e3 * found.value, name, "star", title, curves.axis))
    if crossings:
        return marks
    for name, at in equal.items():
        if at is not None and curves.values[0] <= at <= curves.values[-1]:
            level = np.exp(np.interp(np.log(at), np.log(curves.values), np.log(curves.along("operations", name))))
            title = t("counted: as many as {name}").format(name=names[name])
            marks.append(_star(at, float(level), name, "star-open", title, curves.axis))
    return marks


def _star(x: float, y: float, name: str, symbol: str, title: str, axis: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "x": np.array([x]),
        "y": np.array([y]),
        "mode": "markers",
        "name": title,
        "marker": {"symbol": symbol, "size": 17, "color": COLOURS[name], "line": {"width": 1.5, "color": "#8c8c8c"}},
        "hovertemplate": f"{theme.label(title, None)}: {axis} ≈ %{{x:.4g}}<extra></extra>",
    }


def memory(
    record: TimingRecord | None, curves: CostCurves, *, names: Mapping[str, str], t: Translate = english
) -> go.Figure:
    """Bytes alive at once: lines by formula, and points where they were measured.

    Args:
        record: what is measured so far, or None.
        curves: the formulas at the same sizes, in numbers.
        names: of the architectures, in the reader's language.
        t: the reader's language.
    """
    width = FLOAT if record is None or record.provenance.dtype == "float32" else FLOAT // 2
    said, traces = f"{curves.axis} = %{{x}}: %{{y:.4g}} MiB", []
    for name in NAMES:
        line = _line(curves.values, curves.along("peak", name) * width / 2**20, name, names, said)
        traces.append(line | {"mode": "lines"})
    traces.append(
        _line(curves.values, curves.along("matrix", "attention") * width / 2**20, "attention", names, said)
        | {"mode": "lines", "name": t("one attention matrix, all heads"), "line": {"dash": "dash", "width": 1.5}}
    )
    for row, name in enumerate(record.names if record is not None else ()):
        there = np.isfinite(record.peak_bytes[row]) if record is not None else np.zeros(0, bool)
        if record is not None and there.any():
            points = _line(curves.values[there], record.peak_bytes[row, there] / 2**20, name, names, said)
            title = t("{name}, measured").format(name=names[name])
            traces.append(points | {"mode": "markers", "name": title, "showlegend": False})
    return theme.figure(*traces, **_single(curves, t("activations at once (MiB)")))


def _line(x: Any, y: Floats, name: str, names: Mapping[str, str], said: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "x": x,
        "y": y,
        "name": names[name],
        "mode": "lines+markers",
        "line": {"color": COLOURS[name], "width": 2.5},
        "marker": {"symbol": SHAPES[name], "size": 8, "color": COLOURS[name]},
        "hovertemplate": f"{theme.label(names[name], None)}, {said}<extra></extra>",
    }


def _size_axis(curves: CostCurves) -> dict[str, Any]:
    """Sizes are powers of two; every second one is written."""
    ticks = curves.values[::2]
    return {"type": "log", "tickvals": ticks, "ticktext": [f"{tick}" for tick in ticks], "tickangle": 0}


def _reader(curves: CostCurves, place: int) -> dict[str, Any]:
    """A dotted line at the reader's size."""
    ends = {"x0": curves.at, "x1": curves.at, "y0": 0, "y1": 1, "xref": f"x{_axis(place)}"}
    return {
        "type": "line",
        "yref": f"y{_axis(place)} domain",
        "line": {"dash": "dot", "width": 1.5, "color": "#8c8c8c"},
        **ends,
    }


def _single(curves: CostCurves, title: str) -> dict[str, Any]:
    """Layout of one panel."""
    return {
        "height": 480,
        "xaxis": _size_axis(curves) | {"title": {"text": curves.axis}},
        "yaxis": _LOG | {"title": {"text": title}},
        "shapes": [_reader(curves, 0)],
        "margin": {"l": 8, "r": 8, "t": 92, "b": 8},
    }


def _axis(place: int) -> str:
    """How Plotly numbers the axes of subplot number `place`, from 0."""
    return "" if place == 0 else str(place + 1)


def _grid(titles: list[str], curves: CostCurves, t: Translate) -> dict[str, Any]:
    """Four panels, two by two, each with its title above."""
    layout: dict[str, Any] = {"annotations": [], "margin": {"l": 8, "r": 8, "t": 92, "b": 8}}
    for place, title in enumerate(titles):
        row, column = divmod(place, 2)
        across, upwards = [0.54 * column, 0.46 + 0.54 * column], [0.54 * (1 - row), 0.54 * (1 - row) + 0.42]
        layout[f"xaxis{_axis(place)}"] = _size_axis(curves) | {
            "domain": across,
            "anchor": f"y{_axis(place)}",
            "title": {"text": curves.axis if row else ""},
        }
        layout[f"yaxis{_axis(place)}"] = _LOG | {"domain": upwards, "anchor": f"x{_axis(place)}"}
        layout["annotations"].append(
            {
                "text": theme.label(title, None),
                "x": across[0],
                "y": upwards[1] + 0.01,
                "xref": "paper",
                "yref": "paper",
                "xanchor": "left",
                "yanchor": "bottom",
                "showarrow": False,
                "font": {"size": 13},
            }
        )
    layout["shapes"] = [_reader(curves, place) for place in range(len(titles))]
    layout["legend"] = {"orientation": "h", "y": 1.05, "yanchor": "bottom", "x": 0}
    return layout
