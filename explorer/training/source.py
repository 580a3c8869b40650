"""Sources of a run's batches: sentence pairs, windows of a text, or sentences with blanks."""

from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

from explorer.data.blanks import Blanks
from explorer.data.parallel.pairs import Batch, EpochSource, collate
from explorer.data.text import TextBatch, Windows


class Part(NamedTuple):
    """One process's part of a batch.

    Attributes:
        batch: what the objective reads; has `to(device)`.
        share: its weight in the gradient; 0 if the batch was too small to share.
        n_tokens: target tokens of the whole batch, over all processes.
    """

    batch: Any
    share: float
    n_tokens: int


@runtime_checkable
class BatchSource(Protocol):
    """A source of batches: the same in every epoch of the same number."""

    def parts(
        self, epoch: int, *, first: int, tokens_per_batch: int, calm: bool, rank: int, world: int
    ) -> Iterator[Part]:
        """Yield this process's parts of the epoch's batches.

        Args:
            epoch: from 0.
            first: number of the first batch that is wanted.
            tokens_per_batch: about how many target tokens, over all processes.
            calm: vary nothing that is varied only for training.
            rank: number of this process.
            world: how many processes there are.
        """
        ...


class PairSource:
    """Batches of sentence pairs of like length."""

    def __init__(self, pairs: EpochSource) -> None:
        self._pairs = pairs

    def parts(
        self, epoch: int, *, first: int, tokens_per_batch: int, calm: bool, rank: int, world: int
    ) -> Iterator[Part]:
        """Yield parts of batches as `BatchSource.parts` does."""
        source, target = self._pairs.epoch(epoch, calm=calm)
        order = self._pairs.batches(epoch, tokens_per_batch=tokens_per_batch, drawn=(source, target))
        lengths = np.minimum(np.diff(target[1]) + 1, self._pairs.max_length)  # `</s>` with them, as `collate` cuts them
        for rows in order[first:]:
            mine = rows[rank::world]
            batch: Batch = collate(source, target, mine if len(mine) else rows[:1], self._pairs)
            yield Part(batch, float(len(mine) > 0), int(lengths[rows].sum()))


class TextSource:
    """Batches of windows of a text, all of one length."""

    def __init__(self, windows: Windows) -> None:
        self._windows = windows

    def parts(
        self, epoch: int, *, first: int, tokens_per_batch: int, calm: bool, rank: int, world: int
    ) -> Iterator[Part]:
        """Yield parts of batches as `BatchSource.parts` does."""
        del calm  # a text is never varied
        length = self._windows.length
        for number, starts in enumerate(self._windows.epoch(epoch, rows=max(1, tokens_per_batch // length))):
            if number < first:
                continue
            mine = starts[rank::world]
            batch: TextBatch = self._windows.batch(mine if len(mine) else starts[:1])
            yield Part(batch, float(len(mine) > 0), len(starts) * length)


class BlankSource:
    """Batches of sentences with blanks; a target token is one that is asked for.

    Which those are every process draws for its own part, so their number over all processes is estimated from it.
    """

    def __init__(self, blanks: Blanks) -> None:
        self._blanks = blanks

    def parts(
        self, epoch: int, *, first: int, tokens_per_batch: int, calm: bool, rank: int, world: int
    ) -> Iterator[Part]:
        """Yield parts of batches as `BatchSource.parts` does; `tokens_per_batch` counts those that are read."""
        del calm  # without blanks there is nothing to learn
        for number, rows in enumerate(self._blanks.epoch(epoch, tokens_per_batch=tokens_per_batch)):
            if number < first:
                continue
            mine = rows[rank::world]
            batch = self._blanks.batch(mine if len(mine) else rows[:1], epoch, number, rank)
            n_asked = int((batch.wanted != self._blanks.pad_id).sum())
            yield Part(batch, float(len(mine) > 0), max(1, n_asked * world))
