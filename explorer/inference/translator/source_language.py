"""Whether a text is written in the language that a translator reads: its letters, and words that the language has."""

import re

from explorer.data.parallel.known_words import WORD, is_known

#: A text is told by at least so many words, of which at least such a share is to be known.
FEWEST, SHARE = 2, 0.6
#: By how much more of its words another language has to know.
AHEAD = 0.1
#: Languages that are written in Latin letters and whose words were counted.
LATIN = ("en", "fr", "de")
_HAN = re.compile(r"[一-鿿]")


def language_of(text: str, expected: str) -> str:
    """Return the language in which a text seems to be written: `expected` where nothing speaks against it.

    A name, a number or a single word says too little. A word that two languages share speaks for neither.

    Returns:
        A code; empty where the text is in none of the languages whose words were counted.
    """
    letters = [letter for letter in text if letter.isalpha()]
    han, latin = len(_HAN.findall(text)), sum(map(len, WORD.findall(text)))
    if not letters:
        return expected
    if 2 * han > len(letters):
        return "zh"
    if 2 * latin < len(letters):
        return ""
    words = [word.lower() for word in WORD.findall(text) if not (word[0].isupper() and _is_inside(text, word))]
    if expected == "zh":
        return _best(words)[0] if len(words) >= FEWEST else expected
    if len(words) < FEWEST:
        return expected
    best, most = _best(words)
    own = _share(words, expected)
    if best != expected and most >= SHARE and most - own >= AHEAD:
        return best
    return expected if own >= SHARE else ""


def _is_inside(text: str, word: str) -> bool:
    """Return whether a word with a capital stands inside the text, where it may be a name."""
    return not text.lstrip(" \"'“„«‘(¿¡-").startswith(word)


def _best(words: list[str]) -> tuple[str, float]:
    shares = {language: _share(words, language) for language in LATIN}
    best = max(shares, key=lambda language: shares[language])
    return best, shares[best]


def _share(words: list[str], language: str) -> float:
    return sum(is_known(word, language) or is_known(word.capitalize(), language) for word in words) / len(words)
