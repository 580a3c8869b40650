"""Figures of kernel regression draw the record's own numbers."""

import numpy as np
import plotly.graph_objects as go
import pytest

from explorer.lessons import kernel_regression as lesson
from explorer.lessons.kernel_regression import readings, state
from explorer.lessons.kernel_regression.compute import QUERIES
from explorer.lessons.kernel_regression.figures import fit as curves, matrix, widths
from explorer.lessons.kernel_regression.learned_bandwidth import WidthFit
from explorer.lessons.kernel_regression.live import learning
from explorer.records.language import speaking

RESULT = lesson.compute(lesson.Params(learning=WidthFit(epochs=5)))
GAPS = lesson.compute(lesson.Params(kernel="boxcar", width=0.05))


def trace(figure: go.Figure, name: str) -> go.Scatter:
    return next(each for each in figure.data if each.name == name)


def test_an_undefined_prediction_is_a_gap() -> None:
    figure = curves.fit(GAPS.fit)
    drawn = trace(figure, "prediction")
    assert np.isnan(drawn.y).sum() == GAPS.fit.undefined > 0
    assert drawn.connectgaps is False
    weights = matrix.weights(GAPS.fit, 2.5).data[0]
    np.testing.assert_array_equal(np.isnan(weights.z).all(1), np.isnan(GAPS.fit.prediction))


def test_fit_draws_curves_and_points() -> None:
    figure, fit = curves.fit(RESULT.fit), RESULT.fit
    assert {each.name for each in figure.data if each.name} == {
        "average pooling",
        "truth",
        "prediction",
        "training points",
    }
    np.testing.assert_array_equal(trace(figure, "prediction").y, fit.prediction)
    np.testing.assert_array_equal(trace(figure, "truth").y, fit.truth)
    assert set(trace(figure, "average pooling").y) == {fit.average}
    np.testing.assert_array_equal(trace(figure, "training points").x, fit.points.x)
    assert not matrix.weights(RESULT.fit).layout.shapes


def test_matrix_is_the_weights_on_a_stated_scale() -> None:
    figure = matrix.weights(RESULT.fit, 2.5)
    drawn = figure.data[0]
    assert drawn.z.dtype == np.float32
    np.testing.assert_array_equal(drawn.z, RESULT.fit.weights)
    assert (drawn.zmin, drawn.zmax) == (0, pytest.approx(RESULT.fit.weights.max()))
    assert f"{RESULT.fit.weights.max():.3g}" in drawn.colorbar.title.text
    assert figure.layout.shapes[0].y0 == 2.5
    labels = figure.layout.xaxis
    for at, text in zip(labels.tickvals, labels.ticktext, strict=True):
        assert text == f"{RESULT.fit.points.x[at]:.3g}"


def test_equal_keys_stay_apart() -> None:
    own = state.Data(source="own", own=((1.0, 1.0), (1.0, 2.0), (1.0, 3.0), (2.0, 4.0)))
    result = lesson.compute(lesson.Params(data=own))
    assert matrix.weights(result.fit, 1.0).data[0].z.shape == (QUERIES, 4)


def test_kernels_are_all_there_with_the_chosen_one_in_front() -> None:
    figure = widths.kernels(RESULT.shapes, "triangular", names=readings.kernel_names())
    assert [each.name for each in figure.data] == ["Gaussian", "Boxcar", "Triangular", "Epanechnikov"]
    assert max(figure.data, key=lambda each: each.line.width).name == "Triangular"
    assert max(trace(figure, "Triangular").y) == 1.0
    assert max(trace(figure, "Epanechnikov").y) == 0.75


def test_the_best_widths_are_marked() -> None:
    figure = widths.sweep(RESULT.sweep, 0.5)
    for name, curve in (
        ("against the truth", RESULT.sweep.against_truth),
        ("leave-one-out", RESULT.sweep.leave_one_out),
    ):
        assert curve is not None
        star = trace(figure, f"best: {name}")
        assert star.y[0] == min(curve)
        assert star.text[0] == f"h = {star.x[0]:.2g}"
        assert star.x[0] == RESULT.sweep.widths[np.argmin(curve)]
    assert figure.layout.shapes[0].x0 == 0.5
    assert figure.layout.xaxis.type == "log"


def test_an_error_that_no_epoch_has_is_left_out() -> None:
    nowhere = lesson.compute(lesson.Params(data=state.Data(n=5), kernel="boxcar", learning=WidthFit(start=50.0)))
    assert np.isnan(nowhere.learning.against_truth).all()
    sent = learning.pack_learning(nowhere.fit, nowhere.learning, nowhere.learning, 3, np.arange(5), every=False)
    assert sent["measures"] == ["loss"]


def test_without_a_truth_nothing_of_it_is_drawn() -> None:
    own = state.Data(source="own", own=((1.0, 1.0), (2.0, 2.0), (3.0, 3.0), (4.0, 4.0)))
    result = lesson.compute(lesson.Params(data=own))
    figures = [
        curves.fit(result.fit),
        widths.sweep(result.sweep, 1.0),
    ]
    sent = learning.pack_learning(result.fit, result.learning, result.contrast, 0, np.arange(4), every=True)
    assert sent["measures"] == ["loss", "w"]
    known = learning.pack_learning(RESULT.fit, RESULT.learning, None, 0, np.arange(50), every=False)
    assert known["measures"] == ["against_truth"], "one thought first"
    assert not [each.name for figure in figures for each in figure.data if "truth" in str(each.name)]


def test_words_are_the_readers() -> None:
    with speaking("zh"):
        figure = curves.fit(RESULT.fit)
    assert {each.name for each in figure.data} >= {"预测", "真实函数"}
