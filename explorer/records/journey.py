"""Record of one attention, number by number: what asks, what is asked, what is averaged, and what comes of it."""

import numpy as np
import numpy.typing as npt

from explorer.records.attention import AttentionRecord
from explorer.records.readonly import record

Floats = npt.NDArray[np.float32]


@record
class JourneyRecord:
    """Self-attention of one head, every word with its query, key and value.

    Attributes:
        attention: the weights, one head; its labels are the words.
        query: `[words, d]`.
        key: `[words, d]`.
        value: `[words, d]`.
        scores: q · k / √d, `[words, words]`; rows ask.
        output: weights times values, `[words, d]`.
        features: names of the d numbers; empty where they have none.

    Raises:
        ValueError: if the shapes disagree.
    """

    attention: AttentionRecord
    query: Floats
    key: Floats
    value: Floats
    scores: Floats
    output: Floats
    features: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        n, d = self.query.shape
        shapes = (self.key.shape, self.value.shape, self.output.shape, self.scores.shape, self.attention.weights.shape)
        if shapes != ((n, d), (n, d), (n, d), (n, n), (1, n, n)):
            raise ValueError(f"{shapes} do not fit {n} words with {d} numbers each")
        if self.features and len(self.features) != d:
            raise ValueError(f"{len(self.features)} names do not fit {d} numbers")

    @property
    def words(self) -> tuple[str, ...]:
        """Return the words."""
        return self.attention.key_labels

    def most(self, asks: int) -> int:
        """Return the word that gets the largest weight."""
        return int(self.attention.weights[0, asks].argmax())
