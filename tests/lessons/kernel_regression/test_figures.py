"""Figures of kernel regression draw the record's own numbers."""

import numpy as np
import plotly.graph_objects as go
import pytest

from explorer.lessons import kernel_regression as lesson
from explorer.lessons.kernel_regression import readings, state
from explorer.lessons.kernel_regression.compute import QUERIES
from explorer.lessons.kernel_regression.figures import fit as curves, matrix, widths
from explorer.lessons.kernel_regression.learned_bandwidth import WidthFit

RESULT = lesson.compute(lesson.Params(learning=WidthFit(epochs=5)))
GAPS = lesson.compute(lesson.Params(kernel="boxcar", width=0.05))


def trace(figure: go.Figure, name: str) -> go.Scatter:
    return next(each for each in figure.data if each.name == name)


def test_fit_draws_curves_points_and_the_querys_weights() -> None:
    figure = curves.fit(RESULT.fit, 2.5)
    fit = RESULT.fit
    np.testing.assert_array_equal(trace(figure, "prediction").y, fit.prediction)
    np.testing.assert_array_equal(trace(figure, "truth").y, fit.truth)
    assert set(trace(figure, "average pooling").y) == {fit.average}
    row = fit.row(2.5)
    assert (trace(figure, "query").x[0], trace(figure, "query").y[0]) == (2.5, fit.prediction[row])
    np.testing.assert_array_equal(trace(figure, "weights of the query").y, fit.weights[row])
    points = trace(figure, "training points")
    np.testing.assert_array_equal(points.customdata, fit.weights[row])
    assert np.argmax(points.marker.size) == np.argmax(fit.weights[row])


def test_an_undefined_prediction_is_a_gap() -> None:
    figure = curves.fit(GAPS.fit, 2.5)
    drawn = trace(figure, "prediction")
    assert np.isnan(drawn.y).sum() == GAPS.fit.undefined > 0
    assert drawn.connectgaps is False
    weights = matrix.weights(GAPS.fit, 2.5).data[0]
    np.testing.assert_array_equal(np.isnan(weights.z).all(1), np.isnan(GAPS.fit.prediction))


def test_fit_without_a_query_has_no_weights() -> None:
    names = {each.name for each in curves.fit(RESULT.fit).data if each.name}
    assert names == {"average pooling", "truth", "prediction", "training points"}
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
    assert len(trace(curves.fit(result.fit, 1.0), "weights of the query").x) == 4


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


def test_learning_draws_both_ways_and_marks_the_epoch() -> None:
    figure = widths.learning(RESULT.learning, RESULT.contrast, 3)
    solid = [each for each in figure.data if each.line.dash == "solid"]
    to_come = [each for each in figure.data if each.name == "each point left out, still to come"]
    curves_by_epoch = (RESULT.learning.loss, RESULT.learning.w, RESULT.learning.against_truth)
    for each, rest, expected in zip(solid, to_come, curves_by_epoch, strict=True):
        np.testing.assert_array_equal(each.y, expected[:4])
        np.testing.assert_array_equal(rest.y, expected[3:])
        assert (rest.x[0], rest.x[-1]) == (3, RESULT.learning.epochs)
        assert each.name == "each point left out"
    assert {shape.x0 for shape in figure.layout.shapes} == {3}
    assert [figure.layout[axis].type for axis in ("yaxis", "yaxis2", "yaxis3")] == ["log", None, "log"]


def test_an_error_that_no_epoch_has_is_left_out() -> None:
    nowhere = lesson.compute(lesson.Params(data=state.Data(n=5), kernel="boxcar", learning=WidthFit(start=50.0)))
    assert np.isnan(nowhere.learning.against_truth).all()
    figure = widths.learning(nowhere.learning, nowhere.learning, 3)
    assert [axis.title.text for axis in figure.select_yaxes()] == ["loss", "w = 1/width"]


def test_a_loss_of_nothing_is_drawn_on_a_plain_axis() -> None:
    own = state.Data(source="own", own=((0.0, 2.0), (0.1, 2.0), (5.0, 2.0)))
    result = lesson.compute(lesson.Params(data=own, kernel="boxcar", learning=WidthFit(epochs=2)))
    assert min(result.learning.loss) == 0
    assert widths.learning(result.learning, result.contrast, 0).layout.yaxis.type is None


def test_without_a_truth_nothing_of_it_is_drawn() -> None:
    own = state.Data(source="own", own=((1.0, 1.0), (2.0, 2.0), (3.0, 3.0), (4.0, 4.0)))
    result = lesson.compute(lesson.Params(data=own))
    figures = [
        curves.fit(result.fit, 2.0),
        widths.sweep(result.sweep, 1.0),
        widths.learning(result.learning, result.contrast, 0),
    ]
    assert not [each.name for figure in figures for each in figure.data if "truth" in str(each.name)]


def test_words_are_the_readers() -> None:
    figure = curves.fit(RESULT.fit, 2.5, t=lambda message: f"«{message}»")
    assert {each.name for each in figure.data} >= {"«prediction»", "«truth»"}
