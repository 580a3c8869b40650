"""The kernels: their shapes, and the fit that the chosen one makes."""

from functools import partial

import streamlit as st

from explorer.attention.kernels import KERNELS
from explorer.lessons import kernel_regression as lesson
from explorer.lessons.kernel_regression import readings
from explorer.lessons.kernel_regression.figures import fit as curves, widths
from explorer.lessons.kernel_regression.ui import controls as widgets, weights_map
from explorer.records.language import t
from explorer.ui import cache
from explorer.ui.scene import picture, rail

CODE = (type(KERNELS["gaussian"]),)


def controls() -> lesson.Params:
    """Kernel and width; points in the fold."""
    kernel = widgets.kernel()
    top, bottom = widgets.positions()
    with bottom, rail.more():
        data = widgets.points()
    with top:
        return lesson.Params(data=data, kernel=kernel, width=widgets.width(data))


def stage(params: lesson.Params) -> None:
    """Four shapes, the chosen one in front; beside them the fit."""
    result = cache.compute(lesson.compute, params)
    if weights_map.instead("kr_kernel_map", result.fit, of=params):
        return
    first, second = st.columns(2, gap="medium")
    with first:
        picture.show_chart(
            "kr_kernels",
            partial(widths.kernels, result.shapes, params.kernel, names=readings.kernel_names()),
            title=t("The kernels"),
            reading=readings.describe_kernel(result),
            of=params,
        )
    with second:
        picture.show_chart(
            "kr_kernel_fit",
            partial(curves.fit, result.fit),
            title=t("The fit"),
            reading=readings.describe_error(result.fit),
            of=params,
        )
