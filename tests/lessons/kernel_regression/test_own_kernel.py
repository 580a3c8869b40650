"""A kernel of one's own is what its formula says, by hand; nothing but bounded numbers makes one."""

import math

import numpy as np
import pytest

from explorer.attention.kernels import KERNELS
from explorer.lessons import kernel_regression as lesson
from explorer.lessons.kernel_regression import readings, state
from explorer.lessons.kernel_regression.compute import best_fit, shapes_of
from explorer.lessons.kernel_regression.own_kernel import kernel_of, name_of_own

FORMULAS = {
    "ends": lambda u, p, q: max(0.0, 1 - u**p) ** q,
    "fades": lambda u, p, q: math.exp(-q * u**p),
    "tails": lambda u, p, q: 1 / (1 + u**p) ** q,
    "ring": lambda u, p, q: math.exp(-0.5 * (4 * q * (u - p)) ** 2),
}


@pytest.mark.parametrize("family", FORMULAS)
def test_the_fit_is_the_weighted_mean_by_the_formula(family: str) -> None:
    p, q, width = 1.3, 0.7, 0.8
    fit = lesson.compute(lesson.Params(kernel=name_of_own(family, p, q), width=width)).fit
    for row in (0, 40, 100):
        close = [FORMULAS[family](abs(float(fit.queries[row]) - x) / width, p, q) for x in fit.points.x]
        expected = sum(c * y for c, y in zip(close, fit.points.y, strict=True)) / sum(close)
        assert fit.prediction[row] == pytest.approx(expected, rel=1e-9)
    np.testing.assert_allclose(fit.weights.sum(-1), 1, rtol=1e-5)


@pytest.mark.parametrize(
    ("own", "known"),
    [(("fades", 2.0, 0.5), "gaussian"), (("ends", 1.0, 1.0), "triangular"), (("ends", 2.0, 1.0), "epanechnikov")],
)
def test_a_family_contains_what_it_says(own: tuple[str, float, float], known: str) -> None:
    mine = lesson.compute(lesson.Params(kernel=name_of_own(*own), width=1.0)).fit
    theirs = lesson.compute(lesson.Params(kernel=known, width=1.0)).fit
    np.testing.assert_allclose(mine.prediction, theirs.prediction, rtol=1e-6)
    drawn = shapes_of((name_of_own(*own), known)).density
    np.testing.assert_allclose(drawn[0], drawn[1], atol=1e-6)


def test_nothing_else_makes_a_kernel() -> None:
    assert name_of_own("__import__('os')", -1.0, 1e9) == "ends 0.10 6.00"
    assert kernel_of("gaussian") is KERNELS["gaussian"]
    for bad in ("", "cosine", "fades", "fades 1", "fades 1 x", "fades nan 1", "fades 1 99", "exec 1 1"):
        with pytest.raises(ValueError, match=r"kernel|float|parameters"):
            kernel_of(bad)


def test_where_many_widths_are_as_good_the_same_kernel_gets_the_same() -> None:
    """With five points every narrow kernel looks at the nearest one alone: rounding would choose."""
    own, gaussian = (best_fit(state.Data(n=5), kernel) for kernel in (name_of_own("fades", 2.0, 0.5), "gaussian"))
    assert own.width == gaussian.width


def test_the_best_gaussian_is_the_one_that_leave_one_out_chooses() -> None:
    result = lesson.compute(lesson.Params(kernel=name_of_own("fades", 2.0, 0.5)))
    best = best_fit(state.Data(), "gaussian")
    assert best.width == result.sweep.widths[np.nanargmin(result.sweep.leave_one_out)]
    said = readings.describe_own(result, best)
    assert f"h = **{best.width:.3g}**" in said
    wide = lesson.compute(lesson.Params(width=5.0)).fit
    own, other = (f"{np.mean((each.prediction - each.truth) ** 2):.3g}" for each in (result.fit, wide))
    assert own != other
    assert f"yours **{own}**, the Gaussian’s {other}." in readings.describe_own(result, wide)


@pytest.mark.parametrize(
    ("own", "written"),
    [
        (("fades", 2.0, 0.5), "exp(−0.5 |u|²)"),
        (("ends", 3.0, 3.0), "(1 − |u|³)³"),
        (("ends", 1.0, 1.0), "(1 − |u|)"),
        (("tails", 2.0, 1.5), "1 / (1 + |u|²)^1.5"),
    ],
)
def test_a_formula_is_printed_with_its_powers(own: tuple[str, float, float], written: str) -> None:
    assert f"∝ **{written}**" in readings.describe_formula(name_of_own(*own))
