"""“Architectures compared”: what is asked for, what is drawn, what was found."""

from dataclasses import dataclass

from explorer.inference.benchmark.timing import Sweep
from explorer.records.architectures import DRAWN, Cost, CostCurves, LayerSizes
from explorer.scenes.architectures import FIRST, SIZES
from explorer.scenes.controls import SelectSlider

#: What every size can be; those along each axis are the ones of the curves, and of what is measured.
STOPS = {each.field_of(key): each.options for key, each in SIZES.items() if isinstance(each, SelectSlider)}
RANGES = {axis: STOPS[axis] for axis in ("n", "d")}
#: Positions in the drawing of paths.
POSITIONS = FIRST.high


@dataclass(frozen=True, slots=True, kw_only=True)
class Params:
    """Sizes that the costs are computed for; numbers out of range are moved to the nearest one allowed.

    Attributes:
        n: length of the sequence.
        d: numbers for each position; a multiple of 16, so that every number of heads divides it.
        kernel: of the convolution, odd.
    """

    n: int = 256
    d: int = 64
    kernel: int = 3
    heads: int = 4

    def __post_init__(self) -> None:
        for name, options in STOPS.items():
            asked = getattr(self, name)
            object.__setattr__(self, name, sorted((abs(option - asked), option) for option in options)[0][1])

    def sizes(self, **change: int) -> LayerSizes:
        """Return the sizes of one layer, with some of them changed."""
        return LayerSizes(**{"n": self.n, "d": self.d, "kernel": self.kernel, "heads": self.heads} | change)

    def sweep(self, axis: str) -> Sweep:
        """Return what is measured along an axis; equal for any two settings that differ only on that axis."""
        return Sweep(axis=axis, sizes=tuple(self.sizes(**{axis: value}) for value in RANGES[axis]))


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Choices of what is drawn of the signal's way.

    Attributes:
        source: position where a signal enters, from 0.
        target: position where it is wanted, from 0.
        step: how many steps have been taken.
    """

    kernel: int = 3
    source: int = 0
    target: int = POSITIONS - 1
    step: int = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The costs of every architecture.

    Attributes:
        costs: at the reader's sizes, one for each of `DRAWN`.
        curves: along `n` and along `d`.
    """

    params: Params
    costs: tuple[Cost, ...]
    curves: dict[str, CostCurves]

    def cost(self, name: str) -> Cost:
        """Return the cost of one architecture."""
        return self.costs[DRAWN.index(name)]
