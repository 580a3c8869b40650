"""Records of sinusoidal codes: the matrix, its waves beside the bits of a counter, likeness and rotation by offset."""

import math

import numpy as np
import numpy.typing as npt

from explorer.records.arrays import Floats
from explorer.records.provenance import Provenance
from explorer.records.readonly import check, record


@record
class CodesRecord:
    """The sinusoidal codes of the first positions.

    Attributes:
        code: float32, `[positions, d_model]`; column 2j is the sine of pair j, column 2j + 1 its cosine.
        wavelengths: positions until a pair repeats, `[d_model / 2]`.
        fine: positions between which the waves are drawn, `[points]`.
        waves: sines and cosines at `fine`, `[2, d_model / 2, points]`.

    Raises:
        ValueError: if the shapes disagree.
    """

    code: npt.NDArray[np.float32]
    wavelengths: Floats
    fine: Floats
    waves: Floats
    provenance: Provenance

    def __post_init__(self) -> None:
        pairs = len(self.wavelengths)
        check(self.code.ndim == 2 and self.code.shape[1] == 2 * pairs, f"{self.code.shape} is not [n, {2 * pairs}]")
        check(self.waves.shape == (2, pairs, len(self.fine)), f"waves {self.waves.shape} do not fit {pairs} pairs")

    @property
    def n_pairs(self) -> int:
        """Return the number of sine-cosine pairs."""
        return len(self.wavelengths)


@record
class CounterRecord:
    """A binary counter and a few waves, a row for each position, the fastest column first.

    Attributes:
        bits: 0 or 1, `[positions, bits]`; column b is the bit that is worth 2^b.
        pairs: number of each wave's pair.
        wavelengths: of each wave, in positions.
        sines: `[positions, waves]`.

    Raises:
        ValueError: if the shapes disagree.
    """

    bits: npt.NDArray[np.uint8]
    pairs: tuple[int, ...]
    wavelengths: tuple[float, ...]
    sines: npt.NDArray[np.float32]
    provenance: Provenance

    def __post_init__(self) -> None:
        shape = (len(self.bits), len(self.pairs))
        check(self.sines.shape == shape, f"sines {self.sines.shape} are not {shape}")
        check(len(self.wavelengths) == len(self.pairs), "there must be one wavelength for each pair")

    @property
    def below(self) -> npt.NDArray[np.uint8]:
        """Return 1 where a sine is below 0: like a bit, it begins with 0 and flips after half a wavelength."""
        return (self.sines < 0).astype(np.uint8)


@record
class LikenessRecord:
    """Inner products of one position's code with the codes around it, and the same by offset alone.

    Attributes:
        position: the position i.
        offsets: j − i for each product, `[products]`; j ≥ 0.
        products: p(i)·p(j).
        offsets_all: offsets of `by_offset`, `[offsets]`.
        by_offset: Σ cos ω(j − i), which no longer knows i.
        residual: largest difference between the two over *all* pairs of positions, in float64.
        pairs_checked: how many pairs of positions that was.

    Raises:
        ValueError: if the shapes disagree.
    """

    position: int
    offsets: npt.NDArray[np.int64]
    products: Floats
    offsets_all: npt.NDArray[np.int64]
    by_offset: Floats
    residual: float
    pairs_checked: int
    provenance: Provenance

    def __post_init__(self) -> None:
        check(self.offsets.shape == self.products.shape, "there must be one product for each offset")
        check(self.offsets_all.shape == self.by_offset.shape, "there must be one sum for each offset")

    def at(self, offset: int) -> float:
        """Return Σ cos ωδ at one offset.

        Raises:
            ValueError: if it is not among the offsets.
        """
        return float(self.by_offset[self.offsets_all.tolist().index(offset)])


@record
class RotationRecord:
    """The rotation that turns the code of one position into that of another, pair by pair.

    Attributes:
        position: the position i.
        offset: δ; the other position is i + δ.
        pairs: number of each pair that is drawn.
        wavelengths: of each, in positions.
        before: (cosine, sine) of each pair at i, `[pairs, 2]`.
        after: the same at i + δ.
        turned: R times `before`: what the rotation makes of it.
        residual: max |R p(i) − p(i + δ)| over all pairs and all positions, in float64.

    Raises:
        ValueError: if the shapes disagree.
    """

    position: int
    offset: int
    pairs: tuple[int, ...]
    wavelengths: tuple[float, ...]
    before: Floats
    after: Floats
    turned: Floats
    residual: float
    provenance: Provenance

    def __post_init__(self) -> None:
        for points in (self.before, self.after, self.turned):
            check(points.shape == (len(self.pairs), 2), f"{points.shape} is not [{len(self.pairs)}, 2]")
        check(len(self.wavelengths) == len(self.pairs), "there must be one wavelength for each pair")

    def angle(self, number: int, offset: int | None = None) -> float:
        """Return by how many degrees this offset, or another, turns drawn pair `number`, whole turns included."""
        return 360.0 * (self.offset if offset is None else offset) / self.wavelengths[number]

    def between(self, number: int, offset: int | None = None) -> float:
        """Return the angle between the two hands of a clock, as it is seen: whole turns left out."""
        return math.fmod(self.angle(number, offset), 360)
