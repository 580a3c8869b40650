"""Axes of changes, in factors."""

import numpy as np
import pytest

from explorer.figures import factors


@pytest.mark.parametrize(
    ("lost", "ticks"),
    [
        (0.0, {"1", "1/1.5"}),
        (np.log(1.6), {"1", "1/1.5"}),
        (np.log(76), {"1", "1/10", "1/100"}),
        (np.log(2e4), {"1", "1/100", "1/10,000"}),
        (np.log(1e14), {"1", "1/1,000,000", "1/10<sup>12</sup>"}),
    ],
)
def test_ticks_are_factors_within_the_range(lost: float, ticks: set[str]) -> None:
    change = np.array([0.0, -lost], np.float32)
    axis = factors.axis(change)
    low, high = axis["range"]
    assert low < factors.tens(change).min()
    assert high > 0
    assert all(low <= tick <= high for tick in axis["tickvals"])
    assert len(axis["tickvals"]) >= 3
    assert ticks <= set(axis["ticktext"]), axis["ticktext"]


def test_what_is_drawn_are_powers_of_ten() -> None:
    np.testing.assert_allclose(factors.tens(np.log([10.0, 0.01])), [1, -2], rtol=1e-6)
