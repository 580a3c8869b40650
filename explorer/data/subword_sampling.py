"""BPE-dropout: the same word cut in many ways, so that a model learns how its parts are spelt."""

import json
import random
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from explorer.data.tokenizer import BYTES, Tokenizer

Ragged = tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]


def flatten_rows(rows: Sequence[Sequence[int]]) -> Ragged:
    """Return rows of different length as one flat array and the offset of each row (and of the end)."""
    offsets = np.zeros(len(rows) + 1, np.int64)
    np.cumsum([len(row) for row in rows], out=offsets[1:])
    return np.fromiter((item for row in rows for item in row), np.int32, count=int(offsets[-1])), offsets


def take_rows(table: Ragged, rows: npt.NDArray[np.integer]) -> Ragged:
    """Return chosen rows of a ragged table."""
    flat, offsets = table
    lengths = offsets[rows + 1] - offsets[rows]
    ends = np.zeros(len(rows) + 1, np.int64)
    np.cumsum(lengths, out=ends[1:])
    positions = np.arange(ends[-1]) + np.repeat(offsets[rows] - ends[:-1], lengths)
    return flat[positions], ends


class SubwordSampler:
    """Several cuts of every word, drawn once by BPE-dropout (Provilkov et al. 2020) and sampled from ever after.

    While a word is merged, each applicable merge is left out with probability `rate`, anew at every step. Drawing the
    cuts of each distinct word once makes sampling a whole epoch a matter of indexing. A word of one character is never
    cut into its bytes, which say nothing about it.
    """

    def __init__(self, tokenizer: Tokenizer, words: Sequence[str], *, rate: float, n_cuts: int, seed: int) -> None:
        model = json.loads(tokenizer.to_json())["model"]
        ranks = {tuple(pair): rank for rank, pair in enumerate(model["merges"])}
        draw = random.Random(seed)  # noqa: S311 - not a secret
        self.n_cuts = n_cuts if rate > 0 else 1
        vocab = model["vocab"]
        # The first cut of a word is the tokenizer's own.
        rates = [0.0] + [rate] * (self.n_cuts - 1)
        self.table = flatten_rows(
            [
                [vocab[piece] for piece in cut_word(word, ranks, each * (n_characters(word) > 1), draw)]
                for word in words
                for each in rates
            ]
        )

    def sample(self, word_rows: Ragged, generator: np.random.Generator, *, calm: bool = False) -> Ragged:
        """Draw tokens of rows of word numbers, each word in a random one of its cuts, or all in the tokenizer's own."""
        words, ends = word_rows
        cuts = words.astype(np.int64) * self.n_cuts
        if not calm:
            cuts += generator.integers(0, self.n_cuts, len(words))
        tokens, word_ends = take_rows(self.table, cuts)
        return tokens, word_ends[ends]


def n_characters(word: str) -> int:
    """Count the characters of a word in the byte alphabet; those in it that are no text count too."""
    return len(bytes(BYTES[symbol] for symbol in word).decode(errors="replace"))


def cut_word(word: str, ranks: dict[tuple[str, ...], int], rate: float, draw: random.Random) -> list[str]:
    """Merge the symbols of a word in order of rank, leaving out each possible merge with probability `rate`."""
    symbols = list(word)
    while len(symbols) > 1:
        possible = [
            (rank, i)
            for i in range(len(symbols) - 1)
            if (rank := ranks.get((symbols[i], symbols[i + 1]), -1)) >= 0 and (rate == 0 or draw.random() >= rate)
        ]
        if not possible:
            break
        _, i = min(possible)
        symbols[i : i + 2] = [symbols[i] + symbols[i + 1]]
    return symbols
