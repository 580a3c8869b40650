"""Sentence pairs: read from a file, cut into batches of like length, anew for every epoch."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from explorer.data.files import read_utf8
from explorer.data.subword_sampling import Ragged, SubwordSampler, flatten_rows, take_rows
from explorer.data.tokenizer import Tokenizer


class PairsError(ValueError):
    """A file of sentence pairs is missing or malformed; the message says where and what to do."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A sentence and its translations (one in training data, all known ones in evaluation data).

    Attributes:
        source: is translated.
        targets: what it may become.
        weight: how often it is trained on, relative to other pairs.
    """

    source: str
    targets: tuple[str, ...]
    weight: float = 1.0


def read_pairs(path: Path) -> list[Pair]:
    """Read lines `source TAB translation [TAB translation …]`, plain or gzipped.

    Raises:
        PairsError: if the file is missing, empty, unreadable, or a line has fewer than two filled columns.
    """
    if not path.is_file():
        raise PairsError(f"{path} does not exist; expected a .tsv or .tsv.gz of lines 'source TAB translation'")
    text = read_utf8(path, PairsError)
    pairs = []
    for number, line in enumerate(text.rstrip("\n").split("\n"), 1):
        source, *targets = line.split("\t")
        if not targets or not source.strip() or not all(target.strip() for target in targets):
            raise PairsError(f"{path}, line {number}: expected 'source TAB translation', found {line[:80]!r}")
        pairs.append(Pair(source, tuple(targets)))
    return pairs


@dataclass(frozen=True, slots=True)
class Batch:
    """Padded pairs: `source` ends in eos, `target_in` starts with bos, `target_out` ends in eos."""

    source: Tensor
    target_in: Tensor
    target_out: Tensor

    def to(self, device: torch.device) -> "Batch":
        """Return the batch on a device."""
        return Batch(self.source.to(device), self.target_in.to(device), self.target_out.to(device))


@dataclass(frozen=True, slots=True, kw_only=True)
class Augmentation:
    """The variation of sentence pairs from epoch to epoch.

    Attributes:
        source_subwords: rate of BPE-dropout of the source.
        target_subwords: rate of BPE-dropout of the target.
        lower_case: share of sources in lower case.
        open_end: share of sources without their final punctuation mark.
        joined: share of pairs that another pair is appended to, so that longer texts occur.
    """

    source_subwords: float = 0.1
    target_subwords: float = 0.05
    lower_case: float = 0.03
    open_end: float = 0.02
    joined: float = 0.08


NO_AUGMENTATION = Augmentation(source_subwords=0.0, target_subwords=0.0, lower_case=0.0, open_end=0.0, joined=0.0)


class EpochSource:
    """The training pairs, as tokens that are drawn anew for every epoch from `(seed, epoch)`.

    An epoch reads the pairs of the largest weight once, and of the others a share that is drawn anew.

    Args:
        pairs: to train on; of several targets the first.
        tokenizer: cuts them.
        augmentation: what varies between epochs.
        seed: of what varies, and of the order.
        n_cuts: cuts of each word that BPE-dropout draws from.
        max_length: most tokens of a side, special ones included; what is longer is cut off.
        tags: for each pair, the token that begins its source and names its direction; none if there is one direction.
    """

    tags: npt.NDArray[np.int64] | None = None
    _shares: npt.NDArray[np.float64] | None = None  # of each pair in an epoch; all of every pair if None

    def __init__(
        self,
        pairs: list[Pair],
        tokenizer: Tokenizer,
        *,
        augmentation: Augmentation,
        seed: int,
        n_cuts: int = 16,
        max_length: int = 256,
        tags: Sequence[int] = (),
    ) -> None:
        sources = [pair.source for pair in pairs]
        variants = [
            *sources,
            *(text.lower() for text in sources),
            *(text.rstrip(".!?。！？ ") or text for text in sources),
        ]
        self._n_pairs = len(pairs)
        weights = np.array([pair.weight for pair in pairs])
        self._shares = weights / weights.max()
        self._augmentation = augmentation
        self._seed = seed
        self.max_length = max_length
        self.tokenizer = tokenizer
        if tags:
            self.tags = np.asarray(tags, np.int64)
        self._partners = _groups(tags) if tags else None
        self._sources, self._source_sampler = _sampled(tokenizer, variants, augmentation.source_subwords, n_cuts, seed)
        targets = [pair.targets[0] for pair in pairs]
        self._targets, self._target_sampler = _sampled(tokenizer, targets, augmentation.target_subwords, n_cuts, seed)

    def epoch(self, number: int, *, calm: bool = False) -> tuple[Ragged, Ragged]:
        """Return source and target tokens of every pair, one row per pair.

        Args:
            number: of the epoch, from 0.
            calm: cut every word as the tokenizer does, whatever the rates of BPE-dropout.
        """
        draw = np.random.default_rng((self._seed, number))
        n, rates = self._n_pairs, self._augmentation
        first = np.arange(n)
        share = draw.random(n)
        variant = np.where(share < rates.lower_case, 1, np.where(share < rates.lower_case + rates.open_end, 2, 0))
        second = np.where(draw.random(n) < rates.joined, self._drawn_partners(draw), -1)
        rows = np.stack([first, second], 1).ravel()
        source_rows = np.stack([first + n * variant, second], 1).ravel()
        present = rows >= 0
        source = self._source_sampler.sample(take_rows(self._sources, source_rows[present]), draw, calm=calm)
        target = self._target_sampler.sample(take_rows(self._targets, rows[present]), draw, calm=calm)
        last_part = np.cumsum(present.reshape(n, 2).sum(1))
        return _join(source, last_part), _join(target, last_part)

    def _drawn_partners(self, draw: np.random.Generator) -> npt.NDArray[np.int64]:
        """Draw a partner for each pair, of the same direction."""
        drawn = draw.integers(0, self._n_pairs, self._n_pairs)
        if self._partners is None:
            return drawn
        members, first, count = self._partners
        return members[first + drawn % count]

    def batches(
        self, number: int, *, tokens_per_batch: int, drawn: tuple[Ragged, Ragged] | None = None
    ) -> list[npt.NDArray[np.int64]]:
        """Return rows of each batch of an epoch: of its tokens as they were drawn, if they are at hand."""
        source, target = drawn or self.epoch(number)
        draw = np.random.default_rng((self._seed, number, 1))
        kept = np.arange(len(source[1]) - 1)
        if self._shares is not None and self._shares.min() < 1:
            kept = np.flatnonzero(draw.random(len(kept)) < self._shares)
        batches = bucket(np.diff(source[1])[kept], np.diff(target[1])[kept], tokens_per_batch, draw)
        return [kept[rows] for rows in batches]


def _groups(tags: Sequence[int]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return pairs sorted by tag, and for each pair where those of its tag begin there and how many they are."""
    _, of_pair, counts = np.unique(np.asarray(tags), return_inverse=True, return_counts=True)
    first = np.cumsum(counts) - counts
    return np.argsort(of_pair, kind="stable"), first[of_pair], counts[of_pair]


