"""Put what comes in into the form that translators were trained on, and say what was changed."""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from explorer.data.sentences import STARTERS

#: What can be changed: ALL CAPS into sentence case; traditional characters into simplified ones; the sign between
#: thousands; quotation marks and apostrophes into plain ones; full-width letters and digits into plain ones; white
#: space and what cannot be seen.
Change = Literal["capitals", "traditional", "thousands", "quotes", "width", "spaces"]
#: Typographic characters for which the training data has plain ones.
PLAIN = str.maketrans({"‘": "'", "’": "'", "‚": "'", "“": '"', "”": '"', "„": '"'})
_WIDE_CODES = (*range(0xFF10, 0xFF1A), *range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B))
WIDE = str.maketrans({code: code - 0xFEE0 for code in _WIDE_CODES})
#: What a language writes between thousands.
THOUSANDS = {"en": ",", "fr": " ", "de": ".", "zh": ","}
#: A whole number in groups that another language or an office set apart; a plain space may stand between two numbers.
_GROUPED = re.compile(r"(?<![\d.,])\d{1,3}(?:(?P<sign>['\u2019\u00a0\u2009\u202f])\d{3})(?:(?P=sign)\d{3})*(?!\d)")
_WORD = re.compile(r"[^\W\d_]+")
#: Words that so often begin a sentence that a capital is usual, although they are no names.
_SMALL = STARTERS | {"please"}
#: So many letters at least make a text ALL CAPS, not an abbreviation.
FEWEST_CAPITALS = 4

#: The rarer a word, the larger.
Rarity = Callable[[str], Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Normalised:
    """A text as a translator reads it.

    Attributes:
        text: in the form of the training data.
        changes: what was changed, in a fixed order.
    """

    text: str
    changes: tuple[Change, ...]

    def restored(self, translation: str) -> str:
        """Return a translation in the form of what was typed: in capitals if that was."""
        return translation.upper() if "capitals" in self.changes else translation


def normalise(text: str, language: str, rarity: Rarity = len) -> Normalised:
    """Put a text into the form of the training data.

    Args:
        language: of the text, its ISO 639-1 code; empty if it is not known.
        rarity: of a word: of the ways to write a word of a text in capitals, the least rare is the usual one.
    """
    found: list[Change] = []

    def step(change: Change, after: str) -> str:
        if after != before[-1]:
            found.append(change)
        before.append(after)
        return after

    before = [text]
    step("thousands", _GROUPED.sub(lambda number: _regrouped(number, language), text))
    step("quotes", before[-1].translate(PLAIN))
    step("width", before[-1].translate(WIDE))
    step("spaces", visible(before[-1]))
    if language == "zh":
        step("traditional", simplify(before[-1]))
    if is_capitals(before[-1]):
        step("capitals", sentence_case(before[-1], language, rarity))
    return Normalised(text=before[-1], changes=tuple(found))


def is_capitals(text: str) -> bool:
    """Return whether a text is in ALL CAPS; letters without case count for nothing."""
    letters = [char for char in text if char.isalpha() and char.lower() != char.upper()]
    return len(letters) >= FEWEST_CAPITALS and not any(char.islower() for char in letters if char != "ß")


def sentence_case(text: str, language: str, rarity: Rarity) -> str:
    """Return a text in ALL CAPS as it is usually written: each word in small letters, with one capital, or in capitals.

    Of the three, the least rare is taken; the first of equals.
    """

    def usual(word: re.Match[str]) -> str:
        if language == "en" and word[0] == "I":
            return "I"
        if word[0].lower() in _SMALL:
            return word[0].lower()
        return min((word[0].lower(), word[0].capitalize(), word[0]), key=rarity)

    lowered = _WORD.sub(usual, text)
    first = next((place for place, char in enumerate(lowered) if char.isalpha()), 0)
    return lowered[:first] + lowered[first : first + 1].upper() + lowered[first + 1 :]


def _regrouped(number: re.Match[str], language: str) -> str:
    return number[0].replace(number["sign"], THOUSANDS[language]) if language in THOUSANDS else number[0]


def visible(text: str) -> str:
    """Return NFC without control, zero-width, bidirectional and surrogate characters, all white space one space."""
    spaced = "".join(" " if char.isspace() else char for char in text)
    seen = "".join(char for char in spaced if unicodedata.category(char) not in ("Cc", "Cf", "Cs"))
    return " ".join(unicodedata.normalize("NFC", seen).split())


def simplify(text: str) -> str:
    """Return a Chinese text in simplified characters."""
    return _simplifier()(text)


@cache
def _simplifier() -> Callable[[str], str]:
    import opencc  # takes a while, and only Chinese needs it

    convert: Callable[[str], str] = opencc.OpenCC("t2s").convert
    return convert
