"""The record of one attention: weights with names for every row and column."""

from typing import Literal

import numpy as np
import numpy.typing as npt

from explorer.records.provenance import Provenance
from explorer.records.readonly import record

Kind = Literal["self", "causal", "cross", "kernel", "scored"]
QueryRole = Literal["read", "produced"]
#: How far a row may be from summing to 1: bfloat16 weights keep 8 bits.
ROW_SUM_TOLERANCE = 1e-2


@record
class AttentionRecord:
    """Attention weights of one site, ready to draw. Read-only; checked when made.

    Attributes:
        site: stable dotted name of what attended, such as `decoder.layers.1.cross`.
        kind: self, causal or cross attention of a model; a kernel's or a scoring function's weights.
        weights: float32, `[heads, queries, keys]`; each row sums to 1, or to 0 where everything is masked.
        query_labels: one per row. Repeated labels are fine.
        key_labels: one per column.
        query_role: whether row i is labelled by the token it read or by the token it produced.
        layer: number of the layer, from 0; None where there are no layers.
        allowed: boolean `[queries, keys]`, True = may attend; None where everything may.

    Raises:
        ValueError: if shapes disagree, a weight is not finite or outside [0, 1], or a row sums to neither 1 nor 0.
    """

    site: str
    kind: Kind
    weights: npt.NDArray[np.float32]
    query_labels: tuple[str, ...]
    key_labels: tuple[str, ...]
    query_role: QueryRole
    provenance: Provenance
    layer: int | None = None
    allowed: npt.NDArray[np.bool_] | None = None

    def __post_init__(self) -> None:
        shape = (len(self.query_labels), len(self.key_labels))
        if self.weights.ndim != 3 or self.weights.shape[1:] != shape:
            raise ValueError(
                f"{self.site}: weights {self.weights.shape} do not fit labels (heads, {shape[0]}, {shape[1]})"
            )
        if self.allowed is not None and self.allowed.shape != shape:
            raise ValueError(f"{self.site}: allowed {self.allowed.shape} does not fit labels {shape}")
        _check_rows(self.site, self.weights)

    @property
    def n_heads(self) -> int:
        """Number of heads."""
        return int(self.weights.shape[0])

    @property
    def strongest(self) -> tuple[int, int, int] | None:
        """Head, row and column of the largest weight; None where nothing is looked at.

        A row that may see one key only has no choice, so its 1 counts only where there is no other.
        """
        if not self.weights.any():
            return None
        free = self.weights if self.allowed is None else self.weights * (self.allowed.sum(-1) > 1)[:, None]
        head, row, column = np.unravel_index(int((free if free.any() else self.weights).argmax()), self.weights.shape)
        return int(head), int(row), int(column)


def _check_rows(site: str, weights: npt.NDArray[np.float32]) -> None:
    if not np.isfinite(weights).all():
        raise ValueError(f"{site}: a weight is not finite")
    if weights.size and (weights.min() < 0 or weights.max() > 1 + ROW_SUM_TOLERANCE):
        raise ValueError(f"{site}: a weight lies outside [0, 1]")
    sums = weights.sum(-1, dtype=np.float64)
    if not (np.isclose(sums, 1, atol=ROW_SUM_TOLERANCE) | (sums == 0)).all():
        raise ValueError(f"{site}: a row sums to neither 1 nor 0")