def _sampled(
    tokenizer: Tokenizer, texts: list[str], rate: float, n_cuts: int, seed: int
) -> tuple[Ragged, SubwordSampler]:
    numbers: dict[str, int] = {}
    rows = [[numbers.setdefault(word, len(numbers)) for word in tokenizer.words(text)] for text in texts]
    return flatten_rows(rows), SubwordSampler(tokenizer, list(numbers), rate=rate, n_cuts=n_cuts, seed=seed)


def _join(parts: Ragged, last_part: npt.NDArray[np.int64]) -> Ragged:
    return parts[0], parts[1][np.concatenate([[0], last_part])]


def bucket(
    source_lengths: npt.NDArray[np.int64],
    target_lengths: npt.NDArray[np.int64],
    tokens_per_batch: int,
    draw: np.random.Generator,
) -> list[npt.NDArray[np.int64]]:
    """Group pairs of like length so that a padded batch holds about `tokens_per_batch` target positions.

    Every pair is in exactly one batch. Which pairs of one length meet, and the order of batches, is random.
    """
    shuffled = draw.permutation(len(target_lengths))
    order = shuffled[np.lexsort((source_lengths[shuffled], target_lengths[shuffled]))]
    batches, start = [], 0
    lengths = target_lengths[order] + 1
    while start < len(order):
        # rows are sorted, so the longest row of start..stop is the last: grow while rows * longest fits
        window = lengths[start : start + tokens_per_batch]
        fits = np.arange(1, len(window) + 1) * window <= tokens_per_batch
        stop = start + max(1, int(fits.sum()))
        batches.append(order[start:stop])
        start = stop
    return [batches[i] for i in draw.permutation(len(batches))]


def collate(source: Ragged, target: Ragged, rows: npt.NDArray[np.int64], pairs: EpochSource) -> Batch:
    """Pad chosen rows of an epoch into one batch."""
    tokenizer, max_length = pairs.tokenizer, pairs.max_length
    pad, bos, eos = tokenizer.pad_id, tokenizer.bos_id, tokenizer.eos_id
    tags = None if pairs.tags is None else pairs.tags[rows]
    return Batch(
        source=_padded(source, rows, max_length, pad, first=tags, last=eos),
        target_in=_padded(target, rows, max_length, pad, first=bos),
        target_out=_padded(target, rows, max_length, pad, last=eos),
    )


def _padded(
    table: Ragged,
    rows: npt.NDArray[np.int64],
    max_length: int,
    pad: int,
    *,
    first: int | npt.NDArray[np.int64] | None = None,
    last: int | None = None,
) -> Tensor:
    flat, ends = take_rows(table, rows)
    shift, end = int(first is not None), int(last is not None)
    lengths = np.minimum(np.diff(ends), max_length - shift - end)
    columns = np.arange(int(lengths.max()) + shift + end)
    inside = columns[None] < lengths[:, None] + shift
    inside[:, :shift] = False
    out = np.full(inside.shape, pad, np.int64)
    out[inside] = flat[(ends[:-1, None] + columns[None] - shift)[inside]]
    if first is not None:
        out[:, 0] = first
    if last is not None:
        out[np.arange(len(rows)), lengths + shift] = last
    return torch.from_numpy(out)
