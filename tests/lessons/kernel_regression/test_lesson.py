"""The lesson of the page computes what it says, and its readings are computed from the numbers."""

import re
from dataclasses import replace

import numpy as np
import pytest
import torch

from explorer.attention.kernels import KERNELS, regress
from explorer.lessons import kernel_regression as lesson
from explorer.lessons.kernel_regression import learned_readings, points as regression, readings, state
from explorer.lessons.kernel_regression.compute import QUERIES, at_epoch, domain, points as points_of_lesson
from explorer.lessons.kernel_regression.learned_bandwidth import WidthFit

OWN = state.Data(source="own", own=tuple((1900.0 + 5 * i, float((i * 7) % 11)) for i in range(20)))


def truth(x: np.ndarray) -> np.ndarray:
    return 2 * np.sin(x) + x**0.8


def test_the_fit_can_be_computed_again_from_its_provenance() -> None:
    fit = lesson.compute(lesson.Params(width=0.3)).fit
    points = regression.draw("classic", n=50, noise=0.5, seed=0)
    close = np.exp(-0.5 * ((fit.queries[:, None] - points.x) / 0.3) ** 2)
    weights = close / close.sum(-1, keepdims=True)
    np.testing.assert_allclose(fit.weights, weights, rtol=1e-5, atol=1e-30)
    np.testing.assert_allclose(fit.prediction, weights @ points.y)
    np.testing.assert_allclose(fit.truth, truth(fit.queries))
    for said in ("classic", "n = 50", "noise 0.5", "seed 0", "gaussian", "width 0.3", "float64"):
        assert said in str(fit.provenance)


@pytest.mark.parametrize("kernel", list(KERNELS))
def test_attention_agrees_for_every_kernel(kernel: str) -> None:
    assert lesson.compute(lesson.Params(kernel=kernel, width=0.2)).attention_gap < 1e-12


@pytest.mark.parametrize("n", [20, 300])  # the second takes several blocks
def test_the_sweep_is_both_errors(n: int) -> None:
    params = lesson.Params(data=state.Data(n=n))
    sweep = lesson.compute(params).sweep
    points = points_of_lesson(params.data)
    x, y = torch.from_numpy(points.x.copy()), torch.from_numpy(points.y.copy())
    width = float(sweep.widths[30])
    each = []
    for i in range(n):
        others = torch.arange(n) != i
        guess = regress(x[i : i + 1], x[others], y[others], kernel=KERNELS["gaussian"], width=width).prediction
        each.append(float(guess[0] - y[i]) ** 2)
    assert sweep.leave_one_out[30] == pytest.approx(np.mean(each))
    queries = np.linspace(0, 5, QUERIES)
    fit = regress(torch.from_numpy(queries), x, y, kernel=KERNELS["gaussian"], width=width).prediction.numpy()
    assert sweep.against_truth is not None
    assert sweep.against_truth[30] == pytest.approx(np.mean((fit - truth(queries)) ** 2))
    assert sweep.average_against_truth == pytest.approx(np.mean((points.y.mean() - truth(queries)) ** 2))
    others_mean = (points.y.sum() - points.y) / (n - 1)
    assert sweep.average_leave_one_out == pytest.approx(np.mean((others_mean - points.y) ** 2))


def test_a_compact_kernel_has_gaps_in_fit_and_sweep() -> None:
    result = lesson.compute(lesson.Params(kernel="triangular", width=0.05))
    assert result.fit.undefined > 0
    assert np.isnan(result.sweep.leave_one_out[0])
    assert not np.isnan(result.sweep.leave_one_out[-1])
    gaps = f"At {result.fit.undefined} of {QUERIES} queries no key is within reach"
    assert gaps in readings.describe_error(result.fit)


def test_the_contrast_is_the_other_way_and_w_runs_away_where_the_sample_stays() -> None:
    result = lesson.compute(lesson.Params())
    assert result.learning.leave_one_out
    assert not result.contrast.leave_one_out
    swapped = lesson.compute(lesson.Params(learning=WidthFit(leave_one_out=False)))
    np.testing.assert_array_equal(swapped.learning.w, result.contrast.w)
    said = learned_readings.said_leave_one_out(result)
    assert float(said["kept_w"]) > 2 * float(said["left_w"])
    assert float(said["kept_loss"]) < 0.5 * float(said["left_loss"])
    assert float(said["kept_truth"]) > float(said["left_truth"])
    assert said["left_own"] == "0%"


