"""Records of trained models on text longer than they were trained on."""

from typing import Literal

import numpy as np
import numpy.typing as npt

from explorer.records.arrays import Floats
from explorer.records.provenance import Provenance
from explorer.records.readonly import check, record

Kind = Literal["none", "sinusoidal", "learned", "rotary", "alibi"]
#: What a loss is drawn over.
Over = Literal["length", "place"]


@record
class BeyondRecord:
    """Loss of one trained model on text longer than it was trained on; nats per character, lower is better.

    Positions a model cannot read (beyond the table of learned codes) are NaN: not possible, not a number.

    Attributes:
        kind: of its positions.
        trained_length: characters of a training window.
        limit: longest text it can read at all; None where nothing limits it.
        lengths: total lengths that were read, `[lengths]`.
        loss: mean over a text of that length, `[lengths]`.
        loss_error: standard error of that mean over windows, `[lengths]`.
        edges: bucket b holds the positions edges[b] … edges[b + 1] − 1, from 0, `[buckets + 1]`.
        bucket_loss: mean over the positions of a bucket, `[buckets]`.
        bucket_error: standard error over windows, `[buckets]`.
        n_windows: how many windows were read.

    Raises:
        ValueError: if the shapes disagree.
    """

    kind: Kind
    trained_length: int
    limit: int | None
    lengths: npt.NDArray[np.int64]
    loss: Floats
    loss_error: Floats
    edges: npt.NDArray[np.int64]
    bucket_loss: Floats
    bucket_error: Floats
    n_windows: int
    provenance: Provenance

    def __post_init__(self) -> None:
        check(self.loss.shape == self.loss_error.shape == self.lengths.shape, "there must be one loss a length")
        shape = (len(self.edges) - 1,)
        check(self.bucket_loss.shape == self.bucket_error.shape == shape, "there must be one loss a bucket")

    def possible(self, length: int) -> bool:
        """Return whether a text of that length can be read."""
        return self.limit is None or length <= self.limit

    @property
    def middles(self) -> Floats:
        """Return the middle of the positions of each bucket."""
        return (self.edges[:-1] + self.edges[1:]) / 2

    @property
    def wavering(self) -> Floats:
        """Return among how many characters the model wavers in each bucket, exp(loss)."""
        return np.exp(self.bucket_loss)

    def wavers(self, read: int) -> float:
        """Return the same around a position; NaN if the model cannot read it."""
        return float(self.wavering[int(np.searchsorted(self.edges, read, side="right")) - 1])

    def at(self, length: int) -> float:
        """Return the loss at one of the lengths."""
        return float(self.loss[self.lengths.tolist().index(length)])


@record
class BeyondProgress:
    """Progress of a measurement beyond the training length, and what it says so far.

    Attributes:
        records: one for each kind; those with no window yet are absent.
        done: windows read, over all kinds.
        total: windows to read.
    """

    records: tuple[BeyondRecord, ...]
    done: int
    total: int
