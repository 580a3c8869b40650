"""“Why the learned fit is less smooth”: the curve at the width it began with, and at the one it learned."""

from functools import partial

import streamlit as st

from explorer.lessons import kernel_regression as lesson
from explorer.lessons.kernel_regression import readings
from explorer.lessons.kernel_regression.compute import learned_fit
from explorer.lessons.kernel_regression.figures import fit as curves, matrix
from explorer.lessons.kernel_regression.learned_bandwidth import learn_width
from explorer.lessons.kernel_regression.ui import controls as widgets
from explorer.records.language import t
from explorer.ui import cache, choice
from explorer.ui.scene import picture

CODE = (learn_width,)


def controls() -> lesson.Params:
    """Ask where w begins, how long and how fast to learn; points and kernel in the fold."""
    top, bottom = widgets.positions()
    with bottom:
        data, kernel = widgets.more()
    with top:
        start, rate, epochs = (choice.ask(key) for key in ("kr_start", "kr_rate", "kr_epochs"))
    fit = widgets.learning(data, start=start, learning_rate=rate, epochs=epochs)
    return lesson.Params(data=data, kernel=kernel, learning=fit)


def stage(params: lesson.Params) -> None:
    """Both curves over the same points; beside them the weights of both."""
    result = cache.compute(lesson.compute, params)
    before, after = (learned_fit(params.data, result.learning, epoch=epoch) for epoch in (0, -1))
    first, second = (t("width {width}").format(width=f"{fit.width:.3g}") for fit in (before, after))
    left, right = st.columns([3, 2], gap="medium")
    with left:
        picture.show_chart(
            "kr_smooth",
            partial(curves.draw_two_fits, before, after, names=(first, second)),
            title=t("Before learning and after"),
            reading=readings.describe_smoothness(before, after),
            provenance=after.provenance,
            of=params,
        )
    with right:
        picture.show_chart(
            "kr_sharper",
            partial(matrix.sharper, before, after, names=(first, second)),
            title=t("The weights of every query"),
            reading=readings.describe_sharpness(before, after),
            provenance=after.provenance,
            of=params,
        )
