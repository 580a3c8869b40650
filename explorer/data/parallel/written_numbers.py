"""Numbers, found in a sentence as its language writes them and written as another language does."""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from explorer.data.parallel.normalisation import THOUSANDS

DECIMAL = {"en": ".", "fr": ",", "de": ",", "zh": "."}
#: Words that multiply a number, by how many zeros; the largest first.
SCALES = {
    "en": {"trillion": 12, "billion": 9, "million": 6},
    "fr": {"billion": 12, "milliard": 9, "million": 6},
    "de": {"Billion": 12, "Milliarde": 9, "Million": 6},
    "zh": {"万亿": 12, "亿": 8, "万": 4},
}
#: Years, written without a sign between thousands, are copied well.
YEARS = range(1000, 2100)
FEWEST_DIGITS, LONGEST = 4, 40


class Written(NamedTuple):
    """A number as it was typed, its place, and its form in the other language."""

    typed: str
    start: int
    there: str


def numbers(text: str, source: str, target: str) -> Iterator[Written]:
    """Yield the numbers that are easily spoilt: long ones, those with groups, decimals or a word that multiplies.

    French, whose multiplying words ask for *de*, gets none of the last.
    """
    for found in _pattern(source).finditer(text):
        if found["phone"]:
            yield Written(found[0], found.start(), found[0])
        elif len(found[0]) <= LONGEST and _is_hard(found) and not (found["scale"] and target == "fr"):
            yield Written(found[0], found.start(), _rewritten(found, source, target))


@cache
def _pattern(language: str) -> re.Pattern[str]:
    """Return how a language writes numbers; French and German may set groups apart by spaces."""
    between = {"en": ",", "fr": "[ .]", "de": "[ .]", "zh": ","}[language]
    scale = "|".join(SCALES[language])
    after = {"fr": "s?(?: d(?:e |'))?", "de": "(?:en|n)?(?![a-zäöü])"}.get(language, "")
    return re.compile(
        r"(?<![A-Za-z\d.,:/+-])(?:(?P<phone>(?:\+\d{1,3}|0\d+)(?:[ -]\d+)+)"
        rf"|(?P<whole>\d{{1,3}}(?:{between}\d{{3}})+(?!\d)|\d+)(?:{re.escape(DECIMAL[language])}(?P<part>\d+))?"
        rf"(?: ?(?P<scale>{scale}){after})?)(?![A-Za-z\d:/]|[.,-]\d)"
    )


def _is_hard(found: re.Match[str]) -> bool:
    whole = found["whole"]
    if found["part"] or found["scale"] or not whole.isdecimal():
        return True
    return len(whole) >= FEWEST_DIGITS and int(whole) not in YEARS


def _rewritten(found: re.Match[str], source: str, target: str) -> str:
    digits, part = re.sub(r"\D", "", found["whole"]), found["part"] or ""
    if found["scale"]:
        return _scaled(digits, part, SCALES[source][found["scale"]], target)
    grouped = f"{int(digits):,}".replace(",", THOUSANDS[target]) if digits != found["whole"] else digits
    return grouped + (DECIMAL[target] + part if part else "")


def _scaled(digits: str, part: str, zeros: int, target: str) -> str:
    """Return a number that is multiplied, with the largest word of the target language that is not larger than it."""
    value = int(digits + part) * 10**zeros // 10 ** len(part)
    for word, power in SCALES[target].items():
        if value >= 10**power:
            whole, rest = divmod(value, 10**power)
            decimals = f"{rest:0{power}d}".rstrip("0")
            amount = f"{whole}{DECIMAL[target]}{decimals}" if decimals else str(whole)
            return amount + _word(word, target, several=whole > 1 or bool(decimals))
    return f"{value:,}".replace(",", THOUSANDS[target])


def _word(word: str, language: str, *, several: bool) -> str:
    """Return a word that multiplies as it stands behind its number."""
    ending = {"Million": "en", "Milliarde": "n", "Billion": "en"}.get(word, "") if several else ""
    return word if language == "zh" else f" {word}{ending}"
