"""Examples of a small task as batches of like length."""

from collections.abc import Sequence

import numpy as np

from explorer.data.parallel.pairs import Batch, EpochSource, Pair, collate
from explorer.data.subword_sampling import Ragged, flatten_rows
from explorer.data.symbol_tokenizer import SymbolTokenizer
from explorer.data.task_tokenizer import TaskTokenizer


class TaskSource(EpochSource):
    """A source of pairs: the same tokens in every epoch, in an order of its own each."""

    def __init__(self, pairs: Sequence[Pair], tokenizer: SymbolTokenizer, *, seed: int, max_length: int) -> None:
        self.tokenizer = tokenizer  # type: ignore[assignment]
        self.max_length, self._seed = max_length, seed
        self._both = (
            flatten_rows([tokenizer.encode(pair.source) for pair in pairs]),
            flatten_rows([tokenizer.encode(pair.targets[0]) for pair in pairs]),
        )

    def epoch(self, number: int, *, calm: bool = False) -> tuple[Ragged, Ragged]:
        """Return tokens of sources and targets, one row per pair."""
        del number, calm  # nothing is varied
        return self._both

    @property
    def target_tokens(self) -> float:
        """Mean length of a target, its end included."""
        return float(np.diff(self._both[1][1]).clip(max=self.max_length - 1).mean()) + 1


def whole(pairs: Sequence[Pair], tokenizer: TaskTokenizer, *, max_length: int, rows: int) -> list[Batch]:
    """Return all pairs in order, in padded batches of so many."""
    source = TaskSource(pairs, tokenizer, seed=0, max_length=max_length)
    table = source.epoch(0)
    return [
        collate(*table, np.arange(first, min(first + rows, len(pairs))), source) for first in range(0, len(pairs), rows)
    ]
