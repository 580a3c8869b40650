"""“Kernel regression”: what it is asked for."""

from dataclasses import dataclass, field

from explorer.lessons.kernel_regression.learned_bandwidth import WidthFit
from explorer.lessons.kernel_regression.own_kernel import kernel_of
from explorer.lessons.kernel_regression.points import MOST_POINTS, TRUTHS

OWN = "own"
#: How many points can be moved by hand.
MOST_MOVED = 20
#: A point's number in the order of x before any was moved, from 0, and where it was put.
Moved = tuple[int, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Data:
    """Source of the training points.

    Attributes:
        source: a function of `explorer.lessons.kernel_regression.points.TRUTHS`, or `own` for the reader's own points.
        n: how many points are drawn, 5–500.
        noise: standard deviation of what is added to the truth, in y-units.
        own: the reader's points as (x, y), ascending in x; only for `own`.
        moved: points that were put elsewhere by hand.

    Raises:
        ValueError: if a value is out of its range.
    """

    source: str = "classic"
    n: int = 50
    noise: float = 0.5
    seed: int = 0
    own: tuple[tuple[float, float], ...] = ()
    moved: tuple[Moved, ...] = ()

    def __post_init__(self) -> None:
        if self.source not in {*TRUTHS, OWN}:
            raise ValueError(f"source {self.source!r} is none of {', '.join([*TRUTHS, OWN])}")
        if not 2 <= self.n <= MOST_POINTS or not 0 <= self.noise <= 10:
            raise ValueError(f"n must be 2…{MOST_POINTS} and the noise 0…10, not {self.n} and {self.noise}")
        if (self.source == OWN) != bool(self.own):
            raise ValueError("points of your own go with the source `own`, and only with it")


@dataclass(frozen=True, slots=True, kw_only=True)
class Params:
    """Settings that change the computation.

    Attributes:
        kernel: name in `explorer.attention.kernels.KERNELS`, or one that `own_kernel.name_of_own` gave.
        width: of the kernel, in x-units.

    Raises:
        ValueError: if a value is out of its range.
    """

    data: Data = field(default_factory=Data)
    kernel: str = "gaussian"
    width: float = 0.5
    learning: WidthFit = field(default_factory=WidthFit)

    def __post_init__(self) -> None:
        kernel_of(self.kernel)
        if not self.width > 0:
            raise ValueError(f"the width is {self.width}; it must be a positive number")


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Choices that change the drawing only.

    Attributes:
        query: position asked about, in x-units; the nearest computed query is shown.
        epoch: of the learned width, from 0 (the start).
    """

    query: float = 2.5
    epoch: int = 0
