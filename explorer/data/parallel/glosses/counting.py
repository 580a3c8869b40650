"""What a word of a foreign language means, counted in pairs of sentences.

`python -m explorer.data.parallel.glosses <folder> …` counts in folders of pairs (`tatoeba` and `tatoeba2` of each
language, which the cards of the translators name) and writes the lists anew. A folder's name ends with the language
beside English.

Which word translates which is found by IBM Model 1 (Brown et al. 1993) in both directions: a gloss is the word whose
two probabilities have the largest product. Chinese, which has no spaces, is cut into all runs of up to four characters.
"""

import gzip
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import numpy as np
import numpy.typing as npt

from explorer.data.parallel.directions import FIRST, find_pairs
from explorer.data.parallel.glosses import HAN, WORD
from explorer.data.parallel.known_words import LANGUAGES
from explorer.data.parallel.pairs import PairsError, read_pairs
from explorer.records.arrays import Float64

#: Of Model 1; of a gloss: how often it was met by expectation, and the geometric mean of both probabilities.
ROUNDS, FEWEST, LEAST = 6, 3.0, 0.15
#: Sentences with more letters teach Model 1 little.
LONGEST = 90
#: Most characters of a Chinese word.
_RUN = 4
_LATIN = re.compile(r"[a-zà-öø-ɏ]+(?:'[a-z]+\b)?")
Ints = npt.NDArray[np.int64]


def cut(text: str, language: str) -> set[str]:
    """Return the words of a text in small letters; of Chinese, all its runs of a few characters."""
    if language != "zh":
        return set((_LATIN if language == FIRST else WORD).findall(text.lower().replace("’", "'")))
    runs = HAN.findall(text)
    return {run[at : at + n] for run in runs for n in range(1, _RUN + 1) for at in range(len(run) - n + 1)}


def align(pairs: Iterable[tuple[set[str], set[str]]]) -> Iterator[tuple[str, str, float]]:
    """Yield words that translate each other in pairs of sentences, and how sure that is, 0…1; see the module."""
    known: tuple[dict[str, int], dict[str, int]] = ({}, {})
    rows: list[tuple[int, int, int]] = []
    for number, sides in enumerate(pairs):
        ours, theirs = (
            [ids.setdefault(word, len(ids)) for word in side] for ids, side in zip(known, sides, strict=True)
        )
        rows += [(number, one, other) for one in ours for other in theirs]
    sentence, *both = np.array(rows, np.int64).reshape(-1, 3).T
    met, which = np.unique(both[0] * len(known[1]) + both[1], return_inverse=True)
    apart = np.divmod(met, max(len(known[1]), 1))
    chances, counts = zip(
        *(_learn(sentence * len(known[1 - side]) + both[1 - side], which, apart[side]) for side in (0, 1)), strict=True
    )
    sure, often = np.sqrt(chances[0] * chances[1]), np.minimum(*counts)
    words = [list(ids) for ids in known]
    for at in np.flatnonzero((often >= FEWEST) & (sure >= LEAST)):
        yield words[0][apart[0][at]], words[1][apart[1][at]], float(sure[at])


def _learn(place: Ints, which: Ints, given: Ints) -> tuple[Float64, Float64]:
    """Return the probability of each pair of words given the first one, and its expected count, by Model 1.

    Args:
        place: of each pair in a sentence, the word that is explained there.
        which: of all pairs of words it is.
        given: of each of all pairs, the word that explains.
    """
    explained = np.unique(place, return_inverse=True)[1]
    count: Float64 = np.ones(len(given))
    chance = count
    for _ in range(ROUNDS):
        share = chance[which]
        count = np.bincount(which, share / np.bincount(explained, share)[explained], len(given)).astype(np.float64)
        chance = count / np.bincount(given, count)[given]
    return chance, count


def choose(found: Iterable[tuple[str, str, float]], side: Callable[[tuple[str, str, float]], str]) -> dict[str, str]:
    """Return for each word of a side the other that is surest; of two alike, the longer one."""
    rows = sorted(found, key=side)
    best = {word: max(group, key=lambda row: (row[2], len(row[0]))) for word, group in groupby(rows, side)}
    return {word: row[1] if side(row) == row[0] else row[0] for word, row in best.items()}


def write(folder: Path, tables: dict[str, dict[str, str]]) -> None:
    """Write a word and its gloss, a line each."""
    folder.mkdir(exist_ok=True)
    for language, table in tables.items():
        lines = "\n".join(f"{word}\t{said}" for word, said in sorted(table.items()) if word != said)
        (folder / f"{language}.tsv.gz").write_bytes(gzip.compress(lines.encode(), mtime=0))


def count(folders: Sequence[Path]) -> dict[str, dict[str, str]]:
    """Return the glosses of each language.

    Raises:
        PairsError: a folder's name does not end with a language, or its pairs are missing or malformed.
    """
    tables: dict[str, dict[str, str]] = {}
    for code, language in LANGUAGES.items():
        here = [folder for folder in folders if folder.name.endswith(f"_{code}")]
        pairs = [
            (cut(target, language), cut(pair.source, FIRST))
            for folder in here
            for pair in read_pairs(find_pairs(folder, "train"))
            for target in pair.targets
            if len(pair.source) <= LONGEST
        ]
        if not pairs:
            raise PairsError(f"no folder of {language}: its name must end with _{code}")
        found = list(align(pairs))
        tables[language] = choose(found, itemgetter(0))
        if language == "zh":
            tables[FIRST] = choose(found, itemgetter(1))
    return tables
