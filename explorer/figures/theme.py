"""Colours, scales and the shape that every figure shares."""

import html
import unicodedata
from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from explorer.records.wording import rests, token

#: Weights, 0…1. Safe for every common colour blindness; its zero is not one of the colours Streamlit replaces.
SEQUENTIAL = "Cividis"
#: One colour per series or head: Okabe and Ito (2008), and two more that stay apart in grey.
CATEGORICAL = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#7a6c00", "#8c8c8c")
#: Longest label drawn on an axis; hover and table keep the whole.
LABEL_CHARACTERS = 18


#: To look for labels that leave the figure takes Plotly a fifth of a page's time, and the margins leave none.
_AXIS = {"automargin": True, "ticklabeloverflow": "allow"}


#: The legend's place: the figure's upper edge. Above the chart, Plotly forgets to move it when it needs fewer rows.
LEGEND = {"orientation": "h", "yref": "container", "y": 1, "yanchor": "top", "x": 0}


def colour(index: int) -> str:
    """The colour of series or head number `index`; repeats after eight, where a legend must say more."""
    return CATEGORICAL[index % len(CATEGORICAL)]


def label(text: str, limit: int | None = LABEL_CHARACTERS) -> str:
    """A token as it may stand in a figure: markup shown rather than obeyed, invisible characters named, bounded."""
    return html.escape(visible(text, limit).replace(" ", "\u00a0"), quote=False) or "\u2205"


def visible(text: str, limit: int | None = None) -> str:
    """Invisible characters named, bounded; markup as it is."""
    named = "".join(f"⟨U+{ord(c):04X}⟩" if _invisible(c) else c for c in text)
    return named[: limit - 1] + "…" if limit is not None and len(named) > limit else named


def _invisible(letter: str) -> bool:
    """Say whether a character leaves no mark. The zero-width joiner holds emoji and Indic letters together."""
    return letter != "\u200d" and unicodedata.category(letter) in {"Cc", "Cf", "Zl", "Zp"}


def figure(*traces: Any, height: int = 420, **layout: Any) -> go.Figure:
    """A figure with our margins, ready for both themes.

    Args:
        traces: Plotly traces, or what makes them, with their `type`.
        height: in pixels.
        layout: further layout properties; they win.
    """
    base: dict[str, Any] = {
        "height": height,
        "margin": {"l": 8, "r": 8, "t": 36, "b": 8},
        "legend": LEGEND,
        "font": {"size": 14},
        "hoverlabel": {"font": {"size": 14}},
        "colorway": list(CATEGORICAL),
    }
    whole = base | layout
    for axis in {"xaxis", "yaxis", *(name for name in whole if name[1:5] == "axis")}:
        whole[axis] = _AXIS | whole.get(axis, {})
    # At once, because each update afterwards costs milliseconds; and unchecked, in half the time: Plotly checks a trace
    # when it is made, and the tests of the figures check the layout.
    return go.Figure([_made(trace) for trace in traces], layout=whole, _validate=False)


def _made(trace: Any) -> Any:
    """A trace as an object, which is complete and correct."""
    if not isinstance(trace, dict):
        return trace
    return getattr(go, trace["type"].capitalize())({name: value for name, value in trace.items() if name != "type"})


def axis_number(position: int) -> str:
    """Return Plotly's number for the axes of panel number `position`, from 0: x, x2, x3."""
    return "" if position == 0 else str(position + 1)


def heading(text: str, x: float, y: float, *, size: float = 13) -> dict[str, Any]:
    """An annotation: the title of a panel, above its upper left corner.

    Args:
        text: may hold Plotly's markup; what users wrote must have gone through `label`.
        x: of the corner, in shares of the figure.
        y: the same upwards.
    """
    position = {"x": x, "y": y, "xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "bottom"}
    return position | {"text": text, "align": "left", "showarrow": False, "font": {"size": size}}


#: Text of a figure on the page's dark and on its light background.
INKS = {True: "#dbe4ee", False: "#2b3746"}


def name_once(labels: Sequence[str], name: str) -> list[str]:
    """Write a name, such as that of padding, only where it begins: on narrow columns it would lie over itself."""
    return ["" if label == name == last else label for label, last in zip(labels, ("", *labels), strict=False)]


def token_axis(labels: tuple[str, ...], *, title: str = "", side: str | None = None) -> dict[str, Any]:
    """An integer axis whose ticks are tokens; equal ones stay apart, and those that are no words are slanted."""
    axis: dict[str, Any] = {
        "tickmode": "array",
        "tickvals": list(range(len(labels))),
        "ticktext": [f"<i>{label(token(text))}</i>" if rests(text) else label(text) for text in labels],
        "tickfont": {"size": 14 if len(labels) <= 24 else 11 if len(labels) <= 48 else 8},
        "title": {"text": title},
        "showgrid": False,
        "zeroline": False,
        "autotickangles": [0, -45, -90],  # labels that lean right are lost at the edge
    }
    return axis | ({"side": side} if side else {})
