"""A sentence far longer than those of the training data, cut at its clauses, and their translations joined again."""

import re
from collections.abc import Callable

from explorer.data.parallel.known_words import load_known_words
from explorer.data.parallel.unknown_names import CALENDAR, first_names
from explorer.data.sentences import STARTERS

#: Where a clause may end, the best first: a semicolon, colon or dash; a comma.
_ENDS = (re.compile(r"[;:；：]\s*|\s[–—-]\s|——"), re.compile(r",\s+|，"))
#: Marks behind a clause in Latin text, and in Chinese.
_MARKS = dict(zip(",;:", "，；：", strict=True))
#: Words that keep their capital inside a sentence, although most often they begin one.
_CAPITAL = frozenset(("I", "Sie", "Ihr", "Ihnen"))
#: German words that begin a clause, and are no nouns.
_CONNECTIVES = frozenset(
    ("und", "aber", "oder", "denn", "weil", "dass", "wenn", "als", "da", "obwohl", "während", "damit", "wie", "im")
)
_FIRST = re.compile(r"[^\W\d_]+")
#: No part is shorter than this share of the whole.
SHORTEST = 0.2


def cut(sentence: str, longest: int, count: Callable[[str], int]) -> tuple[str, ...]:
    """Return parts of a sentence, each at most `longest` if its marks allow; nothing but white space is lost.

    Args:
        longest: that a part may be, as `count` counts; a shorter sentence is left alone.
        count: of a text.
    """
    if count(sentence) <= longest:
        return (sentence,)
    for ends in _ENDS:
        places = [found.end() for found in ends.finditer(sentence)]
        inside = [place for place in places if SHORTEST <= place / len(sentence) <= 1 - SHORTEST]
        if inside:
            middle = min(inside, key=lambda place: abs(place - len(sentence) / 2))
            halves = sentence[:middle].strip(), sentence[middle:].strip()
            return tuple(part for half in halves for part in cut(half, longest, count))
    return (sentence,)


def joint(clause: str, source: str, language: str) -> str:
    """Return a translated clause with the mark of its source, where the translator has ended a sentence.

    Args:
        source: the clause that was read.
        language: of the translation.
    """
    mark = {wide: narrow for narrow, wide in _MARKS.items()}.get(source[-1:], source[-1:])
    bare = clause.rstrip(" .。,，;；:：")
    if mark not in _MARKS or not bare or bare[-1] in "!?！？…":
        return clause
    if language == "zh":
        return bare + _MARKS[mark]
    return f"{bare} {mark}" if language == "fr" and mark != "," else bare + mark


def continue_sentence(clause: str, language: str) -> str:
    """Return a translated clause as it is written inside a sentence: with a capital only if it begins with a name."""
    found = _FIRST.match(clause)
    if found is None or found[0] in _CAPITAL or not found[0].istitle():
        return clause
    word = found[0].lower()
    is_noun = language == "de" and found[0] in load_known_words(language)
    name = is_noun or found[0] in first_names() or found[0] in CALENDAR
    small = word in STARTERS | _CONNECTIVES or (word in load_known_words(language) and not name)
    return word + clause[found.end() :] if small else clause
