"""“Masked softmax”: what is asked, what is drawn, what was found."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from explorer.lessons.masked_softmax.implementations import Blind, Filled
from explorer.lessons.masked_softmax.records import Cell, MaskRecord
from explorer.records import AttentionRecord
from explorer.records.readonly import record
from explorer.scenes.masked_softmax import WINDOW

MAX_SENTENCES = 4
MAX_WORDS = WINDOW.high
WORD_CHARACTERS = 24
#: Length of queries and keys; at least `MAX_WORDS`, so that one-hot values can spell out the weights.
D_KEY = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Params:
    """Settings of what is masked, and how; sizes are clamped to what the page can show.

    Attributes:
        sentences: the batch: 1 to 4 sentences of 1 to 16 words.
        left: pad on the left instead of the right.
        lengths: valid keys for each sentence: nothing (count its words), one number, or one per query.
        window: allow only keys at a distance below this; 0 is no limit.
        hand: cells to flip after all rules, in every sentence.
        seed: of the word vectors and the projections.

    Raises:
        ValueError: if there is no word at all.
    """

    sentences: tuple[tuple[str, ...], ...] = (("the", "cat", "saw", "the", "dog"), ("birds", "sing"))
    padding: bool = True
    left: bool = False
    lengths: tuple[tuple[int, ...], ...] = ()
    causal: bool = False
    window: int = 0
    hand: tuple[Cell, ...] = ()
    seed: int = 0

    def __post_init__(self) -> None:
        kept = tuple(
            tuple(word[:WORD_CHARACTERS] for word in sentence[:MAX_WORDS]) for sentence in self.sentences if sentence
        )[:MAX_SENTENCES]
        if not kept:
            raise ValueError("there is no word in the batch: give at least one sentence")
        n = max(map(len, kept))
        object.__setattr__(self, "sentences", kept)
        lengths = tuple(tuple(min(max(length, 0), n) for length in row[:n]) for row in self.lengths[: len(kept)])
        object.__setattr__(self, "lengths", lengths)
        object.__setattr__(self, "window", min(max(self.window, 0), MAX_WORDS))
        object.__setattr__(self, "hand", tuple(sorted({(i, j) for i, j in self.hand if 0 <= i < n and 0 <= j < n})))

    @property
    def n(self) -> int:
        """Return the length of the padded sentences."""
        return max(map(len, self.sentences))


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Choices of what is drawn: a sentence of the batch, a query, and whether a fill is added or put in place."""

    batch: int = 0
    query: int = 0
    added: bool = False


@record
class Result:
    """Everything that `compute` found, for every sentence of the batch.

    Attributes:
        scores: `[batch, n, n]`, before the mask.
        masks: who may attend to whom, one per sentence.
        records: the weights, one per sentence.
        outputs: weights times values, `[batch, n, d]`.
        fills: weights after every fill in every dtype, by whether the fill was added.
        blind: what different code makes of each query if it may see nothing.
        conventions: weights by call, the same mask handed to different implementations.
        seed: of the random numbers that entered.
    """

    scores: npt.NDArray[np.float32]
    masks: tuple[MaskRecord, ...]
    records: tuple[AttentionRecord, ...]
    outputs: npt.NDArray[np.float32]
    fills: dict[bool, Filled]
    blind: Blind
    conventions: dict[str, npt.NDArray[np.float32]]
    seed: int
