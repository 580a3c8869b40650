"""Every query: the weight matrix, and the prediction that each of its rows makes."""

from functools import partial

import streamlit as st

from explorer.attention.kernels import regress
from explorer.lessons import kernel_regression as lesson
from explorer.lessons.kernel_regression import readings
from explorer.lessons.kernel_regression.compute import numbers
from explorer.lessons.kernel_regression.figures import matrix
from explorer.lessons.kernel_regression.ui import controls as widgets, dragged, tables
from explorer.lessons.kernel_regression.ui.one_query import Chosen, controls
from explorer.ui import cache
from explorer.ui.language import t
from explorer.ui.scene import picture, predict

__all__ = ["CODE", "answer", "controls", "stage"]

CODE = (regress,)


def stage(chosen: Chosen) -> dict[str, str]:
    """The matrix with the chosen row, and the curve beside it."""
    params, query = chosen
    result = cache.compute(lesson.compute, params)
    with st.container(key="kr_weights"):
        widths, points = widgets.widths(params.data), numbers(params.data)
        dragged.matrix(result.fit, query, widths, points, key="kr_weights_live")
        picture.remark(
            "kr_weights",
            partial(matrix.weights, result.fit, query, t=t),
            title=t("The weight matrix, queries × keys"),
            reading=readings.describe_matrix(result.fit, t),
            table=lambda: tables.weights(result.fit),
        )
    return readings.said_attention(result, lesson.View(query=query), t)


def answer() -> predict.Answer:
    """Say whose weight is spread over more points: the query in the middle, or the one at the edge."""
    fit = cache.compute(lesson.compute, lesson.Params()).fit
    middle, edge = (float(readings.effective(fit)[fit.row(at)]) for at in (2.5, 5.0))
    alike = abs(middle - edge) < 0.1 * max(middle, edge)
    right = "alike" if alike else "middle" if middle > edge else "edge"
    return right, {"middle": f"{middle:.0f}", "edge": f"{edge:.0f}"}
