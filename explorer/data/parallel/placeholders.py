"""Read what a translator cannot copy (names, numbers, dates, addresses, code) as what it can, and put it back."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from explorer.data.parallel.chinese_names import chinese_names
from explorer.data.parallel.expected_names import expected_names
from explorer.data.parallel.literals import SIGN, Literal
from explorer.data.parallel.places import find_places
from explorer.data.parallel.unknown_names import LETTERS, unknown_names
from explorer.data.parallel.written_dates import days, months
from explorer.data.parallel.written_numbers import numbers

LANGUAGES = ("en", "fr", "de", "zh")
#: What stands in, in these languages; a translator may write instead what stands after a slash.
ROWS: dict[str, tuple[str, ...]] = {
    "person": ("Tom Tom Tom 汤姆", "Mary Mary/Marie Maria/Mary 玛丽", "John John/Jean John 约翰"),
    "surname": (
        "Jackson Jackson Jackson 杰克逊",
        "Smith Smith Smith 史密斯",
        "Johnson Johnson Johnson 约翰逊",
        "Brown Brown Brown 布朗",
    ),
    "place": ("Boston Boston Boston 波士顿", "Paris Paris Paris 巴黎", "Chicago Chicago Chicago 芝加哥"),
    "mountain": ("Fuji Fuji Fuji 富士",),
    "country f": ("China Chine China 中国", "Italy Italie Italien 意大利", "France France Frankreich 法国"),
    "country m": ("Japan Japon Japan 日本", "Canada Canada Kanada 加拿大"),
    "country die": ("Switzerland Suisse Schweiz 瑞士", "Turkey Turquie Türkei 土耳其"),
    "country der": ("Iran Iran Iran 伊朗", "Iraq Irak Irak 伊拉克"),
    "country p": ("United_States États-Unis USA/Vereinigten_Staaten/Vereinigte_Staaten 美国",),
    "river m": ("Rhine Rhin Rhein 莱茵河", "Nile Nil Nil 尼罗河"),
    "river f": ("Seine Seine Seine 塞纳河", "Loire Loire Loire 卢瓦尔河"),
    "river der": ("Rhine Rhin Rhein 莱茵河", "Nile Nil Nil 尼罗河"),
    "river die": ("Elbe Elbe Elbe 易北河", "Seine Seine Seine 塞纳河"),
    "number": (
        "27/twenty-seven 27/vingt-sept 27/siebenundzwanzig 27/二十七",
        "38/thirty-eight 38/trente-huit 38/achtunddreißig 38/三十八",
        "46/forty-six 46/quarante-six 46/sechsundvierzig 46/四十六",
        "53/fifty-three 53/cinquante-trois 53/dreiundfünfzig 53/五十三",
    ),
    "day": ("Friday/Fridays vendredi Freitag/freitags 星期五/周五", "Wednesday mercredi Mittwoch 星期三/周三"),
}
#: Words that may stand in for what is copied, by its kind: first those that fit best, then those that translators keep
#: most often.
_COPIED = {
    "place": (("place", "person", "number"), ("person", "number", "place")),
    "tag": (("place", "person", "number"), ("person", "number", "place")),
    "person": (("person", "place", "number"), ("number", "person", "place")),
    "number": (("number", "person", "place"), ("person", "number", "place")),
    "time": (("number",), ("person",)),
}
#: Endings that a translator writes behind a number where a time is due.
_HOURS = (" Uhr", " heures", " h", "h", "点钟", "点", " o'clock", " p.m.", " a.m.", " pm", " am")
#: Words that make a person a woman.
_WOMAN = re.compile(
    r"\b(?:she|her|hers|herself|mrs|ms|miss|elle|mme|mlle|madame|mademoiselle|frau|fräulein)\b|[她姐]|女士|太太",
    re.IGNORECASE,
)
_VOWELS = tuple("aeiouàâäéèêëîïôöùûüAEIOUÀÂÄÉÈÊËÎÏÔÖÙÛÜ")


class Placeholder(NamedTuple):
    """A word that is read in the place of another.

    Attributes:
        typed: what cannot be copied.
        there: the same as the other language writes it.
        source_form: what the translator reads.
        target_forms: what it may write for that.
    """

    typed: str
    there: str
    source_form: str
    target_forms: tuple[str, ...]

    @property
    def is_literal(self) -> bool:
        """Return whether a sign is put back, for something that must be copied."""
        return bool(re.fullmatch(SIGN, self.there))


def insert_placeholders(
    text: str,
    source: str,
    target: str,
    literals: Mapping[str, Literal] | None = None,
    *,
    every_name: bool = False,
    again: bool = False,
) -> tuple[str, tuple[Placeholder, ...]]:
    """Return a text in which what cannot be copied is read as something else, and what stands for what.

    Args:
        literals: what the signs in the text stand for.
        every_name: a name that the translator knows was lost: others are read for all names.
        again: what was read first did not come back: only for these, and with others.
    """
    if not {source, target} <= {*LANGUAGES}:
        return text, ()
    found: dict[str, Placeholder] = {}
    parts, end = [], 0
    places = [*_copied(text, source, target, literals or {}, again=again)]
    if not again:
        places += _places(text, source, target, every_name=every_name)
    for start, typed, others in sorted(places, key=_first_and_longest):
        taken = {each.source_form for each in found.values()}
        free = (each for each in others if each.source_form not in {typed, *taken} and not _holds(text, each))
        other = found.get(typed) or next(free, None)
        if other is not None and start >= end:
            found[typed] = other
            parts += [text[end:start], other.source_form]
            end = start + len(typed)
    read = "".join((*parts, text[end:]))
    return (_unelided(read, found.values()) if source == "fr" else read), tuple(found.values())


def restore(translation: str, placeholders: Sequence[Placeholder], language: str) -> str:
    """Return a translation with what was typed in the place of what was read for it."""
    if not placeholders:
        return translation
    there = {written: each.there for each in placeholders for written in each.target_forms}
    forms = "|".join(_alone(written) for written in sorted(there, key=len, reverse=True))
    pattern = rf"(?:(\b(?:d|qu))e )?({forms})" if language == "fr" else f"()({forms})"
    return re.sub(pattern, lambda found: _elided(found[1], there[found[2]]), translation)


def can_restore(read: str, translation: str, placeholders: Sequence[Placeholder], language: str) -> bool:
    """Return whether all that was read for something else can be put back: what is copied so often as it was read.

    Args:
        read: what the translator read.
        translation: what it wrote, in this language.
    """
    restored, left = (restore(translation, placeholders, language) for _ in range(2))
    for each in placeholders:
        n_read, n_there = len(re.findall(_alone(each.source_form), read)), restored.count(each.there)
        if n_read and (n_there != n_read if each.is_literal else not n_there):
            return False
        left = left.replace(each.there, "")
    leaks = any(written in left for each in placeholders for written in (each.source_form, *each.target_forms))
    return not leaks and not re.search(rf"[{LETTERS}\d]{SIGN}|{SIGN}[{LETTERS}\d]", restored)


def _places(
    text: str, source: str, target: str, *, every_name: bool
) -> Iterator[tuple[int, str, tuple[Placeholder, ...]]]:
    """Yield what cannot be copied, where it begins, and what may stand in."""
    for start, typed, kind, there in _names(text, source, target, every_name=every_name):
        yield start, typed, tuple(_others(kind, typed, there, text, source, target))
    for kind, found in (("number", numbers(text, source, target)), ("day", days(text, source, target))):
        for each in found:
            yield each.start, each.typed, tuple(_others(kind, each.typed, each.there, text, source, target))
    for month, year in months(text, source, target):
        alone = f"{year}年" if source == "zh" else year
        yield month.start, month.typed, (Placeholder(month.typed, month.there, alone, (f"{year}年", year)),)


def _names(text: str, source: str, target: str, *, every_name: bool) -> Iterator[tuple[int, str, str, str]]:
    """Yield names: where each begins, what was typed, of what it is, and its form in the other language."""
    if every_name:
        for name in expected_names(text, source, target):
            yield name.start, name.typed, name.kind, name.there
    listed = {(each.start, each.typed): each.place for each in find_places(text, source)}
    for unknown in unknown_names(text, source):
        place = listed.get((unknown.start, unknown.text))
        kind, there = (place.kind, place.forms[target][0]) if place else (unknown.kind, unknown.text)
        yield unknown.start, unknown.text, kind, there
    if source == "zh":
        for person in chinese_names(text):
            titled = text[person.start + len(person.typed) :].startswith("先生")
            yield person.start, person.typed, "surname" if titled else "person", person.there


def _copied(
    text: str, source: str, target: str, literals: Mapping[str, Literal], *, again: bool
) -> Iterator[tuple[int, str, tuple[Placeholder, ...]]]:
    """Yield the signs of a text, where each is, and what may stand in for what it stands for."""
    for sign in re.finditer(SIGN, text):
        literal = literals.get(sign[0])
        if literal is not None and literal.kind in _COPIED:
            rows = (
                each._replace(target_forms=_with_hours(each.target_forms)) if literal.kind == "time" else each
                for kind in _COPIED[literal.kind][again]
                for each in _others(kind, literal.typed, sign[0], text, source, target)
            )
            yield sign.start(), sign[0], tuple(rows)


def _with_hours(written: tuple[str, ...]) -> tuple[str, ...]:
    return (*(each + hour for each in written for hour in _HOURS), *written)


def _first_and_longest(place: tuple[int, str, tuple[Placeholder, ...]]) -> tuple[int, int]:
    """Return by what places are sorted."""
    return place[0], -len(place[1])


def _others(kind: str, typed: str, there: str, text: str, source: str, target: str) -> Iterator[Placeholder]:
    """Yield what may stand in: for a person first a woman, if a woman is spoken of; for a place one of its kind."""
    rows = ROWS[_asked(kind, source, target)]
    if kind == "person" and _WOMAN.search(text):
        rows = (rows[1], rows[0], *rows[2:])
    if kind == "surname" and target == "zh":
        rows = rows[::-1]  # Chinese copies the short one best
    french = typed if source == "fr" else there if target == "fr" else "c"
    if kind.startswith(("country", "river")) and french.startswith(_VOWELS):
        return  # another article is due: no place that stands in begins so
    for row in rows:
        forms = dict(zip(LANGUAGES, (each.replace("_", " ").split("/") for each in row.split(" ")), strict=True))
        read = forms[source][0]
        yield Placeholder(typed, there, read, tuple(dict.fromkeys((*forms[target], *(read,) * read.isascii()))))


def _asked(kind: str, source: str, target: str) -> str:
    """Return which rows stand in for a place: what is asked is the gender in French, or the article in German."""
    if kind in ("city", "island"):
        return "place"
    kind, *genders = kind.split(" ")
    if not genders or kind not in ("country", "river"):
        return kind
    gender = genders[0] if "de" not in (source, target) else genders[-1]
    rows = f"{kind} {gender}"
    return rows if rows in ROWS else f"{kind} f"


def _holds(text: str, other: Placeholder) -> bool:
    """Return whether a text holds elsewhere what is to be read or written."""
    elsewhere = text.replace(other.typed, "")
    return other.source_form in elsewhere or any(word in elsewhere for word in other.target_forms)


def _alone(form: str) -> str:
    """Return a pattern of a form that is no part of a longer word or number; a name may have an s."""
    if form[0].isdigit():
        return rf"(?<!\d)(?<!\d[.,]){form}(?!\d|[.,]\d)"
    return rf"(?<![{LETTERS}]){form}(?=s?(?![{LETTERS}]))" if re.match(f"[{LETTERS}]", form) else form


def _unelided(text: str, placeholders: Iterable[Placeholder]) -> str:
    """Write French words in full before a name that begins with a consonant, as every one that stands in does."""
    names = "|".join(each.source_form for each in placeholders)
    return re.sub(rf"\b(d|qu)'(?=(?:{names})\b)", r"\1e ", text, flags=re.IGNORECASE) if names else text


def _elided(before: str | None, name: str) -> str:
    """Write *de* or *que*, of which all but the last letter is given, before a name."""
    if not before:
        return name
    return f"{before}'{name}" if name.startswith(_VOWELS) else f"{before}e {name}"
