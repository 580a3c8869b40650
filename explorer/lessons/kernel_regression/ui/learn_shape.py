"""Learn the shape: a kernel whose p, q and width follow the gradient, and the weights that come of it."""

from functools import partial

import streamlit as st

from explorer.lessons import kernel_regression as lesson
from explorer.lessons.kernel_regression import learned_readings, readings
from explorer.lessons.kernel_regression.compute import shapes_of
from explorer.lessons.kernel_regression.figures import matrix, widths
from explorer.lessons.kernel_regression.learned_shape import (
    MOST_ASKED,
    STEPS,
    learn_shape,
    learned_kernel,
    shape_learning,
)
from explorer.lessons.kernel_regression.ui import controls as widgets, own_kernel, tables
from explorer.records.language import t
from explorer.ui import cache, choice
from explorer.ui.scene import picture, rail

CODE = (learn_shape,)
Chosen = tuple[lesson.Params, int]


def controls() -> Chosen:
    """Ask for the kernel to begin with, and the step; points and width stand in the fold."""
    kernel = own_kernel.ask_kernel()
    step = choice.slider(t("Step shown"), 0, STEPS, key="kr_step")
    with rail.more():
        data = widgets.points()
        params = lesson.Params(data=data, kernel=kernel, width=widgets.width(data))
    return params, step


def stage(chosen: Chosen) -> None:
    """Draw the kernel before and after, and the weights of every query after."""
    params, step = chosen
    learning = shape_learning(params)
    kernel, width = learned_kernel(learning, step)
    fit = cache.compute(lesson.compute, lesson.Params(data=params.data, kernel=kernel, width=width)).fit
    names = {params.kernel: t("at the start"), kernel: t("after step {step}").format(step=step)}
    first, second = st.columns([2, 3], gap="medium")
    with first:
        picture.show_chart(
            "kr_learned_shape",
            partial(widths.kernels, shapes_of(tuple(names)), kernel, names=names),
            title=t("The kernel"),
            reading=readings.describe_formula(kernel),
            provenance=learning.provenance,
            table=lambda: tables.shape_learning(learning),
            of=(params, step),
        )
    with second:
        everybody = len(fit.points.x) <= MOST_ASKED
        gaussian = cache.compute(lesson.compute, lesson.Params(data=params.data)).sweep if everybody else None
        picture.show_chart(
            "kr_learned_map",
            partial(matrix.weights, fit),
            title=t("The weights of every query"),
            reading=learned_readings.describe_shape(learning, step, gaussian),
            of=(params, step),
        )
