"""Records of attention variants: what they cost, and how far they are from exact attention."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from explorer.records.arrays import Floats
from explorer.records.provenance import Provenance
from explorer.records.readonly import record


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantCost:
    """Cost of one mechanism on given queries, keys and values, counted in a real run, all heads together.

    Attributes:
        name: of the mechanism.
        settings: its own, by name.
        share: cells it uses, of those that exact attention uses; None where it is not a matter of cells.
        operations: multiply-adds in matrix products.
        peak_bytes: alive at once while it runs, queries, keys and values not counted.
        kept_bytes: keys and values that a decoder would have to keep, or the state that takes their place.
        weight_error: how much of a row's weight lies elsewhere, 0…1, mean over the queries of the head looked at.
        output_error: length of the difference from the exact output over the length of that, all queries of the head.
    """

    name: str
    settings: tuple[tuple[str, int], ...]
    share: float | None
    operations: int
    peak_bytes: int
    kept_bytes: int
    weight_error: float
    output_error: float


@record
class VariantRecord:
    """One head's exact weights beside a mechanism's.

    Attributes:
        cost: of the mechanism.
        causal: whether a query may attend to the past alone.
        exact: weights `[queries, keys]`.
        weights: those that stand behind the mechanism's output.
        allowed: cells that the mechanism uses.
        weight_error: share of each row's weight that lies elsewhere, `[queries]`, 0…1.
        output_error: for each query, as in `VariantCost`.
        provenance: of queries, keys and values, and of what was computed from them.

    Raises:
        ValueError: if the shapes disagree.
    """

    cost: VariantCost
    labels: tuple[str, ...]
    causal: bool
    exact: Floats
    weights: Floats
    allowed: npt.NDArray[np.bool_]
    weight_error: Floats
    output_error: Floats
    provenance: Provenance

    def __post_init__(self) -> None:
        n = len(self.labels)
        square = {self.exact.shape, self.weights.shape, self.allowed.shape}
        if square != {(n, n)} or {self.weight_error.shape, self.output_error.shape} != {(n,)}:
            raise ValueError(f"{self.cost.name}: weights must be {(n, n)} and errors {(n,)}, as there are labels")


@record
class FeatureSweep:
    """Distance of a Performer's output from the exact one, by the number of its random features.

    Attributes:
        features: numbers of features, ascending.
        lengths: what queries and keys were multiplied by; 1 leaves them as they are.
        errors: `[lengths, draws, features]`, each as `VariantCost.output_error`, against exact attention of the same.
        provenance: of queries, keys and values, and of what was computed from them.
    """

    features: tuple[int, ...]
    lengths: tuple[float, ...]
    errors: Floats
    provenance: Provenance

    def __post_init__(self) -> None:
        if self.errors.ndim != 3 or self.errors.shape[::2] != (len(self.lengths), len(self.features)):
            raise ValueError(f"errors {self.errors.shape} must be [{len(self.lengths)}, draws, {len(self.features)}]")

    @property
    def median(self) -> Floats:
        """Return the median over the draws, `[lengths, features]`."""
        return np.asarray(np.median(self.errors, 1))

    @property
    def slopes(self) -> tuple[float, ...]:
        """Return for each length the exponent of the error over the number of features; −0.5 for independent draws.

        NaN where some error is 0, as with a single key.
        """
        across = np.log(self.features)
        return tuple(float(np.polyfit(across, np.log(line), 1)[0]) if line.all() else math.nan for line in self.median)


@record
class FlashStep:
    """One tile of flash attention.

    Attributes:
        queries: first and last + 1 of the tile's queries.
        keys: of its keys.
        maximum_before: largest score of each query so far; -inf before the first tile.
        maximum: with this tile.
        total_before: sum of exponentials so far.
        total: with this tile.
        rescale: what the sums before are multiplied by, `[queries of the tile]`.
        error: of each query's output so far, divided by its sum, from the final one.
    """

    queries: tuple[int, int]
    keys: tuple[int, int]
    maximum_before: Floats
    maximum: Floats
    total_before: Floats
    total: Floats
    rescale: Floats
    error: Floats


@record
class FlashRecord:
    """Flash attention of one head, tile by tile.

    Attributes:
        scores: of all queries and keys: what is never written; NaN where a query may not look.
        values: of all keys, `[n, d]`.
        steps: every tile in turn.
        tiles: queries and keys to a tile.
        difference: largest difference of the result from plain attention.
        d: length of a value.
        provenance: of queries, keys and values, and of what was computed from them.
    """

    labels: tuple[str, ...]
    scores: Floats
    values: Floats
    steps: tuple[FlashStep, ...]
    tiles: tuple[int, int]
    difference: float
    d: int
    provenance: Provenance


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskPoint:
    """Loss of a trained model with one mechanism in place of its attention, in every layer.

    Attributes:
        name: of the mechanism.
        settings: its own, by name.
        cells: positions that a query may use, mean over the places of a window; None where it is no matter of cells.
        loss: mean cross-entropy, nats a token.
        added: more than with exact attention on the same windows.
        added_error: standard error of `added` over windows; NaN for one window.
    """

    name: str
    settings: tuple[tuple[str, int], ...]
    cells: float | None
    loss: float
    added: float
    added_error: float

    @property
    def letters(self) -> float:
        """Between how many letters the model hesitates: the perplexity."""
        return math.exp(self.loss)


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskRecord:
    """A trained model with each mechanism in place of its attention, on windows of one length.

    Attributes:
        length: of a window, in tokens.
        trained_length: that the model was trained on.
        exact: its loss as it was trained.
        n_windows: how many.
        points: as far as they are known.
        provenance: of the model and the windows.
    """

    length: int
    trained_length: int
    exact: float
    n_windows: int
    points: tuple[TaskPoint, ...]
    provenance: Provenance

    @property
    def letters(self) -> float:
        """Between how many letters the model hesitates with exact attention."""
        return math.exp(self.exact)

    def of(self, name: str) -> tuple[TaskPoint, ...]:
        """Return the points of one mechanism, in the order of the sweep."""
        return tuple(point for point in self.points if point.name == name)


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskProgress:
    """Progress of an evaluation, and what it has found."""

    record: TaskRecord | None
    done: int
    total: int
