"""Many heads at once, as one trace."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import heatmap, theme, tiles
from explorer.records import AttentionRecord
from explorer.records.arrays import Float32
from explorer.records.language import t

#: Montages with at most this many rows (or columns) of cells name them; larger ones name them on hover only.
MOST_NAMED, MOST_NAMED_ACROSS = 80, 28
#: A tile's gap to the next, in cells, for every cell that it is high: room for its heading.
_GAP = 0.16


def montage(record: AttentionRecord) -> go.Figure:
    """Every head of one site side by side in a single heat map: 144 subplots take seconds to draw, this does not.

    Hover names the head and both tokens. Forbidden cells and the space between the heads are missing. There are about
    as many tiles in a row as rows, and no empty tile.
    """
    titles = [t("head {number}").format(number=head) for head in range(record.n_heads)]
    weights = heatmap.mask_values(record.weights, record.allowed)
    return grid(weights, record.query_labels, record.key_labels, titles=titles)


def grid(
    weights: Float32, query_labels: tuple[str, ...], key_labels: tuple[str, ...], *, titles: Sequence[str]
) -> go.Figure:
    """Draw maps `[tiles, queries, keys]` of equal size side by side; NaN is missing. Hover numbers the tiles."""
    heads, queries, keys = weights.shape
    columns = min(tiles.columns_for(heads), heads)
    rows = math.ceil(heads / columns)
    down, across = max(1, round(_GAP * queries)), max(1, round(0.5 * _GAP * keys))
    canvas = tiles.lay_out(weights, columns, down=down, across=across)
    margin = {"l": 8, "r": 8, "t": 84, "b": 8}  # the scale lies above, so that a phone's width is all the tiles'
    return theme.figure(
        _trace(canvas),
        height=_height(rows, columns, queries, keys),
        margin=margin,
        xaxis=_axis(key_labels, columns, keys + across, MOST_NAMED_ACROSS),
        yaxis=_axis(query_labels, rows, queries + down, MOST_NAMED) | {"autorange": "reversed"},
        annotations=[
            {
                "x": left - 0.5,
                "y": top - 0.5,
                "text": title,
                "showarrow": False,
                "xanchor": "left",
                "yanchor": "bottom",
                "font": {"size": 13},
            }
            for title, (top, left) in zip(titles, canvas.corners, strict=True)
        ],
    )


def _trace(canvas: tiles.Canvas) -> go.Heatmap:
    """The tokens of a cell are its ticks' texts and its head a small integer: no string travels for each cell."""
    said = t("head {head}: “{query}” attends to “{key}”: {weight}")
    hover = said.format(head="%{customdata}", query="%{y}", key="%{x}", weight="%{z:.3f}")
    return go.Heatmap(
        z=canvas.cells,
        zmin=0.0,
        zmax=1.0,
        colorscale=theme.SEQUENTIAL,
        customdata=canvas.tile,
        hovertemplate=f"{hover}<extra></extra>",
        hoverongaps=False,
        colorbar={
            "title": {"text": t("weight"), "side": "top"},
            "orientation": "h",
            "thickness": 10,
            "len": 0.4,
            "x": 1,
            "xanchor": "right",
            "y": 1.02,
            "yanchor": "bottom",
            "tickvals": [0, 0.5, 1],
        },
    )


def _axis(labels: tuple[str, ...], count: int, pitch: int, most: int) -> dict[str, Any]:
    """An integer axis over all tiles: the tokens begin anew with each."""
    positions = [tile * pitch + position for tile in range(count) for position in range(len(labels))]
    axis = theme.token_axis(labels * count)
    few = len(positions) <= most
    size = 12 if len(positions) <= 40 else 9
    return axis | {"tickvals": positions, "showticklabels": few, "ticks": "", "tickfont": {"size": size}}


def _height(rows: int, columns: int, queries: int, keys: int) -> int:
    """Cells about square on a page of two thirds of a desktop's width, within what a screen shows."""
    tile = 900 / columns * queries / keys
    return int(np.clip(rows * (tile + 28) + 130, 360, 900))
