"""The gradient of w is right, leave-one-out converges, and a sample kept in its own keys lets w run away."""

import itertools
import math
from dataclasses import replace

import pytest
import torch

from explorer.attention.kernels import KERNELS
from explorer.lessons.kernel_regression.learned_bandwidth import (
    TrainingPoints,
    WidthFit,
    WidthLoss,
    learn_width,
    loss_of_width,
)
from explorer.lessons.kernel_regression.own_kernel import kernel_of
from tests.imports import imported_by
from tests.support.points import sample

GAUSSIAN = KERNELS["gaussian"]


@pytest.mark.parametrize(
    "name", ["gaussian", "triangular", "epanechnikov", "tails 2.00 1.00", "ends 3.00 2.00", "ring 1.00 1.00"]
)
@pytest.mark.parametrize("leave_one_out", [True, False])
@pytest.mark.parametrize("start", [0.5, 3.0])
def test_gradient_is_the_finite_difference(name: str, leave_one_out: bool, start: float) -> None:
    key, value = sample()
    points = TrainingPoints.of(key, value, leave_one_out=leave_one_out)

    def at(w: float) -> WidthLoss:
        return loss_of_width(w, points, kernel=kernel_of(name))

    step = 1e-6
    difference = (at(start + step).loss - at(start - step).loss) / (2 * step)
    assert at(start).gradient == pytest.approx(difference, rel=1e-5, abs=1e-8)
    assert difference != 0


def test_the_gradient_survives_underflow() -> None:
    key, value = sample()
    found = loss_of_width(1e4, TrainingPoints.of(key, value, leave_one_out=True), kernel=GAUSSIAN)
    assert math.isfinite(found.gradient)


def test_the_loss_is_predicting_each_point_from_the_others() -> None:
    key, value = sample(12)
    found = loss_of_width(2.0, TrainingPoints.of(key, value, leave_one_out=True), kernel=GAUSSIAN)
    total = 0.0
    for i in range(12):
        close = [math.exp(-(((key[i] - key[j]) * 2.0) ** 2) / 2) if j != i else 0.0 for j in range(12)]
        guess = sum(c * float(v) for c, v in zip(close, value, strict=True)) / sum(close)
        total += (guess - float(value[i])) ** 2
    assert found.loss == pytest.approx(total / 12)


def test_full_batches_follow_gradient_descent() -> None:
    key, value = sample()
    fit = WidthFit(start=0.7, learning_rate=2.0, epochs=1)
    found = loss_of_width(0.7, TrainingPoints.of(key, value, leave_one_out=True), kernel=GAUSSIAN)
    history = learn_width(key, value, kernel=GAUSSIAN, fit=fit)
    assert [epoch.w for epoch in history] == pytest.approx([0.7, 0.7 - 2.0 * found.gradient])
    assert history[0].loss == pytest.approx(found.loss)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_leave_one_out_settles_and_keeping_the_sample_runs_away(seed: int) -> None:
    key, value = sample(seed=seed)
    out = learn_width(key, value, kernel=GAUSSIAN, fit=WidthFit(epochs=100, learning_rate=5.0))
    kept = learn_width(key, value, kernel=GAUSSIAN, fit=WidthFit(epochs=100, learning_rate=5.0, leave_one_out=False))
    assert abs(out[-1].w - out[-30].w) < 0.05
    assert out[-1].own_weight == 0
    late = [epoch.w for epoch in kept[1:]]
    assert all(a < b for a, b in itertools.pairwise(late))
    assert kept[-1].w > 1.5 * out[-1].w
    assert kept[-1].loss < 0.7 * out[-1].loss
    assert kept[-1].own_weight > 2 * kept[1].own_weight or kept[-1].own_weight > 0.3


def test_kept_in_the_loss_goes_to_zero_as_w_grows() -> None:
    key, value = sample()
    points = TrainingPoints.of(key, value, leave_one_out=False)
    losses = [loss_of_width(w, points, kernel=GAUSSIAN).loss for w in (1.0, 10.0, 100.0, 1000.0)]
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < 0.02
    assert losses[0] > 0.3


def test_the_boxcar_teaches_nothing() -> None:
    key, value = sample()
    history = learn_width(key, value, kernel=KERNELS["boxcar"], fit=WidthFit(epochs=5))
    assert {epoch.w for epoch in history} == {0.5}


def test_points_without_a_neighbour_do_not_count_and_none_left_ends_it() -> None:
    key = torch.tensor([0.0, 0.1, 3.0], dtype=torch.float64)
    value = torch.tensor([1.0, 2.0, 100.0], dtype=torch.float64)
    some = learn_width(key, value, kernel=KERNELS["triangular"], fit=WidthFit(start=1.0, epochs=1, learning_rate=0.0))
    assert some[0].lost == 1
    assert some[0].loss == pytest.approx(1.0)
    none = learn_width(key, value, kernel=KERNELS["triangular"], fit=WidthFit(start=100.0, epochs=9))
    assert len(none) == 1
    assert none[0].lost == 3
    assert math.isnan(none[0].loss)


def test_batches_depend_on_the_seed_alone() -> None:
    key, value = sample()
    fit = WidthFit(steps=5, epochs=3, learning_rate=1.0)
    first, again = (learn_width(key, value, kernel=GAUSSIAN, fit=fit) for _ in range(2))
    other = learn_width(key, value, kernel=GAUSSIAN, fit=replace(fit, seed=1))
    assert first == again
    assert first[-1].w != other[-1].w


def test_it_does_not_import_torchs_compiler() -> None:
    """Which takes seconds, on the page that many open first."""
    script = (
        "import torch\n"
        "from explorer.attention.kernels import KERNELS\n"
        "from explorer.lessons.kernel_regression.learned_bandwidth import WidthFit, learn_width\n"
        "key = torch.linspace(0, 5, 20)\n"
        "history = learn_width(key, key.sin(), kernel=KERNELS['gaussian'], fit=WidthFit(epochs=3))\n"
        "assert history[-1].w != history[0].w"
    )
    assert "torch._dynamo" not in imported_by(script)


def test_the_textbooks_recipe_is_gradient_descent_on_the_sum_from_a_random_start() -> None:
    key, value = sample(20)
    fit = WidthFit(learning_rate=0.5, epochs=5, summed=True, drawn=True, seed=4)
    w = torch.rand((), generator=torch.Generator().manual_seed(4), dtype=torch.float64)
    expected = [float(w)]
    for _ in range(5):  # d2l.ai, §10.2.4, without its layer
        w = w.detach().requires_grad_()
        apart = (key[:, None] - key)[~torch.eye(20, dtype=torch.bool)].reshape(20, 19)
        others = value.expand(20, 20)[~torch.eye(20, dtype=torch.bool)].reshape(20, 19)
        guess = (torch.softmax(-((apart * w) ** 2) / 2, -1) * others).sum(-1)
        (guess - value).square().sum().backward()  # type: ignore[no-untyped-call]
        w = (w - 0.5 * w.grad).detach()  # type: ignore[operator]
        expected.append(float(w))
    assert [epoch.w for epoch in learn_width(key, value, kernel=GAUSSIAN, fit=fit)] == pytest.approx(expected)
    other = learn_width(key, value, kernel=GAUSSIAN, fit=replace(fit, seed=5))
    assert other[0].w != expected[0]


def test_one_point_has_nothing_to_be_predicted_from() -> None:
    one = torch.ones(1, dtype=torch.float64)
    history = learn_width(one, one, kernel=GAUSSIAN, fit=WidthFit(epochs=9))
    assert len(history) == 1
    assert history[0].lost == 1
    assert math.isnan(history[0].loss)
