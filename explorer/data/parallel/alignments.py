"""A small gold alignment, German–English: which word stands for which, by hand.

A line is the German sentence, a tab, and the English one, whose words carry their links: `wrote/5?1` is surely linked
to German word 5 and possibly to word 1, counted from 0. The rules:

1. A link is *sure* where the two words translate each other here, *possible* where one only helps the other: the
   auxiliary of a tense (`is/?2 riding/2`), an article that the other language leaves out, a word of a fixed phrase.
2. What two words say together is linked with each of its partners: `arrives` with `kommt … an`, `im` with `in the`.
3. Marks are words. A word without a partner has no link (a comma that only German writes).

The first fifty sentences are everyday ones, the others are captions of pictures. All were written and aligned for this
project by one annotator, so nothing is known about agreement.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

Link = tuple[int, int]
DE_EN = Path(__file__).with_name("alignments_de_en.tsv")
_WORD = re.compile(r"(?P<word>.+?)/(?P<links>[\d,?]+)|(?P<alone>\S+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldPair:
    """A sentence and its translation, aligned by hand; links are (source word, target word).

    Attributes:
        source: words and marks that are read.
        target: words and marks that are written.
        sure: links that an aligner should find.
        possible: links that it may find; the sure ones among them.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    sure: frozenset[Link]
    possible: frozenset[Link]

    @property
    def texts(self) -> tuple[str, str]:
        """Both sentences as they are typed."""
        return running(self.source), running(self.target)


def running(words: tuple[str, ...]) -> str:
    """Join words; no space before a mark."""
    return re.sub(r" (?=[.,?!])", "", " ".join(words))


@cache
def gold_pairs(path: Path = DE_EN) -> tuple[GoldPair, ...]:
    """Read a gold alignment.

    Raises:
        ValueError: a link leads to no word.
    """
    return tuple(gold_pair(line) for line in path.read_text(encoding="utf-8").splitlines())


def gold_pair(line: str) -> GoldPair:
    """Read one line.

    Raises:
        ValueError: a link leads to no word.
    """
    read, written = line.split("\t")
    source, target = tuple(read.split()), []
    sure: set[Link] = set()
    possible: set[Link] = set()
    for place, cell in enumerate(written.split()):
        found = _WORD.fullmatch(cell)
        assert found is not None
        target.append(found["word"] or found["alone"])
        for mark, number in re.findall(r"(\??)(\d+)", found["links"] or ""):
            (possible if mark else sure).add((int(number), place))
    if any(not 0 <= link[0] < len(source) for link in sure | possible):
        raise ValueError(f"a link leads to no word: {line}")
    return GoldPair(source=source, target=tuple(target), sure=frozenset(sure), possible=frozenset(sure | possible))
