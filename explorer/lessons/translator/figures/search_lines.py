"""Texts compared by what a model gives them: added up token by token, and scored under every length penalty."""

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from explorer.figures import factors, theme
from explorer.figures.look import look
from explorer.lessons.translator.names import name as said_name
from explorer.records.language import t
from explorer.records.search import ScoredText, SearchNode
from explorer.records.wording import times

#: Told apart without colour too.
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
SYMBOLS = ("circle", "square", "diamond", "cross", "triangle-up", "triangle-down", "star", "x")
#: Characters of a text in a legend.
TEXT_CHARACTERS = 60
GRID = 81


def running(texts: Sequence[ScoredText], *, names: Mapping[str, str], at: int | None = None) -> go.Figure:
    """Draw the log-probability of each text so far, falling with every token; steep where a token was unlikely.

    The first line is broad, so that it shows where another lies on it.

    Args:
        texts: in the order of the legend.
        at: number of a token to point out, from 1.
    """
    traces = [_falling(number, each, names[each.name]) for number, each in enumerate(texts)]
    most = max(len(each.surface) for each in texts)
    figure = theme.figure(
        *traces,
        height=400,
        xaxis={"title": {"text": t("tokens written")}, "tickformat": "d", "range": [-0.3, most + 0.3]},
        yaxis=factors.axis(np.concatenate([each.running for each in texts]))
        | {"title": {"text": t("probability so far: one in …")}, "zeroline": False},
    )
    if at is not None:
        figure.add_vline(x=at, line={"color": look().query, "width": 2, "dash": "dot"})
    return figure


def _falling(number: int, text: ScoredText, name: str) -> dict[str, object]:
    labels, own = text.candidate.labels, text.log_probabilities
    said = [
        t("“{token}”: probability {share:.3f}; so far one in {times}").format(
            token=theme.label(said_name(label), None), share=np.exp(value), times=times(np.exp(min(-total, 700)))
        )
        for label, value, total in zip(labels, own, text.running, strict=True)
    ]
    return {
        "type": "scatter",
        "x": np.arange(len(labels) + 1, dtype=np.int32),
        "y": factors.tens(np.concatenate([[0.0], text.running])),
        "name": name,
        "mode": "lines+markers",
        "line": {"color": theme.colour(number), "dash": DASHES[number % len(DASHES)], "width": 2.5 if number else 7},
        "marker": {"symbol": SYMBOLS[number % len(SYMBOLS)], "size": 8},
        "customdata": [t("start"), *said],
        "hovertemplate": f"{theme.label(name, None)}<br>%{{customdata}}<extra></extra>",
    }


def ranking(nodes: Sequence[SearchNode], *, penalty: float, most: float) -> go.Figure:
    """Draw the score of every finished hypothesis over the length penalty; the higher line is ranked higher.

    Args:
        nodes: finished hypotheses, in the order of the legend.
        penalty: where the reader stands.
        most: largest penalty.
    """
    grid = np.linspace(0, most, GRID)
    traces = [
        {
            "type": "scatter",
            "x": grid.astype(np.float32),
            "y": (node.total / ((5 + node.step) / 6) ** grid).astype(np.float32),
            "name": f"{number + 1}. {theme.label(node.text, TEXT_CHARACTERS)}",
            "mode": "lines",
            "line": {
                "color": theme.colour(number),
                "dash": DASHES[number % len(DASHES)],
                "width": 4 if number == 0 else 2,
            },
            "hovertemplate": f"{theme.label(node.text, 80)}<br>α = %{{x:.2f}}: %{{y:.3f}}<extra></extra>",
        }
        for number, node in enumerate(nodes)
    ]
    figure = theme.figure(
        *traces,
        height=420 + 22 * len(nodes),
        xaxis={"title": {"text": t("length penalty α")}, "range": [0, most]},
        yaxis={"title": {"text": t("beam score")}, "zeroline": False},
        legend={"orientation": "v", "y": -0.25, "yanchor": "top", "x": 0},
    )
    figure.add_vline(x=penalty, line={"color": look().query, "width": 2, "dash": "dot"})
    return figure
