"""Two functions of the same queries and keys, one against the other."""

import numpy as np
import plotly.graph_objects as go

from explorer.figures import theme
from explorer.figures.look import look
from explorer.lessons.scoring_functions.figures import panels
from explorer.lessons.scoring_functions.records import SidesRecord
from explorer.records.language import t


def sides(record: SidesRecord, *, names: tuple[str, str]) -> go.Figure:
    """Draw a dot for each pair of query and key, and the line on which both functions are equal.

    Args:
        names: of the side along x and of the other, in the reader's language.
    """
    both = np.concatenate([record.one.ravel(), record.other.ravel()])
    pad = 0.06 * (float(np.ptp(both)) or 1.0)
    ends = [float(both.min()) - pad, float(both.max()) + pad]
    line = go.Scatter(x=ends, y=ends, mode="lines", line={"color": look().muted, "width": 2, "dash": "dot"})
    line.update(name=t("both say the same"), hoverinfo="skip")
    queries, keys = np.indices(record.one.shape)
    apart = np.abs(record.one - record.other).ravel()
    dots = go.Scatter(
        x=record.one.ravel(),
        y=record.other.ravel(),
        mode="markers",
        name=t("one query and one key"),
        marker={"size": 14, "color": look().key, "opacity": 0.8, "line": {"color": look().paper, "width": 1.5}},
        customdata=np.column_stack([queries.ravel() + 1, keys.ravel() + 1, apart]),
        hovertemplate="q%{customdata[0]} · k%{customdata[1]}: %{x:.4g}, %{y:.4g}<br>"
        + t("difference")
        + " %{customdata[2]:.1e}<extra></extra>",
    )
    gaps = go.Scatter(
        x=np.column_stack([record.one.ravel()] * 2 + [np.full(apart.shape, np.nan)]).ravel(),
        y=np.column_stack([record.one.ravel(), record.other.ravel(), np.full(apart.shape, np.nan)]).ravel(),
        mode="lines",
        line={"color": look().output, "width": 2},
        name=t("difference"),
        hoverinfo="skip",
        connectgaps=False,
    )
    axis = {"range": ends, "zeroline": False}
    return theme.figure(
        line,
        gaps,
        dots,
        height=520,
        xaxis=axis | {"title": {"text": theme.label(names[0], None)}, "constrain": "domain"},
        yaxis=axis | {"title": {"text": theme.label(names[1], None)}},
    )


def maps(record: SidesRecord, *, names: tuple[str, str]) -> go.Figure:
    """Draw the scores of both as heat maps on one scale, and what the other has more; arguments as of `sides`."""
    matrices = [record.one, record.other, record.other - record.one]
    queries, keys = record.one.shape
    reach = float(max(np.abs(each).max() for each in matrices)) or 1.0
    return panels.tiles(
        matrices,
        titles=[*(theme.label(name, None) for name in names), t("difference")],
        rows=tuple(f"q{position + 1}" for position in range(queries)),
        columns=tuple(f"k{position + 1}" for position in range(keys)),
        value_title=t("score"),
        reach=[reach] * len(matrices),
    )
