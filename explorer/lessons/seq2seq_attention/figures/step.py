"""One step of a recurrent decoder: scores, weights, the context they make, and the state that moves."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import heatmap, theme
from explorer.figures.look import LIGHT, Look
from explorer.records import Translate, english
from explorer.records.recurrent import DecoderStep, Vector
from explorer.records.wording import minus

#: Bars of at most this many tokens carry their number.
MOST_NUMBERED = 14


def scores_and_weights(
    step: DecoderStep, labels: tuple[str, ...], *, look: Look = LIGHT, t: Translate = english
) -> go.Figure:
    """Draw e_tj above, α_tj below, over the same source tokens.

    Raises:
        ValueError: the step has no weights, or there is not one label for each.
    """
    if step.scores is None or step.weights is None or step.weights.shape != (len(labels),):
        raise ValueError(f"{len(labels)} labels do not fit the weights of this step")
    scores = _bars(step.scores, labels, look.key, "y", "{:.1f}", t("score"))
    weights = _bars(step.weights, labels, look.query, "y2", "{:.2f}", t("weight"))
    low, high = min(float(step.scores.min()), 0.0), max(float(step.scores.max()), 0.0)
    room = 0.18 * ((high - low) or 1.0)
    axis = theme.token_axis(labels)
    return theme.figure(
        scores,
        weights,
        height=430,
        showlegend=False,
        bargap=0.2,
        xaxis=axis | {"anchor": "y2"},
        yaxis={
            "domain": [0.56, 1.0],
            "title": {"text": t("score e")},
            "range": [low - (room if low < 0 else 0), high + room],
        },
        yaxis2={
            "domain": [0.0, 0.44],
            "title": {"text": t("weight α")},
            "range": [0, 1.15],
            "tickvals": [0, 0.5, 1],
            "anchor": "x",
        },
        annotations=[
            {
                "text": t("softmax ↓"),
                "x": 0.5,
                "y": 0.5,
                "xref": "paper",
                "yref": "paper",
                "showarrow": False,
                "yanchor": "middle",
            }
        ],
    )


def _bars(values: Vector, labels: tuple[str, ...], colour: str, axis: str, digits: str, name: str) -> go.Bar:
    numbered = len(labels) <= MOST_NUMBERED
    return go.Bar(
        x=np.arange(len(labels), dtype=np.int32),
        y=values.astype(np.float32),
        yaxis=axis,
        name=name,
        marker={"color": colour},
        text=[minus(digits.format(value)) for value in values.tolist()] if numbered else None,
        textposition="outside",
        textangle=0,
        customdata=[theme.label(each, None) for each in labels],
        hovertemplate=f"%{{customdata}}: {name} %{{y:.4f}}<extra></extra>",
        cliponaxis=False,
    )


def strips(
    rows: Sequence[tuple[str, Vector]],
    *,
    value_title: str,
    ruled: Sequence[int] = (),
    look: Look = LIGHT,
    t: Translate = english,
) -> go.Figure:
    """Draw vectors as strips of cells, one below the other, on one diverging scale.

    Args:
        rows: name and vector, top to bottom; all of one length. Equal names stay apart.
        value_title: what a number is.
        ruled: rows above which a line stands, as above a sum.
    """
    names = tuple(name for name, _ in rows)
    values = np.stack([vector.astype(np.float32) for _, vector in rows])
    reach = float(np.abs(values).max()) or 1.0
    trace = heatmap.cells(
        values,
        [(0.0, look.query), (0.5, look.paper), (1.0, look.key)],
        t("{row}, number {place}: {value}").format(row="%{y}", place="%{x}", value="%{z:.3f}"),
        ends=(-reach, reach),
        showscale=True,
        colorbar={"title": {"text": value_title}, "thickness": 12, "len": 1},
        ygap=3,
    )
    figure = theme.figure(
        trace,
        height=int(np.clip(110 + 34 * len(names), 200, 520)),
        xaxis={"title": {"text": t("numbers of the vector")}, "showgrid": False, "zeroline": False},
        yaxis=_names(names) | {"autorange": "reversed"},
    )
    for row in ruled:
        figure.add_hline(y=row - 0.5, line={"width": 3, "color": look.text})
    return figure


def _names(names: tuple[str, ...]) -> dict[str, Any]:
    return theme.token_axis(names) | {"ticktext": [theme.label(name, 26) for name in names]}
