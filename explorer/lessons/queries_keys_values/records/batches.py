"""Record of a batched product."""

from explorer.records import Provenance
from explorer.records.arrays import Float32
from explorer.records.readonly import record


@record
class BatchesRecord:
    """A batched product.

    Attributes:
        weights: `[batch, queries, keys]`.
        values: `[batch, keys, d_value]`.
        output: `[batch, queries, d_value]`.

    Raises:
        ValueError: if the shapes do not fit.
    """

    weights: Float32
    values: Float32
    output: Float32
    provenance: Provenance

    def __post_init__(self) -> None:
        if self.output.shape != (*self.weights.shape[:2], self.values.shape[2]):
            raise ValueError(f"{self.output.shape} is no product of {self.weights.shape} and {self.values.shape}")
