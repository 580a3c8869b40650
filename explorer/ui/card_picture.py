"""Small pictures on the home page's cards, drawn as SVG from numbers that the lessons computed ahead of time.

`python -m explorer.lessons.card_pictures` computes the numbers.
"""

import base64
import json
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any

import streamlit as st

from explorer.figures.look import Look, drawing_in, ink_at, look

FILE = Path(__file__).with_name("card_pictures.json")
WIDTH, HEIGHT, EDGE = 200, 100, 8
#: Steps of ink in a map: more are not told apart in cells of a few pixels.
_INKS = 16
Matrix = Sequence[Sequence[float | None]]


def show(stem: str) -> None:
    """Show the picture of a lesson. It says nothing that the card does not say: its alternative text is empty."""
    st.html(_image(stem, look()))


@lru_cache(maxsize=64)
def _image(stem: str, paper: Look) -> str:
    with drawing_in(paper):
        uri = base64.b64encode(svg(numbers()[stem]).encode()).decode()
    return f'<img class="card" alt="" aria-hidden="true" src="data:image/svg+xml;base64,{uri}">'


@lru_cache(maxsize=1)
def numbers() -> dict[str, dict[str, Any]]:
    """Return what each lesson computed, by stem."""
    found: dict[str, dict[str, Any]] = json.loads(FILE.read_text(encoding="utf8"))
    return found


def svg(picture: dict[str, Any]) -> str:
    """Draw one picture in the colours of a look."""
    parts = "".join(_KINDS[picture["kind"]](picture))
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">{parts}</svg>'


def _cells(picture: dict[str, Any]) -> Iterator[str]:
    """Draw maps of weights side by side, each row of maps as high as there is room; hidden cells are grey."""
    maps: list[Matrix] = picture["maps"]
    columns = picture.get("columns", len(maps))
    rows = -(-len(maps) // columns)
    gap = 3 if len(maps) > 1 else 0
    wide, high = max(len(each[0]) for each in maps), max(len(each) for each in maps)
    room = ((WIDTH - 2 * EDGE + gap) / columns - gap, (HEIGHT - 2 * EDGE + gap) / rows - gap)
    side = min(room[0] / wide, room[1] / high)
    across, down = side * wide + gap, side * high + gap
    left, top = (WIDTH - columns * across + gap) / 2, (HEIGHT - rows * down + gap) / 2
    for number, each in enumerate(maps):
        x, y = left + number % columns * across, top + number // columns * down
        yield from _map(each, x, y, side)


def _map(cells: Matrix, left: float, top: float, side: float) -> Iterator[str]:
    """Draw one map: a path for each ink, as an element for each cell would weigh ten times as much."""
    most = max((cell for row in cells for cell in row if cell is not None), default=0) or 1
    rows, columns = len(cells), len(cells[0])
    ground = ink_at(0)
    ways = {ground: f"M0 0h{columns}v{rows}h-{columns}"}
    for i, row in enumerate(cells):
        inks = [look().line if cell is None else ink_at(round(cell / most * _INKS) / _INKS) for cell in row]
        j = 0
        for ink, run in groupby(inks):
            length = len(list(run))
            if ink != ground:
                ways[ink] = ways.get(ink, "") + f"M{j} {i}h{length}v1h-{length}"
            j += length
    yield f'<g transform="translate({left:.1f} {top:.1f}) scale({side:.3f})">'
    yield from (f'<path fill="{ink}" d="{way}"/>' for ink, way in ways.items())
    lines = [f"M0 {i}h{columns}" for i in range(rows + 1)] + [f"M{j} 0v{rows}" for j in range(columns + 1)]
    yield f'<path stroke="{look().line}" stroke-width="{0.3 / side:.3f}" d="{"".join(lines)}"/></g>'


def _lines(picture: dict[str, Any]) -> Iterator[str]:
    """Draw curves over each other, and dots, the stronger the larger their weight."""
    dots, curves = picture.get("dots", []), picture["curves"]
    every = [point for curve in curves for point in curve] + [dot[:2] for dot in dots]
    (left, right), (low, high) = ((min(axis), max(axis)) for axis in zip(*every, strict=True))

    def at(x: float, y: float) -> tuple[float, float]:
        across, down = (x - left) / (right - left), (high - y) / (high - low)
        return EDGE + across * (WIDTH - 2 * EDGE), EDGE + down * (HEIGHT - 2 * EDGE)

    if "query" in picture:
        x = at(picture["query"], 0)[0]
        yield f'<path d="M{x:.1f} {EDGE}V{HEIGHT - EDGE}" stroke="{look().query}" stroke-width="1.5"/>'
    most = max((dot[2] for dot in dots), default=1)
    for x, y, weight in dots:
        across, down = at(x, y)
        ink, radius = (look().query, 2 + 2 * weight / most) if weight > most / 20 else (look().muted, 1.6)
        yield f'<circle cx="{across:.1f}" cy="{down:.1f}" r="{radius:.1f}" fill="{ink}" opacity=".8"/>'
    inks = (look().key, look().query, look().output, look().value)
    for curve, ink in zip(curves, inks, strict=False):
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in (at(*point) for point in curve))
        yield f'<polyline points="{points}" fill="none" stroke="{ink}" stroke-width="2"/>'


def _ribbons(picture: dict[str, Any]) -> Iterator[str]:
    """Draw ribbons from what asks, below, to what is asked, above; one row in the colour of the query."""
    weights: Matrix = picture["weights"]
    top, bottom = EDGE + 6, HEIGHT - EDGE - 6
    asks, asked = _spread(len(weights)), _spread(len(weights[0]))
    middle = HEIGHT / 2
    order = sorted(range(len(weights)), key=lambda row: row == picture["row"])
    for row in order:
        chosen = row == picture["row"]
        style = f'stroke="{look().query if chosen else look().key}" opacity="{0.9 if chosen else 0.3}"'
        for column, weight in enumerate(weights[row]):
            if weight and weight >= 0.03:
                x, to = asks[row], asked[column]
                way = f"M{x:.1f} {bottom}C{x:.1f} {middle} {to:.1f} {middle} {to:.1f} {top}"
                yield f'<path d="{way}" fill="none" {style} stroke-width="{0.5 + 7 * weight:.1f}"/>'
    for positions, y, ink in ((asked, top, look().key), (asks, bottom, look().muted)):
        for number, x in enumerate(positions):
            fill = look().query if y == bottom and number == picture["row"] else ink
            yield f'<rect x="{x - 5:.1f}" y="{y - 3}" width="10" height="6" rx="2" fill="{fill}"/>'


def _spread(count: int) -> list[float]:
    """Return places evenly across the picture."""
    return [EDGE + (WIDTH - 2 * EDGE) * (number + 0.5) / count for number in range(count)]


def _bars(picture: dict[str, Any]) -> Iterator[str]:
    """Draw bars from the side, the first in the colour of what is chosen."""
    step = (HEIGHT - 2 * EDGE) / len(picture["values"])
    most = max(picture["values"])
    for number, value in enumerate(picture["values"]):
        ink, width = (look().key, look().query)[number == 0], (WIDTH - 4 * EDGE) * value / most
        y = EDGE + number * step
        yield f'<rect x="{2 * EDGE}" y="{y:.1f}" width="{width:.1f}" height="{0.7 * step:.1f}" rx="2" fill="{ink}"/>'


_KINDS: dict[str, Callable[[dict[str, Any]], Iterator[str]]] = {
    "cells": _cells,
    "lines": _lines,
    "ribbons": _ribbons,
    "bars": _bars,
}
