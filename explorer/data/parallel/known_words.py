"""Words that the translators have read often enough to know, by language.

`python -m explorer.data.parallel.known_words <folder> …` counts them in folders of pairs (`tatoeba`, `tatoeba2`,
`chat`, `news` and `apps` of each language, which the cards name) and writes `known_words/<language>.txt.gz` anew, word
for word. A folder's name ends with the language beside English: `_fra`, `_deu`, `_cmn`.
"""

import argparse
import gzip
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from explorer.data.parallel.directions import FIRST, find_pairs
from explorer.data.parallel.pairs import PairsError, read_pairs

HERE = Path(__file__).parent / "known_words"
LANGUAGES = {"fra": "fr", "deu": "de", "cmn": "zh"}
#: A word is known if it was read so often; one that is always written with a capital, a name, more often: it is to be
#: copied letter by letter.
FEWEST, FEWEST_NAMES, FEWEST_NOUNS = 3, 10, 2
#: Of Chinese text, the words in Latin letters.
WORD = re.compile(r"[A-Za-zÀ-ÖØ-öø-ɏḀ-ỿ]+")
_ENDS, _OPENING, _LOOK_BACK = ".!?:…", " \"'“„«‘(¿¡-", 8


@cache
def load_known_words(language: str) -> frozenset[str]:
    """Return the words of a language as they are written inside a sentence; none of one that was not counted."""
    path = HERE / f"{language}.txt.gz"
    return frozenset(gzip.decompress(path.read_bytes()).decode().split()) if path.is_file() else frozenset()


def is_known(word: str, language: str) -> bool:
    """Return whether a word was read as it is or in small letters."""
    return word in load_known_words(language) or word.lower() in load_known_words(language)


def begins(text: str, place: int) -> bool:
    """Return whether what stands at a place of a text begins a sentence."""
    before = text[max(0, place - _LOOK_BACK) : place].rstrip(_OPENING)
    return not before or before[-1] in _ENDS


def words(text: str, other: str) -> Iterator[str]:
    """Yield the words of a text as they are written inside a sentence.

    Args:
        other: what the text translates: a word that begins a sentence is a name, or nothing is known of it, if it
            stands there, too; otherwise it would be written in small letters.
    """
    for found in WORD.finditer(text):
        if not begins(text, found.start()):
            yield found[0]
        elif found[0] not in other:
            yield found[0].lower()


def choose_words(counts: Mapping[str, Counter[str]]) -> dict[str, list[str]]:
    """Return the known words of each language, sorted.

    German writes every noun with a capital, so a rarer one is kept unless English writes it so, too: then it is a name.
    """
    english = counts[FIRST]

    def kept(word: str, n: int, language: str) -> bool:
        noun = language == "de" and not word.islower() and (word not in english or word.lower() in english)
        return n >= (FEWEST_NOUNS if noun else FEWEST if word.islower() else FEWEST_NAMES)

    return {language: sorted(w for w, n in found.items() if kept(w, n, language)) for language, found in counts.items()}


def count(folders: Iterable[Path]) -> dict[str, Counter[str]]:
    """Count the words of each language.

    Raises:
        PairsError: a folder's name does not end with a language, or its pairs are missing or malformed.
    """
    counts = {language: Counter[str]() for language in (FIRST, *LANGUAGES.values())}
    for folder in folders:
        language = LANGUAGES.get(folder.name.rpartition("_")[2], "")
        if not language:
            raise PairsError(f"{folder}: the name must end with _{', _'.join(LANGUAGES)}, the language beside English")
        for pair in read_pairs(find_pairs(folder, "train")):
            for target in pair.targets:
                latin = language != "zh"
                counts[FIRST].update(words(pair.source, target if latin else pair.source))
                counts[language].update(words(target, pair.source) if latin else WORD.findall(target))
    return counts


def write(folder: Path, chosen: Mapping[str, Sequence[str]]) -> None:
    """Write the words of each language, one a line."""
    folder.mkdir(exist_ok=True)
    for language, words in chosen.items():
        (folder / f"{language}.txt.gz").write_bytes(gzip.compress("\n".join(words).encode(), mtime=0))


def main() -> None:
    """Write the lists."""
    parser = argparse.ArgumentParser(prog="python -m explorer.data.parallel.known_words", description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    try:
        write(HERE, choose_words(count(parser.parse_args().folders)))
    except PairsError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
