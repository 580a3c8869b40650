"""Names in a sentence that a translator has hardly ever read."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

from explorer.data.parallel.dates import MONTHS, WEEKDAYS
from explorer.data.parallel.known_words import begins, is_known, load_known_words

#: Of what.
Kind = Literal["person", "surname", "place", "mountain"]
#: Latin letters, for a class of characters.
LETTERS = "A-Za-zÀ-ÖØ-öø-ɏḀ-ỿ"
_CAMEL = re.compile(r"(?!Mac|Mc)[^-]*[a-zß-öø-ÿ][A-Z]")
#: Months and weekdays.
CALENDAR = frozenset(" ".join((*MONTHS, *WEEKDAYS)).split())
_CAPITALS = "".join(char for char in map(chr, (*range(0x41, 0x250), *range(0x1E00, 0x1F00))) if char.isupper())
_PARTICLES = r"(?:(?:van|von|de|di|da|del|della|dos|bin|ibn|al|el|ten|ter)(?: (?:den|der|de|la|le|las|los))? )"
#: A word with a capital, and all that follow it and may belong to the same name.
_WORD = rf"(?:[OD]')?[{_CAPITALS}][{LETTERS}]*(?:-[{_CAPITALS}][{LETTERS}]*)*(?!-?[{LETTERS}])"
_CHAIN = re.compile(rf"(?<![{LETTERS}-]){_WORD}(?: {_PARTICLES}?{_WORD})*")
_PART = re.compile(rf"({_PARTICLES}?)({_WORD})")
_LEADING = re.compile(rf"(?:^|(?<=[^{LETTERS}-])){_PARTICLES}$")
_LOOK_BACK = 40
#: What stands before a name, whatever it is.
_TITLES = (
    "mr mrs ms mx messrs dr prof miss sir lord lady madam doctor captain professor m mme mlle monsieur madame"
    " mademoiselle docteur professeur professeure capitaine maître famille hr herr herrn frau fräulein doktor"
    " professorin kapitän familie"
)
_IS_TITLE = frozenset(_TITLES.split())
_LAST_WORD = re.compile(rf"(?<![{LETTERS}])([{LETTERS}]+)\.? $")
#: What stands before a German family, the Xs.
_FAMILY = re.compile(r"\b(?:den|die) $", re.IGNORECASE)
#: What stands before a German noun, and hardly ever before a name.
_NOUN_BEFORE = re.compile(
    r"\b(?:d(?:er|ie|as|en|em|es)|(?:ei|mei|dei|sei|kei)n(?:e[mnrs]?)?|(?:ihr|unser|euer|eur|dies|jed)(?:e[mnrs]?)?"
    r"|im|am|zum|zur|beim|ins|vom) $",
    re.IGNORECASE,
)
_GIVE = (
    r"\b(?:donn|vend|di[rst]|parl|men[ts]|demand|écri|montr|prêt|téléphon|offr|envo|répond|racont|expliqu|pla[iî]"
    r"|manqu|ressembl|pens|confi|présent|prom|rend|apparten|appartien|murmur|chuchot)"
)
#: What stands before a place, or behind it.
_PLACE_BEFORE = {
    "en": re.compile(r"\b(?:in|near|around|outside|via) $", re.IGNORECASE),
    "fr": re.compile(rf"^(?!.*{_GIVE}).*\bà $|\bprès d(?:e |')$", re.IGNORECASE),
    "de": re.compile(r"\b(?:in|nach|aus) $", re.IGNORECASE),
    "zh": re.compile("(?:在|去|来自|从|(?:来|飞|搬|回)到)$"),
}
#: What stands before an English mountain.
_MOUNTAIN_BEFORE = re.compile(r"\b(?:Mt\.?|Mount) $")
_PLACE_AFTER = re.compile("附近|市")
_COMPOUND_JOINTS = ("", "s", "n", "en", "es", "er", "e")
_ENDINGS = ("s", "es", "n", "en", "e", "er", "in", "innen", "chen", "lein")
#: A French verb may begin a sentence with the first (“Célébrons.”); a form of it that is known ends in the others.
_FRENCH_FIRST, _FRENCH_FORMS = ("ons", "ez", "ant"), ("", "e", "er", "é", "ent", "ait", "ir", "oir", "re")
_SHORTEST_PART, _SHORTEST_STEM, _LONG_PART, _LONGEST_WORD = 3, 4, 5, 40


class UnknownName(NamedTuple):
    """A name, where it begins, and of what it is."""

    text: str
    start: int
    kind: Kind


def unknown_names(text: str, language: str) -> Iterator[UnknownName]:
    """Yield the names of a sentence that hold an unknown word."""
    for run in runs(text, language):
        if any(word.unknown for word in run):
            yield _named(text, run[0].start, run[-1].end, language)


class Word(NamedTuple):
    """A word with a capital, in a run of those that may be one name."""

    start: int
    end: int
    unknown: bool
    titled: bool


def runs(text: str, language: str) -> Iterator[list[Word]]:
    """Yield words that may be one name: unknown ones, names that translators know, and what follows a title.

    Behind a first name any word with a capital is a last name, in German behind two: Johann Sebastian *Bach*.
    """
    for chain in _CHAIN.finditer(text):
        run: list[Word] = []
        parts = list(_PART.finditer(chain[0]))
        for part in parts:
            start, end = chain.start() + part.start(2), chain.start() + part.end(2)
            titled = is_titled(text[max(0, start - _LOOK_BACK) : start])
            word = Word(start, end, is_unknown(text, start, end, language), titled)
            typed = text[start:end]
            last = len(run) >= (2 if language == "de" else 1) and typed not in CALENDAR
            last = last and all(text[each.start : each.end] in first_names() for each in run)
            known_name = (titled or last or _may_belong(typed, language)) and typed.lower() not in _IS_TITLE
            alone = (
                part is parts[-1] and not run and typed.lower() in load_known_words(language) and begins(text, start)
            )
            if word.unknown or (known_name and not alone):
                run.append(word)
            elif run:
                yield run
                run = []
        if run:
            yield run


def is_unknown(text: str, start: int, end: int, language: str) -> bool:
    """Return whether a word with a capital is a name that was hardly ever read."""
    word, before = text[start:end], text[max(0, start - _LOOK_BACK) : start]
    if (
        (word.isupper() and len(word) > 1)
        or len(word) > _LONGEST_WORD
        or word.lower() in _IS_TITLE
        or _CAMEL.match(word)
    ):
        return False
    parts = [part for part in re.split("[-']", word) if len(part) > 1]
    if is_titled(before):
        return any(part not in load_known_words(language) for part in parts)
    new = [part for part in parts if not is_known(part, language)]
    if language == "de" and not (word.endswith("s") and _FAMILY.search(before)):
        new = [part for part in new if not (_NOUN_BEFORE.search(before) or is_derived(part))]
    if language == "de" or begins(text, start):
        new = [part for part in new if not _is_misspelt(part.lower(), language)]
    if language == "fr" and begins(text, start):
        new = [part for part in new if not is_verb(part.lower())]
    return bool(new)


def is_titled(before: str) -> bool:
    """Return whether what stands before a word ends in a title."""
    last = _LAST_WORD.search(before)
    return last is not None and last[1].lower() in _IS_TITLE


def _named(text: str, start: int, end: int, language: str) -> UnknownName:
    """Return a name with what leads it in, without the ending of a German genitive, and of what it is."""
    before, after = text[max(0, start - _LOOK_BACK) : start], text[end : end + _LOOK_BACK]
    leading = _LEADING.search(before)
    if leading and (language == "zh" or is_titled(before[: leading.start()])):
        start, before = start - len(leading[0]), before[: leading.start()]
    if language == "de" and text[start:end].endswith("s") and re.match(rf" [{_CAPITALS}]", after):
        end -= 1
    if language == "en" and _MOUNTAIN_BEFORE.search(before):
        return UnknownName(text[start:end], start, "mountain")
    if is_titled(before):
        return UnknownName(text[start:end], start, "surname")
    place = _PLACE_BEFORE[language].search(before) or _PLACE_AFTER.match(after)
    return UnknownName(text[start:end], start, "place" if place else "person")


def is_derived(word: str) -> bool:
    """Return whether a German word is put together from known ones, or a form of one."""
    forms = (word, *(word.removesuffix(ending) for ending in _ENDINGS if word.endswith(ending)))
    return any(is_known(form, "de") or _is_compound(form) for form in forms)


def is_verb(word: str) -> bool:
    """Return whether a French word that begins a sentence is a form of a known verb."""
    stems = (word.removesuffix(ending) for ending in _FRENCH_FIRST if word.endswith(ending))
    return any(
        len(stem) >= _SHORTEST_STEM and stem + form in load_known_words("fr")
        for stem in stems
        for form in _FRENCH_FORMS
    )


def _is_compound(word: str) -> bool:
    """Return whether a word ends in a long noun, or is two known words."""
    for cut in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1):
        noun = word[cut:].capitalize()
        if noun in load_known_words("de") and noun not in load_known_words("en") and len(noun) >= _LONG_PART:
            return True
        if noun in load_known_words("de") or word[cut:] in load_known_words("de"):
            lefts = (word[:cut].removesuffix(joint) for joint in _COMPOUND_JOINTS if word[:cut].endswith(joint))
            if any(len(left) >= _SHORTEST_PART and is_known(left, "de") for left in lefts):
                return True
    return False


def _is_misspelt(word: str, language: str) -> bool:
    """Return whether a known word is one letter away: left out, put in, changed, or two of them swapped."""
    words = load_known_words(language)
    cuts = [(word[:place], word[place:]) for place in range(len(word) + 1)]
    letters = "abcdefghijklmnopqrstuvwxyzàâäçéèêëîïôöùûüß"
    return any(
        left + new + right[gone:] in words for left, right in cuts for gone in (0, 1) for new in ("", *letters)
    ) or any(left[:-1] + right[:1] + left[-1:] + right[1:] in words for left, right in cuts)


def _may_belong(word: str, language: str) -> bool:
    """Return whether a word beside a name may be part of it: an unknown one, or a name that translators know."""
    parts = [part for part in re.split("[-']", word) if len(part) > 1]
    new = any(not is_known(part, language) for part in parts) and word.lower() not in _IS_TITLE
    return new or word in first_names() or all(is_name(part, language) for part in parts)


def is_name(word: str, language: str) -> bool:
    """Return whether a word is a known name: a listed one, or one that is never written in small letters.

    Where nouns have capitals, in German, English must write it so, too.
    """
    where = {language, "en"} if language == "de" else {language}
    capital = all(word in load_known_words(each) and word.lower() not in load_known_words(each) for each in where)
    return word in _listed() or (capital and word not in CALENDAR)


@cache
def _listed() -> frozenset[str]:
    """Read first and last names that every translator has often read."""
    lines = (Path(__file__).parent / "names.tsv").read_text(encoding="utf-8").splitlines()
    words = dict(line.split("\t") for line in lines)
    return frozenset((words["first"] + " " + words["last"]).split())


@cache
def first_names() -> frozenset[str]:
    """Read first names that English, French and German texts hold: our own list."""
    return frozenset((Path(__file__).parent / "given_names.txt").read_text(encoding="utf-8").split())
