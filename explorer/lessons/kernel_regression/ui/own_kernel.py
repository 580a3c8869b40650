"""A kernel of the reader's own: its shape beside the Gaussian's, and its fit beside the Gaussian's best."""

from functools import partial

import streamlit as st

from explorer.lessons import kernel_regression as lesson
from explorer.lessons.kernel_regression import readings
from explorer.lessons.kernel_regression.compute import best_fit, shapes_of
from explorer.lessons.kernel_regression.figures import fit as curves, widths
from explorer.lessons.kernel_regression.own_kernel import kernel_of, name_of_own
from explorer.lessons.kernel_regression.ui import controls as widgets, weights_map
from explorer.records.language import t
from explorer.ui import cache, choice
from explorer.ui.scene import picture, predict, rail

CODE = (kernel_of,)


def controls() -> lesson.Params:
    """Family, two parameters and the width; the points in the fold."""
    kernel = ask_kernel()
    top, bottom = widgets.positions()
    with bottom, rail.more():
        data = widgets.points()
    with top:
        return lesson.Params(data=data, kernel=kernel, width=widgets.width(data))


def ask_kernel() -> str:
    """Ask for a family and its two parameters."""
    family = choice.select(t("Family"), readings.family_names(), key="kr_family")
    return name_of_own(family, choice.ask("kr_p"), choice.ask("kr_q"))


def stage(params: lesson.Params) -> None:
    """Both shapes; beside them both fits."""
    result = cache.compute(lesson.compute, params)
    if weights_map.instead("kr_own_map", result.fit, of=params):
        return
    gaussian = best_fit(params.data, "gaussian")
    names = {params.kernel: t("your kernel"), "gaussian": t("Gaussian")}
    first, second = st.columns([2, 3], gap="medium")
    with first:
        picture.show_chart(
            "kr_own_shape",
            partial(widths.kernels, shapes_of((params.kernel, "gaussian")), params.kernel, names=names),
            title=t("The kernel"),
            reading=readings.describe_formula(params.kernel),
            provenance=result.shapes.provenance,
            of=params.kernel,
        )
    with second:
        mine = t("yours, h = {width}").format(width=f"{params.width:.3g}")
        best = t("Gaussian, h = {width}").format(width=f"{gaussian.width:.3g}")
        picture.show_chart(
            "kr_own_fit",
            partial(curves.draw_two_fits, gaussian, result.fit, names=(best, mine)),
            title=t("The fit"),
            reading=readings.describe_own(result, gaussian),
            provenance=result.fit.provenance,
            of=params,
        )


def answer() -> predict.Answer:
    """Compare a pointed kernel with the Gaussian, each at the width that leave-one-out chooses."""
    pointed, usual = (
        cache.compute(lesson.compute, lesson.Params(kernel=kernel)).sweep
        for kernel in (name_of_own("fades", 1.0, 1.0), "gaussian")
    )
    one, other = (float(sweep.leave_one_out[sweep.best_leave_one_out or 0]) for sweep in (pointed, usual))
    far = max(one, other) / min(one, other) - 1
    right = "little" if far < 0.25 else "twice" if far < 4 else "tenfold"
    wide = int(abs(usual.widths - 2).argmin())
    numbers = {"pointed": one, "gaussian": other, "flat": float(usual.leave_one_out[wide])}
    said = {name: f"{number:.3f}" for name, number in numbers.items()}
    return right, said | {"apart": f"{far:.0%}", "wide": f"{usual.widths[wide]:.1f}"}
