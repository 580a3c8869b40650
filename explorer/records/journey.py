"""Record of one attention, number by number: what asks, what is asked, what is averaged, and what comes of it."""

import numpy as np
import numpy.typing as npt

from explorer.records.attention import AttentionRecord
from explorer.records.readonly import record

Floats = npt.NDArray[np.float32]


@record
class JourneyRecord:
    """Attention of one head: every word with key and value, and the query of every word, or of one that asks them.

    Attributes:
        attention: the weights, one head; its key labels are the words.
        query: `[words, d]`; of one asker alone, `[1, d]`.
        key: `[words, d]`.
        value: `[words, d]`.
        scores: q · k / √d, a row for each query, `[queries, words]`.
        output: weights times values, `[queries, d]`.
        features: names of the d numbers; empty where they have none.
        asker: what asks, if it is none of the words that are asked, or they do not all ask; else empty.

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
    asker: str = ""

    def __post_init__(self) -> None:
        n, d = self.key.shape
        asks = 1 if self.asker else n
        arrays = (self.query, self.value, self.output, self.scores, self.attention.weights)
        shapes = tuple(array.shape for array in arrays)
        if shapes != ((asks, d), (n, d), (asks, d), (asks, n), (1, asks, n)):
            raise ValueError(f"{shapes} do not fit {asks} queries and {n} words with {d} numbers each")
        if self.features and len(self.features) != d:
            raise ValueError(f"{len(self.features)} names do not fit {d} numbers")

    @property
    def words(self) -> tuple[str, ...]:
        """Return the words."""
        return self.attention.key_labels

    def most(self, asks: int) -> int:
        """Return the word that gets the largest weight."""
        return int(self.attention.weights[0, asks].argmax())
