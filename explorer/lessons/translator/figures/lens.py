"""The logit lens in the colours of the page; what is drawn is that of `explorer.figures.logit_lens`."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from explorer.figures import logit_lens
from explorer.figures.look import look
from explorer.records.language import t
from explorer.records.residual_stream import StreamRecord


def sentence(record: StreamRecord, position: int, *, names: Sequence[str]) -> go.Figure:
    """Draw the lens's first choice for every written piece, a row each, before the first layer and after each."""
    figure = _named(_turned(logit_lens.lens_map(record, names=names)))
    sides = {"x0": -0.5, "x1": len(record.layer_ends) - 0.5, "y0": position - 0.5, "y1": position + 0.5}
    return figure.add_shape(type="rect", **sides, line={"color": look().query, "width": 3}, fillcolor="rgba(0,0,0,0)")


def choices(record: StreamRecord, position: int, *, names: Sequence[str]) -> go.Figure:
    """Draw the lens's choices for one piece, best first, before the first layer and after each."""
    return _named(logit_lens.choices(record, position, names=names))


def _turned(figure: go.Figure) -> go.Figure:
    """Exchange rows and columns: so many words as there are stand below each other, on a phone too."""
    cells, layout = figure.data[0], figure.layout
    words, ends = layout.xaxis.to_plotly_json(), layout.yaxis.to_plotly_json()
    hover = cells.hovertemplate.replace("%{x}", "%{-}").replace("%{y}", "%{x}").replace("%{-}", "%{y}")
    text = None if cells.text is None else [list(row) for row in zip(*cells.text, strict=True)]
    customdata = [list(row) for row in zip(*cells.customdata, strict=True)]
    cells.update(z=np.asarray(cells.z).T, text=text, customdata=customdata, hovertemplate=hover)
    ends |= {"autorange": True, "side": "top"}
    words |= {"autorange": "reversed"}
    return figure.update_layout(xaxis=ends, yaxis=words, height=90 + 34 * len(cells.z), overwrite=False)


def _named(figure: go.Figure) -> go.Figure:
    """Colour the map, and call `</s>` what the page calls it."""
    cells = figure.data[0].update(colorscale=look().weights, showscale=False, textfont={"size": 13})
    if cells.text is not None:
        cells.text = [[_said(text) for text in row] for row in cells.text]
    for axis in (figure.layout.xaxis, figure.layout.yaxis):
        axis.ticktext = [_said(label) for label in axis.ticktext or ()]
    return figure.update_layout(margin={"t": 20, "l": 8, "r": 8, "b": 8})


def _said(label: str) -> str:
    return str(label).replace("&lt;/s&gt;", t("end"))
