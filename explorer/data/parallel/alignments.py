"""Small gold alignments, German–English and English–French: which word stands for which, by hand.

A line is the sentence, a tab, and its translation, whose words carry their links: `wrote/5?1` is surely linked to word
5 of the sentence and possibly to word 1, counted from 0. The rules:

1. A link is *sure* where the two words translate each other here, *possible* where one only helps the other: the
   auxiliary of a tense (`is/?2 riding/2`), an article that the other language leaves out, a preposition or a reflexive
   pronoun that only this verb asks for (`se/?2 lève/2`), a word of a fixed phrase.
2. What two words say together is linked with each of its partners: `arrives` with `kommt … an`, `im` with `in the`,
   `not` with `ne … pas`, `du` with `of the`.
3. Marks are words. A word without a partner has no link (a comma that only German writes).
4. An apostrophe ends its word in French and begins it in English (`l' eau`, `brother 's`), but `doesn't` and `o'clock`
   are one word; a hyphen begins what follows (`peux -tu`), but not inside a name of one thing (`grand-mère`).

Of German–English the first fifty sentences are everyday ones, the others are captions of pictures; English–French is
everyday throughout. All were written and aligned for this project by one annotator, so nothing is known about
agreement.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

WordLink = tuple[int, int]
#: Languages of each gold alignment: what is read, what is written.
DIRECTIONS = ("de-en", "en-fr")
_WORD = re.compile(r"(?P<word>.+?)/(?P<links>[\d,?]+)|(?P<alone>\S+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldPair:
    """A sentence and its translation, aligned by hand; links are (source word, target word).

    Attributes:
        source: words and marks that are read.
        target: words and marks that are written.
        sure: links that an aligner should find.
        possible: links that it may find; the sure ones among them.
        direction: their languages.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    sure: frozenset[WordLink]
    possible: frozenset[WordLink]
    direction: str = DIRECTIONS[0]

    @property
    def texts(self) -> tuple[str, str]:
        """Both sentences as they are typed."""
        read, written = self.direction.split("-")
        return running(self.source, read), running(self.target, written)


def running(words: tuple[str, ...], language: str) -> str:
    """Join words as a language writes them: marks, French hyphens and apostrophes without a space, but French ` ?`."""
    closed = r"(?<=') | (?=[-.,])" if language == "fr" else r" (?=['.,?!])"
    return re.sub(closed, "", " ".join(words))


@cache
def gold_pairs(direction: str = DIRECTIONS[0]) -> tuple[GoldPair, ...]:
    """Read the gold alignment of one of `DIRECTIONS`.

    Raises:
        ValueError: a link leads to no word.
    """
    path = Path(__file__).with_name(f"alignments_{direction.replace('-', '_')}.tsv")
    return tuple(gold_pair(line, direction) for line in path.read_text(encoding="utf-8").splitlines())


def gold_pair(line: str, direction: str = DIRECTIONS[0]) -> GoldPair:
    """Read one line.

    Raises:
        ValueError: a link leads to no word.
    """
    read, written = line.split("\t")
    source, target = tuple(read.split()), []
    sure: set[WordLink] = set()
    possible: set[WordLink] = set()
    for place, cell in enumerate(written.split()):
        found = _WORD.fullmatch(cell)
        assert found is not None
        target.append(found["word"] or found["alone"])
        for mark, number in re.findall(r"(\??)(\d+)", found["links"] or ""):
            (possible if mark else sure).add((int(number), place))
    if any(not 0 <= link[0] < len(source) for link in sure | possible):
        raise ValueError(f"a link leads to no word: {line}")
    return GoldPair(
        source=source,
        target=tuple(target),
        sure=frozenset(sure),
        possible=frozenset(sure | possible),
        direction=direction,
    )
