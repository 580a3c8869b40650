"""All heads of all layers and sites in one picture: a row of tiles for each layer, one trace for each site."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import heatmap, theme
from explorer.records import AttentionRecord, Translate, english

#: Height of a row of tiles and of what lies between two rows, in pixels.
TILE_HEIGHT, LABEL_HEIGHT = 50, 16
#: Height of the heading of a site, with the numbers of its heads; of the scale; of the margin below.
SITE_HEIGHT, SCALE_HEIGHT, BELOW = 66, 40, 12
#: Margin above a map whose scale lies there.
ROOM_ABOVE = 76
#: Part of a site's heading that holds the numbers of its heads.
HEADS_HEIGHT = 2 * LABEL_HEIGHT
#: Room for the numbers of the layers, in pixels.
LEFT = 34
#: Space between two tiles, as a share of a tile.
_GAP = 0.09


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """The places of the tiles of one site, in cells.

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
        """Cells of the whole site."""
        return (
            (self.layers - 1) * self.down + self.queries,
            (self.heads - 1) * self.across + self.keys,
        )


def grid(records: Sequence[AttentionRecord]) -> Grid:
    """Return the places of the tiles of one site.

    Args:
        records: of each layer, the first on top; all of one shape.

    Raises:
        ValueError: if their shapes differ.
    """
    if len({record.weights.shape for record in records}) != 1:
        raise ValueError("the layers of a site must have weights of one shape")
    heads, queries, keys = records[0].weights.shape
    return Grid(
        layers=len(records),
        heads=heads,
        queries=queries,
        keys=keys,
        down=queries + max(1, round(queries * LABEL_HEIGHT / TILE_HEIGHT)),
        across=keys + max(1, round(keys * _GAP)),
    )


def overview(
    sites: Sequence[tuple[str, Sequence[AttentionRecord]]],
    *,
    t: Translate = english,
) -> go.Figure:
    """Every head of every layer, the sites one below the other; hover names layer, head and both tokens.

    Forbidden cells and the space between tiles are missing. Axis i + 1 of the figure is site i's (`x`, `x2`, `x3`).

    Args:
        sites: name in the reader's language, and its layers.
    """
    grids = [grid(records) for _, records in sites]
    heights = [SITE_HEIGHT + each.layers * (TILE_HEIGHT + LABEL_HEIGHT) - LABEL_HEIGHT for each in grids]
    whole = sum(heights) + SCALE_HEIGHT + BELOW
    layout: dict[str, Any] = {
        "margin": {"l": LEFT, "r": 6, "t": SCALE_HEIGHT, "b": BELOW},
        "dragmode": False,
        "annotations": [],
    }
    traces: list[Any] = []
    top = 1.0
    for site, ((name, records), place) in enumerate(zip(sites, grids, strict=True)):
        inner = (whole - SCALE_HEIGHT - BELOW) or 1
        bottom = top - heights[site] / inner
        layout |= _axes(site, place, records[0], (max(bottom, 0.0), top - (SITE_HEIGHT - HEADS_HEIGHT) / inner))
        said, height = f"<b>{theme.label(name, None)}</b>", top - (SITE_HEIGHT - HEADS_HEIGHT) / inner
        layout["annotations"].append(theme.heading(said, 0.0, height, size=15))
        traces += [_cells(site, name, place, records, t), _words(site, place)]
        top = bottom
    return theme.figure(*traces, height=whole, showlegend=False, **layout)


def _axis(site: int) -> str:
    """Return Plotly's number for the axes of site number `site`: x, x2, x3."""
    return "" if site == 0 else str(site + 1)