def test_an_epoch_is_the_fit_at_its_width() -> None:
    result = lesson.compute(lesson.Params(learning=WidthFit(epochs=3)))
    for epoch in range(4):
        fit = at_epoch(result, epoch)
        assert fit.width == pytest.approx(1 / result.learning.w[epoch])
        assert result.learning.against_truth is not None
        assert result.learning.against_truth[epoch] == pytest.approx(np.mean((fit.prediction - fit.truth) ** 2))
    assert at_epoch(result, 99).width == at_epoch(result, 3).width
    assert at_epoch(result, -5).width == at_epoch(result, 0).width


def test_points_of_ones_own_are_learned_from_in_any_unit() -> None:
    small = state.Data(source="own", own=tuple(((x - 1900) / 19, y / 1000) for x, y in OWN.own))
    first, second = (lesson.compute(lesson.Params(data=data, width=1.0)).learning for data in (OWN, small))
    np.testing.assert_allclose(first.w, second.w, rtol=1e-6)
    np.testing.assert_allclose(first.widths, 19 * second.widths, rtol=1e-6)
    np.testing.assert_allclose(first.loss, 1e6 * second.loss, rtol=1e-6)
    assert first.against_truth is None


def test_answers_of_small_values_are_not_called_nothing() -> None:
    tiny = state.Data(source="own", own=tuple((x, y / 1e6) for x, y in OWN.own))
    for data, shortest in ((OWN, 0), (tiny, 3)):
        fit = lesson.compute(lesson.Params(data=data)).fit
        query = float(fit.queries[40])
        said = readings.describe_answer(fit, query).split("**")[3]
        assert float(said) == pytest.approx(fit.prediction[40], rel=5e-3)
        assert len(said.replace(".", "").lstrip("0")) >= shortest


def test_own_points_have_no_truth_and_say_nothing_of_it() -> None:
    result = lesson.compute(lesson.Params(data=OWN, width=10.0))
    assert domain(OWN) == (1900.0, 1995.0)
    assert result.fit.truth is None
    assert result.sweep.against_truth is None
    for reading in (readings.describe_error(result.fit), readings.describe_sweep(result)):
        assert "against the truth" not in reading
    assert "20 points of your own" in str(result.fit.provenance)
    assert learned_readings.said_leave_one_out(result)["kept_truth"] == "–"


def test_equal_values_do_not_divide_by_zero() -> None:
    flat = state.Data(source="own", own=((0.0, 2.0), (1.0, 2.0), (2.0, 2.0)))
    result = lesson.compute(lesson.Params(data=flat))
    np.testing.assert_allclose(result.fit.prediction, 2.0)
    np.testing.assert_allclose(result.learning.loss, 0, atol=1e-20)


def test_readings_are_the_numbers() -> None:
    result = lesson.compute(lesson.Params(width=0.3))
    fit = result.fit
    sweep = readings.describe_sweep(result)
    assert f"{result.sweep.widths[np.argmin(result.sweep.leave_one_out)]:.3g}" in sweep
    learned = learned_readings.describe_learning(result, lesson.View(epoch=7))
    assert f"{result.learning.w[-1]:.3g}" in learned
    assert f"epoch 7, w = {result.learning.w[7]:.3g}" in learned
    effective = 1 / (fit.weights.astype(np.float64) ** 2).sum(-1)
    assert f"{effective.mean():.1f} of 50" in readings.describe_matrix(fit)


def test_readings_where_nothing_is_within_reach() -> None:
    result = lesson.compute(lesson.Params(kernel="boxcar", width=1e-6))
    view = lesson.View(query=2.5)
    assert readings.said_attention(result, view)["sum"].startswith("undefined")
    assert readings.describe_matrix(result.fit) == "No query has a key within reach: the matrix is empty."
    assert "flat" in learned_readings.describe_learning(result, view)


def test_the_sum_written_out_adds_up() -> None:
    result = lesson.compute(lesson.Params(data=state.Data(n=5), kernel="boxcar", width=1.0))
    said = readings.said_attention(result, lesson.View(query=2.5))
    total, terms = said["sum"].split(" = ")
    pairs = re.findall(r"([\d.]+) · (-?[\d.]+)", terms)
    assert pairs
    assert sum(float(w) * float(v) for w, v in pairs) == pytest.approx(float(total), abs=5e-3)


@pytest.mark.parametrize(
    "make",
    [
        lambda: state.Data(source="nowhere"),
        lambda: state.Data(n=501),
        lambda: state.Data(noise=-1.0),
        lambda: state.Data(source="own"),
        lambda: state.Data(own=((0.0, 1.0),)),
        lambda: lesson.Params(kernel="cosine"),
        lambda: lesson.Params(width=0.0),
        lambda: lesson.Params(width=float("nan")),
    ],
)
def test_parameters_out_of_range_are_refused(make: object) -> None:
    with pytest.raises(ValueError, match=r".+"):
        make()  # type: ignore[operator]


