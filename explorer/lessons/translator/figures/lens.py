"""The logit lens in the colours of the page; what is drawn is that of `explorer.figures.logit_lens`."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from explorer.figures import logit_lens
from explorer.figures.look import LIGHT, Look, ink_at, text_on
from explorer.records import Translate, english
from explorer.records.residual_stream import StreamRecord


def sentence(
    record: StreamRecord, place: int, *, names: Sequence[str], look: Look = LIGHT, t: Translate = english
) -> go.Figure:
    """Draw the lens's first choice for every written piece, a row each, before the first layer and after each."""
    figure = _inked(_turned(logit_lens.lens_map(record, names=names, t=t)), look, t)
    sides = {"x0": -0.5, "x1": len(record.layer_ends) - 0.5, "y0": place - 0.5, "y1": place + 0.5}
    return figure.add_shape(type="rect", **sides, line={"color": look.query, "width": 3}, fillcolor="rgba(0,0,0,0)")


def choices(
    record: StreamRecord, place: int, *, names: Sequence[str], look: Look = LIGHT, t: Translate = english
) -> go.Figure:
    """Draw the lens's choices for one piece, best first, before the first layer and after each."""
    return _inked(logit_lens.choices(record, place, names=names, t=t), look, t)


def lengths(
    record: StreamRecord, place: int, number: int, *, names: Sequence[str], look: Look = LIGHT, t: Translate = english
) -> go.Figure:
    """Draw how long the vector is and what each sub-layer adds; the one that is looked at is framed."""
    figure = logit_lens.lengths(record, place, names=names, t=t)
    colours = (look.muted, look.output, look.query, look.key)
    for trace, colour in zip((each for each in figure.data if each.type == "bar"), colours, strict=False):
        trace.marker.color = colour
    figure.update_traces(line={"color": look.value}, selector={"type": "scatter"})
    most = float(max(record.norm[:, place].max(), record.added[:, place].max()))
    sides = {"x0": 0.0, "x1": most, "y0": number - 0.5, "y1": number + 0.5}
    return figure.add_shape(type="rect", **sides, line={"color": look.query, "width": 2}, fillcolor="rgba(0,0,0,0)")


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


def _inked(figure: go.Figure, look: Look, t: Translate) -> go.Figure:
    """Colour the map, and write each text of a cell in black or white, whichever is read better."""
    cells = figure.data[0].update(colorscale=look.weights, showscale=False)
    texts, values = cells.text, np.asarray(cells.z)
    cells.update(text=None, texttemplate=None)
    if texts is not None:
        places = [(row, column) for row in range(values.shape[0]) for column in range(values.shape[1])]
        figure.add_scatter(
            x=[column for _, column in places],
            y=[row for row, _ in places],
            mode="text",
            text=[str(texts[row][column]).replace("&lt;/s&gt;", t("end")) for row, column in places],
            textfont={"size": 13, "color": [text_on(ink_at(float(values[place]), look)) for place in places]},
            hoverinfo="skip",
            showlegend=False,
        )
    for axis in (figure.layout.xaxis, figure.layout.yaxis):
        axis.ticktext = [str(label).replace("&lt;/s&gt;", t("end")) for label in axis.ticktext or ()]
    return figure.update_layout(margin={"t": 20, "l": 8, "r": 8, "b": 8})
