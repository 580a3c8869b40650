"""Sentences with blanks: read from folders of pairs, cut into batches of like length, blanked anew in every epoch."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from explorer.data.parallel.directions import FIRST, Direction, read_part
from explorer.data.tokenizer import Tokenizer

#: What becomes of the tokens that are asked for: so many become a blank, so many another token, the rest stays
#: (Devlin et al. 2019, §3.1).
BLANK_SHARE, OTHER_SHARE = 0.8, 0.1
#: Batches' worth of sentences that are sorted by length together.
SORTED_TOGETHER = 32
Ids = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class BlankBatch:
    """Padded sentences: `read` has blanks, `wanted` the token of each place that is asked for, padding elsewhere."""

    read: Tensor
    wanted: Tensor

    def to(self, device: torch.device) -> "BlankBatch":
        """Return the batch on a device."""
        return BlankBatch(self.read.to(device), self.wanted.to(device))


def read_sentences(folders: Sequence[tuple[Path, str]]) -> tuple[list[str], list[str], list[str]]:
    """Return the English sentences to train on, to develop on and to test on, each once.

    Args:
        folders: of pairs, each with a language that its English is translated into. Those of all `train` parts are
            trained on, unless a folder holds them out; those of the first one's `dev` and `test` measure.

    Raises:
        PairsError: a part is missing or malformed.
    """
    parts: dict[str, dict[str, str]] = {"train": {}, "dev": {}, "test": {}}
    for number, (folder, language) in enumerate(folders):
        for part in ("train",) if number else parts:
            for pair in read_part(folder, part, Direction(FIRST, language)):
                parts[part].setdefault(fold_case(pair.source), " ".join(pair.source.split()))
    kept_back = parts["dev"].keys() | parts["test"].keys()
    train = [text for key, text in parts["train"].items() if key and key not in kept_back]
    return train, list(parts["dev"].values()), list(parts["test"].values())


def fold_case(text: str) -> str:
    """Return a sentence without case and punctuation."""
    return re.sub(r"\W+", " ", text.casefold()).strip()


class Blanks:
    """Sentences as ids, blanked anew for every `(seed, epoch)`.

    Args:
        texts: sentences; those longer than `max_length` are left out.
        tokenizer: has a token for a blank.
        max_length: most tokens, `<s>` and `</s>` included.
        share: of the tokens that are asked for; at least one in each sentence.
        seed: of order and blanks.

    Raises:
        ValueError: the tokenizer has none, or no sentence is short enough.
    """

    def __init__(self, texts: Sequence[str], tokenizer: Tokenizer, *, max_length: int, share: float, seed: int) -> None:
        if tokenizer.mask_id is None:
            raise ValueError("this tokenizer has no token for a blank")
        rows = (np.array([tokenizer.bos_id, *tokenizer.encode(text), tokenizer.eos_id]) for text in texts)
        self.rows: list[Ids] = [row for row in rows if 3 <= len(row) <= max_length]
        if not self.rows:
            raise ValueError(f"no sentence has at most {max_length} tokens: allow a greater length")
        self._blank, self.pad_id, self._vocab_size = tokenizer.mask_id, tokenizer.pad_id, tokenizer.vocab_size
        self._first_word = max(tokenizer.special_ids) + 1
        self._share, self._seed = share, seed

    def epoch(self, number: int, *, tokens_per_batch: int) -> Iterator[Ids]:
        """Yield which sentences each batch has: of like length, in a new order."""
        draw = np.random.default_rng((self._seed, number))
        lengths = np.array([len(row) for row in self.rows])
        order = draw.permutation(len(self.rows))
        most = max(1, tokens_per_batch * SORTED_TOGETHER // int(lengths.mean()))
        batches: list[Ids] = []
        for first in range(0, len(order), most):
            part = order[first : first + most]
            part = part[np.argsort(lengths[part], kind="stable")]
            ends = np.cumsum(lengths[part]) // tokens_per_batch
            batches += [each for each in np.split(part, np.flatnonzero(np.diff(ends)) + 1) if len(each)]
        return (batches[position] for position in draw.permutation(len(batches)))

    def batch(self, chosen: Ids, *draw_from: int) -> BlankBatch:
        """Return some sentences with blanks that are drawn from some numbers."""
        draw = np.random.default_rng((self._seed, *draw_from))
        longest = max(len(self.rows[row]) for row in chosen)
        read = np.full((len(chosen), longest), self.pad_id)
        for position, row in enumerate(chosen):
            read[position, : len(self.rows[row])] = self.rows[row]
        asked = self._asked(read, draw)
        wanted = np.where(asked, read, self.pad_id)
        fate = draw.random(read.shape)
        others = draw.integers(self._first_word, self._vocab_size, read.shape)
        read = np.where(asked & (fate < BLANK_SHARE), self._blank, read)
        read = np.where(asked & (fate >= 1 - OTHER_SHARE), others, read)
        return BlankBatch(torch.from_numpy(read), torch.from_numpy(wanted))

    def _asked(self, read: Ids, draw: np.random.Generator) -> npt.NDArray[np.bool_]:
        """Draw which places are asked for: a share of the words, and one in each sentence."""
        chance = np.where(read >= self._first_word, draw.random(read.shape), np.inf)
        least = chance == chance.min(1, keepdims=True)
        asked: npt.NDArray[np.bool_] = (chance < self._share) | (least & np.isfinite(chance))
        return asked
