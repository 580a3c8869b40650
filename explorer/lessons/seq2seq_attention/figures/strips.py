"""Figure of vectors as strips of cells, such as states and their sum."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import heatmap, theme
from explorer.figures.look import look
from explorer.records.arrays import Float32
from explorer.records.language import t


def strips(rows: Sequence[tuple[str, Float32]], *, value_title: str, ruled: Sequence[int] = ()) -> go.Figure:
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
        [(0.0, look().query), (0.5, look().paper), (1.0, look().key)],
        t("{row}, number {position}: {value}").format(row="%{y}", position="%{x}", value="%{z:.3f}"),
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
        figure.add_hline(y=row - 0.5, line={"width": 3, "color": look().text})
    return figure


def _names(names: tuple[str, ...]) -> dict[str, Any]:
    return theme.token_axis(names) | {"ticktext": [theme.label(name, 26) for name in names]}
