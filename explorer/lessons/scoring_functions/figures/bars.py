"""Bars: one number for each of a few names."""

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from explorer.figures import theme
from explorer.figures.look import look
from explorer.records.scoring import ScoringRecord


def horizontal(names: Sequence[str], values: Sequence[float], *, value_title: str = "") -> go.Figure:
    """Draw one bar for each name, top to bottom, its number at its end.

    Args:
        names: equal names stay apart.
        values: one for each name.
        value_title: what is measured, with its unit.

    Raises:
        ValueError: if there is not one value for each name.
    """
    if len(names) != len(values):
        raise ValueError(f"{len(names)} names for {len(values)} values")
    trace = go.Bar(
        x=list(values),
        y=list(range(len(names))),
        orientation="h",
        marker={"color": look().key},
        text=[_number(value) for value in values],
        textposition="auto",
        customdata=[theme.label(name, None) for name in names],
        hovertemplate="%{customdata}: %{text}<extra></extra>",
        cliponaxis=False,
    )
    return theme.figure(
        trace,
        height=90 + 38 * len(names),
        showlegend=False,
        bargap=0.25,
        xaxis={"title": {"text": value_title}, "rangemode": "tozero"},
        yaxis=theme.token_axis(tuple(names)) | {"autorange": "reversed"},
        annotations=[  # a bar of no length carries no text
            {"x": 0, "y": row, "text": "0", "showarrow": False, "xanchor": "left"}
            for row, value in enumerate(values)
            if not value
        ],
    )


def measures(records: Sequence[ScoringRecord], measure: str, *, names: Mapping[str, str], title: str) -> go.Figure:
    """One measure of every scoring function.

    Args:
        records: one per function.
        measure: a field of `ScoreMeasures`.
    """
    return horizontal(
        [names[record.name] for record in records],
        [float(getattr(record.measures, measure)) for record in records],
        value_title=title,
    )


def _number(value: float) -> str:
    """Write whole numbers whole, others to four digits."""
    return f"{value:,.0f}" if float(value).is_integer() and abs(value) < 1e15 else f"{value:.4g}"
