"""The two halves of page 02: a width chosen by hand, and a width that is learned. Each reruns alone."""

import streamlit as st

from explorer.figures import kernel_regression as curves
from explorer.lessons import kernel_regression as lesson
from explorer.records.regression import RegressionRecord
from explorer.ui import cached, card, layout
from explorer.ui import kernel_regression_tables as tables
from explorer.ui.controls import kernel_regression as controls
from explorer.ui.language import t


@st.fragment
def by_hand(data: lesson.Data, kernel: str) -> None:
    """Fit, weights, kernel and errors at a width of the reader's choice."""
    left, right = st.columns(2)
    with left:
        width = controls.width(data)
    with right:
        view = lesson.View(query=controls.query(data))
    result = cached.compute(lesson.compute, lesson.Params(data=data, kernel=kernel, width=width))
    if result.fit.undefined:
        message = t("{count} of {n} queries have no key within reach. There is no prediction there, and none is drawn.")
        st.info(message.format(count=result.fit.undefined, n=lesson.QUERIES), icon=":material/link_off:")
    first, second = st.columns([3, 2], gap="large")
    with first:
        card.show(
            "kr_fit",
            curves.fit(result.fit, view.query, t=t),
            title=t("The fit, and what one query attends to"),
            reading=lesson.reading_fit(result, view, t),
            table=lambda: tables.fit(result.fit, view.query),
            provenance=result.fit.provenance,
        )
    with second:
        _matrix("kr_weights", result.fit, view.query, lesson.reading_matrix(result.fit, t))
        layout.prose("kernel_regression", "measured", **lesson.said_attention(result, view, t))
    _width(result)


def _matrix(key: str, fit: RegressionRecord, query: float | None, reading: str) -> None:
    card.show(
        key,
        curves.weights(fit, query, t=t),
        title=t("The weight matrix, queries × keys"),
        reading=reading,
        table=lambda: tables.weights(fit),
        provenance=fit.provenance,
    )


def _width(result: lesson.Result) -> None:
    """What a width does: the kernels' shapes, and the errors over many widths."""
    layout.prose("kernel_regression", "width")
    first, second = st.columns([2, 3], gap="large")
    with first:
        card.show(
            "kr_kernels",
            curves.kernels(result.shapes, result.params.kernel, names=lesson.kernel_names(t), t=t),
            title=t("The kernels"),
            reading=lesson.reading_kernel(result, t),
            table=lambda: tables.kernels(result.shapes),
            provenance=result.shapes.provenance,
        )
    with second:
        card.show(
            "kr_sweep",
            curves.sweep(result.sweep, result.params.width, t=t),
            title=t("Error against width"),
            reading=lesson.reading_sweep(result, t),
            table=lambda: tables.sweep(result.sweep),
            provenance=result.sweep.provenance,
        )


@st.fragment
def learned(data: lesson.Data, kernel: str) -> None:
    """The width learned by gradient descent, and the fit at any epoch."""
    layout.prose("kernel_regression", "learning")
    params = lesson.Params(data=data, kernel=kernel, learning=controls.learning(data.seed))
    result = cached.compute(lesson.compute, params)
    view = lesson.View(epoch=controls.epoch(result.learning.epochs))
    fit = lesson.at_epoch(result, view.epoch)
    first, second = st.columns(2, gap="large")
    with first:
        card.show(
            "kr_learning",
            curves.learning(result.learning, result.contrast, view.epoch, t=t),
            title=t("Learning w, epoch by epoch"),
            reading=lesson.reading_learning(result, view, t),
            table=lambda: tables.learning(result.learning, result.contrast),
            provenance=result.learning.provenance,
        )
    with second:
        card.show(
            "kr_learned_fit",
            curves.fit(fit, t=t),
            title=t("The fit after epoch {epoch}").format(epoch=view.epoch),
            reading=lesson.reading_error(fit, t),
            table=lambda: tables.fit(fit),
            provenance=fit.provenance,
        )
        _matrix("kr_learned_weights", fit, None, lesson.reading_matrix(fit, t))
    layout.prose("kernel_regression", "leave_one_out", **lesson.said_leave_one_out(result))
