"""Curves for “Architectures compared”: what each architecture costs by formula."""

from collections.abc import Mapping
from typing import Any

from explorer.figures import theme
from explorer.figures.look import look
from explorer.records.architectures import DRAWN, CostCurves
from explorer.records.arrays import Floats
from explorer.records.language import t

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
LOG = {"type": "log", "tickformat": "~g", "dtick": 1}


def quantities() -> dict[str, str]:
    """Return the costs that are drawn along n or d, with their units."""
    return {
        "operations": t("multiply-adds"),
        "peak": t("activations (MiB)"),
        "sequential": t("steps in sequence"),
        "longest_path": t("longest path (steps)"),
    }


def ink(name: str) -> str:
    """Return the colour of an architecture."""
    return _INKS[name][look().dark]


def curve(x: Any, y: Floats, name: str, names: Mapping[str, str], said: str) -> dict[str, Any]:
    """Return one architecture's curve; hover says its name and `said`."""
    return {
        "type": "scatter",
        "x": x,
        "y": y,
        "name": names[name],
        "mode": "lines+markers",
        "line": {"color": ink(name), "width": WIDTHS[name]},
        "marker": {"symbol": SHAPES[name], "size": 8, "color": ink(name)},
        "hovertemplate": f"{theme.label(names[name], None)}, {said}<extra></extra>",
    }


def size_axis(curves: CostCurves) -> dict[str, Any]:
    """Return an axis of sizes; they are powers of two, and every second one is written."""
    ticks = curves.values[::2]
    return {"type": "log", "tickvals": ticks, "ticktext": [f"{tick}" for tick in ticks], "tickangle": 0}


def reader(curves: CostCurves) -> dict[str, Any]:
    """Return a line at the reader's size."""
    ends = {"x0": curves.at, "x1": curves.at, "y0": 0, "y1": 1, "yref": "y domain"}
    return {"type": "line", "line": {"width": 2, "color": look().query}, **ends}
