"""From which language into which, and the sentence pairs of a folder in that direction."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from explorer.data.parallel.multi30k import PARTS, read_captions
from explorer.data.parallel.pairs import Pair, PairsError, read_pairs

#: The language of the first column of every file of pairs.
FIRST = "en"
#: A language, and how it is written or where, if that is said: `de`, `pt_BR`, `cmn_Hans`.
CODE = re.compile(r"[a-z]{2,3}(_\w+)?", re.ASCII)


class Direction(NamedTuple):
    """From which language into which: ISO 639-1 codes, or those that a model of others has, such as `cmn_Hans`."""

    source: str
    target: str

    def __str__(self) -> str:
        """Return its name, such as `en-fr`."""
        return f"{self.source}-{self.target}"

    @property
    def tag(self) -> str:
        """The token that begins a source where one model writes several languages (Johnson et al. 2017)."""
        return f"<2{self.target}>"


def parse_directions(text: str) -> tuple[Direction, ...]:
    """Parse directions such as `en-fr fr-en`, each once.

    Raises:
        ValueError: a word is not of that form.
    """
    words = dict.fromkeys(text.split())
    for word in words:
        source, _, target = word.partition("-")
        if not (CODE.fullmatch(source) and CODE.fullmatch(target)) or source == target:
            raise ValueError(f"{word!r} is no direction: write two languages as in en-fr")
    return tuple(Direction(*word.split("-")) for word in words)


def read_part(folder: Path, part: str, direction: Direction) -> list[Pair]:
    """Read the pairs of a part (`train`, `dev`, `test`) of Multi30k or of a folder of .tsv files.

    Args:
        folder: with Multi30k's `train.de.gz` and so on, or with `<part>.tsv`, gzipped or not, of lines 'English TAB
            translation [TAB translation …]', which serve directions from English or into it.
        part: its name.
        direction: into English, the columns of a .tsv are read backwards, and what several lines say of one source
            are its references.

    Raises:
        PairsError: it is missing or malformed, or has no pairs of this direction.
    """
    if (folder / f"{PARTS['train']}.{direction.source}.gz").is_file():
        return read_captions(folder, part, source=direction.source, target=direction.target)
    if (direction.source == FIRST) == (direction.target == FIRST):
        raise PairsError(f"{folder} has English and its translation: there are no pairs of {direction}")
    pairs = read_pairs(find_pairs(folder, part))
    if direction.target != FIRST:
        return pairs
    if part == "train":
        return [Pair(target, (pair.source,)) for pair in pairs for target in pair.targets]
    return backwards(pairs)


def backwards(pairs: Iterable[Pair]) -> list[Pair]:
    """Turn pairs round: every translation is a source, and all that it translates are references, in their order."""
    sources: dict[str, dict[str, None]] = {}
    for pair in pairs:
        for target in pair.targets:
            sources.setdefault(target, {})[pair.source] = None
    return [Pair(source, tuple(references)) for source, references in sources.items()]


def find_pairs(folder: Path, part: str) -> Path:
    """Return the file of a part in a folder of .tsv files, gzipped or not; `val` stands for `dev`.

    Raises:
        PairsError: there is none.
    """
    names = ("dev", "val") if part == "dev" else (part,)
    for path in (folder / f"{name}.tsv{gzipped}" for name in names for gzipped in (".gz", "")):
        if path.is_file():
            return path
    raise PairsError(f"{folder} has no {part}.tsv or {part}.tsv.gz of lines 'source TAB translation'")
