"""A record of times counts what is there and refuses what does not fit."""

import numpy as np
import pytest

from explorer.records import Provenance
from explorer.records.timing import TimingRecord


def record(seconds: np.ndarray, **other: object) -> TimingRecord:
    fields = {
        "names": ("a",),
        "axis": "n",
        "values": (1, 2),
        "peak_bytes": np.zeros((1, 2)),
        "fresh_bytes": np.zeros((1, 2)),
        "left_out": (("", "time"),),
        "provenance": Provenance(computed_by="a test"),
    }
    return TimingRecord(seconds=seconds, **fields | other)


def test_quantiles_and_rounds_pass_over_what_is_missing() -> None:
    made = record(np.array([[[3.0, 1.0, np.nan, 2.0], [np.nan] * 4]]))
    assert made.rounds.tolist() == [[3, 0]]
    assert made.median[0, 0] == 2.0
    assert np.isnan(made.median[0, 1])
    assert made.quantile(0.25)[0, 0] == 1.5


def test_it_is_read_only() -> None:
    made = record(np.zeros((1, 2, 3)))
    with pytest.raises(ValueError, match="read-only"):
        made.seconds[0, 0, 0] = 1.0


@pytest.mark.parametrize(
    "wrong",
    [{"peak_bytes": np.zeros((2, 1))}, {"fresh_bytes": np.zeros((1, 1))}, {"left_out": (("",),)}, {"values": (1,)}],
)
def test_shapes_that_disagree_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="layers by sizes"):
        record(np.zeros((1, 2, 3)), **wrong)
