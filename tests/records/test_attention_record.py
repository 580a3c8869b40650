"""Records check themselves and cannot be changed."""

import dataclasses
from typing import Any

import numpy as np
import pytest

from explorer.records import AttentionRecord, Provenance, json_files
from explorer.records.readonly import record


def attention(**changes: Any) -> AttentionRecord:
    weights = np.array([[[0.25, 0.75], [1.0, 0.0]], [[0.5, 0.5], [0.0, 0.0]]], np.float32)
    fields: dict[str, Any] = {
        "site": "decoder.layers.0.cross",
        "kind": "cross",
        "layer": 0,
        "weights": weights,
        "query_labels": ("le", "le"),
        "key_labels": ("the", "猫"),
        "query_role": "produced",
        "provenance": Provenance(computed_by="tests", seed=3),
    }
    return AttentionRecord(**{**fields, **changes})


def test_rows_sum_to_one_or_to_nothing() -> None:
    assert attention().n_heads == 2
    with pytest.raises(ValueError, match="sums to neither 1 nor 0"):
        attention(weights=np.full((1, 2, 2), 0.3, np.float32))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"key_labels": ("the",)}, "do not fit labels"),
        ({"weights": np.full((1, 2, 2), np.nan, np.float32)}, "not finite"),
        ({"weights": np.array([[[2.0, -1.0], [1, 0]]], np.float32)}, r"outside \[0, 1\]"),
        ({"allowed": np.ones((3, 2), np.bool_)}, "allowed"),
    ],
)
def test_damage_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        attention(**changes)


def test_nothing_can_be_written_and_the_source_is_not_touched() -> None:
    source = np.array([[[1.0, 0.0], [0.0, 1.0]]], np.float32)
    made = attention(weights=source)
    with pytest.raises(ValueError, match="read-only"):
        made.weights[0, 0, 0] = 5
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.site = "elsewhere"  # type: ignore[misc]
    source[0, 0, 0] = 7
    assert made.weights[0, 0, 0] == 1


def test_the_strongest_look_is_a_choice_where_there_is_one() -> None:
    free = attention(allowed=np.array([[True, True], [True, False]]))
    assert attention().strongest == (0, 1, 0)
    assert free.strongest == (0, 0, 1), "the second row may see one key only"
    alone = attention(allowed=np.array([[True, False], [True, False]]))
    assert alone.strongest == (0, 1, 0), "there is no other"
    assert attention(weights=np.zeros((1, 2, 2), np.float32)).strongest is None


def test_a_record_survives_being_written_down() -> None:
    before = attention(allowed=np.array([[True, True], [True, False]]))
    after = json_files.loads(json_files.dumps(before))
    np.testing.assert_allclose(after.weights, before.weights, atol=1e-6)
    assert after.allowed is not None
    assert after.allowed.tolist() == [[True, True], [True, False]]
    assert (after.site, after.query_labels, after.provenance) == (before.site, before.query_labels, before.provenance)


@pytest.mark.parametrize("text", ["{}", "[]", '{"site": 1}', "not json"])
def test_other_text_is_no_record(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        json_files.loads(text)


def test_provenance_is_one_line() -> None:
    line = str(Provenance(computed_by="f", model="m", revision="ab12", detail="layer 0", seed=0))
    assert line == "f · m@ab12 · layer 0 · cpu · float32 · seed 0"
    assert str(Provenance(computed_by="f")) == "f · cpu · float32"


@record
class Halves:
    whole: np.ndarray
    more: np.ndarray | None = None

    def __post_init__(self) -> None:
        if len(self.whole) % 2:
            raise ValueError("odd")


def test_a_record_checks_first_and_is_compared_by_identity() -> None:
    with pytest.raises(ValueError, match="odd"):
        Halves(whole=np.arange(3))
    with pytest.raises(TypeError):
        Halves(np.arange(2))  # type: ignore[misc]
    first, again = Halves(whole=np.arange(2)), Halves(whole=np.arange(2))
    assert first != again
    assert len({first, again}) == 2
    assert not hasattr(first, "__dict__")
    changed = dataclasses.replace(first, more=np.zeros(1))
    assert changed.more is not None
    assert not changed.more.flags.writeable
    assert not changed.whole.flags.writeable
