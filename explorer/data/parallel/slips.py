"""Slips of a typist: no apostrophe in a contraction, no accent on a letter, one edit away from a known word.

Only words that no translator has read are slips, and none that may be a name.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from explorer.data.parallel.known_words import begins, is_known, load_known_words
from explorer.data.parallel.normalisation import Rarity
from explorer.data.parallel.unknown_names import LETTERS, first_names, is_derived, is_verb, runs

_WORD = re.compile(rf"(?<![{LETTERS}\d'’_-])[{LETTERS}]+(?:'[{LETTERS}]+)?(?![{LETTERS}\d'’_-])")
#: English contractions that are no other word.
_ENGLISH = (
    "can't don't doesn't didn't isn't aren't wasn't weren't hasn't haven't hadn't wouldn't couldn't shouldn't mustn't"
    " needn't won't I'm I've you're you've they're they've we've that's what's where's who's how's here's there's"
    " you'll they'll it'll he's she's"
)
#: What is read in the place of a word or two, by language, where words before and behind tell.
_PHRASES: Mapping[str, tuple[tuple[re.Pattern[str], str], ...]] = {
    "en": (
        (re.compile(r"(?<![\w.'])i(?=\s|'(?:m|ve|ll|d)\b|$)"), "I"),
        (re.compile(r"\bteh\b", re.I), "the"),
        (re.compile(r"\bits(?= (?:an?|the|not|so|too|been|going|raining|snowing|ok|okay|my|your)\b)", re.I), "it's"),
        (
            re.compile(r"^lets(?= (?:go|eat|play|see|do|start|get|have|talk|meet|take|make|try|not|be|dance)\b)", re.I),
            "let's",
        ),
    ),
    "fr": (
        (re.compile(r"\bsil (?:vous|te) pla[iî]t\b", re.I), "s'il vous plaît"),
        (re.compile(r"\bquest-ce\b", re.I), "qu'est-ce"),
        (re.compile(r"\bca\b", re.I), "ça"),
        (re.compile(r"\baujourdhui\b", re.I), "aujourd'hui"),
    ),
}
#: French words that lose their last letter before a vowel.
_ELIDED = re.compile(
    r"(?P<before>qu|jusqu|lorsqu|puisqu|[djl]|[mst](?=aime|aide|appelle|attend|entend|excuse|inquiète|était|avez)"
    r"|c(?=est$|étai)|n(?=ai$|as$|est$|avai|avons$|avez$|ont$|étai|aime|arriv|oubli|hésit|import))"
    r"(?P<rest>ai|[aeiouyhàâéèêëîïôùûœ]..+)"
)
#: How a French verb or adjective ends: with or without an accent it is another form.
_FORM = re.compile("[eé]+s?$")
_UMLAUTS = (("ae", "ä"), ("oe", "ö"), ("ue", "ü"), ("ss", "ß"))
#: Letters of a word that may be a slip; of one with a capital, which may be a name.
_SHORTEST, _SHORTEST_CAPITAL = 4, 7
#: Letters at least of a word in which one is to be doubled; is missing, or is too many: French and German have more
#: forms that look like a slip of another.
_SHORTEST_DOUBLE = 5
_SHORTEST_MISSING, _SHORTEST_TOO_MANY = {"en": 6, "fr": 9, "de": 8}, {"en": 8, "fr": 99, "de": 10}
_ALPHABET = "abcdefghijklmnopqrstuvwxyzàâäçéèêëîïôöùûüßœ"


class Slip(NamedTuple):
    """A slip as it was typed, where it begins, and what is read for it."""

    typed: str
    start: int
    read: str


def correct(text: str, language: str, rarity: Rarity) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return a sentence without its slips, and what is read for what.

    Args:
        rarity: of a word: of several that may be meant, the least rare is.
    """
    parts, end, found = [], 0, []
    for slip in sorted(_slips(text, language, rarity), key=lambda each: (each.start, -len(each.typed))):
        if slip.start >= end:
            parts += [text[end : slip.start], slip.read]
            end = slip.start + len(slip.typed)
            found.append((slip.typed, slip.read))
    return "".join((*parts, text[end:])), tuple(dict.fromkeys(found))


def _slips(text: str, language: str, rarity: Rarity) -> Iterator[Slip]:
    for pattern, read in _PHRASES.get(language, ()):
        for found in pattern.finditer(text):
            yield Slip(found[0], found.start(), _like(found[0], read))
    if not load_known_words(language) or language == "zh":
        return
    names = {place for run in runs(text, language) if len(run) > 1 or run[0].titled for place, *_ in run}
    for found in _WORD.finditer(text):
        if found.start() not in names and (read := _meant(text, found, language, rarity)):
            yield Slip(found[0], found.start(), _like(found[0], read))


