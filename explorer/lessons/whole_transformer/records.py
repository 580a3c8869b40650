"""Records of what translators that differ in one thing do: their lines, their courses, their gradients."""

from typing import Literal

import numpy as np
import numpy.typing as npt

from explorer.records.arrays import Float32
from explorer.records.provenance import Provenance
from explorer.records.readonly import record

#: Norm before each part, norm after each sum, norm before each part but nothing added to what it read.
Build = Literal["pre", "post", "bare"]

#: A layer with a smaller share of the largest gradient learns nothing at first.
STARVED = 1e-3


@record
class LineRecord:
    """The lines of one translator on a sentence: how long the vectors are at each point of their way.

    Attributes:
        build: how its layers are built.
        points: where, such as `enc.x` (what the first layer reads) or `dec.0.cross` (after that part).
        length: of the vectors there, mean over the tokens.
        written: its translation, greedy.

    Raises:
        ValueError: if there is not a length for each point.
    """

    build: Build
    points: tuple[str, ...]
    length: Float32
    written: str
    provenance: Provenance

    def __post_init__(self) -> None:
        if self.length.shape != (len(self.points),):
            raise ValueError(f"{self.length.shape} lengths for {len(self.points)} points")

    def growth(self, stack: str) -> float:
        """Return how many times as long the line of `enc` or `dec` is at its end as at its beginning."""
        positions = [position for position, point in enumerate(self.points) if point.startswith(stack)]
        return float(self.length[positions[-1]] / self.length[positions[0]])


@record
class CourseRecord:
    """The course of one training, report by report.

    Attributes:
        build: how the model's layers are built.
        step: of each report.
        train_loss: cross-entropy with smoothed labels of a target token in nats, since the report before.
        dev_loss: without smoothing, of held-out pairs.
        test_bleu: of the whole test part, beam 4, as the manifest has it.
    """

    build: Build
    step: npt.NDArray[np.int64]
    train_loss: Float32
    dev_loss: Float32
    test_bleu: float
    provenance: Provenance


@record
class GradientRecord:
    """The first gradients of an untrained translator, layer by layer.

    Attributes:
        build: how its layers are built.
        layers: `enc.0` …, then `dec.0` ….
        size: length of the gradient of all of a layer's parameters.

    Raises:
        ValueError: if there is not a size for each layer.
    """

    build: Build
    layers: tuple[str, ...]
    size: Float32
    provenance: Provenance

    def __post_init__(self) -> None:
        if self.size.shape != (len(self.layers),):
            raise ValueError(f"{self.size.shape} sizes for {len(self.layers)} layers")

    @property
    def starved(self) -> int:
        """Count of layers that get less than a thousandth of the largest gradient."""
        return int((self.size < self.size.max() * STARVED).sum())

    def spread(self) -> float:
        """Return how many times as large the largest layer's gradient is as the smallest's; infinite if that is 0."""
        least = float(self.size.min())
        return float(self.size.max()) / least if least else float("inf")


#: Over what a norm takes mean and scale: the numbers of one token, or one number of all tokens of the batch.
Over = Literal["layer", "batch"]


@record
class NormalisedRecord:
    """A batch before and after a norm, a row for each place of each sentence.

    Attributes:
        over: over what it was normalised.
        labels: the token at each place.
        sentence: the number of its sentence, from 0.
        padding: True where a sentence is filled up.
        counted: True where the numbers enter a mean.
        before: the vectors, cut to a few numbers, `[rows, numbers]`.
        after: the same, normalised.
        alone: how far each number of `after` moves if the last sentence is left out of the batch; NaN in its rows and
            in padding.
        mean: of each row (`layer`) or each column (`batch`).
        scale: their standard deviations, with the norm's small constant.

    Raises:
        ValueError: if shapes disagree.
    """

    over: Over
    labels: tuple[str, ...]
    sentence: npt.NDArray[np.int64]
    padding: npt.NDArray[np.bool_]
    counted: npt.NDArray[np.bool_]
    before: Float32
    after: Float32
    alone: Float32
    mean: Float32
    scale: Float32
    provenance: Provenance

    def __post_init__(self) -> None:
        n_rows, n_numbers = self.before.shape
        groups = n_rows if self.over == "layer" else n_numbers
        if self.after.shape != self.before.shape or self.alone.shape != self.before.shape:
            raise ValueError("before, after and the change have different shapes")
        if len(self.labels) != n_rows or self.mean.shape != (groups,) or self.scale.shape != (groups,):
            raise ValueError(f"{n_rows} rows and {groups} groups do not fit the labels, means and scales")

    @property
    def moved(self) -> tuple[int, int]:
        """Count of the numbers that move when the last sentence is left out, and of those that could."""
        known = self.alone[~np.isnan(self.alone)]
        return int((np.abs(known) > MOVES).sum()), known.size


#: A number that changes by more has moved; less is rounding.
MOVES = 1e-5


@record
class FamilyRecord:
    """One model of a family on the reader's sentence: who looks at whom, and what comes next.

    Attributes:
        family: `encoder`, `decoder` or `both`.
        labels: of rows and columns alike: the tokens it reads, and after them those it has written.
        weights: the mean over the heads of one layer, `[labels, labels]`; NaN where nobody may look.
        asks: the row whose guesses are shown, from 0.
        guesses: likeliest tokens and their probabilities, the best first.
        reads: how many of the labels are read, not written.

    Raises:
        ValueError: if shapes disagree.
    """

    family: Literal["encoder", "decoder", "both"]
    labels: tuple[str, ...]
    weights: Float32
    asks: int
    guesses: tuple[tuple[str, float], ...]
    reads: int
    provenance: Provenance

    def __post_init__(self) -> None:
        if self.weights.shape != (len(self.labels), len(self.labels)):
            raise ValueError(f"{self.weights.shape} weights for {len(self.labels)} labels")
