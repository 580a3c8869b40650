"""Which numbers of a source stand in its translation, however the two languages write them."""

import re
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal

from explorer.data.parallel.clock import times
from explorer.data.parallel.written_numbers import DECIMAL, SCALES

#: What may stand between thousands; a plain space in French and German alone.
_BETWEEN = {"en": "[,\u202f\u00a0]", "fr": "[ .\u202f\u00a0]", "de": "[ .'\u202f\u00a0]", "zh": "[,，]"}
#: Small numbers, which a translation may write in words: from 0 to 12.
_WORDS = {
    "en": "zero one|once two|twice three four five six seven eight nine ten eleven twelve",
    "fr": "zéro un|une deux trois quatre cinq six sept huit neuf dix onze douze",
    "de": "null ein|eine|einen|einem|einer|eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
}
_HAN_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_HAN_NUMBER = re.compile("[零〇一二两三四五六七八九十百千]+")
_HAN_UNITS = {"十": 10, "百": 100, "千": 1000}


def count_kept(sources: Sequence[str], translations: Sequence[str], source: str, target: str) -> tuple[int, int]:
    """Count the numbers that sources write in digits, and those of them that stand in the translations.

    A time of a day is one on a clock of 24 hours; a month is no number, since the other language may name it.

    Returns:
        How many are kept, and how many there are.
    """
    kept = total = 0
    for typed, said in zip(sources, translations, strict=True):
        asked, found = (
            Counter(_values(typed, source)),
            Counter(_values(said, target)) + Counter(_in_words(said, target)),
        )
        kept += sum((asked & found).values())
        total += sum(asked.values())
    return kept, total


def _values(text: str, language: str) -> list[Decimal]:
    """Return the numbers that are written in digits: 103.7亿 is 10.37 billion."""
    for time in times(text, language, "zh"):
        text = text.replace(time.typed, f" {time.there.removesuffix(':00')} ")
    if language == "zh":
        text = re.sub(r"\d{1,2}(?=月)", " ", text)
    scales = SCALES.get(language, {})
    words = "|".join(scales) or "(?!)"
    point = re.escape(DECIMAL.get(language, "."))
    number = rf"(\d{{1,3}}(?:{_BETWEEN.get(language, ',')}\d{{3}})+(?!\d)|\d+)(?:{point}(\d+))?(?:\s?({words}))?"
    return [
        Decimal(f"{re.sub(chr(92) + 'D', '', whole)}.{part or 0}").scaleb(scales.get(scale, 0)).normalize()
        for whole, part, scale in re.findall(number, text)
    ]


def _in_words(text: str, language: str) -> list[Decimal]:
    """Return the small numbers that are written in words, or in Chinese characters."""
    if language == "zh":
        return [Decimal(_of_han(found)) for found in _HAN_NUMBER.findall(text)]
    words = {
        word: value for value, group in enumerate(_WORDS.get(language, "").split(" ")) for word in group.split("|")
    }
    return [Decimal(words[word]) for word in re.findall(r"[^\W\d_]+", text.casefold()) if word in words]


def _of_han(written: str) -> int:
    """Return the value of 二十七 or 三百零五; of digits in a row, 二〇二四, theirs."""
    if not any(char in _HAN_UNITS for char in written):
        return int("".join(str(_HAN_DIGITS[char]) for char in written))
    total, digit = 0, 0
    for char in written:
        if char in _HAN_UNITS:
            total += (digit or 1) * _HAN_UNITS[char]
            digit = 0
        else:
            digit = _HAN_DIGITS[char]
    return total + digit
