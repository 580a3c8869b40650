"""Maps of attention in the colours of the page: one head, all heads of a layer, every head."""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import hatch, head_grid, heatmap, layer_head_grid, theme
from explorer.figures.look import look
from explorer.lessons.translator.names import name_tokens
from explorer.records import AttentionRecord
from explorer.records.language import t

#: Maps with more rows or columns print no numbers, and with more than the second leave no gaps.
MOST_NUMBERED, MOST_APART = 16, 50


def attention(
    record: AttentionRecord,
    *,
    row: int | None = None,
    hard: bool = False,
    titles: tuple[str, str] = ("", ""),
    height: int = 560,
) -> go.Figure:
    """Draw the weights of the first head on 0…1, square cell by square cell; masked cells are hatched.

    Args:
        row: that is framed; None frames none.
        hard: whether the heaviest cell of each row is framed too.
        titles: of rows and columns.
        height: where the figure does not take that of the screen.
    """
    weights = heatmap.mask_values(record.weights[0], record.allowed)
    rows, columns = weights.shape
    verb = t("“{query}” looks at “{key}”: {weight}").format(query="%{y}", key="%{x}", weight="%{z:.3f}")
    apart = int(max(rows, columns) <= MOST_APART)
    trace = heatmap.cells(weights, look().weights, verb, xgap=apart, ygap=apart)
    numbered = max(rows, columns) <= MOST_NUMBERED
    marks = [hatch.numbers(weights, size=14)] if numbered else []
    best = [(position, int(np.nan_to_num(weights[position]).argmax())) for position in range(rows)] if hard else []
    frames = [_frame(position, column, position, column) for position, column in best]
    frames += [] if row is None or not 0 <= row < rows else [_frame(row, 0, row, columns - 1)]
    masked = np.zeros(weights.shape, bool) if record.allowed is None else ~record.allowed
    return theme.figure(
        trace,
        *marks,
        height=height,
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        showlegend=False,
        shapes=[*hatch.cells(masked), *frames],
        xaxis=_tokens(record.key_labels, titles[1]) | {"side": "top", "constrain": "domain"},
        yaxis=_tokens(record.query_labels, titles[0])
        | {"autorange": "reversed", "scaleanchor": "x", "constrain": "domain"},
    )


def every_head(record: AttentionRecord) -> go.Figure:
    """Draw all heads of one layer side by side."""
    return _inked(head_grid.montage(name_tokens(record)))


def every_layer(records: Sequence[AttentionRecord], *, chosen: Sequence[tuple[int, int]] = ()) -> go.Figure:
    """Draw every layer and head of the cross-attention; the chosen heads are framed."""
    figure = layer_head_grid.overview([name_tokens(each) for each in records])
    grid = layer_head_grid.grid(records)
    for layer, head in chosen:
        top, left = grid.corner(layer, head)
        figure.add_shape(_frame(top, left, top + grid.queries - 1, left + grid.keys - 1))
    return _inked(figure)


def scores(values: np.ndarray[Any, Any]) -> go.Figure:
    """Draw one score for each layer and head."""
    layers, heads = values.shape
    said = t("head {head} of layer {layer}: {score}").format(head="%{x}", layer="%{y}", score="%{z:.2f}")
    drawn = values.astype(np.float32)
    trace = heatmap.cells(drawn, look().weights, said, xgap=2, ygap=2)
    return theme.figure(
        trace,
        hatch.numbers(drawn),
        height=150,
        margin={"l": 8, "r": 8, "t": 4, "b": 8},
        showlegend=False,
        xaxis=theme.token_axis(tuple(map(str, range(heads))), title=t("head")),
        yaxis=theme.token_axis(tuple(t("layer {layer}").format(layer=each) for each in range(layers)))
        | {"autorange": "reversed"},
    )


def gold(
    record: AttentionRecord,
    *,
    sure: Collection[tuple[int, int]],
    possible: Collection[tuple[int, int]],
    titles: tuple[str, str] = ("", ""),
) -> go.Figure:
    """Draw one map with the heaviest cell of each row framed, and the links made by hand as marked corners.

    Args:
        record: one head.
        sure: links (source, target) that should be found: full corners.
        possible: links that may be found: open corners where they are not sure.
        titles: of rows and columns.
    """
    figure = attention(record, hard=True, titles=titles)
    for links, fill, edge in (
        (sure, look().value, look().paper),
        (set(possible) - set(sure), look().paper, look().value),
    ):
        for source, target in sorted(links):  # beside the cell's number, however small the cell
            right, top = source + 0.5, target - 0.5
            corner = f"M{right - 0.36} {top}H{right}V{top + 0.36}Z"
            figure.add_shape(type="path", path=corner, fillcolor=fill, line={"color": edge, "width": 1.5})
    return figure


def _inked(figure: go.Figure) -> go.Figure:
    return figure.update_traces(colorscale=look().weights, showscale=False, selector={"type": "heatmap"}).update_layout(
        margin={"t": 44}
    )


def _tokens(labels: tuple[str, ...], title: str) -> dict[str, Any]:
    return theme.token_axis(labels, title=title)


def _frame(top: int, left: int, bottom: int, right: int) -> dict[str, Any]:
    sides = {"x0": left - 0.5, "x1": right + 0.5, "y0": top - 0.5, "y1": bottom + 0.5}
    return {"type": "rect", **sides, "line": {"color": look().query, "width": 3}, "fillcolor": "rgba(0,0,0,0)"}
