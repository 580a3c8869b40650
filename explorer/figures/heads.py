"""Many heads at once, as one trace."""

import math

import numpy as np
import plotly.graph_objects as go

from explorer.figures import theme
from explorer.records import AttentionRecord, Translate, english


def montage(record: AttentionRecord, *, columns: int | None = None, t: Translate = english) -> go.Figure:
    """Every head of one site side by side in a single heat map: 144 subplots take seconds to draw, this does not.

    Hover names the head and both tokens. Cells between the heads are missing.

    Args:
        record: what to draw.
        columns: tiles in a row; about square if None.
        t: the reader's language.
    """
    heads, queries, keys = record.weights.shape
    columns = min(columns or math.ceil(math.sqrt(heads)), heads)
    rows = math.ceil(heads / columns)
    canvas = np.full((rows * (queries + 1) - 1, columns * (keys + 1) - 1), np.nan, np.float32)
    named = np.full((*canvas.shape, 3), "", dtype=object)
    for head in range(heads):
        top, left = (head // columns) * (queries + 1), (head % columns) * (keys + 1)
        tile = np.s_[top : top + queries, left : left + keys]
        canvas[tile] = record.weights[head]
        named[(*tile, 0)] = str(head)
        named[(*tile, 1)] = np.array([theme.label(x) for x in record.query_labels], object)[:, None]
        named[(*tile, 2)] = np.array([theme.label(x) for x in record.key_labels], object)[None, :]
    said = t("head {head}: “{query}” attends to “{key}”: {weight}")
    trace = go.Heatmap(
        z=canvas,
        zmin=0.0,
        zmax=1.0,
        colorscale=theme.SEQUENTIAL,
        customdata=named,
        hovertemplate=said.format(
            head="%{customdata[0]}", query="%{customdata[1]}", key="%{customdata[2]}", weight="%{z:.3f}"
        )
        + "<extra></extra>",
        hoverongaps=False,
        colorbar={"title": {"text": t("weight")}, "thickness": 12},
    )
    figure = theme.figure(trace, height=int(np.clip(120 * rows + 80, 320, 760)))
    figure.update_xaxes(visible=False)
    figure.update_yaxes(visible=False, autorange="reversed")
    for head in range(heads):
        x, y = (head % columns) * (keys + 1) - 0.5, (head // columns) * (queries + 1) - 0.5
        figure.add_annotation(
            x=x,
            y=y,
            text=t("head {number}").format(number=head),
            showarrow=False,
            xanchor="left",
            yanchor="bottom",
            font={"size": 12},
        )
    return figure
