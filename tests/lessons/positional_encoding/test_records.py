"""Records of positions: read-only, and refused when their parts do not fit."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from explorer.lessons.positional_encoding.records import files
from explorer.lessons.positional_encoding.records.extrapolation import BeyondRecord
from explorer.lessons.positional_encoding.records.trained import (
    DecayRecord,
    EntryRecord,
    LearnedTableRecord,
    PermutationRecord,
)
from explorer.records.provenance import Provenance

WHO = Provenance(computed_by="test")


def beyond(**change: Any) -> BeyondRecord:
    fields: dict[str, Any] = {
        "kind": "learned",
        "trained_length": 8,
        "limit": 8,
        "lengths": np.array([8, 16]),
        "loss": np.array([1.5, np.nan]),
        "loss_error": np.array([0.25, np.nan]),
        "edges": np.array([0, 8, 16]),
        "bucket_loss": np.array([1.5, np.nan]),
        "bucket_error": np.array([0.25, np.nan]),
        "n_windows": 4,
        "provenance": WHO,
    }
    return BeyondRecord(**{**fields, **change})


def permutation(**change: Any) -> PermutationRecord:
    fields: dict[str, Any] = {
        "labels": ("a", "b", "c"),
        "moved_labels": ("b", "a", "c"),
        "words": ("a", "b"),
        "sizes": (1, 1),
        "order": np.array([1, 0, 2]),
        **{name: np.zeros((2, 3, 4), np.float32) for name in ("before", "after")},
        **{name: np.ones((2, 3)) for name in ("change", "cosine")},
        "residual": np.array([0.0, 2.0]),
        "n_components": 8,
        "written": ("x", "y"),
        "provenance": WHO,
    }
    return PermutationRecord(**{**fields, **change})


def test_beyond() -> None:
    record = beyond()
    assert record.at(8) == 1.5
    assert np.isnan(record.at(16))
    assert (record.possible(8), record.possible(9)) == (True, False)
    assert beyond(limit=None).possible(10**9)
    with pytest.raises(ValueError, match="not in list"):
        record.at(9)
    with pytest.raises(ValueError, match="read-only"):
        record.loss[0] = 3


def test_beyond_as_text() -> None:
    record = files.loads(files.dumps(beyond()))
    np.testing.assert_array_equal(record.loss, beyond().loss)
    np.testing.assert_array_equal(record.edges, beyond().edges)
    assert (record.limit, record.provenance) == (8, WHO)
    assert "NaN" not in files.dumps(beyond())


def test_permutation() -> None:
    assert permutation().moved.tolist() == [True, True, False]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: beyond(loss=np.zeros(3)),
        lambda: beyond(edges=np.array([0, 16])),
        lambda: permutation(order=np.array([0, 0, 2])),
        lambda: permutation(change=np.zeros((2, 2))),
        lambda: LearnedTableRecord(
            codes=np.zeros((3, 4), np.float32),
            similarity=np.zeros((3, 4), np.float32),
            by_offset=np.zeros(3),
            provenance=WHO,
        ),
        lambda: DecayRecord(
            kind="none",
            distances=np.arange(3),
            weights=np.zeros((2, 2, 3)),
            reach=np.zeros((2, 1)),
            trained_length=3,
            provenance=WHO,
        ),
        lambda: EntryRecord(
            labels=("a",),
            **dict.fromkeys(("raw", "scaled", "position", "total", "cosine"), np.zeros(2)),
            factor=1.0,
            provenance=WHO,
        ),
    ],
)
def test_parts_that_do_not_fit(wrong: Any) -> None:
    with pytest.raises(ValueError, match="must"):
        wrong()


def test_nothing_is_shared_with_the_maker() -> None:
    loss = np.array([1.0, 2.0])
    record = replace(beyond(), loss=loss)
    loss[0] = 9
    assert record.at(8) == 1.0
