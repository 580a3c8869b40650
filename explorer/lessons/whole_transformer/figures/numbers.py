"""Charts of what the picture holds: to take away, and as a table."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from explorer.figures import hatch, theme
from explorer.figures.look import LIGHT, Look
from explorer.records.language import Translate, english

Numbers = Sequence[float] | npt.NDArray[np.float32]


def sureness(labels: Sequence[str], shares: Numbers, *, look: Look = LIGHT, t: Translate = english) -> go.Figure:
    """Draw how likely each written piece was."""
    figure = _bars(labels, {t("probability"): shares}, look)
    figure.update_yaxes(title=t("probability"), range=[0, 1])
    return figure


def added(
    labels: Sequence[str], shares: Mapping[str, Numbers], *, look: Look = LIGHT, t: Translate = english
) -> go.Figure:
    """Draw how long what each part adds is, beside the line it is added to."""
    figure = _bars(labels, shares, look)
    figure.update_yaxes(title=t("length of what is added ÷ length of the line"))
    return figure


def products(values: Numbers, *, look: Look = LIGHT, t: Translate = english) -> go.Figure:
    """Draw the products of one score."""
    figure = _bars([str(each + 1) for each in range(len(values))], {"q · k": values}, look)
    figure.update_xaxes(title=t("number of the head’s vectors"))
    figure.update_yaxes(title=t("product"))
    return figure


def weights(
    values: npt.NDArray[np.float32],
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    look: Look = LIGHT,
    t: Translate = english,
) -> go.Figure:
    """Draw the weights of one head, hatched where nobody may look (NaN)."""
    cells = go.Heatmap(
        z=values,
        zmin=0,
        zmax=1,
        colorscale=look.weights,
        showscale=False,
        xgap=1,
        ygap=1,
        hovertemplate="%{y} → %{x}: %{z:.3f}<extra></extra>",
        hoverongaps=False,
    )
    return theme.figure(
        cells,
        height=480,
        shapes=hatch.cells(np.isnan(values), look),
        xaxis=theme.token_axis(tuple(columns), title=t("is asked")) | {"constrain": "domain"},
        yaxis=theme.token_axis(tuple(rows), title=t("asks"))
        | {"autorange": "reversed", "scaleanchor": "x", "constrain": "domain"},
    )


def _bars(labels: Sequence[str], series: Mapping[str, Numbers], look: Look) -> go.Figure:
    colours = (look.query, look.key, look.value)
    places = list(range(len(labels)))
    bars = (
        go.Bar(x=places, y=np.asarray(values), name=name, marker={"color": colour})
        for (name, values), colour in zip(series.items(), colours, strict=False)
    )
    return theme.figure(*bars, xaxis=theme.token_axis(tuple(labels)))
