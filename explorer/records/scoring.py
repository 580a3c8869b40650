"""Records of scoring functions: what each does to the same queries and keys, and what became of the fitted ones."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from explorer.records.arrays import Floats
from explorer.records.attention import AttentionRecord
from explorer.records.provenance import Provenance
from explorer.records.readonly import check, record


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreMeasures:
    """One scoring function in numbers.

    Attributes:
        variance: of the scores of all allowed pairs.
        entropy: of the weights in nats, mean over queries.
        largest: the largest weight, mean over queries.
        gradient: Frobenius norm of the softmax's Jacobian ∂weights/∂(scores/temperature), mean over queries.
        flops: floating-point operations for all scores.
    """

    variance: float
    entropy: float
    largest: float
    gradient: float
    parameters: int
    flops: int


@record
class ScoringRecord:
    """The scores, weights and output of one scoring function.

    Attributes:
        name: of the function, as in `explorer.attention.scoring`.
        scores: float32, `[queries, keys]`, before temperature, mask and softmax.
        attention: the weights, with the labels of rows and columns.
        output: float32, `[queries, d_value]`.
        measures: the same in numbers.

    Raises:
        ValueError: if the shapes disagree.
    """

    name: str
    scores: npt.NDArray[np.float32]
    attention: AttentionRecord
    output: npt.NDArray[np.float32]
    measures: ScoreMeasures

    def __post_init__(self) -> None:
        same = self.scores.shape == self.attention.weights.shape[1:]
        check(same, f"{self.name}: scores and weights differ in shape")
        fits = self.output.shape[:-1] == self.scores.shape[:1]
        check(fits, f"{self.name}: there must be one output for each query")

    @property
    def weights(self) -> npt.NDArray[np.float32]:
        """The weights, `[queries, keys]`."""
        weights: npt.NDArray[np.float32] = self.attention.weights[0]
        return weights


@record
class SaturationRecord:
    """The change of scores and weights as queries and keys grow longer, measured over many draws.

    Attributes:
        scorers: names of the functions, one per row of every array.
        lengths: d, one per column.
        variance: of the scores, `[scorers, lengths]`.
        expected_variance: what theory says for independent standard normal components.
        entropy: of the weights in nats, mean over draws.
        largest: the largest weight, mean over draws.
        gradient: Frobenius norm of the softmax's Jacobian, mean over draws.

    Raises:
        ValueError: if the shapes disagree.
    """

    scorers: tuple[str, ...]
    lengths: tuple[int, ...]
    variance: Floats
    expected_variance: Floats
    entropy: Floats
    largest: Floats
    gradient: Floats
    provenance: Provenance

    def __post_init__(self) -> None:
        shape = (len(self.scorers), len(self.lengths))
        for name in ("variance", "expected_variance", "entropy", "largest", "gradient"):
            check(getattr(self, name).shape == shape, f"{name} must be {shape}, scorers by lengths")

    def at(self, measure: str, scorer: str, length: int) -> float:
        """One number: `measure` (such as `entropy`) of `scorer` at d = `length`."""
        return float(getattr(self, measure)[self.scorers.index(scorer), self.lengths.index(length)])


@record
class FittedScorersRecord:
    """Scoring functions while they are fitted to a retrieval task, beside the best possible one, on unseen examples.

    Scorer 0 of everything `[moments, 1 + scorers, …]` is the reference, which does not learn: the dot product over the
    noise's variance, which is the posterior of this task, so nothing can have a lower expected loss.

    Attributes:
        scorers: names of the fitted functions, the reference not among them.
        steps: optimiser steps done at each moment.
        loss: cross-entropy in nats, `[moments, 1 + scorers]`.
        accuracy: share of queries whose highest score is the right key, `[moments, 1 + scorers]`.
        correlation: of each function's scores with the reference's, rows centred, `[moments, 1 + scorers]`.
        agreement: share of queries in which both pick the same key, `[moments, 1 + scorers]`.
        weights: float32, on queries that are noisy copies of key 0, 1, …, `[moments, 1 + scorers, keys, keys]`.
        bilinear: float32, the matrix W of the bilinear score, `[moments, d, d]`.
        chance: accuracy of guessing.
        unseen: how many unseen queries there were.
        symmetric: whether the keys lie symmetrically about 0.

    Raises:
        ValueError: if the shapes disagree.
    """

    scorers: tuple[str, ...]
    steps: tuple[int, ...]
    loss: Floats
    accuracy: Floats
    correlation: Floats
    agreement: Floats
    weights: npt.NDArray[np.float32]
    bilinear: npt.NDArray[np.float32]
    chance: float
    unseen: int
    symmetric: bool
    provenance: Provenance

    def __post_init__(self) -> None:
        shape = (len(self.steps), 1 + len(self.scorers))
        for name in ("loss", "accuracy", "correlation", "agreement"):
            check(
                getattr(self, name).shape == shape, f"{name} must be {shape}, moments by scorers, the reference first"
            )
        check(self.weights.shape[:2] == shape, f"weights must begin with {shape}, moments by scorers")
        check(len(self.bilinear) == len(self.steps), "there must be one matrix W for each moment")

    @property
    def guess_loss(self) -> float:
        """Cross-entropy of guessing, ln(keys)."""
        return -math.log(self.chance)

    def identity_alignment(self, moment: int) -> float:
        """Return the cosine between W and the identity, tr W / (‖W‖ √d): 1 where W is a positive multiple of it."""
        matrix = self.bilinear[moment]
        size = float(np.linalg.norm(matrix)) * float(np.sqrt(len(matrix)))
        return float(np.trace(matrix)) / size if size else 0.0

    def bilinear_scale(self, moment: int) -> float:
        """Return the mean of W's diagonal; the reference's is one over the noise's variance."""
        return float(np.trace(self.bilinear[moment])) / len(self.bilinear[moment])
