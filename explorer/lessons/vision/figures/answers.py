"""Figures of “Vision” beside the maps on the picture: answers, distances, position codes, what is missed."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import heatmap, theme
from explorer.figures.look import look
from explorer.figures.patches import BARE, SQUARE
from explorer.records.arrays import Float32
from explorer.records.image import Classification, Hidden, PatchAttention, PositionCodes
from explorer.records.language import t


def answers(series: Mapping[str, Classification], *, names: Mapping[str, str], faint: Sequence[str] = ()) -> go.Figure:
    """Draw the probability of every class, a bar for each series; the likeliest of the first series on top.

    Args:
        series: name in the reader's language to answer; at least one.
        faint: series that are hatched.
    """
    first = next(iter(series.values()))
    classes = [first.classes[each] for each in first.order]
    traces = [
        go.Bar(
            x=[float(answer.probabilities[answer.classes.index(each)]) for each in classes],
            y=list(range(len(classes))),
            orientation="h",
            name=name,
            marker={
                "color": (look().output, look().key)[i // (2 if faint else 1)],
                "pattern": {"shape": "/" if name in faint else "", "fillmode": "replace", "solidity": 0.3},
            },
            customdata=[names[each] for each in classes],
            hovertemplate=f"{name}, %{{customdata}}: %{{x:.3f}}<extra></extra>",
        )
        for i, (name, answer) in enumerate(series.items())
    ]
    labels = tuple(names[each] for each in classes)
    return theme.figure(
        *traces,
        height=HEIGHT_OF_ANSWERS,
        bargap=0.3,
        barmode="group",
        margin={"l": 8, "r": 8, "t": 56 if len(series) > 2 else 40, "b": 8},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "traceorder": "normal"},
        xaxis={"title": {"text": t("probability")}, "range": [0, 1], "fixedrange": True},
        yaxis=theme.token_axis(labels) | {"autorange": "reversed"},
    )


HEIGHT_OF_ANSWERS = 460


def around_zero(values: Float32, reach: float, *, scale: str, hover: str, **cells: Any) -> go.Heatmap:
    """Return a heat map of changes: 0 is the paper, a fall the colour of keys, a rise that of queries."""
    colours, bar = (
        [[0.0, look().key], [0.5, look().paper], [1.0, look().query]],
        {"title": {"text": scale}, "thickness": 12},
    )
    return heatmap.cells(values, colours, hover, ends=(-reach, reach), colorbar=bar, **({"showscale": True} | cells))


def distances(record: PatchAttention) -> go.Figure:
    """Draw how far every head looks: a point for each, layer by layer."""
    layers, heads = np.divmod(np.arange(record.distances.size), record.n_heads)
    said = t("layer {layer}, head {head}: {pixels} pixels").format(
        layer="%{x}", head="%{customdata}", pixels="%{y:.1f}"
    )
    points = go.Scatter(
        x=layers,
        y=record.distances.ravel(),
        customdata=heads,
        mode="markers",
        marker={"size": 12, "color": [theme.colour(each) for each in heads.tolist()]},
        hovertemplate=f"{said}<extra></extra>",
        showlegend=False,
    )
    means = go.Scatter(
        x=np.arange(record.n_layers),
        y=record.distances.mean(1),
        mode="lines",
        line={"color": look().muted, "width": 2},
        name=t("mean of the layer"),
        hovertemplate=t("mean of layer {layer}: {pixels} pixels").format(layer="%{x}", pixels="%{y:.1f}")
        + "<extra></extra>",
    )
    figure = theme.figure(
        means,
        points,
        height=380,
        xaxis={"title": {"text": t("layer")}, "dtick": 1, "fixedrange": True},
        yaxis={"title": {"text": t("mean distance (pixels of 32)")}, "rangemode": "tozero", "fixedrange": True},
    )
    return figure.add_hline(
        y=record.even_distance,
        line={"dash": "dash", "width": 2, "color": look().text},
        annotation_text=t("everywhere alike"),
        annotation_position="bottom right",
    )


def positions(record: PositionCodes) -> go.Figure:
    """Draw a small map for each patch: the cosine of its code with every other patch's, −1 to 1."""
    grid, step = record.grid, record.grid + 1
    canvas = np.full((grid * step - 1, grid * step - 1), np.nan, np.float32)
    said = np.zeros((*canvas.shape, 4), np.int16)
    rows, columns = np.meshgrid(np.arange(1, grid + 1), np.arange(1, grid + 1), indexing="ij")
    for patch in range(grid**2):
        row, column = divmod(patch, grid)
        tile = np.s_[row * step : row * step + grid, column * step : column * step + grid]
        canvas[tile] = record.cosine[patch].reshape(grid, grid)
        said[tile] = np.dstack([np.full_like(rows, row + 1), np.full_like(rows, column + 1), rows, columns])
    hover = t("codes of patch {one} and patch {other}: cosine {value}").format(
        one="%{customdata[0]}, %{customdata[1]}", other="%{customdata[2]}, %{customdata[3]}", value="%{z:.2f}"
    )
    return theme.figure(
        around_zero(canvas, 1, scale=t("cosine"), hover=hover, customdata=said),
        height=480,
        margin={"l": 4, "r": 4, "t": 12, "b": 6},
        xaxis=BARE | {"constrain": "domain"},
        yaxis=BARE | {"autorange": "reversed", "scaleanchor": "x", "constrain": "domain"},
    )


def draw_removals(values: Float32, *, rows: str, columns: str, first: int = 1) -> go.Figure:
    """Draw how the probability moves without each: blue where it falls, orange where it rises.

    Args:
        values: `[rows, columns]`, changes of a probability.
        first: number of the first row and column.
    """
    reach = max(float(np.abs(values).max()), 0.01)
    positions = [tuple(str(first + i) for i in range(n)) for n in values.shape]
    numbers: dict[str, Any] = {"texttemplate": "%{z:+.2f}" if values.size <= 64 else None, "xgap": 1, "ygap": 1}
    numbers["textfont"] = {"size": look().close(11 if values.shape[1] > 6 else 14)}
    hover = f"{rows} %{{y}}, {columns} %{{x}}: %{{z:+.3f}}"
    return theme.figure(
        around_zero(values, reach, scale=t("change"), hover=hover, **numbers),
        height=HEIGHT_OF_MISSED,
        margin={"l": 8, "r": 4, "t": 12, "b": 8},
        xaxis=theme.token_axis(positions[1], title=columns),
        yaxis=theme.token_axis(positions[0], title=rows) | {"autorange": "reversed"},
    )


HEIGHT_OF_MISSED = 400


def heads_missed(record: Hidden) -> go.Figure:
    """Draw what each head is worth: a row for each layer."""
    return draw_removals(record.heads, rows=t("layer"), columns=t("head"), first=0)


def patches_missed(record: Hidden) -> go.Figure:
    """Draw what each patch is worth, as it lies in the picture."""
    figure = draw_removals(record.patches, rows=t("row"), columns=t("column"))
    return figure.update_xaxes(constrain="domain").update_yaxes(SQUARE)
