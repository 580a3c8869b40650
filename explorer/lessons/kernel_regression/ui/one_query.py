"""One query: what it attends to, and what comes of it."""

from functools import partial

import streamlit as st

from explorer.attention.kernels import kernel_weights
from explorer.lessons import kernel_regression as lesson
from explorer.lessons.kernel_regression import readings
from explorer.lessons.kernel_regression.compute import numbers
from explorer.lessons.kernel_regression.figures import fit as curves
from explorer.lessons.kernel_regression.ui import controls as widgets, dragged, tables
from explorer.ui import cache
from explorer.ui.language import t
from explorer.ui.scene import picture, predict

CODE = (kernel_weights,)
Chosen = tuple[lesson.Params, float]


def controls() -> Chosen:
    """Query and width; points and kernel in the fold."""
    top, bottom = widgets.places()
    with bottom:
        data, kernel = widgets.more()
    with top:
        chosen = lesson.Params(data=data, kernel=kernel, width=widgets.width(data)), widgets.query(data)
        widgets.back(data)
    return chosen


def stage(chosen: Chosen) -> dict[str, str]:
    """The fit, the lines to the answer, and the weights below it."""
    params, query = chosen
    result = cache.compute(lesson.compute, params)
    with st.container(key="kr_fit"):
        dragged.draw(result.fit, query, widgets.widths(params.data), numbers(params.data), key="kr_dragged")
        picture.remark(
            "kr_fit",
            partial(curves.fit, result.fit, query, t=t),
            title=t("The fit, and what one query attends to"),
            reading=readings.describe_answer(result.fit, query, t),
            table=lambda: tables.fit(result.fit, query),
        )
    return readings.said_attention(result, lesson.View(query=query), t)


def answer() -> predict.Answer:
    """Say what the curve becomes at width 5: by how far it moves, and whether always the same way."""
    fit = cache.compute(lesson.compute, lesson.Params(width=5.0)).fit
    low, high = float(fit.prediction.min()), float(fit.prediction.max())
    spread = float(fit.points.y.max() - fit.points.y.min())
    there_and_back = readings.travelled(fit) > 2 * (high - low)
    right = "flat" if high - low < 0.05 * spread else "jagged" if there_and_back else "slope"
    effective = f"{float(readings.effective(fit).mean()):.0f}"
    numbers = {"low": f"{low:.2f}", "high": f"{high:.2f}", "mean": f"{fit.average:.2f}"}
    return right, {"effective": effective, "n": str(len(fit.points.x)), **numbers}
