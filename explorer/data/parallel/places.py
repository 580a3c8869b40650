"""Cities, islands, countries and rivers as English, French, German and Chinese write them.

`places.tsv` is our own list. Its kinds say what a name asks of its sentence: `country f die` is feminine in French and
has an article in German; `p` is a plural. Of several forms, set apart by `/`, the first is the usual one; a Chinese
form behind `-` is written, but not looked for: it is often part of another word.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from explorer.data.parallel.known_words import begins, load_known_words

LANGUAGES = ("en", "fr", "de", "zh")
_LETTERS = "A-Za-zÀ-ÖØ-öø-ɏḀ-ỿ"
#: Behind a Chinese country: who lives there, what is spoken or eaten there; “in that country” is no part of it.
_OF_A_COUNTRY = "人语文话菜队籍币军裔式货法"
#: Chinese names of cities, and what makes another word of them: before, behind.
_OTHERWISE = {
    "长沙": ("", "发"),
    "西安": ("", "静全装排"),
    "大连": ("", "接续"),
    "成都": ("变看说做长完形组构达赞当写造", ""),
    "尼斯": ("丹杰丽黛", ""),
    "罗马": ("", "尼"),
    "里昂": ("", "纳"),
    "波恩": ("", "赛"),
    "河内": ("运江黄", ""),
    "三亚": ("第", ""),
    "约克": ("", "郡夏"),
    "南特": ("", "别"),
    "印度": ("", "尼洋"),
    "利比亚": ("哥伦", ""),
    "约旦": ("", "河"),
    "上海": ("马船路岛身早晚", ""),
    "里尔": ("蓬海", ""),
    "日本": ("", "来"),
}


class Place(NamedTuple):
    """A place, its kind, and its forms by language, the usual one first."""

    kind: str
    forms: Mapping[str, tuple[str, ...]]


class FoundPlace(NamedTuple):
    """A place, as it was typed, and where it begins."""

    typed: str
    start: int
    place: Place


def find_places(text: str, language: str) -> Iterator[FoundPlace]:
    """Yield the places that a sentence names: not those whose name begins it and is a common word, too."""
    for found in _pattern(language).finditer(text):
        common = found[0].lower() in load_known_words(language) and begins(text, found.start())
        if not common:
            yield FoundPlace(found[0], found.start(), _by_form(language)[found[0]])


@cache
def _by_form(language: str) -> Mapping[str, Place]:
    """Read all places, by each of their forms that is looked for."""
    path = Path(__file__).parent / "places.tsv"
    _, *rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
    found: dict[str, Place] = {}
    for kind, *forms in rows:
        there = {each: tuple(form.lstrip("-").split("/")) for each, form in zip(LANGUAGES, forms, strict=True)}
        if not forms[LANGUAGES.index(language)].startswith("-"):
            found |= dict.fromkeys(there[language], Place(kind, there))
    return found


@cache
def _pattern(language: str) -> re.Pattern[str]:
    """Return all places of a language as one pattern, the longest first."""
    forms = sorted(_by_form(language), key=len, reverse=True)
    if language != "zh":
        return re.compile(rf"(?<![{_LETTERS}-])(?:{'|'.join(map(re.escape, forms))})(?![{_LETTERS}-])")
    return re.compile("|".join(_alone(form) for form in forms))


def _alone(form: str) -> str:
    """Return the pattern of a Chinese place where it is no part of another word."""
    before, behind = _OTHERWISE.get(form, ("", ""))
    if _by_form("zh")[form].kind.startswith("country"):
        behind += _OF_A_COUNTRY
    return (f"(?<![{before}])" if before else "") + form + (f"(?![{behind}])" if behind else "")
