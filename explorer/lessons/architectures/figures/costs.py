"""Curves for “Architectures compared”: what each architecture costs by formula."""

from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from explorer.figures import theme
from explorer.figures.look import LIGHT, Look, faint
from explorer.records import Translate, english
from explorer.records.architectures import DRAWN, Cost, CostCurves
from explorer.records.timing import Floats
from explorer.records.wording import FLOAT, large, said_size

#: Colours on light and on dark paper, and a shape, so that they stay apart in grey.
_INKS = dict(
    zip(
        DRAWN,
        (("#5470d3", "#79a7ff"), ("#8a6d00", "#d9b84a"), ("#0b7f82", "#3fc1c4"), ("#bf4200", "#f88e36")),
        strict=True,
    )
)
SHAPES = dict(zip(DRAWN, ("square", "diamond", "triangle-up", "circle"), strict=True))
#: Broad beneath narrow: curves that coincide stay visible.
WIDTHS = dict(zip(DRAWN, (6.0, 4.5, 3.5, 2.0), strict=True))
LOG = {"type": "log", "exponentformat": "power", "dtick": 1}


def quantities(t: Translate = english) -> dict[str, str]:
    """Return the costs that are drawn along n or d, with their units."""
    return {
        "operations": t("multiply-adds"),
        "peak": t("activations (MiB)"),
        "sequential": t("steps in sequence"),
        "longest_path": t("longest path (steps)"),
    }


def ink(name: str, look: Look) -> str:
    """Return the colour of an architecture."""
    return _INKS[name][look.dark]


def costs(
    curves: CostCurves, quantity: str, *, names: Mapping[str, str], look: Look = LIGHT, t: Translate = english
) -> go.Figure:
    """Draw one cost of each architecture on logarithmic scales; operations that compare pairs are filled."""
    traces: list[dict[str, Any]] = []
    unit = FLOAT / 2**20 if quantity == "peak" else 1.0
    if quantity == "operations":
        whole = curves.along("operations", "attention")
        alone = whole - curves.along("compared", "attention")
        quiet = {"type": "scatter", "x": curves.values, "mode": "lines", "line": {"width": 0}, "showlegend": False}
        quiet |= {"hoverinfo": "skip"}
        traces += [
            quiet | {"y": alone},
            quiet | {"y": whole, "fill": "tonexty", "fillcolor": faint(ink("attention", look), 0.16)},
        ]
    for name in DRAWN:
        if name != "dilated" or quantity == "longest_path":
            values = curves.along(quantity, name) * unit
            traces.append(curve(curves.values, values, name, names, f"{curves.axis} = %{{x}}: %{{y:,.4g}}", look))
    return theme.figure(
        *traces,
        height=560,
        xaxis=size_axis(curves) | {"title": {"text": curves.axis, "standoff": 4}},
        yaxis=LOG | {"title": {"text": quantities(t)[quantity]}},
        shapes=[reader(curves, look)],
        margin={"l": 8, "r": 8, "t": 40, "b": 4},
    )


def bars(
    costs: Sequence[Cost], quantity: str, *, names: Mapping[str, str], look: Look = LIGHT, t: Translate = english
) -> go.Figure:
    """Draw one cost of each architecture as a bar on a plain scale; of self-attention's operations both parts."""
    shown = [each for each in reversed(costs) if each.name != "dilated" or quantity == "longest_path"]
    values = [float(getattr(each, quantity)) for each in shown]
    parts = [values]
    if quantity == "operations":
        compared = [float(each.compared) for each in shown]
        parts = [[whole - part for whole, part in zip(values, compared, strict=True)], compared]
    said = {"operations": lambda value: large(value, t), "peak": lambda value: said_size(FLOAT * value)}
    text = [f"<b>{said.get(quantity, lambda each: f'{each:,.0f}')(value)}</b>" for value in values]
    traces = []
    for place, part in enumerate(parts):
        inks = [
            faint(ink(each.name, look), 0.5 if len(parts) > 1 and not place and each.name == "attention" else 1)
            for each in shown
        ]
        bar = {"type": "bar", "orientation": "h", "x": part, "y": list(range(len(shown))), "marker": {"color": inks}}
        name = quantities(t)[quantity] if not place else t("comparing pairs")
        traces.append(bar | {"name": name, "hovertemplate": f"{name}: %{{x:,.4g}}<extra></extra>"})
    plain = {"size": 15 / look.zoom}  # the bars have no more room on a projector
    notes = [
        {"x": value, "y": place, "text": text[place], "xanchor": "left", "xshift": 5, "showarrow": False, "font": plain}
        for place, value in enumerate(values)
    ]
    return theme.figure(
        *traces,
        height=560,
        barmode="stack",
        bargap=0.25,
        showlegend=False,
        annotations=notes,
        xaxis={"visible": False, "range": [0, 1.9 * max(values)]},
        yaxis={"tickvals": list(range(len(shown))), "ticktext": [names[each.name] for each in shown]}
        | {"autorange": "reversed", "showgrid": False, "tickfont": plain},
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
    )


def curve(x: Any, y: Floats, name: str, names: Mapping[str, str], said: str, look: Look) -> dict[str, Any]:
    """Return one architecture's curve; hover says its name and `said`."""
    return {
        "type": "scatter",
        "x": x,
        "y": y,
        "name": names[name],
        "mode": "lines+markers",
        "line": {"color": ink(name, look), "width": WIDTHS[name]},
        "marker": {"symbol": SHAPES[name], "size": 8, "color": ink(name, look)},
        "hovertemplate": f"{theme.label(names[name], None)}, {said}<extra></extra>",
    }


def size_axis(curves: CostCurves) -> dict[str, Any]:
    """Return an axis of sizes; they are powers of two, and every second one is written."""
    ticks = curves.values[::2]
    return {"type": "log", "tickvals": ticks, "ticktext": [f"{tick}" for tick in ticks], "tickangle": 0}


def reader(curves: CostCurves, look: Look) -> dict[str, Any]:
    """Return a line at the reader's size."""
    ends = {"x0": curves.at, "x1": curves.at, "y0": 0, "y1": 1, "yref": "y domain"}
    return {"type": "line", "line": {"width": 2, "color": look.query}, **ends}
