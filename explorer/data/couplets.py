"""Chinese couplets: characters as tokens, and the form that a second line owes to its first."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from explorer.data.parallel.pairs import Batch, Pair, collate, read_pairs
from explorer.data.subword_sampling import Ragged, take_rows
from explorer.data.symbol_tokenizer import SymbolTokenizer
from explorer.data.task_source import TaskSource

#: The files of the corpus: verse for the form, couplets for the art, and the two test sets.
VERSE = ("lushi_tang.tsv.gz", "lushi_song.tsv.gz")
COUPLETS = ("couplets_traditional.tsv.gz",)
TEST, CLEAN_TEST = "wb14123_test_4000.tsv.gz", "wb14123_test_vzich_clean.tsv.gz"
#: What splits a line into clauses. Other marks that readers type are taken for it.
MARK = "，"
MARKS = str.maketrans(dict.fromkeys(",、；;。.！!？?：:", MARK))


class CoupletTokenizer(SymbolTokenizer):
    """A token for every character that occurs often enough; the others read `<unk>`, which is never written."""

    field = "couplet_characters"

    @classmethod
    def train(cls, texts: Iterable[str], *, at_least: int = 1) -> "CoupletTokenizer":
        """Learn the characters that occur at least so often, the most frequent first."""
        counts = Counter(character for text in texts for character in text)
        often = [character for character, count in counts.items() if count >= at_least and not character.isspace()]
        return cls("".join(sorted(often, key=lambda character: (-counts[character], character))))


@dataclass(frozen=True, slots=True)
class Form:
    """The form that a second line owes to its first (every pair of wb14123's test set keeps it).

    Equal length; clause marks at the same places; a character comes back where the first line's does, and nowhere
    else; none of the first line's characters is used.

    Attributes:
        marks: whether there is a clause mark, for each place.
        echoes: for each place, the place before it with the same character; None if there is none.
        taken: the characters of the first line.
    """

    marks: tuple[bool, ...]
    echoes: tuple[int | None, ...]
    taken: frozenset[str]


def form_of(line: str) -> Form:
    """Return the form of a first line."""
    first = {character: position for position, character in reversed(list(enumerate(line)))}
    echoes = tuple(
        first[character] if first[character] < position and character != MARK else None
        for position, character in enumerate(line)
    )
    return Form(tuple(character == MARK for character in line), echoes, frozenset(line) - {MARK})


def clean_line(text: str) -> str:
    """Return a line as the models read it: no space, every mark between clauses the same, none at the ends."""
    return "".join(text.split()).translate(MARKS).strip(MARK)


def read_couplets(folder: Path) -> tuple[list[Pair], list[Pair]]:
    """Read the corpus: couplets from regulated verse, and couplets written as such.

    Raises:
        PairsError: a file is missing or malformed.
    """
    verse = [pair for name in VERSE for pair in read_pairs(folder / name)]
    couplets = [pair for name in COUPLETS for pair in read_pairs(folder / name)]
    return verse, couplets


class CoupletSource(TaskSource):
    """Verse and couplets together while the rate stays up, couplets alone when it falls (`calm`).

    Verse is five times as much and teaches antithesis; what is asked for are couplets, and they come last.
    """

    def __init__(
        self, verse: list[Pair], couplets: list[Pair], tokenizer: CoupletTokenizer, *, seed: int, max_length: int
    ) -> None:
        super().__init__([*couplets, *verse], tokenizer, seed=seed, max_length=max_length)
        self._n_couplets, self._n_all = len(couplets), len(couplets) + len(verse)

    def epoch(self, number: int, *, calm: bool = False) -> tuple[Ragged, Ragged]:
        """Return tokens of first and second lines, one row per pair."""
        del number  # nothing is varied
        rows = np.arange(self._n_couplets if calm else self._n_all)
        return take_rows(self._both[0], rows), take_rows(self._both[1], rows)


def make_batches(pairs: list[Pair], tokenizer: CoupletTokenizer, *, max_length: int) -> list[Batch]:
    """Return some pairs in padded batches, for measuring."""
    source = CoupletSource([], pairs, tokenizer, seed=0, max_length=max_length)
    table = source.epoch(0)
    return [collate(*table, rows, source) for rows in source.batches(0, tokens_per_batch=2048, drawn=table)]