def _axes(site: int, place: Grid, record: AttentionRecord, domain: tuple[float, float]) -> dict[str, Any]:
    """Integer axes whose invisible ticks are the tokens, begun anew with each tile: hover reads them."""
    rows, columns = place.shape
    keys = [theme.label(key) for key in record.key_labels]
    queries = [theme.label(query) for query in record.query_labels]
    bare = {"showgrid": False, "zeroline": False, "showticklabels": False, "ticks": "", "fixedrange": True}
    bare |= {"tickmode": "array", "automargin": False, "title": {"text": ""}}
    return {
        f"xaxis{_axis(site)}": bare
        | {
            "anchor": f"y{_axis(site)}",
            "range": [-0.5, columns - 0.5],
            "tickvals": [head * place.across + key for head in range(place.heads) for key in range(place.keys)],
            "ticktext": keys * place.heads,
        },
        f"yaxis{_axis(site)}": bare
        | {
            "anchor": f"x{_axis(site)}",
            "domain": domain,
            "range": [rows - 0.5, -0.5 - HEADS_HEIGHT / TILE_HEIGHT * place.queries],
            "tickvals": [layer * place.down + row for layer in range(place.layers) for row in range(place.queries)],
            "ticktext": queries * place.layers,
        },
    }


def _cells(site: int, name: str, place: Grid, records: Sequence[AttentionRecord], t: Translate) -> go.Heatmap:
    """The weights. A cell carries two small integers, its layer and its head; its tokens are its ticks' texts."""
    canvas = np.full(place.shape, np.nan, np.float32)
    whose = np.zeros((*place.shape, 2), np.uint8)
    for layer, record in enumerate(records):
        for head in range(place.heads):
            row, column = place.corner(layer, head)
            tile = np.s_[row : row + place.queries, column : column + place.keys]
            canvas[tile] = heatmap.masked(record.weights[head], record.allowed)
            whose[tile] = (layer, head)
    said = t("{site}, layer {layer}, head {head}: “{query}” looks at “{key}”, weight {weight}").format(
        site=theme.label(name, None),
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
        xaxis=f"x{_axis(site)}",
        yaxis=f"y{_axis(site)}",
        showscale=site == 0,
        colorbar=_scale(t),
    )


def scale_above(figure: go.Figure) -> go.Figure:
    """A heat map whose scale lies above it instead of beside it; the figure itself is changed."""
    figure.update_traces(colorbar=bar_above(), selector={"type": "heatmap"})
    return figure.update_layout(margin={"t": ROOM_ABOVE})


def bar_above(**title: str) -> dict[str, Any]:
    """The scale of such a map; `title` is Plotly's."""
    bar = {"orientation": "h", "thickness": 10, "len": 0.5, "x": 1, "xanchor": "right", "y": 1, "yanchor": "bottom"}
    return bar | {"ypad": 6, "title": {"side": "top", **title}}


def _scale(t: Translate) -> dict[str, Any]:
    return bar_above(text=t("weight")) | {"len": 0.4, "yanchor": "middle", "ypad": 0, "tickvals": [0, 0.5, 1]}


def _words(site: int, place: Grid) -> go.Scatter:
    """Write numbers of the heads above, of the layers to the left: one trace of text."""
    texts: list[tuple[float, float, str, str]] = []
    lift = LABEL_HEIGHT * place.queries / TILE_HEIGHT
    for head in range(place.heads):
        column = place.corner(0, head)[1] + (place.keys - 1) / 2
        texts.append((column, -0.5 - lift, f"<b>{head}</b>", "top center"))
    for layer in range(place.layers):
        row = place.corner(layer, 0)[0]
        texts.append((-0.5, row + (place.queries - 1) / 2, f"<b>{layer}</b>\u2002", "middle left"))
    columns, rows, words, sides = zip(*texts, strict=True)
    return go.Scatter(
        x=np.array(columns, np.float32),
        y=np.array(rows, np.float32),
        text=list(words),
        textposition=list(sides),
        textfont={"size": 12},
        mode="text",
        hoverinfo="skip",
        cliponaxis=False,
        xaxis=f"x{_axis(site)}",
        yaxis=f"y{_axis(site)}",
    )
