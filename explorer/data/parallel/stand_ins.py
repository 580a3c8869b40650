"""Names, numbers and dates that a translator cannot copy are read as others that it can, and put back."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from explorer.data.parallel.unknown_names import LETTERS, unknown_names
from explorer.data.parallel.written_dates import days, months
from explorer.data.parallel.written_numbers import numbers

LANGUAGES = ("en", "fr", "de", "zh")
#: What stands in, in these languages; a translator may write instead what stands after a slash.
ROWS: dict[str, tuple[str, ...]] = {
    "person": ("Tom Tom Tom 汤姆", "Mary Mary/Marie Maria/Mary 玛丽", "John John/Jean John 约翰"),
    "place": ("Boston Boston Boston 波士顿", "Paris Paris Paris 巴黎", "Chicago Chicago Chicago 芝加哥"),
    "mountain": ("Fuji Fuji Fuji 富士",),
    "number": (
        "27/twenty-seven 27/vingt-sept 27/siebenundzwanzig 27/二十七",
        "38/thirty-eight 38/trente-huit 38/achtunddreißig 38/三十八",
        "46/forty-six 46/quarante-six 46/sechsundvierzig 46/四十六",
        "53/fifty-three 53/cinquante-trois 53/dreiundfünfzig 53/五十三",
    ),
    "day": ("Friday/Fridays vendredi Freitag/freitags 星期五/周五", "Wednesday mercredi Mittwoch 星期三/周三"),
}
#: Words that make a person a woman.
_WOMAN = re.compile(
    r"\b(?:she|her|hers|herself|mrs|ms|miss|elle|mme|mlle|madame|mademoiselle|frau|fräulein)\b|[她姐]|女士|太太",
    re.IGNORECASE,
)
_VOWELS = tuple("aeiouàâäéèêëîïôöùûüAEIOUÀÂÄÉÈÊËÎÏÔÖÙÛÜ")


class StandIn(NamedTuple):
    """A word that is read in the place of another.

    Attributes:
        typed: what cannot be copied.
        there: the same as the other language writes it.
        read: what the translator reads.
        written: what it may write for that.
    """

    typed: str
    there: str
    read: str
    written: tuple[str, ...]


def stand_in(text: str, source: str, target: str) -> tuple[str, tuple[StandIn, ...]]:
    """Return a text in which what cannot be copied is read as something else, and what stands for what."""
    if not {source, target} <= {*LANGUAGES}:
        return text, ()
    found: dict[str, StandIn] = {}
    parts, end = [], 0
    for start, typed, others in sorted(_places(text, source, target), key=_first_and_longest):
        taken = {each.read for each in found.values()}
        free = (each for each in others if each.read not in {typed, *taken} and not _holds(text, each))
        other = found.get(typed) or next(free, None)
        if other is not None and start >= end:
            found[typed] = other
            parts += [text[end:start], other.read]
            end = start + len(typed)
    read = "".join((*parts, text[end:]))
    return (_unelided(read, found.values()) if source == "fr" else read), tuple(found.values())


def put_back(translation: str, stand_ins: Sequence[StandIn], language: str) -> str:
    """Return a translation with what was typed in the place of what was read for it."""
    if not stand_ins:
        return translation
    there = {written: each.there for each in stand_ins for written in each.written}
    forms = "|".join(_alone(written) for written in sorted(there, key=len, reverse=True))
    pattern = rf"(?:(\b(?:d|qu))e )?({forms})" if language == "fr" else f"()({forms})"
    return re.sub(pattern, lambda found: _elided(found[1], there[found[2]]), translation)


def _places(text: str, source: str, target: str) -> Iterator[tuple[int, str, tuple[StandIn, ...]]]:
    """Yield what cannot be copied, where it begins, and what may stand in."""
    for name in unknown_names(text, source):
        yield name.start, name.text, tuple(_others(name.kind, name.text, name.text, text, source, target))
    for kind, found in (("number", numbers(text, source, target)), ("day", days(text, source, target))):
        for each in found:
            yield each.start, each.typed, tuple(_others(kind, each.typed, each.there, text, source, target))
    for month, year in months(text, source, target):
        alone = f"{year}年" if source == "zh" else year
        yield month.start, month.typed, (StandIn(month.typed, month.there, alone, (f"{year}年", year)),)


def _first_and_longest(place: tuple[int, str, tuple[StandIn, ...]]) -> tuple[int, int]:
    """Return by what places are sorted."""
    return place[0], -len(place[1])


def _others(kind: str, typed: str, there: str, text: str, source: str, target: str) -> Iterator[StandIn]:
    """Yield what may stand in: for a person first a woman, if a woman is spoken of."""
    rows = ROWS[kind]
    if kind == "person" and _WOMAN.search(text):
        rows = (rows[1], rows[0], *rows[2:])
    for row in rows:
        forms = dict(zip(LANGUAGES, (each.split("/") for each in row.split(" ")), strict=True))
        read = forms[source][0]
        yield StandIn(typed, there, read, tuple(dict.fromkeys((*forms[target], *(read,) * read.isascii()))))


def _holds(text: str, other: StandIn) -> bool:
    """Return whether a text holds elsewhere what is to be read or written."""
    elsewhere = text.replace(other.typed, "")
    return other.read in elsewhere or any(word in elsewhere for word in other.written)


def _alone(form: str) -> str:
    """Return a pattern of a form that is no part of a longer word or number; a name may have an s."""
    if form[0].isdigit():
        return rf"(?<!\d)(?<!\d[.,]){form}(?!\d|[.,]\d)"
    return rf"(?<![{LETTERS}]){form}(?=s?(?![{LETTERS}]))" if re.match(f"[{LETTERS}]", form) else form


def _unelided(text: str, stand_ins: Iterable[StandIn]) -> str:
    """Write French words in full before a name that begins with a consonant, as every one that stands in does."""
    names = "|".join(each.read for each in stand_ins)
    return re.sub(rf"\b(d|qu)'(?=(?:{names})\b)", r"\1e ", text, flags=re.IGNORECASE) if names else text


def _elided(before: str | None, name: str) -> str:
    """Write *de* or *que*, of which all but the last letter is given, before a name."""
    if not before:
        return name
    return f"{before}'{name}" if name.startswith(_VOWELS) else f"{before}e {name}"
