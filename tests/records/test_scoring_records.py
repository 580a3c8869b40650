import dataclasses
import math

import numpy as np
import pytest

from explorer.records import AttentionRecord, Provenance
from explorer.records.scoring import FittedScorersRecord, SaturationRecord, ScoreMeasures, ScoringRecord

HERE = Provenance(computed_by="test")
MEASURES = ScoreMeasures(variance=1.0, entropy=1.0, largest=0.5, gradient=0.3, parameters=0, flops=12)


def attention(queries: int = 2, keys: int = 3) -> AttentionRecord:
    return AttentionRecord(
        site="scoring.dot",
        kind="scored",
        weights=np.full((1, queries, keys), 1 / keys, np.float32),
        query_labels=tuple("ab"[:queries]),
        key_labels=tuple("xyz"[:keys]),
        query_role="read",
        provenance=HERE,
    )


def scoring(**changes) -> ScoringRecord:
    fields = {
        "name": "dot",
        "scores": np.zeros((2, 3), np.float32),
        "attention": attention(),
        "output": np.zeros((2, 4), np.float32),
        "measures": MEASURES,
    }
    return ScoringRecord(**(fields | changes))


def fitted(**changes) -> FittedScorersRecord:
    fields = {
        "scorers": ("general", "additive"),
        "steps": (0, 5),
        "loss": np.ones((2, 2)),
        "accuracy": np.ones((2, 2)),
        "final_loss": np.ones(3),
        "final_accuracy": np.ones(3),
        "correlation": np.ones(3),
        "agreement": np.ones(3),
        "example_weights": np.full((3, 4, 4), 0.25, np.float32),
        "bilinear": np.diag([2.0, 4.0]).astype(np.float32),
        "chance": 0.25,
        "unseen": 8,
        "symmetric": True,
        "provenance": HERE,
    }
    return FittedScorersRecord(**(fields | changes))


def saturation(**changes) -> SaturationRecord:
    fields = {"scorers": ("dot", "cosine"), "lengths": (2, 4, 8)}
    fields |= {
        name: np.arange(6.0).reshape(2, 3)
        for name in ("variance", "expected_variance", "entropy", "largest", "gradient")
    }
    return SaturationRecord(**(fields | {"provenance": HERE} | changes))


def test_weights_are_the_only_head() -> None:
    assert scoring().weights.shape == (2, 3)


def test_arrays_cannot_be_changed_from_either_side() -> None:
    mine = np.zeros((2, 3), np.float32)
    record = scoring(scores=mine)
    mine[0, 0] = 7
    assert record.scores[0, 0] == 0
    for array in (record.scores, record.output, fitted().loss, saturation().entropy):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        record.name = "cosine"  # type: ignore[misc]


@pytest.mark.parametrize("wrong", [{"scores": np.zeros((3, 2), np.float32)}, {"output": np.zeros((3, 4), np.float32)}])
def test_shapes_must_agree(wrong: dict) -> None:
    with pytest.raises(ValueError, match="dot:"):
        scoring(**wrong)


@pytest.mark.parametrize("name", ["variance", "expected_variance", "entropy", "largest", "gradient"])
def test_a_measure_stands_for_every_function_and_length(name: str) -> None:
    with pytest.raises(ValueError, match=name):
        saturation(**{name: np.zeros((3, 2))})


def test_one_number_by_name() -> None:
    assert saturation().at("entropy", "cosine", 4) == 4.0
    with pytest.raises(ValueError, match="not in"):
        saturation().at("entropy", "dot", 3)


@pytest.mark.parametrize("wrong", [{"loss": np.ones((2, 3))}, {"correlation": np.ones(2)}, {"final_loss": np.ones(4)}])
def test_a_fit_has_the_reference_first(wrong: dict) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        fitted(**wrong)


def test_alignment_with_the_identity() -> None:
    assert fitted().identity_alignment == pytest.approx(6 / math.sqrt(20 * 2))
    assert fitted().bilinear_scale == 3
    assert fitted(bilinear=np.eye(5, dtype=np.float32) * 0.3).identity_alignment == pytest.approx(1)
    assert fitted(bilinear=np.array([[0, 1], [1, 0]], np.float32)).identity_alignment == 0
    assert fitted(bilinear=np.zeros((2, 2), np.float32)).identity_alignment == 0
    assert fitted().guess_loss == pytest.approx(math.log(4))
