"""Figures for “Efficient attention”: what a trained model loses with each mechanism in place of its own.

A loss is drawn as e to it, the perplexity: between how many letters the model hesitates. What is added to one is drawn
as what it makes of the probability of the right letter, on average.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from explorer.figures import theme
from explorer.figures.look import look
from explorer.lessons.efficient_attention.figures.measured import ink
from explorer.lessons.efficient_attention.records.comparison import TaskPoint, TaskRecord
from explorer.records.language import t


def task(record: TaskRecord, *, names: Mapping[str, str]) -> go.Figure:
    """Draw what sparse mechanisms cost over the positions a query sees; below, the others' perplexity as bars."""
    sparse = [name for name in _SPARSE if any(point.name == name for point in record.points)]
    traces = [_curve([each for each in record.points if each.name == name], name, names) for name in sparse]
    others = [point for point in record.points if point.cells is None]
    labels = [f"{names[point.name]} {' '.join(str(v) for k, v in point.settings if k != 'seed')}" for point in others]
    perplexity = np.exp([point.loss for point in others])
    bars = {"type": "bar", "orientation": "h", "y": np.arange(len(others)), "cliponaxis": False, "showlegend": False}
    bars |= {"x": perplexity, "text": [f"{each:.1f}" for each in perplexity]}
    bars |= {"marker": {"color": [ink(point.name) for point in others]}, "textposition": "outside"}
    bars |= {"customdata": np.array(labels), "hovertemplate": "%{customdata}: %{x:.2f}<extra></extra>"}
    exact = {"type": "line", "line": {"color": look().text, "dash": "dash", "width": 2}, "xref": "x2"}
    here = math.exp(record.exact)
    most = perplexity.max(initial=here)
    return theme.figure(
        *traces,
        bars | {"xaxis": "x2", "yaxis": "y2"},
        height=820,
        margin={"l": 8, "r": 8, "t": 80, "b": 8},
        xaxis=_powers(np.array([2**power for power in range(8)]), t("positions seen, mean")),
        yaxis={"type": "log", "domain": [0.53, 1], "dtick": 1, "tickformat": "~%"}
        | {"title": {"text": t("less likely by")}},
        xaxis2={
            "anchor": "y2",
            "title": {"text": t("letters; exact: dashed")},
            "nticks": 4,
            "range": [0, 1.3 * most],
        },
        yaxis2=theme.token_axis(tuple(labels)) | {"anchor": "x2", "autorange": "reversed", "domain": [0, 0.4]},
        shapes=[exact | {"yref": "y2 domain", "x0": here, "x1": here, "y0": 0, "y1": 1}],
    )


def _powers(positions: npt.NDArray[np.int64], title: str) -> dict[str, Any]:
    """Return a logarithmic axis on which every place is named."""
    named = {"tickvals": positions, "ticktext": [str(position) for position in positions]}
    return {"type": "log", "title": {"text": title, "standoff": 4}} | named


_MARKS = ("circle", "diamond", "square", "x", "star", "triangle-up")
#: Less is not drawn: a logarithmic axis has no place for it.
NOTHING = 1e-4
#: Sparse mechanisms as lines, each with its colours on light and on dark paper; the mark is that of its place.
_SPARSE = {
    "window": ("#8a6d00", "#d9b84a"),
    "longformer": ("#0b7f82", "#3fc1c4"),
    "strided": ("#5470d3", "#79a7ff"),
    "block": ("#7d5bb5", "#b99cf0"),
    "bigbird": ("#b5583a", "#f0926f"),
    "dilated": ("#3f7d3a", "#7fce78"),
}


def _curve(points: list[TaskPoint], name: str, names: Mapping[str, str]) -> dict[str, Any]:
    points = [point for point in points if point.added > NOTHING]
    left = np.exp([-point.added for point in points])
    settings = [" ".join(str(value) for key, value in point.settings if key != "seed") for point in points]
    return {
        "type": "scatter",
        "x": np.array([point.cells for point in points], float),
        "y": 1 - left,
        "error_y": {
            "array": left * [point.added_error for point in points],
            "thickness": 1,
            "width": 2,
        },
        "customdata": np.array(settings),
        "name": names[name],
        "mode": "lines+markers",
        "line": {"color": _SPARSE[name][look().dark], "width": 2},
        "marker": {"size": 8, "symbol": _MARKS[list(_SPARSE).index(name)]},
        "hovertemplate": f"{theme.label(names[name], None)} %{{customdata}}: "
        + t("{seen} positions seen, the right letter {less} less likely").format(seen="%{x:.1f}", less="%{y:.2~%}")
        + "<extra></extra>",
    }


def longer(record: TaskRecord) -> go.Figure:
    """Draw the perplexity on texts longer than those of the training, by the width of the window."""
    points = [point for point in record.points if point.name == "window"]
    widths = np.array([dict(point.settings)["width"] for point in points])
    curve = {
        "type": "scatter",
        "x": widths,
        "y": np.exp([point.loss for point in points]),
        "mode": "lines+markers",
        "name": t("sliding window"),
        "line": {"color": look().output, "width": 2.5},
        "marker": {"size": 9},
        "hovertemplate": t("width {width}: between {letters} letters").format(width="%{x}", letters="%{y:.2f}")
        + "<extra></extra>",
    }
    exact = {
        "type": "scatter",
        "x": widths[[0, -1]],
        "y": np.full(2, math.exp(record.exact)),
        "mode": "lines",
        "name": t("exact attention"),
        "line": {"color": look().text, "dash": "dash"},
        "hovertemplate": t("exact attention") + ": %{y:.2f}<extra></extra>",
    }
    trained = {"type": "line", "x0": record.trained_length, "x1": record.trained_length, "y0": 0, "y1": 1}
    note = theme.heading("\u00a0" + t("length in training"), 0.0, 0.0) | {
        "x": float(np.log10(record.trained_length)),
        "y": 0.85,
        "xref": "x",
        "xanchor": "left",
    }
    return theme.figure(
        curve,
        exact,
        height=380,
        xaxis=_powers(widths, t("width w")),
        yaxis={"title": {"text": t("letters it hesitates between")}},
        shapes=[trained | {"yref": "paper", "line": {"dash": "dot", "color": look().text}}],
        annotations=[note],
    )