def test_another_width_leaves_the_sweep_alone() -> None:
    params = lesson.Params()
    assert lesson.compute(params).sweep is lesson.compute(replace(params, width=0.2)).sweep
    assert lesson.compute(params).learning is lesson.compute(replace(params, width=0.2)).learning


def test_names_cover_every_kernel_and_source() -> None:
    assert list(readings.kernel_names()) == list(KERNELS)
    assert list(readings.truth_names()) == [*regression.TRUTHS, state.OWN]


def test_the_matrix_is_read_at_the_places_of_the_queries_that_see_a_key() -> None:
    fit = lesson.compute(lesson.Params(kernel="triangular", width=0.05)).fit
    assert fit.undefined > 0
    effective = np.array([1 / (row**2).sum() if row.any() else np.nan for row in fit.weights.astype(np.float64)])
    said = readings.describe_matrix(fit)
    assert f"fewest, {np.nanmin(effective):.1f}, at x = {fit.queries[np.nanargmin(effective)]:.4g}, " in said
    assert said.endswith(f"most, {np.nanmax(effective):.1f}, at x = {fit.queries[np.nanargmax(effective)]:.4g}.")


def test_both_ways_are_said_as_they_end() -> None:
    result = lesson.compute(lesson.Params())
    said = learned_readings.said_leave_one_out(result)
    assert said["kept_own"] == f"{result.contrast.own_weight[-1]:.0%}" != f"{result.contrast.own_weight[0]:.0%}"
    assert said["kept_width"] == f"{result.contrast.widths[-1]:.3g}"


def test_readings_without_noise_and_at_a_huge_width() -> None:
    quiet = lesson.compute(lesson.Params(data=state.Data(noise=0.0)))
    assert "includes the noise" not in readings.describe_sweep(quiet)
    assert "includes the noise" in readings.describe_sweep(lesson.compute(lesson.Params()))
    wide = lesson.compute(lesson.Params(kernel="boxcar", width=100.0))
    assert readings.describe_matrix(wide.fit) == "Every query averages over 50.0 of 50 keys (1 / Σ w²)."


@pytest.mark.parametrize(("kernel", "says"), [("triangular", "the training loss falls to"), ("boxcar", "w stays")])
def test_what_copying_does_is_said_in_numbers_where_there_are_some(kernel: str, says: str) -> None:
    result = lesson.compute(lesson.Params(kernel=kernel))
    said = learned_readings.describe_copying(result.contrast, result.learning)
    assert says in said
    assert "–" not in said
    assert "left the width at" in readings.describe_smoothness(result.fit, result.fit)


@pytest.mark.parametrize("seed", [0, 1])
def test_the_textbooks_recipe_prints_sums(seed: int) -> None:
    """Its loop again, by autograd: the loss that it prints in each of five epochs is a sum, taken before the step."""
    fit = WidthFit(learning_rate=0.5, epochs=5, summed=True, drawn=True, seed=seed)
    result = lesson.compute(lesson.Params(learning=fit))
    x, y = (torch.tensor(each.copy(), dtype=torch.float64) for each in (result.fit.points.x, result.fit.points.y))
    w = torch.tensor(result.learning.w[0], dtype=torch.float64, requires_grad=True)
    others, printed = ~torch.eye(len(x), dtype=torch.bool), []
    keys, values = (each.repeat(len(x), 1)[others].view(len(x), -1) for each in (x, y))
    for _ in range(5):
        guessed = (torch.softmax(-((x[:, None] - keys) * w).square() / 2, 1) * values).sum(1)
        loss = (guessed - y).square().sum()
        (slope,) = torch.autograd.grad(loss, w)
        w = (w - 0.5 * slope).detach().requires_grad_()
        printed.append(float(loss.detach()))
    np.testing.assert_allclose(learned_readings.sums_before_steps(result), printed, rtol=1e-6)
    said = ", ".join(f"{each:.2f}" for each in printed)
    assert f"As sums over the 50 points, before each epoch: {said}." in learned_readings.describe_learned(result, 5)
    if seed == 0:  # that of the preset
        assert said == "33.57, 29.89, 29.48, 28.99, 28.41"
    mean = lesson.compute(lesson.Params(learning=WidthFit(epochs=5, seed=seed)))
    assert "As sums" not in learned_readings.describe_learned(result, 4), "what is said of the end waits for it"
    assert "As sums" not in learned_readings.describe_learned(mean, 5)
