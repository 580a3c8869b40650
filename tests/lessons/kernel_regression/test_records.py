"""Records of kernel regression refuse what does not fit together, and cannot be changed."""

from typing import Any

import numpy as np
import pytest

from explorer.lessons.kernel_regression.records import (
    LearningRecord,
    Points,
    RegressionRecord,
    ShapesRecord,
    WidthSweepRecord,
)
from explorer.records import Provenance

HERE = Provenance(computed_by="a test")
TWO = np.array([0.0, 1.0])


def record(**changes: Any) -> RegressionRecord:
    made: dict[str, Any] = {
        "kernel": "boxcar",
        "width": 0.5,
        "points": Points(x=TWO, y=np.array([1.0, 3.0])),
        "queries": np.array([0.0, 0.6, 9.0]),
        "weights": np.array([[1, 0], [0, 1], [0, 0]], np.float32),
        "prediction": np.array([1.0, 3.0, np.nan]),
        "truth": None,
        "provenance": HERE,
    }
    return RegressionRecord(**(made | changes))


@pytest.mark.parametrize(
    ("x", "y", "says"),
    [
        ([0.0], [1.0], "two points"),
        ([0.0, 1.0], [1.0, 2.0, 3.0], "equally long"),
        ([1.0, 0.0], [1.0, 2.0], "ascend"),
        ([0.0, np.nan], [1.0, 2.0], "finite"),
        ([0.0, 1.0], [1.0, np.inf], "finite"),
    ],
)
def test_points_that_are_none(x: list[float], y: list[float], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Points(x=np.array(x), y=np.array(y))


def test_a_fit_knows_its_baseline_gaps_and_rows() -> None:
    made = record()
    assert made.average == 2.0
    assert made.undefined == 1
    assert [made.row(at) for at in (-5.0, 0.4, 100.0)] == [0, 1, 2]
    attention = made.attention()
    assert attention.kind == "kernel"
    assert attention.weights.shape == (1, 3, 2)
    assert attention.key_labels == ("0", "1")


@pytest.mark.parametrize(
    "changes",
    [{"weights": np.zeros((2, 2), np.float32)}, {"prediction": TWO}, {"truth": TWO}],
)
def test_shapes_that_disagree(changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="must be"):
        record(**changes)


def test_nothing_can_be_written() -> None:
    with pytest.raises(ValueError, match="read-only"):
        record().prediction[0] = 7


def test_best_widths_skip_what_is_undefined() -> None:
    nan = np.nan
    made = WidthSweepRecord(
        widths=np.array([0.1, 0.2, 0.3]),
        against_truth=np.array([nan, 2.0, 1.0]),
        leave_one_out=np.array([nan, nan, nan]),
        average_against_truth=3.0,
        average_leave_one_out=3.0,
        provenance=HERE,
    )
    assert made.best_against_truth == 2
    assert made.best_leave_one_out is None


def test_width_is_unit_over_w() -> None:
    made = LearningRecord(
        kernel="gaussian",
        leave_one_out=True,
        unit=10.0,
        w=np.array([0.5, -2.0]),
        loss=TWO,
        against_truth=None,
        own_weight=TWO,
        lost=np.array([0, 0]),
        provenance=HERE,
    )
    assert made.widths.tolist() == [20.0, 5.0]
    assert made.epochs == 1


def test_densities_must_fit() -> None:
    with pytest.raises(ValueError, match="density"):
        ShapesRecord(kernels=("a",), distance=TWO, density=np.zeros((2, 2)), provenance=HERE)
