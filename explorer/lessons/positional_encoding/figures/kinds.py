"""Figures of positions that enter the scores: the turn between query and key, and ALiBi's bias."""

import numpy as np
import plotly.graph_objects as go

from explorer.figures import hatch, theme
from explorer.figures.look import look
from explorer.lessons.positional_encoding.figures.sinusoidal import matrix
from explorer.lessons.positional_encoding.records.relative import BiasRecord, PhaseRecord
from explorer.records.language import t

#: Dashes tell heads apart once the colours repeat.
DASHES = ("solid", "dash", "dot")


def phase(record: PhaseRecord) -> go.Figure:
    """Draw the cosine of the angle between query and key, constant along every diagonal."""
    drawn = matrix(
        record.cosine,
        reach=1.0,
        titles=(t("position of the key"), t("position of the query")),
        hover=t("query at {row}, key at {column}: turned by {more}°, cosine {value}"),
        square=True,
    )
    return drawn.update_traces(customdata=record.degrees.astype(np.float32))


def bias(record: BiasRecord) -> go.Figure:
    """Draw what one head adds to its scores; the future is hatched."""
    reach = float(record.slopes[record.head]) * max(record.n - 1, 1)
    ahead = ~np.isfinite(record.bias)
    drawn = matrix(
        np.where(~ahead, record.bias, np.float32(np.nan)),
        reach=reach,
        titles=(t("position of the key"), t("position of the query")),
        hover=t("query at {row}, key at {column}: bias {value}"),
        square=True,
    )
    return drawn.update_layout(shapes=hatch.cells(ahead))


def penalties(record: BiasRecord) -> go.Figure:
    """Draw what is left of a weight at each distance, all else equal: exp(−slope · distance), a line for each head."""
    kept = np.exp(record.penalties).astype(np.float32)
    name, hover = t("head {head}: slope {slope}"), t("head {head}, distance {distance}: {share} of the weight")
    distances = np.arange(record.n)
    traces = [
        go.Scatter(
            x=distances,
            y=row,
            mode="lines",
            name=name.format(head=head, slope=f"{record.slopes[head]:.3g}"),
            line={
                "color": look().query if head == record.head else theme.colour(head),
                "width": 5 if head == record.head else 2,
                "dash": DASHES[head // len(theme.CATEGORICAL) % len(DASHES)],
            },
            hovertemplate=hover.format(head=head, distance="%{x}", share="%{y:.3f}") + "<extra></extra>",
        )
        for head, row in enumerate(kept)
    ]
    return theme.figure(
        *traces,
        height=520,
        showlegend=True,
        margin={"l": 8, "r": 8, "t": 40 + 22 * -(-len(kept) // 2), "b": 8},
        xaxis={"title": {"text": t("distance back, in positions")}},
        yaxis={"title": {"text": t("factor on the weight, exp(bias)")}, "range": [0, 1.03]},
    )
