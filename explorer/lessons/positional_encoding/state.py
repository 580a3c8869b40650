"""“Positional encoding”: what the sinusoidal codes are asked, and what is drawn of them."""

from dataclasses import dataclass

from explorer.lessons.positional_encoding.records.sinusoidal import CodesRecord, CounterRecord
from explorer.scenes.positional_encoding import DIMENSIONS, LENGTH

BASES = (10.0, 100.0, 1_000.0, 10_000.0, 100_000.0)
PLACES, MOST_OFFSET = 256, 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Params:
    """Settings of the sinusoidal codes; numbers are clamped to what the page can show.

    Attributes:
        base: the nearest of `BASES`.
        d_model: length of a code, even.
        length: positions that are coded.
    """

    base: float = 10_000.0
    d_model: int = 32
    length: int = 64

    def __post_init__(self) -> None:
        asked = min(max(self.base, BASES[0]), BASES[-1])
        base = min(BASES, key=lambda each: abs(each - asked))
        d_model = min(max(self.d_model, DIMENSIONS.low), DIMENSIONS.high)
        object.__setattr__(self, "base", base)
        object.__setattr__(self, "d_model", d_model - d_model % 2)
        object.__setattr__(self, "length", min(max(self.length, LENGTH.low), LENGTH.high))

    @property
    def n_pairs(self) -> int:
        """Return sine-cosine pairs of a code."""
        return self.d_model // 2


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Choices of what is looked at: a position, and an offset from it.

    Attributes:
        position: a position i, 0…255; codes go on beyond the length that is drawn.
        offset: δ, with i + δ ≥ 0.
    """

    position: int = 10
    offset: int = 5

    def __post_init__(self) -> None:
        position = min(max(self.position, 0), PLACES - 1)
        object.__setattr__(self, "position", position)
        object.__setattr__(self, "offset", min(max(self.offset, -MOST_OFFSET, -position), MOST_OFFSET))


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The codes, and a counter beside their waves."""

    params: Params
    codes: CodesRecord
    counter: CounterRecord
