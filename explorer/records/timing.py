"""Records of measured time and memory."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from explorer.records.arrays import Floats
from explorer.records.provenance import Provenance
from explorer.records.readonly import record


@record
class TimingRecord:
    """Forward times and peak memory of several layers over one size; as far as the measurement has come.

    Attributes:
        names: of the layers, one for each row.
        axis: `n` or `d`: what grows.
        values: the sizes, one for each column, ascending.
        seconds: of one forward pass, `[names, values, rounds]`; NaN where not (yet) measured.
        peak_bytes: alive at once, input and parameters not counted, `[names, values]`; NaN where not (yet) measured.
        fresh_bytes: that the system had to hand out anew for one pass (page faults of the thread), the fewest of all
            rounds, `[names, values]`; NaN where the system does not say.
        left_out: why a cell is not measured, `[names][values]`: `memory`, `time`, or empty.
        provenance: device, arithmetic, threads, rounds.

    Raises:
        ValueError: if the shapes disagree.
    """

    names: tuple[str, ...]
    axis: str
    values: tuple[int, ...]
    seconds: Floats
    peak_bytes: Floats
    fresh_bytes: Floats
    left_out: tuple[tuple[str, ...], ...]
    provenance: Provenance

    def __post_init__(self) -> None:
        shape = (len(self.names), len(self.values))
        shapes = {self.seconds.shape[:2], self.peak_bytes.shape, self.fresh_bytes.shape, np.shape(self.left_out)}
        if shapes != {shape}:
            raise ValueError(f"times, bytes and reasons must be {shape}, layers by sizes")

    @property
    def median(self) -> Floats:
        """Seconds, `[names, values]`; NaN where nothing is measured."""
        return self.quantile(0.5)

    @property
    def rounds(self) -> npt.NDArray[np.int64]:
        """Return how often each cell was measured, `[names, values]`."""
        counted: npt.NDArray[np.int64] = np.isfinite(self.seconds).sum(-1)
        return counted

    def quantile(self, share: float) -> Floats:
        """Seconds that `share` of the rounds stay below, `[names, values]`; NaN where nothing is measured."""
        return _quantile(self, share)


@lru_cache(maxsize=64)  # readings, curves and tables of one record ask a dozen times
def _quantile(record: TimingRecord, share: float) -> Floats:
    quantile = np.full(record.peak_bytes.shape, np.nan)
    some = record.rounds > 0
    if some.any():
        quantile[some] = np.nanquantile(record.seconds[some], share, axis=-1)
    quantile.setflags(write=False)
    return quantile


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerLaw:
    """A straight line through points on logarithmic scales: value = factor · size^exponent.

    Attributes:
        exponent: its slope.
        factor: its value at size 1.
        first: the smallest size it was fitted to.
        last: the largest.
        points: how many sizes.
    """

    exponent: float
    factor: float
    first: int
    last: int
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossing:
    """The crossing of two curves.

    Attributes:
        at: the size, interpolated between two sizes on logarithmic scales.
        value: what both curves are worth there.
        low: lower quartile over the rounds, where one that does not cross counts as crossing at the end; at most `at`.
        high: upper quartile; at least `at`.
        rounds: rounds in which the curves crossed at all, of those that were measured.
        cheaper_above: whether the first curve lies below the second beyond the crossing.
    """

    at: float
    value: float
    low: float
    high: float
    rounds: tuple[int, int]
    cheaper_above: bool
