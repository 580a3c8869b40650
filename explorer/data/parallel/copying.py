"""Pairs with other numbers and names than those that were read, so that a translator learns to copy what it never saw.

In a corpus of everyday sentences few numbers have more than two digits and most people are called Tom. A word that
stands in source and target alike was copied by the translator; here another takes its place on both sides.
"""

import math
import random
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from explorer.data.parallel.pairs import Pair

#: A number that is written the same everywhere: no 2,500, which is 2 500 elsewhere, and no 7:30.
NUMBER = re.compile(r"(?<![\w.,:/-])\d+(?![\w:/-]|[.,]\d)")
NAME = re.compile(r"\b[A-Z][a-z]{2,}\b")
MOST_DIGITS = 6
#: A word is a name where this share of all its occurrences has a capital.
CAPITAL_SHARE = 0.98
_CLUSTERS = "br ch cl dr fr gr kr pl sh st th tr"
_BEGINNINGS: tuple[str, ...] = (*"bcdfghjklmnprstvwz", *_CLUSTERS.split())
_VOWELS: tuple[str, ...] = (*"aeiou", "ai", "ea", "ie", "oo")
_ENDS: tuple[str, ...] = ("", "", *"nrslm", "nd", "ck", "th")


def copying_pairs(pairs: Sequence[Pair], *, share: float, seed: int) -> list[Pair]:
    """Make new pairs made from those of a corpus that copy a number or a name.

    Args:
        share: how many pairs of each of the two kinds are made, as a share of the corpus; none where no pair copies.
        seed: decides which pairs, numbers and names.

    Raises:
        ValueError: the share is negative or not finite.
    """
    if not 0 <= share < math.inf:
        raise ValueError(f"share is {share}; it must be at least 0, and finite")
    draw, wanted = random.Random(f"copying {seed}"), round(share * len(pairs))  # noqa: S311 (no secret)
    known = _names(pairs)
    copying_a_number = [pair for pair in pairs if _copied(pair, NUMBER)]
    copying_a_name = [pair for pair in pairs if _copied(pair, NAME).intersection(known)]
    made = [_renumbered(pair, draw) for pair in _drawn(copying_a_number, wanted, draw)]
    return made + [_renamed(pair, known, draw) for pair in _drawn(copying_a_name, wanted, draw)]


def _drawn(pairs: Sequence[Pair], n: int, draw: random.Random) -> list[Pair]:
    return draw.choices(pairs, k=n) if pairs else []


def _copied(pair: Pair, pattern: re.Pattern[str]) -> set[str]:
    """Find what stands equally often in source and every target."""
    found = [Counter(pattern.findall(text)) for text in (pair.source, *pair.targets)]
    return {word for word, n in found[0].items() if all(each[word] == n for each in found[1:])}


def _names(pairs: Sequence[Pair]) -> list[str]:
    """Return the words, sorted, that were copied more than once and are hardly ever written without a capital."""
    words = Counter(word for pair in pairs for word in re.findall(r"\b\w+\b", pair.source))
    copied = Counter(word for pair in pairs for word in _copied(pair, NAME))
    capitals = {word for word in copied if words[word] >= CAPITAL_SHARE * (words[word] + words[word.lower()])}
    return sorted(word for word in capitals if copied[word] > 1)


def _renumbered(pair: Pair, draw: random.Random) -> Pair:
    return _with_others(pair, {number: _number(draw) for number in sorted(_copied(pair, NUMBER))}, NUMBER)


def _renamed(pair: Pair, known: Sequence[str], draw: random.Random) -> Pair:
    """Return a name of the corpus in one of two cases, or one that nobody has."""
    copied = sorted(_copied(pair, NAME).intersection(known))
    others = {name: draw.choice(known) if draw.random() < 0.5 else invented_name(draw) for name in copied}
    return _with_others(pair, others, NAME)


def _with_others(pair: Pair, others: dict[str, str], pattern: re.Pattern[str]) -> Pair:
    def other(found: re.Match[str]) -> str:
        return others.get(found.group(), found.group())

    source, *targets = (pattern.sub(other, text) for text in (pair.source, *pair.targets))
    return replace(pair, source=source, targets=tuple(targets))


def _number(draw: random.Random) -> str:
    """Draw a number, of any length with equal probability."""
    first, *others = (draw.randrange(1 if i == 0 else 0, 10) for i in range(draw.randint(1, MOST_DIGITS)))
    return "".join(map(str, (first, *others)))


def invented_name(draw: random.Random) -> str:
    """Make up two or three syllables that can be said."""
    syllables = (draw.choice(_BEGINNINGS) + draw.choice(_VOWELS) for _ in range(draw.randint(2, 3)))
    return ("".join(syllables) + draw.choice(_ENDS)).capitalize()
