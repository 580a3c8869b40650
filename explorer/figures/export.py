"""A figure as one HTML file that opens with the cable pulled."""

import gzip
import html
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np
import plotly.graph_objects as go

from explorer.figures.look import LIGHT, apply_theme, drawing_in

#: Plotly's bundle of maps, lines and bars, a third of the whole that plotly.py has: the file of that name in the npm
#: package plotly.js-cartesian-dist-min, of the version of `plotly.offline.get_plotlyjs_version()`, by `gzip -9n`.
_PLOTLY = Path(__file__).with_name("plotly-cartesian.min.js.gz")
#: Pixels; sizes of type, marks and lines on paper in a figure narrower than this, and in a wider one.
_NARROW, _SMALL, _PRINTED = 400, 0.72, 0.85
#: Pixels of a cell, labels included, that has room for its number.
_LEAST_CELL = 28
_PAGE = """<!doctype html>
<html lang="{language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body{{font:16px/1.5 system-ui,"Noto Sans CJK SC",sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem}}
table{{border-collapse:collapse;font-size:.85rem}}
th,td{{border:1px solid #d5dce5;padding:.15rem .5rem;text-align:right}}
.provenance{{color:#5a6878;font-size:.85rem}}
</style></head><body>
<h1>{title}</h1>
<p class="reading"><span>{reading}</span></p>
{picture}
<p class="provenance">{provenance}</p>
<details><summary>{numbers}</summary>{table}</details>
</body></html>
"""
#: The wheel alone scrolls the page; with Ctrl it zooms.
_WHEEL = """<script>addEventListener("wheel", (event) => {
if (!event.ctrlKey && event.target.closest(".js-plotly-plot")) event.stopImmediatePropagation();
}, { capture: true, passive: true })</script>"""


def standalone_html(
    figure: go.Figure, *, title: str, reading: str, provenance: str, table: str, numbers: str, language: str = "en"
) -> str:
    """One self-contained page: the chart with plotly.js inside, its reading, its numbers and where they come from.

    Args:
        figure: the chart; drawn on white.
        title: plain text, escaped here, like every other text but `table`.
        reading: the one-line reading of the chart.
        provenance: what computed the numbers.
        table: an HTML table whose cells are escaped already (`DataFrame.to_html` does).
        numbers: the word for the table's fold-out.
    """
    with drawing_in(LIGHT):
        copy = go.Figure(apply_theme(figure)).update_layout(template="plotly_white")
    config = {"displaylogo": False, "toImageButtonOptions": {"format": "svg", "filename": "attention-explorer"}}
    zoomed = {"scrollZoom": True, "doubleClick": "reset"} if copy.layout.dragmode else {}
    chart = copy.to_html(full_html=False, include_plotlyjs=False, config=config | zoomed) + (_WHEEL if zoomed else "")
    words = {"title": title, "reading": reading, "provenance": provenance, "numbers": numbers, "language": language}
    return page(f"<script>{script()}</script>{chart}", table=table, **words)


def page(picture: str, *, table: str, **words: str) -> str:
    """Return a self-contained page; arguments as of `standalone_html`, but `picture`, which is HTML."""
    return _PAGE.format(picture=picture, table=table, **{name: html.escape(text) for name, text in words.items()})


@lru_cache(maxsize=1)
def script() -> str:
    """Plotly's script, once for all the figures of a file."""
    return gzip.decompress(_PLOTLY.read_bytes()).decode()


def on_paper(figure: go.Figure, name: str, *, width: int, heights: tuple[int, int]) -> str:
    """The element and the lines that draw a figure still, on white, in a file that holds `script()`.

    Args:
        figure: made for the light look.
        name: id of the element, unique in the file.
        width: pixels.
        heights: lowest and highest; in between, the figure's own, or the highest where it takes what room there is.
    """
    low, high = heights
    height = min(max(int(figure.layout.height or high), low), high)
    with drawing_in(replace(LIGHT, zoom=printed_size(width))):
        copy = go.Figure(apply_theme(figure)).update_layout(width=width, height=height, autosize=False)
    fits = _fits(figure, width, height)
    copy.data = [each for each in copy.data if each.type != "scatter" or each.mode != "text" or fits]
    chart = copy.to_html(full_html=False, include_plotlyjs=False, config={"staticPlot": True}, div_id=name)
    return str(chart)


def printed_size(width: int) -> float:
    """Return the size of type, marks and lines on paper in a figure of a width in pixels; 1 on the page."""
    return _SMALL if width < _NARROW else _PRINTED


def _fits(figure: go.Figure, width: int, height: int) -> bool:
    """Return whether the cells of a figure's maps are large enough for numbers on them."""
    maps = (np.shape(trace.z) for trace in figure.data if trace.type == "heatmap")
    return all(min(width / columns, height / rows) >= _LEAST_CELL for rows, columns in maps)
