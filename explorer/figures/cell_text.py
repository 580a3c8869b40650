"""Text on the cells of heat maps: how wide a chart must be for it, as on a phone it would touch."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from explorer.figures.look import unpack

#: A figure, a trace or a layout as a page sends it to the browser.
Json = Mapping[str, Any]
_MARKUP, _LINE = re.compile("<[^>]*>|&#?\\w+;"), "<br>"
#: How Plotly is told to write numbers: `%{z:.2f}`.
_FORM = re.compile(r"%\{z:([^}]*)\}")
#: Shares of the type's size: a letter as a rule, a Chinese one, a mark. Pixels between two texts; size of usual type.
_LETTER, _WIDE, _MARK, _GAP, _USUAL = 0.56, 1.0, 0.28, 3, 12
#: Pixels of a scale beside a map, and of the title of an axis.
_SCALE, _TITLE = 70, 24


def find_least_width(figure: Json) -> int:
    """Return the width in pixels below which texts on the cells of a figure's maps would touch; 0 if there are none.

    Args:
        figure: with our theme. Where cells are square it must be as high as it is then wide.
    """
    return round(max((_find_width(figure, each) for each in figure["data"] if each["type"] == "heatmap"), default=0))


def _find_width(figure: Json, cells: Json) -> float:
    texts = max(_widths(figure["data"], cells), default=0.0)
    low, high = _axis(figure, cells, "x").get("domain", (0, 1))
    columns = len(unpack(cells["z"])[0])
    return texts * columns / (high - low) + _beside(figure, cells) if texts else 0.0


def _widths(traces: list[Json], cells: Json) -> Iterator[float]:
    """Yield the pixels that texts on a map's cells take, one beside the other."""
    if cells.get("texttemplate"):
        size = cells.get("textfont", {}).get("size", _USUAL)
        yield from (_measure(text, size) for text in _written(cells))
    for trace in traces:
        on_cells = trace.get("mode") == "text" and "textposition" not in trace  # else it stands beside them
        if on_cells and all(trace.get(axis, axis[0]) == cells.get(axis, axis[0]) for axis in ("xaxis", "yaxis")):
            largest = float(np.max(unpack(trace.get("textfont", {}).get("size", _USUAL))))
            yield from (_measure(text, largest) for text in trace["text"])


def _written(cells: Json) -> Iterator[str]:
    form = _FORM.fullmatch(cells["texttemplate"])
    if form:
        values = unpack(cells["z"]).astype(np.float64)
        yield from (format(value, form[1]) for value in values[np.isfinite(values)].tolist())
    else:
        yield from (str(text) for row in cells["text"] for text in row)


def _measure(text: str, size: float) -> float:
    """Return the pixels that a text takes, and what must stay free beside it."""
    letters = (sum(map(_width, _MARKUP.sub("", line))) for line in text.split(_LINE))
    return max(letters) * size + _GAP if text else 0.0


def _width(letter: str) -> float:
    return _MARK if letter in ".,:;'" else _WIDE if unicodedata.east_asian_width(letter) in "WF" else _LETTER


def _axis(figure: Json, cells: Json, way: str) -> Json:
    axis: Json = figure["layout"].get(f"{way}axis{cells.get(f'{way}axis', way)[1:]}", {})
    return axis


def _beside(figure: Json, cells: Json) -> float:
    """Return the pixels beside a map: margins, names of the rows, a scale."""
    rows, margin = _axis(figure, cells, "y"), figure["layout"].get("margin", {})
    size = rows.get("tickfont", {}).get("size", _USUAL)
    names = max((_measure(name, size) for name in rows.get("ticktext", ())), default=2 * size)
    left = max(margin.get("l", 0), names + (_TITLE if rows.get("title", {}).get("text") else 0))
    return float(left + margin.get("r", 0) + (_SCALE if cells.get("showscale", True) else 0))
