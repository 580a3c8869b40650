"""Records of the scoring functions' scenes: planes, two scores beside each other, lanes, two sides of an identity."""

from typing import Literal

import numpy as np
import numpy.typing as npt

from explorer.records.arrays import Floats
from explorer.records.provenance import Provenance
from explorer.records.readonly import check, record

Shown = Literal["weights", "scores", "output"]
#: Weights that differ by less are called equal.
EVEN = 0.0005


@record
class PlaneRecord:
    """A query and keys in the plane, and what each formula makes of them.

    Attributes:
        formulas: names of the scoring functions, one per row of `scores`, `weights` and `field`.
        letters: of the keys.
        query: `[2]`.
        keys: `[keys, 2]`.
        scores: `[formulas, keys]`.
        weights: softmax of the scores, `[formulas, keys]`.
        axis: where the field is sampled, along x and along y.
        field: the score of a key at every place, `[formulas, y, x]`.
        right: share of unseen queries for which a formula chooses the key to the left, `[formulas]`.

    Raises:
        ValueError: if the shapes disagree.
    """

    formulas: tuple[str, ...]
    letters: str
    query: Floats
    keys: Floats
    scores: Floats
    weights: Floats
    axis: Floats
    field: Floats
    right: Floats
    provenance: Provenance

    def __post_init__(self) -> None:
        table, side = (len(self.formulas), len(self.letters)), len(self.axis)
        check(self.query.shape == (2,) and self.keys.shape == (table[1], 2), "vectors must have two numbers")
        check(self.scores.shape == self.weights.shape == table, f"scores and weights must be {table}")
        check(self.field.shape == (table[0], side, side), "the field must have a sample at every place")

    def weight(self, formula: str, letter: str) -> float:
        """The weight that a formula gives to a key."""
        return float(self.weights[self.formulas.index(formula), self.letters.index(letter)])

    def order(self, formula: str) -> str:
        """Letters of the keys, the largest weight first."""
        row = self.weights[self.formulas.index(formula)]
        return "".join(self.letters[position] for position in np.argsort(-row, kind="stable"))


@record
class BesideRecord:
    """Two scores of the same queries and keys in the plane.

    Attributes:
        names: of both scores, as readings name them.
        queries: `[queries, 2]`.
        keys: `[keys, 2]`.
        scores: `[2, queries, keys]`.
        weights: of the keys that may be seen, `[2, queries, keys]`.
        allowed: which those are, `[queries, keys]`.
        right: number of the key that the rule calls right, for each query; -1 where it calls none so.
        found: share of unseen queries for which each score chooses the right key; None without a rule.
        parameters: how many numbers each score has learned.
        flops: what all these scores cost.
        learned: weights of both scores, as `closed_forms.js` takes them.

    Raises:
        ValueError: if the shapes disagree.
    """

    names: tuple[str, str]
    queries: Floats
    keys: Floats
    scores: Floats
    weights: Floats
    allowed: npt.NDArray[np.bool_]
    right: npt.NDArray[np.int64]
    found: tuple[float, float] | None
    parameters: tuple[int, int]
    flops: tuple[int, int]
    learned: dict[str, Floats]
    provenance: Provenance

    def __post_init__(self) -> None:
        table = (len(self.queries), len(self.keys))
        check(self.scores.shape == self.weights.shape == (2, *table), f"scores and weights must be twice {table}")
        check(self.allowed.shape == table, f"there must be {table} marks of what may be seen")
        check(self.right.shape == table[:1], "there must be a right key, or none, for each query")

    @property
    def difference(self) -> Floats:
        """The weight that the second score gives more than the first, `[queries, keys]`."""
        apart: Floats = self.weights[1] - self.weights[0]
        return apart

    @property
    def letters(self) -> str:
        """Names of the keys."""
        return "ABCDEFGHIJ"[: len(self.keys)]

    def choice(self, score: int, query: int) -> int | None:
        """Return the key that a score chooses for a query; None where two or more share the first place."""
        row = self.weights[score, query]
        best = np.flatnonzero(row >= row.max() - EVEN)
        return int(best[0]) if len(best) == 1 else None


@record
class LanesRecord:
    """Dot products of many random pairs, as they are and divided by √d.

    Attributes:
        d: length of the vectors.
        scores: of every pair, `[2, queries, keys]`: as they are, then divided.
        chosen: the query that is shown, a row of `scores`.
        weights: of its keys, `[2, keys]`.
        course: the same at every length, `[2, lengths, keys]`.
        lengths: d of the columns of `left` and `frozen`.
        left: mean gradient through the softmax over the largest of these means, `[2, lengths]`.
        frozen: share of queries that give more than 99 % to one key, `[2, lengths]`.
        every: float32, scores as they are at every length, `[lengths, queries, keys]`.
        temperature: that both lanes are divided by before the softmax.

    Raises:
        ValueError: if the shapes disagree.
    """

    d: int
    scores: Floats
    chosen: int
    weights: Floats
    course: Floats
    lengths: tuple[int, ...]
    left: Floats
    frozen: Floats
    every: npt.NDArray[np.float32]
    temperature: float
    provenance: Provenance

    def __post_init__(self) -> None:
        curves = (2, len(self.lengths))
        check(self.course.shape == (*curves, self.weights.shape[1]), "there must be weights at every length")
        check(self.scores.ndim == 3 and len(self.scores) == 2, "there must be two lanes of scores")
        check(self.weights.shape == (2, self.scores.shape[2]), "there must be a weight for each key and lane")
        check(self.left.shape == self.frozen.shape == curves, f"curves must be {curves}")
        check(self.every.shape == (*curves[1:], *self.scores.shape[1:]), "there must be a score at every length")

    @property
    def position(self) -> int:
        """The column of `left` and `frozen` that belongs to d."""
        return self.lengths.index(self.d)


@record
class SidesRecord:
    """Results of two functions on the same queries and keys.

    Attributes:
        one: `[queries, keys]`.
        other: the same of the other function.

    Raises:
        ValueError: if the shapes disagree.
    """

    one: Floats
    other: Floats
    provenance: Provenance

    def __post_init__(self) -> None:
        check(self.one.shape == self.other.shape, "both sides must have one shape")

    @property
    def apart(self) -> float:
        """The largest difference."""
        return float(np.abs(self.one - self.other).max())
