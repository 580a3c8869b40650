"""Heat maps of weights and of scores."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from explorer.figures import theme
from explorer.records import AttentionRecord
from explorer.records.arrays import Floats
from explorer.records.language import t

#: Heat maps with at most this many cells print each weight in its cell.
CELLS_WITH_NUMBERS = 144


def attention(
    record: AttentionRecord, *, head: int | None = None, query_title: str = "", key_title: str = ""
) -> go.Figure:
    """Weights of one head, or the mean over heads, on the fixed scale 0…1; forbidden cells are missing.

    Args:
        head: number of the head, from 0; None draws the mean over heads.
        query_title: what the rows are; "queries" if empty.
        key_title: what the columns are; "keys" if empty.

    Raises:
        IndexError: if there is no such head.
    """
    weights = record.weights.mean(0) if head is None else record.weights[head]
    return matrix(
        mask_values(weights, record.allowed),
        rows=record.query_labels,
        columns=record.key_labels,
        row_title=query_title or t("queries"),
        column_title=key_title or t("keys"),
        value_title=t("weight"),
        hover=f"{attends()}<extra></extra>",
    )


def attends() -> str:
    """Say under the pointer what a cell of a map of weights means."""
    return t("“{query}” attends to “{key}”: {weight}").format(query="%{y}", key="%{x}", weight="%{z:.3f}")


def explain(figure: go.Figure, meanings: Mapping[str, str]) -> go.Figure:
    """Add what the words of a cell's row and column mean to what the cell says under the pointer.

    Args:
        figure: heat maps whose axes are words; it is changed.
        meanings: by word.
    """
    known = {theme.label(word, None): theme.label(said, None) for word, said in meanings.items()}
    for trace in figure.data:
        if trace.type != "heatmap" or not trace.hovertemplate or trace.customdata is not None:
            continue
        sides = ((trace.yaxis or "y").replace("y", "yaxis"), (trace.xaxis or "x").replace("x", "xaxis"))
        rows, columns = (
            [f"<br>{word}: {known[word]}" if word in known else "" for word in figure.layout[side].ticktext or ()]
            for side in sides
        )
        if any(rows) or any(columns):
            trace.customdata = [[row + column for column in columns] for row in rows]
            trace.hovertemplate = trace.hovertemplate.replace("<extra>", "%{customdata}<extra>")
    return figure


def cells(
    values: Any, scale: Any, hover: str = "", *, ends: tuple[float, float] = (0.0, 1.0), **more: Any
) -> go.Heatmap:
    """The cells of a matrix, to be placed in a figure; NaN cells stay empty.

    Args:
        values: `[rows, columns]`.
        scale: colours from the first of `ends` to the second; not drawn beside the cells.
        hover: what a cell says under the pointer; nothing if empty.
        ends: values of the first and the last colour.
        more: anything else that a heat map takes.
    """
    said = {"hovertemplate": f"{hover}<extra></extra>"} if hover else {"hoverinfo": "skip"}
    plain = {"z": values, "zmin": ends[0], "zmax": ends[1], "colorscale": scale, "showscale": False} | said
    return go.Heatmap(plain | {"hoverongaps": False} | more)


def mask_values(values: Floats, allowed: npt.NDArray[np.bool_] | None) -> npt.NDArray[np.float32]:
    """The values with forbidden cells missing (NaN), as float32: the dtype that travels as bytes."""
    drawn = values.astype(np.float32)
    return drawn if allowed is None else np.where(allowed, drawn, np.float32(np.nan))


def matrix(
    values: npt.NDArray[np.float32],
    *,
    rows: tuple[str, ...],
    columns: tuple[str, ...],
    row_title: str = "",
    column_title: str = "",
    value_title: str = "",
    bounds: tuple[float, float] = (0.0, 1.0),
    hover: str = "%{y} · %{x}: %{z:.3f}<extra></extra>",
) -> go.Figure:
    """Any matrix with named rows (top to bottom) and columns; NaN cells stay empty."""
    trace = go.Heatmap(
        z=values,
        zmin=bounds[0],
        zmax=bounds[1],
        colorscale=theme.SEQUENTIAL,
        hovertemplate=hover,
        hoverongaps=False,
        texttemplate="%{z:.2f}" if values.size <= CELLS_WITH_NUMBERS else None,
        colorbar={"title": {"text": value_title}, "thickness": 12},
        xgap=1 if values.size <= 2500 else 0,
        ygap=1 if values.size <= 2500 else 0,
    )
    height = int(np.clip(140 + 28 * len(rows), 260, 720))
    return theme.figure(
        trace,
        height=height,
        xaxis=theme.token_axis(columns, title=column_title),
        yaxis=theme.token_axis(rows, title=row_title) | {"autorange": "reversed"},
    )
