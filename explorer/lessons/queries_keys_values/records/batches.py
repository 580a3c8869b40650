"""Record of a batched product."""

import numpy as np
import numpy.typing as npt

from explorer.records import Provenance
from explorer.records.readonly import record

Floats = npt.NDArray[np.float32]


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

    weights: Floats
    values: Floats
    output: Floats
    provenance: Provenance

    def __post_init__(self) -> None:
        if self.output.shape != (*self.weights.shape[:2], self.values.shape[2]):
            raise ValueError(f"{self.output.shape} is no product of {self.weights.shape} and {self.values.shape}")