def _meant(text: str, found: re.Match[str], language: str, rarity: Rarity) -> str:
    """Return the word that is most likely meant; nothing where the word is no slip."""
    typed, word = found[0], found[0].lower()
    if language == "en" and word in _contractions():
        return _contractions()[word]
    capital = not typed.islower()
    may_be_name = capital and (language == "de" or not begins(text, found.start()))
    if is_known(typed, language) or "'" in typed or not (typed.islower() or typed.istitle()) or typed in first_names():
        return ""
    if may_be_name and language != "de":
        return ""
    if written := _rewritten(typed, word, language):
        return written
    if len(word) < (_SHORTEST_CAPITAL if capital else _SHORTEST) or _is_formed(typed, language):
        return ""
    nouns = language == "de" and capital and not begins(text, found.start())
    near = [
        (rank, each) for rank, each in _near(typed if nouns else word, language) if each in load_known_words(language)
    ]
    best = min(near, key=lambda each: (each[0], rarity(each[1])), default=None)
    if best and rarity(best[1]) < rarity(typed):
        return best[1]
    elided = _ELIDED.fullmatch(word) if language == "fr" else None
    accented = _accented(elided["rest"]) if elided else ""
    return f"{elided['before']}'{accented}" if elided and accented else ""


def _rewritten(typed: str, word: str, language: str) -> str:
    """Return a word with its accents, its umlauts or its apostrophe."""
    if language == "fr":
        elided = _ELIDED.fullmatch(word)
        known_rest = elided and elided["rest"] in load_known_words("fr")
        return _accented(word) or (f"{elided['before']}'{elided['rest']}" if elided and known_rest else "")
    if language == "de":
        for plain, umlaut in _UMLAUTS:
            for form in (word.replace(plain, umlaut), typed.replace(plain, umlaut)):
                if form not in (word, typed) and form in load_known_words("de"):
                    return form
    return ""


def _accented(word: str) -> str:
    """Return the one known French word that only has more accents, but not another form of the same."""
    found = [
        each
        for each in _with_accents().get(_bare(word), ())
        if _FORM.sub("", each) != _FORM.sub("", word)
        and all(old in (new, _bare(new)) for old, new in zip(word, each, strict=True))
    ]
    return found[0] if len(found) == 1 else ""


def _is_formed(word: str, language: str) -> bool:
    """Return whether an unknown word is a form of a known one, or put together from two."""
    if language == "de":
        return is_derived(word)
    if language == "fr" and is_verb(word.lower()):
        return True
    cuts = [(word[:place].lower(), word[place:].lower()) for place in range(3, len(word) - 2)]
    return any(is_known(first, language) and is_known(second, language) for first, second in cuts)


def _near(word: str, language: str) -> Iterator[tuple[int, str]]:
    """Yield words one slip away, with a rank: neighbours swapped, or a letter doubled or not, are the likeliest.

    The first letter stays, and so do the last two unless they are swapped: another ending is another form, not a slip.
    A longer word has fewer neighbours that are other words: only there a letter is missing, or there is one too many.
    """
    n, missing, too_many = len(word), _SHORTEST_MISSING[language], _SHORTEST_TOO_MANY[language]
    for place in range(1, n - 1):
        yield 0, word[:place] + word[place + 1] + word[place] + word[place + 2 :]
    for place in range(1, n - 1):
        for letter in _ALPHABET:
            double = letter in (word[place - 1], word[place])
            if n >= (_SHORTEST_DOUBLE if double else missing):
                yield (0 if double else 1), word[:place] + letter + word[place:]
    for place in range(1, n - 2):
        double = word[place] in (word[place - 1], word[place + 1])
        if n >= (missing if double else too_many):
            yield (0 if double else 1), word[:place] + word[place + 1 :]


def _like(typed: str, read: str) -> str:
    """Return a word with a capital where one was typed."""
    return read[:1].upper() + read[1:] if typed[:1].isupper() else read


@cache
def _contractions() -> Mapping[str, str]:
    return {each.replace("'", "").lower(): each for each in _ENGLISH.split(" ")}


@cache
def _with_accents() -> Mapping[str, tuple[str, ...]]:
    """Return the known French words with accents, by how they look without."""
    found: defaultdict[str, tuple[str, ...]] = defaultdict(tuple)
    for word in sorted(load_known_words("fr")):
        if word.islower() and _bare(word) != word:
            found[_bare(word)] += (word,)
    return found


def _bare(word: str) -> str:
    """Return a word without accents."""
    return "".join(char for char in unicodedata.normalize("NFD", word) if not unicodedata.combining(char))
