"""All heads of all layers of one attention in one picture: a row of tiles for each layer, one trace of cells."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import heatmap, theme
from explorer.records import AttentionRecord
from explorer.records.language import t

#: Height of a row of tiles, of the names of the heads above, and of the margin below, in pixels.
TILE_HEIGHT, ABOVE, BELOW = 60, 26, 8
#: Margin above a map whose scale lies there.
ROOM_ABOVE = 76
#: Room for the names of the layers, in pixels.
LEFT = 62
#: Space between two tiles, as a share of a tile.
_GAP = 0.09


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """The places of the tiles, in cells.

    Attributes:
        layers: rows of tiles.
        heads: tiles in a row.
        queries: cells of a tile from top to bottom.
        keys: cells of a tile from left to right.
        down: cells from the top of one tile to the top of the next.
        across: cells from the left edge of one tile to that of the next.
    """

    layers: int
    heads: int
    queries: int
    keys: int
    down: int
    across: int

    def corner(self, layer: int, head: int) -> tuple[int, int]:
        """Row and column of a tile's first cell."""
        return layer * self.down, head * self.across

    def tile(self, row: float, column: float) -> tuple[int, int]:
        """Layer and head of the tile nearest to a place."""
        layer, head = int((row + 0.5) // self.down), int((column + 0.5) // self.across)
        return min(max(layer, 0), self.layers - 1), min(max(head, 0), self.heads - 1)

    @property
    def shape(self) -> tuple[int, int]:
        """Cells of the whole picture."""
        return (
            (self.layers - 1) * self.down + self.queries,
            (self.heads - 1) * self.across + self.keys,
        )


def grid(records: Sequence[AttentionRecord]) -> Grid:
    """Return the places of the tiles.

    Args:
        records: of each layer, the first on top; all of one shape.

    Raises:
        ValueError: if their shapes differ.
    """
    if len({record.weights.shape for record in records}) != 1:
        raise ValueError("the layers must have weights of one shape")
    heads, queries, keys = records[0].weights.shape
    return Grid(
        layers=len(records),
        heads=heads,
        queries=queries,
        keys=keys,
        down=queries + max(1, round(queries * _GAP)),
        across=keys + max(1, round(keys * _GAP)),
    )


def overview(records: Sequence[AttentionRecord]) -> go.Figure:
    """Draw every head of every layer; hover names layer, head and both tokens.

    Forbidden cells and the space between tiles are missing.

    Args:
        records: of each layer, the first on top; all of one shape.
    """
    position = grid(records)
    return theme.figure(
        _cells(position, records),
        _names(position),
        height=ABOVE + position.layers * TILE_HEIGHT + BELOW,
        showlegend=False,
        margin={"l": LEFT, "r": 6, "t": ABOVE, "b": BELOW},
        **_axes(position, records[0]),
    )


def _axes(position: Grid, record: AttentionRecord) -> dict[str, Any]:
    """Integer axes whose invisible ticks are the tokens, begun anew with each tile: hover reads them."""
    rows, columns = position.shape
    keys = [theme.label(key) for key in record.key_labels]
    queries = [theme.label(query) for query in record.query_labels]
    bare = {"showgrid": False, "zeroline": False, "showline": False, "showticklabels": False, "ticks": ""}
    bare |= {"tickmode": "array", "automargin": False, "title": {"text": ""}}
    return {
        "xaxis": bare
        | {
            "range": [-0.5, columns - 0.5],
            "tickvals": [
                head * position.across + key for head in range(position.heads) for key in range(position.keys)
            ],
            "ticktext": keys * position.heads,
        },
        "yaxis": bare
        | {
            "range": [rows - 0.5, -0.5],
            "tickvals": [
                layer * position.down + row for layer in range(position.layers) for row in range(position.queries)
            ],
            "ticktext": queries * position.layers,
        },
    }


def _cells(position: Grid, records: Sequence[AttentionRecord]) -> go.Heatmap:
    """The weights. A cell carries two small integers, its layer and its head; its tokens are its ticks' texts."""
    canvas = np.full(position.shape, np.nan, np.float32)
    whose = np.zeros((*position.shape, 2), np.uint8)
    for layer, record in enumerate(records):
        for head in range(position.heads):
            row, column = position.corner(layer, head)
            tile = np.s_[row : row + position.queries, column : column + position.keys]
            canvas[tile] = heatmap.mask_values(record.weights[head], record.allowed)
            whose[tile] = (layer, head)
    said = t("layer {layer}, head {head}: “{query}” looks at “{key}”, weight {weight}").format(
        layer="%{customdata[0]}",
        head="%{customdata[1]}",
        query="%{y}",
        key="%{x}",
        weight="%{z:.3f}",
    )
    return go.Heatmap(
        z=canvas,
        zmin=0.0,
        zmax=1.0,
        colorscale=theme.SEQUENTIAL,
        customdata=whose,
        hovertemplate=f"{said}<extra></extra>",
        hoverongaps=False,
        showscale=False,
    )


def scale_above(figure: go.Figure) -> go.Figure:
    """A heat map whose scale lies above it instead of beside it; the figure itself is changed."""
    figure.update_traces(colorbar=bar_above(), selector={"type": "heatmap"})
    return figure.update_layout(margin={"t": ROOM_ABOVE})


def bar_above(**title: str) -> dict[str, Any]:
    """The scale of such a map; `title` is Plotly's."""
    bar = {"orientation": "h", "thickness": 10, "len": 0.5, "x": 1, "xanchor": "right", "y": 1, "yanchor": "bottom"}
    return bar | {"ypad": 6, "title": {"side": "top", **title}}


def _names(position: Grid) -> go.Scatter:
    """Write the heads above and the layers to the left: one trace of text."""
    texts: list[tuple[float, float, str, str]] = []
    for head in range(position.heads):
        column = position.corner(0, head)[1] + (position.keys - 1) / 2
        texts.append((column, -0.5, t("head {head}").format(head=head), "top center"))
    for layer in range(position.layers):
        row = position.corner(layer, 0)[0]
        texts.append(
            (-0.5, row + (position.queries - 1) / 2, t("layer {layer}").format(layer=layer) + "\u2002", "middle left")
        )
    columns, rows, words, sides = zip(*texts, strict=True)
    return go.Scatter(
        x=np.array(columns, np.float32),
        y=np.array(rows, np.float32),
        text=list(words),
        textposition=list(sides),
        textfont={"size": 13},
        mode="text",
        hoverinfo="skip",
        cliponaxis=False,
    )
