"""The kernels: their shapes, and the fit that the chosen one makes."""

from functools import partial

import streamlit as st

from explorer.attention.kernels import KERNELS
from explorer.lessons import kernel_regression as lesson
from explorer.lessons.kernel_regression import readings
from explorer.lessons.kernel_regression.figures import fit as curves, widths
from explorer.lessons.kernel_regression.ui import controls as widgets
from explorer.ui import cache
from explorer.ui.language import t
from explorer.ui.scene import picture, rail

CODE = (type(KERNELS["gaussian"]),)


def controls() -> lesson.Params:
    """Kernel and width; points in the fold."""
    kernel = widgets.kernel()
    top, bottom = widgets.places()
    with bottom, rail.more():
        data = widgets.points()
    with top:
        return lesson.Params(data=data, kernel=kernel, width=widgets.width(data))


def stage(params: lesson.Params) -> None:
    """Four shapes, the chosen one in front; beside them the fit."""
    result = cache.compute(lesson.compute, params)
    first, second = st.columns(2, gap="medium")
    with first:
        picture.show(
            "kr_kernels",
            partial(widths.kernels, result.shapes, params.kernel, names=readings.kernel_names(t), t=t),
            title=t("The kernels"),
            reading=readings.describe_kernel(result, t),
            of=params,
        )
    with second:
        picture.show(
            "kr_kernel_fit",
            partial(curves.fit, result.fit, t=t),
            title=t("The fit"),
            reading=readings.describe_error(result.fit, t),
            of=params,
        )
