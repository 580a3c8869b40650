"""Wiring of a recurrent decoder with attention: which state asks, and where the context enters."""

import re
import unicodedata
from typing import Any

import plotly.graph_objects as go

from explorer.figures import ribbon, theme
from explorer.figures.look import LIGHT, Look
from explorer.records import Translate, english

#: Centre of each box, and half of its sides.
SIZE = (0.105, 0.075)
#: Columns of a line in a box, which is narrow on a phone; a Chinese character takes two.
WIDE = 10
PLACES = {
    "before": (0.11, 0.72),
    "cell": (0.44, 0.72),
    "after": (0.76, 0.72),
    "score": (0.25, 0.4),
    "states": (0.25, 0.1),
    "context": (0.57, 0.4),
    "next": (0.89, 0.4),
    "last": (0.44, 0.95),
    "seen": (0.11, 0.95),
}


def wiring(
    query: str,
    context: str,
    *,
    look: Look = LIGHT,
    t: Translate = english,
) -> go.Figure:
    """Draw one step as boxes and arrows, in the direction in which it is computed.

    Args:
        query: which state asks: that before the step, or that after it.
        context: where the context enters: into the cell, beside its new state, or there and into the next step's cell.
    """
    names = {
        "before": (t("state before"), look.query if query == "before" else look.text),
        "cell": (t("cell"), look.text),
        "after": (t("state after"), look.query if query == "after" else look.text),
        "score": (t("scores, softmax"), look.key),
        "states": (t("states of the source"), look.value),
        "context": (t("context"), look.output),
        "next": (t("the next word"), look.text),
        "last": (t("last word written"), look.muted),
    }
    if context == "next":
        names["seen"] = (t("context before"), look.output)
    always = [("before", "cell"), ("cell", "after"), ("last", "cell"), ("states", "score"), ("score", "context")]
    asked = (query, "score")
    entered = {
        "input": [("context", "cell")],
        "output": [("context", "next")],
        "next": [("context", "next"), ("seen", "cell")],
    }[context]
    arrows = [_arrow(*pair, look.muted, 2) for pair in [*always, ("after", "next")]]
    arrows += [_arrow(*asked, look.query, 4), *(_arrow(*pair, look.output, 4) for pair in entered)]
    return theme.figure(
        _words(names),
        height=460,
        shapes=[_box(name, ink, look) for name, (_, ink) in names.items()],
        annotations=arrows,
        showlegend=False,
        margin={"l": 2, "r": 2, "t": 2, "b": 2},
        xaxis={"visible": False, "range": [0, 1]},
        yaxis={"visible": False, "range": [1.04, 0]},
    )


def _box(name: str, ink: str, look: Look) -> dict[str, Any]:
    (x, y), (half, tall) = PLACES[name], SIZE
    return ribbon.box((x - half, x + half), (y - tall, y + tall), look.board, ink)


def _arrow(start: str, end: str, ink: str, width: float) -> dict[str, Any]:
    """Draw an arrow from the edge of one box to the edge of another."""
    (x0, y0), (x1, y1) = _edge(PLACES[start], PLACES[end]), _edge(PLACES[end], PLACES[start])
    head = {"showarrow": True, "arrowhead": 2, "arrowsize": 0.8, "arrowwidth": width, "arrowcolor": ink, "text": ""}
    return head | {"x": x1, "y": y1, "ax": x0, "ay": y0, "xref": "x", "yref": "y", "axref": "x", "ayref": "y"}


def _edge(of: tuple[float, float], towards: tuple[float, float]) -> tuple[float, float]:
    """Return where the line between two centres leaves the first box."""
    across, down = towards[0] - of[0], towards[1] - of[1]
    share = min(half / abs(way) for half, way in zip(SIZE, (across, down), strict=True) if way)
    return of[0] + share * across, of[1] + share * down


def _words(names: dict[str, tuple[str, str]]) -> go.Scatter:
    places = [PLACES[name] for name in names]
    return go.Scatter(
        x=[x for x, _ in places],
        y=[y for _, y in places],
        mode="text",
        text=["<br>".join(lines(word)) for word, _ in names.values()],
        textfont={"size": 18, "color": [ink for _, ink in names.values()]},
        hoverinfo="skip",
    )


def lines(name: str) -> list[str]:
    """Cut a name into lines of at most `WIDE` columns: between words, and between any two Chinese characters."""
    cut = [""]
    for part in re.findall(r"[!-~]+ ?|.", name):
        if _columns(cut[-1]) + _columns(part.rstrip()) > WIDE and cut[-1]:
            cut.append("")
        cut[-1] += part
    return [line.rstrip() for line in cut]


def _columns(text: str) -> int:
    return sum(1 + (unicodedata.east_asian_width(character) in "WF") for character in text)
