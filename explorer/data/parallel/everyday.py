"""Sentences that somebody might type, in kinds, with what their translation must hold and must not.

A file `everyday_<source>-<target>.tsv` has a line of names and these columns, separated by tabs:

- kind: `names`, `numbers`, `dates`, `long`, `caps`, `traditional`, `idioms`, `greetings`, `negation`, `questions`,
  `typos`;
- source: the sentence;
- references: translations, separated by `|`;
- must_contain: what a translation must hold, separated by `|`; of what is separated by `/`, one is enough;
- must_not_contain: what it must not hold, separated by `|`.

Case and the signs between thousands make no difference.
"""

import csv
import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from explorer.data.parallel.pairs import PairsError

COLUMNS = ("kind", "source", "references", "must_contain", "must_not_contain")
#: Why a translation is wrong.
Fault = Literal["missing", "forbidden", "loop", "length", "script"]
_THOUSANDS = re.compile(r"(?<=\d)[ ,.'\u00a0\u202f](?=\d{3}(?!\d))")
#: The same one to six words, or characters where no spaces are written, three times running.
_LOOP, _LOOP_ZH = re.compile(r"\b(\w+(?: \w+){0,5}?)(?: \1\b){2,}"), re.compile(r"([^\W\d]{1,6}?)\1{2,}")
_WORDS = re.compile(r"[^\W\d_]+")
#: A translation shorter than this share of the shortest reference, or longer than the other of the longest, lost or
#: made up something; below so many words any length will do.
SHORTEST, LONGEST, FEW = 0.5, 2.0, 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Everyday:
    """A sentence of the test set.

    Attributes:
        kind: of sentence.
        source: is translated.
        references: translations.
        must: of each group, one must stand in the translation.
        must_not: what must not.
    """

    kind: str
    source: str
    references: tuple[str, ...]
    must: tuple[tuple[str, ...], ...]
    must_not: tuple[str, ...]


def read_everyday(path: Path) -> list[Everyday]:
    """Read the sentences of a file.

    Raises:
        PairsError: it is missing or malformed.
    """
    if not path.is_file():
        raise PairsError(f"{path} does not exist")
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        rows = [(reader.line_num, row) for row in reader]
    if not rows or tuple(reader.fieldnames or ()) != COLUMNS:
        raise PairsError(f"{path}: expected the columns {', '.join(COLUMNS)}")
    return [_sentence(row, f"{path}, line {number}") for number, row in rows]


def _sentence(row: dict[str, str], where: str) -> Everyday:
    if None in row or None in row.values():
        raise PairsError(f"{where}: expected {len(COLUMNS)} columns")
    found = Everyday(
        kind=row["kind"],
        source=row["source"],
        references=_parts(row["references"]),
        must=tuple(tuple(group.split("/")) for group in _parts(row["must_contain"])),
        must_not=_parts(row["must_not_contain"]),
    )
    if not found.references:
        raise PairsError(f"{where}: there is no reference")
    if not all(all(group) for group in found.must):
        raise PairsError(f"{where}: nothing stands on one side of a / in {row['must_contain']!r}")
    return found


def faults(sentence: Everyday, translation: str, language: str) -> tuple[Fault, ...]:
    """Return why a translation is wrong, as far as it can be told without understanding it."""
    found: dict[Fault, bool] = {
        "missing": not all(any(holds(translation, each) for each in group) for group in sentence.must),
        "forbidden": any(holds(translation, each) for each in sentence.must_not),
        "loop": loops(translation, language),
        "length": not _fits(translation, sentence.references, language),
        "script": foreign(translation, language),
    }
    return tuple(fault for fault, there in found.items() if there)


def holds(text: str, part: str) -> bool:
    """Return whether a text holds a part; a number only where it stands alone."""
    pattern = re.escape(_plain(part))
    before, after = r"(?<!\d)" if part[0].isdigit() else "", r"(?!\d)" if part[-1].isdigit() else ""
    return re.search(before + pattern + after, _plain(text)) is not None


def loops(text: str, language: str) -> bool:
    """Return whether the same words stand there three times running."""
    if language == "zh":
        return _LOOP_ZH.search(text) is not None
    return _LOOP.search(" ".join(_WORDS.findall(text.casefold()))) is not None


def size(text: str, language: str) -> int:
    """Count words, or characters where no spaces are written."""
    return sum(char.isalnum() for char in text) if language == "zh" else len(text.split())


def foreign(text: str, language: str) -> bool:
    """Return whether there is a letter of a script that a language does not use. Chinese text may hold Latin names."""
    own = ("LATIN", "MASCULINE", "FEMININE", *(("CJK",) if language == "zh" else ()))  # º and ª are letters, too
    return any(char.isalpha() and not unicodedata.name(char, "").startswith(own) for char in text)


def _fits(translation: str, references: tuple[str, ...], language: str) -> bool:
    sizes = [size(each, language) for each in references]
    return max(sizes) < FEW or SHORTEST * min(sizes) <= size(translation, language) <= LONGEST * max(sizes)


def _plain(text: str) -> str:
    return _THOUSANDS.sub("", text.casefold())


def _parts(text: str) -> tuple[str, ...]:
    return tuple(part for part in text.split("|") if part)
