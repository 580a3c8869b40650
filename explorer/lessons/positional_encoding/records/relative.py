"""Records of the two ways that change scores and add no code: rotations of queries and keys, and a linear bias."""

import numpy as np
import numpy.typing as npt

from explorer.records.arrays import Floats
from explorer.records.provenance import Provenance
from explorer.records.readonly import check, record


@record
class PhaseRecord:
    """Angles by which rotary positions turn a query against a key, for one pair of components.

    Attributes:
        pair: number of the pair, the fastest first.
        wavelengths: positions until each pair has turned once, `[pairs]`.
        degrees: angle between a query at i and a key at j, `[queries, keys]`, whole turns taken off: −180…180.
        cosine: of that angle: what becomes of the product of two equal vectors.
        residual: largest difference of |rotate(q, i)·rotate(k, j) − rotate(q, i − j)·k| over all positions and random
            q and k, in float64 relative to |q||k|.

    Raises:
        ValueError: if the shapes disagree.
    """

    pair: int
    wavelengths: Floats
    degrees: Floats
    cosine: npt.NDArray[np.float32]
    residual: float
    provenance: Provenance

    def __post_init__(self) -> None:
        fits = self.degrees.shape == self.cosine.shape and self.cosine.ndim == 2
        check(fits, f"degrees {self.degrees.shape} and cosines {self.cosine.shape} must be one matrix each")


@record
class BiasRecord:
    """Numbers that ALiBi adds to the scores.

    Attributes:
        slopes: of every head, score per position, `[heads]`.
        head: whose bias is drawn.
        bias: of that head, `[queries, keys]`, −inf where a key comes after the query.

    Raises:
        ValueError: if there is no such head, or the bias is no square matrix.
    """

    slopes: Floats
    head: int
    bias: npt.NDArray[np.float32]
    provenance: Provenance

    def __post_init__(self) -> None:
        check(0 <= self.head < len(self.slopes), f"there is no head {self.head} among {len(self.slopes)}")
        check(self.bias.shape == (len(self.bias),) * 2, f"bias {self.bias.shape} is no square matrix")

    @property
    def n(self) -> int:
        """Return the number of positions."""
        return len(self.bias)

    @property
    def penalties(self) -> Floats:
        """Return bias of every head at distances 0, 1, …: `[heads, positions]`."""
        penalties: Floats = -self.slopes[:, None] * np.arange(self.n)
        return penalties

    @property
    def halving(self) -> Floats:
        """Return positions after which each head's weight is halved, all else equal: ln 2 / slope."""
        halving: Floats = np.log(2) / self.slopes
        return halving
