"""Kernels have their right shapes, and kernel regression is statsmodels', a nearest neighbour and a mean in turn."""

import math

import numpy as np
import pytest
import torch

from explorer.attention import kernels
from explorer.attention.kernel_attention import attend_with_kernel
from explorer.attention.kernels import KERNELS, all_but_itself, kernel_weights, regress, regress_blocks, regress_widths
from tests.support.points import sample

NAMES = list(KERNELS)


GRID = torch.linspace(0, 5, 101, dtype=torch.float64)


@pytest.mark.parametrize("name", NAMES)
def test_area_is_one(name: str) -> None:
    kernel = KERNELS[name]
    u = torch.linspace(-8, 8, 160_001, dtype=torch.float64)
    area = torch.trapezoid(kernel.constant * kernel.profile(u), u)
    assert float(area) == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize(
    ("name", "at_0", "at_half", "at_1", "beyond"),
    [
        ("gaussian", 0.3989423, 0.3520653, 0.2419707, 0.1295176),
        ("boxcar", 0.5, 0.5, 0.5, 0.0),
        ("triangular", 1.0, 0.5, 0.0, 0.0),
        ("epanechnikov", 0.75, 0.5625, 0.0, 0.0),
    ],
)
def test_shape_at_known_points(name: str, at_0: float, at_half: float, at_1: float, beyond: float) -> None:
    u = torch.tensor([0, 0.5, 1, 1.5, -0.5, -1, -1.5], dtype=torch.float64)
    got = (KERNELS[name].constant * KERNELS[name].profile(u)).tolist()
    assert got == pytest.approx([at_0, at_half, at_1, beyond, at_half, at_1, beyond], abs=1e-6)


@pytest.mark.filterwarnings("ignore:After 0.17:FutureWarning")
@pytest.mark.parametrize("width", [0.1, 0.5, 2.0])
def test_prediction_is_that_of_statsmodels(width: float) -> None:
    from statsmodels.nonparametric.kernel_regression import KernelReg  # takes seconds: not where tests are collected

    x, y = sample()
    theirs = KernelReg(y.numpy(), x.numpy(), "c", reg_type="lc", bw=[width]).fit(GRID.numpy())[0]
    ours = regress(GRID, x, y, kernel=KERNELS["gaussian"], width=width).prediction.numpy()
    assert np.abs(ours - theirs).max() < 1e-6


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", [0.2, 1.0])
def test_prediction_is_the_formula_written_out(name: str, width: float) -> None:
    x, y = sample(20)
    shape = {
        "gaussian": lambda u: math.exp(-u * u / 2) / math.sqrt(2 * math.pi),
        "boxcar": lambda u: 0.5 if abs(u) <= 1 else 0.0,
        "triangular": lambda u: max(0.0, 1 - abs(u)),
        "epanechnikov": lambda u: max(0.0, 0.75 * (1 - u * u)),
    }[name]
    got = regress(GRID[::10], x, y, kernel=KERNELS[name], width=width)
    for q, prediction in zip(GRID[::10].tolist(), got.prediction.tolist(), strict=True):
        close = [shape((q - k) / width) for k in x.tolist()]
        expected = sum(c * v for c, v in zip(close, y.tolist(), strict=True)) / sum(close) if sum(close) else math.nan
        assert prediction == pytest.approx(expected, rel=1e-12, nan_ok=True)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", [0.05, 0.5, 5.0])
def test_attention_predicts_the_same(name: str, width: float) -> None:
    x, y = sample()
    ours = regress(GRID, x, y, kernel=KERNELS[name], width=width)
    attended = attend_with_kernel(GRID, x, y, kernel=KERNELS[name], width=width)
    torch.testing.assert_close(attended.weights, ours.weights, rtol=0, atol=1e-12)
    defined = ~ours.prediction.isnan()
    assert defined.any()
    torch.testing.assert_close(attended.output[defined, 0], ours.prediction[defined], rtol=0, atol=1e-12)
    assert (attended.output[~defined] == 0).all()


def test_width_to_zero_is_the_nearest_neighbour() -> None:
    x, y = sample()
    queries = x[:-1] + 0.49 * x.diff()
    got = regress(queries, x, y, kernel=KERNELS["gaussian"], width=1e-9).prediction
    torch.testing.assert_close(got, y[:-1])


@pytest.mark.parametrize("name", ["gaussian", "boxcar", "epanechnikov", "triangular"])
def test_width_to_infinity_is_the_mean(name: str) -> None:
    x, y = sample()
    got = regress(GRID, x, y, kernel=KERNELS[name], width=1e9).prediction
    torch.testing.assert_close(got, y.mean().expand(len(GRID)), rtol=0, atol=1e-7)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", [1e-12, 0.05, 0.5, 50.0])
