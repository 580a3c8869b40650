"""Wiring of a recurrent decoder with attention: which state asks, where the context enters, and what is read off."""

import re
import unicodedata
from typing import Any

import plotly.graph_objects as go

from explorer.figures import ribbon, theme
from explorer.figures.look import look
from explorer.lessons.seq2seq_attention.records import Wiring
from explorer.records.language import t

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
#: Ways with corners: the new state is the next step's old one; the last word speaks once more.
LOOP = ((0.76, 0.795), (0.76, 0.836), (0.11, 0.836), (0.11, 0.8))
WORD = ((0.545, 0.95), (0.94, 0.95), (0.94, 0.48))


def wiring(wired: Wiring, *, size: int = 18) -> go.Figure:
    """Draw one step as boxes and arrows, in the direction in which it is computed, and how it leads to the next.

    Args:
        wired: which arrows there are.
        size: of the type; a narrow picture needs a smaller one.
    """
    query = wired.query
    names = {
        "before": (t("state before"), look().query if query == "before" else look().text),
        "cell": (t("cell"), look().text),
        "after": (t("state after"), look().query if query == "after" else look().text),
        "score": (t("scores, softmax"), look().key),
        "states": (t("states of the source"), look().value),
        "context": (t("context"), look().output),
        "next": (t("the next word"), look().text),
        "last": (t("last word written"), look().muted),
    }
    if wired.context == "next":
        names["seen"] = (t("context before"), look().output)
    always = [("before", "cell"), ("cell", "after"), ("last", "cell"), ("states", "score"), ("score", "context")]
    arrows = [_arrow(*pair, look().muted, 2) for pair in [*always, ("after", "next")]]
    arrows += [_arrow(query, "score", look().query, 4), *(_arrow(*pair, look().output, 4) for pair in entering(wired))]
    ways = {LOOP: "dash"} | ({WORD: "solid"} if reads_word(wired) else {})
    arrows += [_head(way[-2], way[-1], look().muted, 2) for way in ways]
    arrows.append(_called(t("the next step")))
    return theme.figure(
        _words(names, size),
        height=460,
        shapes=[
            *(_box(name, ink) for name, (_, ink) in names.items()),
            *(_line(way, dash) for way, dash in ways.items()),
        ],
        annotations=arrows,
        showlegend=False,
        margin={"l": 2, "r": 2, "t": 2, "b": 2},
        xaxis={"visible": False, "range": [0, 1]},
        yaxis={"visible": False, "range": [1.04, 0]},
    )


def entering(wired: Wiring) -> tuple[tuple[str, str], ...]:
    """Return from which box to which a context goes."""
    cell = {"input": (("context", "cell"),), "output": (), "next": (("seen", "cell"),)}[wired.context]
    return cell if wired.readout == "bare" else (*cell, ("context", "next"))


def reads_word(wired: Wiring) -> bool:
    """Tell whether the next word is also read off the last one itself."""
    return wired.readout == "mixed" and wired.context == "input"


def _box(name: str, ink: str) -> dict[str, Any]:
    (x, y), (half, tall) = PLACES[name], SIZE
    return ribbon.box((x - half, x + half), (y - tall, y + tall), look().board, ink)


def _arrow(start: str, end: str, ink: str, width: float) -> dict[str, Any]:
    """Draw an arrow from the edge of one box to the edge of another."""
    return _head(_edge(PLACES[start], PLACES[end]), _edge(PLACES[end], PLACES[start]), ink, width)


def _head(start: tuple[float, float], end: tuple[float, float], ink: str, width: float) -> dict[str, Any]:
    (x0, y0), (x1, y1) = start, end
    head = {"showarrow": True, "arrowhead": 2, "arrowsize": 0.8, "arrowwidth": width, "arrowcolor": ink, "text": ""}
    return head | {"x": x1, "y": y1, "ax": x0, "ay": y0, "xref": "x", "yref": "y", "axref": "x", "ayref": "y"}


def _line(way: tuple[tuple[float, float], ...], dash: str) -> dict[str, Any]:
    """Draw a way along its corners, up to the last one, where its arrow begins."""
    path = "M" + " L".join(f"{x},{y}" for x, y in way[:-1])
    return {"type": "path", "path": path, "line": {"color": look().muted, "width": 2, "dash": dash}, "layer": "below"}


def _called(name: str) -> dict[str, Any]:
    """Name the way back on its line."""
    position = {"x": 0.62, "y": LOOP[1][1], "showarrow": False, "text": name, "bgcolor": look().paper}
    return position | {"font": {"size": 14, "color": look().muted}}


def _edge(of: tuple[float, float], towards: tuple[float, float]) -> tuple[float, float]:
    """Return where the line between two centres leaves the first box."""
    across, down = towards[0] - of[0], towards[1] - of[1]
    share = min(half / abs(way) for half, way in zip(SIZE, (across, down), strict=True) if way)
    return of[0] + share * across, of[1] + share * down


def _words(names: dict[str, tuple[str, str]], size: int) -> go.Scatter:
    positions = [PLACES[name] for name in names]
    return go.Scatter(
        x=[x for x, _ in positions],
        y=[y for _, y in positions],
        mode="text",
        text=["<br>".join(lines(word)) for word, _ in names.values()],
        textfont={"size": size, "color": [ink for _, ink in names.values()]},
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
