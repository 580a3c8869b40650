"""Shapes of a flow between two columns: ribbons as wide as what they carry, and boxes."""

from typing import Any

#: Lower and upper end on an axis.
Span = tuple[float, float]


def band(left: float, from_: Span, right: float, to: Span, fill: str) -> dict[str, Any]:
    """Draw a ribbon with upright ends that bends between two heights."""
    bend = (left + right) / 2
    (top, bottom), (over, under) = from_, to
    path = (
        f"M{left},{top} C{bend},{top} {bend},{over} {right},{over} L{right},{under} "
        f"C{bend},{under} {bend},{bottom} {left},{bottom} Z"
    )
    return {"type": "path", "path": path, "fillcolor": fill, "line": {"width": 0.5, "color": fill}, "layer": "below"}


def box(across: Span, up: Span, fill: str, line: str) -> dict[str, Any]:
    """Draw a framed rectangle."""
    corners = {"type": "rect", "x0": across[0], "x1": across[1], "y0": up[0], "y1": up[1], "layer": "below"}
    return corners | {"fillcolor": fill, "line": {"color": line, "width": 2}}
