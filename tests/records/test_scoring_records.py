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
        "loss": np.ones((2, 3)),
        "accuracy": np.ones((2, 3)),
        "correlation": np.ones((2, 3)),
        "agreement": np.ones((2, 3)),
        "weights": np.full((2, 3, 4, 4), 0.25, np.float32),
        "bilinear": np.stack([np.zeros((2, 2)), np.diag([2.0, 4.0])]).astype(np.float32),
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


@pytest.mark.parametrize(
    "wrong",
    [
        {"loss": np.ones((2, 2))},
        {"correlation": np.ones(3)},
        {"weights": np.ones((2, 2, 4, 4), np.float32)},
        {"matrix W": np.eye(2, dtype=np.float32)[None]},
    ],
)
def test_a_fit_has_every_moment_and_the_reference_first(wrong: dict) -> None:
    said = next(iter(wrong))
    with pytest.raises(ValueError, match=said):
        fitted(**{said.replace("matrix W", "bilinear"): wrong[said]})


def test_alignment_with_the_identity() -> None:
    matrices = [np.diag([2.0, 4.0]), 0.3 * np.eye(2), [[0, 1], [1, 0]], np.zeros((2, 2))]
    record = fitted(
        steps=(0, 1, 2, 3),
        bilinear=np.array(matrices, np.float32),
        weights=np.full((4, 3, 4, 4), 0.25, np.float32),
        **{name: np.ones((4, 3)) for name in ("loss", "accuracy", "correlation", "agreement")},
    )
    found = [record.identity_alignment(moment) for moment in range(4)]
    assert found == pytest.approx([6 / math.sqrt(20 * 2), 1, 0, 0])
    assert record.bilinear_scale(0) == 3
    assert record.guess_loss == pytest.approx(math.log(4))
