"""The objects on the desk as shapes: paths in desk units about the middle of each object, y upwards."""

from typing import NamedTuple

INK = "rgb(22,32,44)"


class Outline(NamedTuple):
    """A filled or stroked outline."""

    path: str
    fill: str = "rgba(0,0,0,0)"
    stroke: str = INK
    width: float = 1.0


def _oval(x: float, y: float, across: float, up: float) -> str:
    """Return an ellipse of four curves."""
    a, b = 0.5523 * across, 0.5523 * up
    return (
        f"M{x - across:.3f},{y:.3f} C{x - across:.3f},{y + b:.3f} {x - a:.3f},{y + up:.3f} {x:.3f},{y + up:.3f} "
        f"C{x + a:.3f},{y + up:.3f} {x + across:.3f},{y + b:.3f} {x + across:.3f},{y:.3f} "
        f"C{x + across:.3f},{y - b:.3f} {x + a:.3f},{y - up:.3f} {x:.3f},{y - up:.3f} "
        f"C{x - a:.3f},{y - up:.3f} {x - across:.3f},{y - b:.3f} {x - across:.3f},{y:.3f} Z"
    )


def _box(left: float, bottom: float, right: float, top: float) -> str:
    return f"M{left},{bottom} L{left},{top} L{right},{top} L{right},{bottom} Z"


_RED, _PAPER, _GREEN, _GREY = "rgb(200,40,45)", "rgb(250,249,244)", "rgb(40,140,75)", "rgb(125,132,140)"
_LEAF = "M0,-.1 C-.75,.05 -.8,.55 -.75,.75 C-.3,.7 0,.4 0,-.1 Z"
DRAWINGS: dict[str, tuple[Outline, ...]] = {
    "cup": (
        Outline("M.38,.3 C.95,.35 .9,-.35 .33,-.3", stroke=_RED, width=5),
        Outline("M-.6,.45 L-.48,-.6 Q0,-.75 .36,-.6 L.45,.45 Z", _RED),
        Outline(_oval(-0.075, 0.45, 0.525, 0.15), "rgb(92,54,32)"),
    ),
    "newspaper": (
        Outline(_box(-0.75, -0.7, 0.75, 0.7), _PAPER),
        Outline("M-.6,.48 L.6,.48", stroke=INK, width=5),
        Outline(_box(-0.6, -0.1, -0.02, 0.28), _GREY, _GREY),
        *(Outline(f"M.1,{y} L.6,{y}", stroke=_GREY, width=2) for y in (0.25, 0.08, -0.09)),
        *(Outline(f"M-.6,{y} L.6,{y}", stroke=_GREY, width=2) for y in (-0.27, -0.43, -0.58)),
    ),
    "plant": (
        Outline(_LEAF, _GREEN),
        Outline("M0,-.1 C.75,.05 .8,.55 .75,.75 C.3,.7 0,.4 0,-.1 Z", _GREEN),
        Outline("M0,-.1 C-.35,.4 -.2,.75 0,.95 C.2,.75 .35,.4 0,-.1 Z", "rgb(60,165,95)"),
        Outline("M-.45,-.1 L.45,-.1 L.32,-.75 L-.32,-.75 Z", "rgb(176,104,62)"),
    ),
    "phone": (
        Outline(_box(-0.42, -0.75, 0.42, 0.75), "rgb(45,52,62)"),
        Outline(_box(-0.34, -0.52, 0.34, 0.6), "rgb(160,215,245)"),
        *(Outline(f"M-.24,{y} L{x},{y}", stroke=INK, width=2) for y, x in ((0.35, 0.24), (0.15, 0.1), (-0.05, 0.2))),
        Outline("M.58,.35 Q.75,.55 .58,.8", stroke=INK, width=2),
        Outline("M.75,.25 Q1,.58 .75,.92", stroke=INK, width=2),
        Outline(_oval(0.0, -0.64, 0.06, 0.06), _GREY, _GREY),
    ),
    "cat": (
        Outline("M.55,-.45 C1.05,-.35 .95,.3 .7,.35", stroke="rgb(140,110,80)", width=6),
        Outline(_oval(0.12, -0.32, 0.6, 0.4), "rgb(190,155,115)"),
        Outline("M-.75,.35 L-.72,.78 L-.45,.55 Z", "rgb(190,155,115)"),
        Outline("M-.08,.35 L-.1,.78 L-.38,.55 Z", "rgb(190,155,115)"),
        Outline(_oval(-0.42, 0.27, 0.38, 0.33), "rgb(190,155,115)"),
        Outline(_oval(-0.55, 0.32, 0.05, 0.07), INK),
        Outline(_oval(-0.28, 0.32, 0.05, 0.07), INK),
        Outline("M-.5,.15 Q-.42,.07 -.34,.15", stroke=INK, width=1.5),
    ),
    "book": (
        Outline("M-.55,-.75 L.65,-.75 L.65,.62 L-.55,.62 Z", _PAPER),
        Outline("M-.65,-.65 L.55,-.65 L.55,.75 L-.65,.75 Z", "rgb(184,58,60)"),
        Outline("M-.52,-.65 L-.52,.75", stroke="rgb(120,30,32)", width=3),
        Outline("M-.3,.42 L.35,.42", stroke="rgb(250,225,150)", width=4),
        Outline("M-.2,.2 L.25,.2", stroke="rgb(250,225,150)", width=2),
    ),
    "pen": (
        Outline("M-.85,-.42 L-.62,-.5 L.78,.38 L.68,.55 L-.7,-.36 Z", "rgb(0,95,170)"),
        Outline("M-.85,-.42 L-.62,-.5 L-.7,-.36 Z", "rgb(225,195,120)"),
        Outline("M.5,.32 L.05,.03", stroke="rgb(160,200,235)", width=3),
    ),
    "water": (
        Outline("M-.45,.7 L-.34,-.7 L.34,-.7 L.45,.7 Z", "rgba(255,255,255,0.75)"),
        Outline("M-.41,.3 L-.34,-.7 L.34,-.7 L.41,.3 Z", "rgba(120,190,225,0.85)"),
        Outline(_oval(0.0, 0.3, 0.41, 0.08), "rgb(170,215,240)"),
    ),
}
