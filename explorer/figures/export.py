"""A figure as one HTML file that opens with the cable pulled."""

import html
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
from plotly.offline import get_plotlyjs

from explorer.figures.look import LIGHT, dressed

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
<p>{reading}</p>
{chart}
<p class="provenance">{provenance}</p>
<details><summary>{numbers}</summary>{table}</details>
</body></html>
"""


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
    copy = go.Figure(dressed(figure, LIGHT)).update_layout(template="plotly_white")
    config = {"displaylogo": False, "toImageButtonOptions": {"format": "svg", "filename": "attention-explorer"}}
    return _PAGE.format(
        title=html.escape(title),
        reading=html.escape(reading),
        provenance=html.escape(provenance),
        numbers=html.escape(numbers),
        language=html.escape(language),
        chart=copy.to_html(full_html=False, include_plotlyjs=True, config=config),
        table=table,
    )


def script() -> str:
    """Plotly's script, once for all the figures of a file."""
    return str(get_plotlyjs())


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
    look = replace(LIGHT, zoom=_SMALL if width < _NARROW else _PRINTED)
    copy = go.Figure(dressed(figure, look)).update_layout(width=width, height=height, autosize=False)
    fits = _fits(figure, width, height)
    copy.data = [each for each in copy.data if each.type != "scatter" or each.mode != "text" or fits]
    chart = copy.to_html(full_html=False, include_plotlyjs=False, config={"staticPlot": True}, div_id=name)
    return str(chart)


def _fits(figure: go.Figure, width: int, height: int) -> bool:
    """Return whether the cells of a figure's maps are large enough for numbers on them."""
    maps = (np.shape(trace.z) for trace in figure.data if trace.type == "heatmap")
    return all(min(width / columns, height / rows) >= _LEAST_CELL for rows, columns in maps)
