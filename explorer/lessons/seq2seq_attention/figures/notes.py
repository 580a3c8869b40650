"""Trainings of the lecture notes' model and of its changes: the losses, and BLEU beside what it cost."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import theme
from explorer.figures.look import faint, look
from explorer.lessons.seq2seq_attention.records import TrainingCost
from explorer.records.language import t

#: Signs of the models, in their order; colours alone would not do.
SIGNS = ("circle", "square", "diamond", "x", "star")


def losses(courses: Sequence[TrainingCost], *, timed: bool, names: Mapping[str, str]) -> go.Figure:
    """Draw the loss of held-out pairs against the steps, or against the processor's minutes.

    Args:
        courses: of every training.
        timed: whether the axis is time.
        names: of the models.
    """
    traces = [
        _points(
            each,
            list(names).index(each.model),
            (each.seconds / 60 if timed else each.step).tolist(),
            np.exp(each.dev_loss).tolist(),
            names[each.model],
        )
        for each in courses
    ]
    return theme.figure(
        *traces,
        height=440,
        margin={"l": 8, "r": 8, "t": 60, "b": 8},
        xaxis={"title": {"text": t("minutes of the processor") if timed else t("steps")}, "rangemode": "tozero"},
        yaxis={"title": {"text": t("pieces")}},
    )


def costs(courses: Sequence[TrainingCost], spread: float, *, names: Mapping[str, str]) -> go.Figure:
    """Draw BLEU against the processor's minutes, and around the first model the spread over seeds.

    Args:
        courses: of every training; the others are compared with the first.
        spread: of BLEU over seeds.
        names: of the models.
    """
    base, most = courses[0], max(each.minutes for each in courses)
    traces = [
        _points(each, number, [each.minutes], [each.bleu], names[each.model])
        | {"mode": "markers", "marker": {"size": 17, "symbol": SIGNS[number], "color": _inks()[number]}}
        for number, each in ((list(names).index(each.model), each) for each in courses)
    ]
    band = {"type": "rect", "x0": 0, "x1": 1, "xref": "paper", "y0": base.bleu - spread, "y1": base.bleu + spread}
    said = theme.label(t("spread over seeds: ±{spread} BLEU").format(spread=f"{spread:.1f}"), None)
    note = {"x": 0.02, "xref": "paper", "xanchor": "left", "y": base.bleu - spread, "yanchor": "bottom"}
    return theme.figure(
        *traces,
        height=440,
        showlegend=False,
        margin={"l": 8, "r": 8, "t": 24, "b": 8},
        shapes=[band | {"fillcolor": faint(look().muted, 0.18), "line": {"width": 0}, "layer": "below"}],
        annotations=[
            note | {"text": said, "showarrow": False, "font": {"size": 13, "color": look().muted}},
            *(_called(each, names[each.model], most) for each in courses),
        ],
        xaxis={"title": {"text": t("minutes of the processor")}, "range": [0, 1.2 * most]},
        yaxis={"title": {"text": t("BLEU, test part, beam 5")}},
    )


def _inks() -> tuple[str, ...]:
    return look().text, look().query, look().key, look().output, look().value


def _points(course: TrainingCost, number: int, x: list[float], y: list[float], name: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "x": x,
        "y": y,
        "name": theme.label(name, None),
        "mode": "lines+markers",
        "line": {"color": _inks()[number], "width": 3},
        "marker": {"size": 11, "symbol": SIGNS[number]},
        "customdata": [course.model] * len(x),
        "hovertemplate": f"{theme.label(name, None)}: %{{y:.2f}}<extra></extra>",
    }


def _called(course: TrainingCost, name: str, most: float) -> dict[str, Any]:
    """Write a model's name above its sign, or towards the middle where it stands far right."""
    anchor = "right" if course.minutes > 0.75 * most else "center"
    position = {"x": course.minutes, "y": course.bleu, "yshift": 15, "xanchor": anchor, "yanchor": "bottom"}
    text = f"{theme.label(name, None)} <b>{course.bleu:.1f}</b>"
    return position | {"text": text, "showarrow": False, "font": {"size": 14, "color": look().text}}
