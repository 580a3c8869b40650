"""Days and months, found in a sentence as its language writes them and written as another language does."""

import re
from collections.abc import Iterator
from functools import cache

from explorer.data.parallel.dates import MONTHS, WEEKDAYS
from explorer.data.parallel.written_numbers import Written

_LANGUAGES = ("en", "fr", "de", "zh")
_NTH = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
#: What stands before the second day of a range, or behind the first.
_BEFORE, _BEHIND = re.compile(r"\d\S* (?:to|and|until|au|et|bis|und)(?: zum)? $"), re.compile(r" ?[到至–-] ?\d")
#: How a day is written; in angle brackets weekday, day, month and year.
_DAYS = {
    "en": (
        r"(?:<w>,? )?(?:the )?<d>(?:st|nd|rd|th)?(?: of)? <m>(?:,? <y>)?",
        r"(?:<w>,? )?<m> (?:the )?<d>(?:st|nd|rd|th)?(?:,? <y>)?",
    ),
    "fr": (r"(?:le )?(?:<w> )?<d>(?:er)? <m>(?: <y>)?",),
    "de": (r"(?:<w>,? (?:den |dem )?)?<d>\. <m>(?: <y>)?",),
    "zh": (r"(?:<y>年)?<m>月<d>[日号](?:(?:星期|周)<w>)?",),
}
#: How a month of a year is.
_MONTHS = {"en": r"<m>,? <y>", "fr": "<m> <y>", "de": "<m> <y>", "zh": "<y>年<m>月"}


def days(text: str, source: str, target: str) -> Iterator[Written]:
    """Yield dates with day and month, and with weekday and year where they have them, but no range of days.

    Into French, which asks for an article before a date and none before a weekday, none.
    """
    if target == "fr":
        return
    for pattern in _DAYS[source]:
        for found in _compiled(pattern, source).finditer(text):
            before, behind = text[max(0, found.start() - 20) : found.start()], text[found.end() : found.end() + 4]
            date = _Date(found, source)
            if date.there and not _BEFORE.search(before) and not _BEHIND.match(behind):
                yield Written(found[0], found.start(), date.written(target))


def months(text: str, source: str, target: str) -> Iterator[tuple[Written, str]]:
    """Yield months of a year, each with the year alone; none into French, which needs no help."""
    if target == "fr":
        return
    for found in _compiled(_MONTHS[source], source).finditer(text):
        yield Written(found[0], found.start(), _Date(found, source).written(target)), found["y"]


class _Date:
    """A date that was found: weekday and month as places in their week and year, 0 where there is none."""

    def __init__(self, found: re.Match[str], language: str) -> None:
        said = found.groupdict()
        day = (said.get("d") or "0").casefold()
        self.day = _NTH.index(day) + 1 if day in _NTH else int(day)
        self.month, self.weekday = (_place(said.get(name), language, name) for name in ("m", "w"))
        self.year = said["y"] or ""

    @property
    def there(self) -> bool:
        """Return whether there is such a day."""
        return 1 <= self.day <= 31 and 1 <= self.month <= 12

    def written(self, language: str) -> str:
        """Return the date as a language writes it."""
        if language == "zh":
            weekday = f"星期{_words(language, 'w')[self.weekday - 1]}" if self.weekday else ""
            return f"{self.year}{'年' * bool(self.year)}{self.month}月{self.day or ''}{'日' * bool(self.day)}{weekday}"
        weekday = _words(language, "w")[self.weekday - 1] if self.weekday else ""
        month = _words(language, "m")[self.month - 1]
        if language == "en":
            date = f"{month} {self.day}, {self.year}" if self.day else f"{month} {self.year}"
            return (f"{weekday}, " if weekday else "") + date.removesuffix(", ")
        day = f"{self.day}. " if self.day else ""
        return f"{weekday}{', den ' if weekday else ''}{day}{month} {self.year}".rstrip()


def _place(word: str | None, language: str, kind: str) -> int:
    """Return which weekday or month a word names, from 1; a Chinese month is a number."""
    if not word:
        return 0
    names = [each.casefold() for each in _words(language, kind)]
    return int(word) if word.isdecimal() else names.index(word.casefold()) + 1


def _words(language: str, kind: str) -> list[str]:
    """Return the weekdays (`w`) or months (`m`) of a language."""
    if kind == "m" and language == "zh":
        return ["1[0-2]|[1-9]"]
    return (WEEKDAYS if kind == "w" else MONTHS)[_LANGUAGES.index(language)].split(" ")


@cache
def _compiled(pattern: str, language: str) -> re.Pattern[str]:
    day = rf"\d{{1,2}}|{'|'.join(_NTH)}" if language == "en" else r"\d{1,2}"
    parts = {"w": "|".join(_words(language, "w")), "d": day, "m": "|".join(_words(language, "m")), "y": r"\d{4}"}
    for name, inside in parts.items():
        pattern = pattern.replace(f"<{name}>", f"(?P<{name}>{inside})")
    return re.compile(rf"(?<![A-Za-zÀ-ÿ\d]){pattern}(?![A-Za-zÀ-ÿ\d月日号])", re.IGNORECASE)