def test_rows_sum_to_one_or_zero_and_zero_means_undefined(name: str, width: float) -> None:
    x, y = sample()
    prediction, weights = regress(GRID, x, y, kernel=KERNELS[name], width=width)
    sums = weights.sum(-1)
    nothing = sums == 0
    torch.testing.assert_close(sums[~nothing], torch.ones_like(sums[~nothing]))
    assert torch.equal(prediction.isnan(), nothing)
    assert bool(nothing.any()) == (name != "gaussian" and width <= 0.05)


@pytest.mark.parametrize("name", NAMES)
def test_blocks_are_the_whole(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    x, y = sample()
    whole = kernel_weights(GRID, x, kernel=KERNELS[name], width=0.3)
    monkeypatch.setattr(kernels, "_BLOCK_CELLS", 7 * len(x))
    rows, predictions = [], []
    for which, block in regress_blocks(GRID, x, y, kernel=KERNELS[name], width=0.3):
        torch.testing.assert_close(block.weights, whole[which], rtol=1e-13, atol=1e-15)
        rows += range(len(GRID))[which]
        predictions.append(block.prediction)
    assert rows == list(range(len(GRID)))
    kept = regress(GRID, x, y, kernel=KERNELS[name], width=0.3)
    torch.testing.assert_close(kept.weights, whole, rtol=1e-13, atol=1e-15)
    torch.testing.assert_close(torch.cat(predictions), kept.prediction, equal_nan=True)


@pytest.mark.parametrize("cells", [1, 2**17])
@pytest.mark.parametrize("name", NAMES)
def test_many_widths_are_each_alone(name: str, cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "_BLOCK_CELLS", cells)
    x, y = sample()
    kernel, widths = KERNELS[name], torch.tensor([1e-6, 0.05, 0.3, 50.0], dtype=torch.float64)
    far = torch.cat([GRID, torch.tensor([1000.0], dtype=torch.float64)])
    expected = torch.stack([regress(far, x, y, kernel=kernel, width=float(width)).prediction for width in widths])
    predicted = regress_widths(far, x, y, kernel=kernel, widths=widths)
    torch.testing.assert_close(predicted, expected, equal_nan=True)
    others = [torch.arange(len(x)) != i for i in range(len(x))]
    alone = [
        [regress(x[i, None], x[rest], y[rest], kernel=kernel, width=float(width)).prediction for width in widths]
        for i, rest in enumerate(others)
    ]
    left_out = regress_widths(x, x, y, kernel=kernel, widths=widths, leave_out=True)
    torch.testing.assert_close(left_out, torch.tensor(alone, dtype=torch.float64).T, equal_nan=True)


@pytest.mark.parametrize("size", [1e-170, 1e170])
def test_many_widths_of_tiny_and_huge_positions(size: float) -> None:
    x, y = sample()
    widths = torch.tensor([0.05, 0.3, 2.0], dtype=torch.float64)
    usual = regress_widths(x, x, y, kernel=KERNELS["gaussian"], widths=widths, leave_out=True)
    other = regress_widths(size * x, size * x, y, kernel=KERNELS["gaussian"], widths=size * widths, leave_out=True)
    torch.testing.assert_close(other, usual)


def test_a_far_query_does_not_underflow() -> None:
    x, y = sample()
    far = torch.tensor([1000.0, 2.5], dtype=torch.float64)
    prediction, weights = regress(far, x, y, kernel=KERNELS["gaussian"], width=0.1)
    assert weights[0].argmax() == len(x) - 1
    assert prediction[0] == pytest.approx(float(y[-1]))
    near = regress(far[1:], x, y, kernel=KERNELS["gaussian"], width=0.1)
    torch.testing.assert_close(prediction[1:], near.prediction, rtol=1e-12, atol=0)


@pytest.mark.parametrize("name", NAMES)
def test_leaving_out_excludes_the_point_itself(name: str) -> None:
    x, y = sample()
    weights = kernel_weights(x, x, kernel=KERNELS[name], width=1.0, allowed=all_but_itself(len(x)))
    assert (weights.diagonal() == 0).all()
    torch.testing.assert_close(weights.sum(-1), torch.ones(len(x), dtype=torch.float64))
    others = torch.arange(len(x)) != 7
    alone = regress(x[7:8], x[others], y[others], kernel=KERNELS[name], width=1.0)
    torch.testing.assert_close(weights[7] @ y, alone.prediction[0])


@pytest.mark.parametrize("width", [0.0, -1.0, math.nan, math.inf])
def test_a_width_that_is_none_is_refused(width: float) -> None:
    x, y = sample(5)
    with pytest.raises(kernels.WidthError, match="positive"):
        regress(x, x, y, kernel=KERNELS["gaussian"], width=width)


def test_leaving_out_excludes_the_point_itself_where_all_others_underflow_too() -> None:
    x, _ = sample()
    weights = kernel_weights(x, x, kernel=KERNELS["gaussian"], width=1e-6, allowed=all_but_itself(len(x)))
    assert (weights.diagonal() == 0).all()
    torch.testing.assert_close(weights.sum(-1), torch.ones(len(x), dtype=torch.float64))
