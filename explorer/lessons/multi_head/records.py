"""Records of the textbook's layer of five heads, and of a translation whose heads cannot rest."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from explorer.records.provenance import Provenance
from explorer.records.readonly import record
from explorer.records.sequence import Candidate

#: The layer and its inputs in d2l.ai, §10.5.2 (English edition §11.5.2): dropout acts in training only.
BATCH, QUERIES, KEYS, WIDTH, HEADS, DROPOUT, LENGTHS = 2, 4, 6, 100, 5, 0.5, (3, 2)
NUMBERS = WIDTH // HEADS
Inputs = Literal["ones", "random"]
#: Layouts of numbers: a row for each query, cut into parts, by heads, folded into blocks; or the weights of the blocks.
Layout = Literal["rows", "parts", "heads", "blocks", "weights"]
MOST_SEED = 99


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitParams:
    """Inputs of the layer, and whether the axes are swapped.

    Attributes:
        inputs: all ones, as in the textbook, or random numbers.
        swap: as it must be; without, the blocks hold something else.
        seed: of the layer and of random inputs, 0…`MOST_SEED`.
    """

    inputs: Inputs = "ones"
    swap: bool = True
    seed: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "seed", min(max(self.seed, 0), MOST_SEED))


@record
class SplitRecord:
    """The way of the queries through the layer. A strip is what one head has of one query.

    Attributes:
        layouts: of every step.
        shapes: of every step's array.
        positions: `[steps, strips]`, where in the step's array a strip lies, counted in strips in the order of memory.
        before: `[strips, numbers]`, the projected queries.
        after: `[strips, numbers]`, the averaged values that come out where the strip went in.
        weights: `[blocks, queries, keys]`; 0 where the length hides a key.
        lengths: valid keys of each block: those of the sentences, repeated.
        off: largest distance of the output from the one that the layer itself gives.
    """

    params: SplitParams
    layouts: tuple[Layout, ...]
    shapes: tuple[tuple[int, ...], ...]
    positions: npt.NDArray[np.int16]
    before: npt.NDArray[np.float32]
    after: npt.NDArray[np.float32]
    weights: npt.NDArray[np.float32]
    lengths: tuple[int, ...]
    off: float
    provenance: Provenance


@record
class UnseenEnd:
    """A translation before and after nobody may look at the end of the source.

    Attributes:
        before: the translation as the model writes it.
        after: what it writes now; not finished where it reached the greatest length.
        before_words: words of `before`, its end included.
        after_words: words of `after`.
        after_kept: for each word of `after`, whether it stood in `before` (longest matching blocks).
        end_lost: how many times less likely the old translation's last token became.
    """

    before: Candidate
    after: Candidate
    before_words: tuple[str, ...]
    after_words: tuple[str, ...]
    after_kept: tuple[bool, ...]
    end_lost: float
    provenance: Provenance

    @property
    def goes_on(self) -> bool:
        """Return whether it writes on where it stopped before."""
        words = self.before.labels[:-1]
        return self.after.labels[: len(words)] == words and len(self.after.labels) > len(self.before.labels)
