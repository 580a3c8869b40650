"""For “Architectures compared”: measured times beside the counts, as curves and at one size."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import theme
from explorer.figures.ends import End, write_names
from explorer.figures.look import look
from explorer.lessons.architectures.figures.costs import LOG, curve, ink, reader, size_axis
from explorer.records.architectures import CostCurves
from explorer.records.arrays import Floats
from explorer.records.language import t
from explorer.records.timing import Crossing, TimingRecord

#: Marks of a scale that covers a decade or two: 0.1, 0.2, 0.5, 1, …
_TICKS = [mantissa * 10.0**power for power in range(-2, 5) for mantissa in (1, 2, 5)]

#: Decades between the names of two curves.
_APART = 0.3


def time(
    record: TimingRecord,
    curves: CostCurves,
    *,
    crossings: Mapping[str, Crossing | None],
    equal: Mapping[str, float | None],
    names: Mapping[str, str],
) -> go.Figure:
    """Draw forward times with their spread, beside the counts scaled to meet each curve at its largest size.

    `crossings` says where the measured curves cross, `equal` where the counts say so: both by the other one's name.
    """
    traces: list[Any] = []
    ends = []
    for row, name in enumerate(record.names):
        traces += _timed(record, row, curves, names[name])
        if np.isfinite(record.median[row]).any():
            ends.append(End(float(np.log10(traces[-1]["y"][-1])), names[name], ink(name)))
    layout = _single(curves, t("time (ms)"))
    layout["annotations"] = write_names(ends, float(np.log10(curves.values[-1])) - 0.03, _APART)
    return theme.figure(
        *traces,
        *_marks(crossings, equal, dict(zip(record.names, 1e3 * record.median, strict=True)), curves, names),
        **layout | {"showlegend": False, "margin": layout["margin"] | {"t": 24}},
    )


def here(record: TimingRecord, curves: CostCurves, position: int, *, names: Mapping[str, str]) -> go.Figure:
    """Draw what each layer is counted to need at a size, by its number, and below it the time it took, if known."""
    panels = (
        (
            t("counted: million multiply-adds"),
            [curves.along("operations", name)[position] / 1e6 for name in record.names],
        ),
        (t("measured: milliseconds"), (1e3 * record.median[:, position]).tolist()),
    )
    layout: dict[str, Any] = {"annotations": []}
    traces = []
    for number, ((title, values), domain) in enumerate(zip(panels, ((0.56, 0.94), (0.0, 0.38)), strict=True)):
        axis = theme.axis_number(number)
        traces.append(
            go.Bar(
                x=[value if np.isfinite(value) else 0.0 for value in values],
                y=[theme.label(names[name], None) for name in record.names],
                orientation="h",
                marker={"color": [ink(name) for name in record.names]},
                text=[f"{value:.3g}" if np.isfinite(value) else "?" for value in values],
                textposition="outside",
                textfont={"size": 16},
                cliponaxis=False,
                hovertemplate="%{y}: %{x:.4g}<extra></extra>",
                xaxis=f"x{axis}",
                yaxis=f"y{axis}",
            )
        )
        most = max((value for value in values if np.isfinite(value)), default=1.0)
        layout[f"xaxis{axis}"] = {"anchor": f"y{axis}", "range": (0, 1.25 * most), "visible": False}
        layout[f"yaxis{axis}"] = {"anchor": f"x{axis}", "domain": domain, "autorange": "reversed"}
        layout["annotations"].append(theme.heading(title, 0.0, domain[1], size=look().close(14)))
    margin = {"l": 8, "r": 8, "t": 8, "b": 8}
    return theme.figure(*traces, height=430, showlegend=False, bargap=0.3, margin=margin, **layout)


def _timed(record: TimingRecord, row: int, curves: CostCurves, title: str) -> list[dict[str, Any]]:
    """Return the median and quartiles of one layer, and its count as a dotted line through the last point."""
    name, median = record.names[row], 1e3 * record.median[row]
    low, high = (1e3 * record.quantile(share)[row] for share in (0.25, 0.75))
    there = np.isfinite(median)
    if not there.any():
        return []
    x = curves.values[there]
    said = f"{curves.axis} = %{{x}}: %{{y:.4g}} ms (%{{customdata[0]:.4g}}–%{{customdata[1]:.4g}})"
    points = curve(x, median[there], name, {name: title}, said) | {
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
    dotted = curve(curves.values, scaled, name, {name: title}, t("as the count grows") + ": %{y:.4g} ms")
    dotted |= {"mode": "lines", "showlegend": False, "opacity": 0.6}
    dotted["line"] = dotted["line"] | {"dash": "dot", "width": 1.5}
    return [dotted, points]


def _marks(
    crossings: Mapping[str, Crossing | None],
    equal: Mapping[str, float | None],
    levels: Mapping[str, Floats],
    curves: CostCurves,
    names: Mapping[str, str],
) -> list[dict[str, Any]]:
    """Mark where curves cross: stars where measured, hollow ones on the other curve where the counts say so."""
    marks = []
    for name, found in crossings.items():
        if found is not None:
            title = t("measured: as fast as {name}").format(name=names[name])
            marks.append(_star(found.at, 1e3 * found.value, name, "star", title, curves.axis))
    for name, at in equal.items():
        level = None if at is None else _height(at, curves.values.astype(float), levels[name])
        if at is not None and level is not None:
            title = t("counted: as much as {name}").format(name=names[name])
            marks.append(_star(at, level, name, "star-open", title, curves.axis))
    return marks


def _height(at: float, sizes: Floats, levels: Floats) -> float | None:
    """Return a curve's value between two of its points; None outside of them."""
    there = np.isfinite(levels)
    if not there.any() or not sizes[there][0] <= at <= sizes[there][-1]:
        return None
    return float(np.exp(np.interp(np.log(at), np.log(sizes[there]), np.log(levels[there]))))


def _star(x: float, y: float, name: str, symbol: str, title: str, axis: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "x": np.array([x]),
        "y": np.array([y]),
        "mode": "markers",
        "name": title,
        "showlegend": False,
        "marker": {"symbol": symbol, "size": 17, "color": ink(name), "line": {"width": 1.5, "color": look().text}},
        "hovertemplate": f"{theme.label(title, None)}: {axis} ≈ %{{x:.4g}}<extra></extra>",
    }


def speed(record: TimingRecord, curves: CostCurves, *, names: Mapping[str, str]) -> go.Figure:
    """Draw how many multiply-adds a second each architecture does at each size."""
    said = f"{curves.axis} = %{{x}}: %{{y:.4g}}"
    found = zip(record.names, record.median, strict=True)
    lines = [
        curve(curves.values, curves.along("operations", name) / median / 1e9, name, names, said)
        for name, median in found
    ]
    layout = _single(curves, t("billion multiply-adds a second"))
    return theme.figure(*lines, **layout | {"yaxis": layout["yaxis"] | {"tickmode": "array", "tickvals": _TICKS}})


def _single(curves: CostCurves, title: str) -> dict[str, Any]:
    """Return the layout of one panel."""
    return {
        "height": 480,
        "xaxis": size_axis(curves) | {"title": {"text": curves.axis}},
        "yaxis": LOG | {"title": {"text": title, "standoff": 12}},
        "shapes": [reader(curves)],
        # As much as axes and two rows of the legend take: where Plotly must make room it draws everything once more.
        "margin": {"l": 70, "r": 8, "t": 64, "b": 50},
    }
