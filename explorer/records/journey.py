"""Record of one attention, number by number: what asks, what is asked, what is averaged, and what comes of it."""

from dataclasses import replace

import numpy as np

from explorer.records.arrays import Float32
from explorer.records.attention import AttentionRecord
from explorer.records.readonly import record


@record
class JourneyRecord:
    """Attention of one head: every word with key and value, and the query of every word, or of one that asks them.

    Attributes:
        attention: the weights, one head; its key labels are the words.
        query: `[words, d]`, as it is compared with keys; of one asker alone, `[1, d]`.
        key: `[words, d]`, as it is compared with queries.
        value: `[words, d_value]`.
        scores: the sum of `terms` over what it is divided by, a row for each query, `[queries, words]`.
        output: weights times values, `[queries, d_value]`.
        features: names of the d numbers; empty where they have none.
        asker: what asks, if it is none of the words that are asked, or they do not all ask; else empty.
        others: how many words the last row stands for: its weight is theirs together, its value their weighted mean,
            its score log Σ e^score of theirs, its key 0; 0 where every row is a word.
        mixer: v of an additive score, `[d]`; None where query and key are multiplied.
        divided: whether the sum is divided by √d.

    Raises:
        ValueError: if the shapes disagree.
    """

    attention: AttentionRecord
    query: Float32
    key: Float32
    value: Float32
    scores: Float32
    output: Float32
    features: tuple[str, ...] = ()
    asker: str = ""
    others: int = 0
    mixer: Float32 | None = None
    divided: bool = True

    def __post_init__(self) -> None:
        n, d = self.key.shape
        asks = 1 if self.asker else n
        wide = self.value.shape[-1]
        arrays = (self.query, self.value, self.output, self.scores, self.attention.weights)
        shapes = tuple(array.shape for array in arrays)
        if shapes != ((asks, d), (n, wide), (asks, wide), (asks, n), (1, asks, n)):
            raise ValueError(f"{shapes} do not fit {asks} queries and {n} words with {d} numbers each")
        if self.features and len(self.features) != d:
            raise ValueError(f"{len(self.features)} names do not fit {d} numbers")

    @property
    def words(self) -> tuple[str, ...]:
        """Return the words."""
        return self.attention.key_labels

    def most(self, asks: int) -> int:
        """Return the word that gets the largest weight."""
        words = len(self.words) - bool(self.others)
        return int(self.attention.weights[0, asks, :words].argmax())

    def strongest(self, n: int, name: str) -> "JourneyRecord":
        """Return the n words that one asker weighs most, in their order, and one row of this name for all others."""
        if len(self.words) <= n + 1:
            return self
        weights, scores = self.attention.weights[0, 0], self.scores[0]
        order = np.argsort(-weights, kind="stable")
        kept, left = np.sort(order[:n]), order[n:]
        together = weights[left].sum(keepdims=True)
        mean = weights[left] @ self.value[left] / max(float(together[0]), 1e-30)
        score = np.logaddexp.reduce(scores[left], keepdims=True)
        joined = np.append(weights[kept], together).astype(np.float32)
        labels = (*(self.words[each] for each in kept), name)
        return replace(
            self,
            attention=replace(self.attention, weights=joined[None, None], key_labels=labels),
            key=np.vstack([self.key[kept], np.zeros_like(self.key[:1])]),
            value=np.vstack([self.value[kept], mean]).astype(np.float32),
            scores=np.append(scores[kept], score).astype(np.float32)[None],
            others=len(left),
        )
