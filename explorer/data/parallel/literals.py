"""Find what a translation copies letter by letter: addresses, placeholders, code, file names, emoji, sums, and more."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from explorer.data.parallel.clock import times
from explorer.data.parallel.known_words import is_known
from explorer.data.parallel.literal_patterns import COMMON_WORD, Kind, is_grouped_number, patterns

#: Signs that stand for what is copied, in a plane of Unicode that is kept for private use.
FIRST_SIGN, LAST_SIGN = 0xF0000, 0xFFFFD
SIGN = f"[{chr(FIRST_SIGN)}-{chr(LAST_SIGN)}]"
_KINDS: dict[str, Kind] = {"P": "place", "W": "person", "N": "number", "M": "mark", "T": "tag"}
#: Patterns behind which marks of the sentence may stand.
_MAY_END = ("url", "ip", "path", "token", "dotted", "file", "email")
#: Kinds that may hang together, and by what.
_HANG, _GLUE = ("place", "person", "number"), re.compile(r"[/:._%+=~|&@#\\-]{0,2}")
_TRAILING = ".,;:!?'\"»”’)]}>*…"
_PAIRS = {")": "(", "]": "[", "}": "{", ">": "<"}
_SECRET_SIGNS = frozenset("#$%&*@!^~+=|_?;")
_PLAIN_TOKEN = re.compile(r"\d{1,2}h\d{2}(?:min)?|(?:\d+(?:st|nd|rd|th|er|e|km|kg|cm|mm|ml|min))", re.IGNORECASE)
_LETTERS = re.compile(r"[A-Za-z]+")
#: Letters in a row that make a part of a word with hyphens a word, and changes of kind that make a token a secret.
_WORD_LETTERS, _FEWEST_CHANGES, _SHORTEST_SECRET = 4, 3, 6


class Literal(NamedTuple):
    """A piece of a text that is copied.

    Attributes:
        typed: as it came in.
        there: as it goes out: the same, but for the time of a day.
        kind: what may be read for it; a `mark` is read as nothing.
    """

    typed: str
    there: str
    kind: Kind


def mark_literals(text: str, source: str, target: str) -> tuple[str, Mapping[str, Literal]]:
    """Return a text with a sign for each piece that is copied, and what each sign stands for.

    Nothing of a piece can be normalised, cut or translated, as long as a sign stands for it.
    """
    signs: dict[Literal, str] = {}
    parts, end = [], 0
    for start, each in _joined(text, _found(text, source, target)):
        if len(signs) > LAST_SIGN - FIRST_SIGN:
            break
        sign = signs.setdefault(each, chr(FIRST_SIGN + len(signs)))
        parts += [text[end:start], sign]
        end = start + len(each.typed)
    return "".join((*parts, text[end:])), {sign: each for each, sign in signs.items()}


def restore_literals(text: str, literals: Mapping[str, Literal], language: str = "") -> str:
    """Return a text with what signs stand for in their places; in Chinese with a space beside addresses and code."""
    if language == "zh":
        spaced = "".join(sign for sign, each in literals.items() if each.kind in _HANG)
        if spaced:
            text = re.sub(rf"(?<=[\u3400-\u9fff])(?=[{spaced}])|(?<=[{spaced}])(?=[\u3400-\u9fff])", " ", text)
    return re.sub(SIGN, lambda sign: literals[sign[0]].there if sign[0] in literals else sign[0], text)


def _joined(text: str, found: Iterable[tuple[int, Literal]]) -> Iterator[tuple[int, Literal]]:
    """Yield what is copied, no two of them in one place, and as one what hangs together: `%d:%d`."""
    begin, last = 0, Literal("", "", "mark")
    for start, each in found:
        end = begin + len(last.typed)
        if start < end:
            continue
        if last.kind in _HANG and each.kind in _HANG and _GLUE.fullmatch(text[end:start]):
            typed = text[begin : start + len(each.typed)]
            last = Literal(typed, typed, last.kind)
            continue
        if last.typed:
            yield begin, last
        begin, last = start, each
    if last.typed:
        yield begin, last


def _found(text: str, source: str, target: str) -> Iterator[tuple[int, Literal]]:
    """Yield what is copied, in order; what begins at the same place, the longest first."""
    found = [(start, Literal(text[start:end], text[start:end], kind)) for start, end, kind in _spans(text, source)]
    found += [(each.start, Literal(each.typed, each.there, "time")) for each in times(text, source, target)]
    yield from sorted(found, key=lambda each: (each[0], -len(each[1].typed)))


def _spans(text: str, language: str) -> Iterator[tuple[int, int, Kind]]:
    """Yield begin, end and kind of what looks like something that is copied."""
    place = floor = 0
    while match := patterns(language).search(text, place):
        name, (start, end) = match.lastgroup or "", match.span()
        if name.startswith(_MAY_END):
            end = start + len(_trimmed(match[0], keep=name.startswith("token")))
        if name.startswith(("sum", "equation")):
            start, end = _balanced(match[0], start)
        place = start + 1
        if end > start and _is_copied(name, text[start:end], language):
            if name.startswith("slot"):
                start, end = _whole(text, start, end, language, floor)
            place = floor = end
            yield start, end, _KINDS[name[-1]]


def _is_copied(name: str, found: str, language: str) -> bool:
    """Return whether a find that may be common words is none of them."""
    if name.startswith("token"):
        return _is_secret(found)
    if name.startswith(("dotted", "file")) and COMMON_WORD.fullmatch(found):
        return False
    if name.startswith("dotted"):
        parts = found.split(".")
        return (len(parts) > 2 and found.islower()) or not all(is_known(part, language) for part in parts)
    if name.startswith("path_relative"):
        parts = [part for part in found.split("/") if part]
        return bool(_LETTERS.search(found)) and not all(len(part) < 2 or is_known(part, language) for part in parts)
    return not (name.startswith("version") and is_grouped_number(found, language))


def _trimmed(found: str, *, keep: bool) -> str:
    """Return a find without the marks behind it that belong to the sentence; a password keeps its !."""
    while found and found[-1] in _TRAILING and not (keep and found[-1] in "!*"):
        opening = _PAIRS.get(found[-1])
        if opening and found.count(opening) >= found.count(found[-1]):
            break
        found = found[:-1]
    return found


def _balanced(found: str, start: int) -> tuple[int, int]:
    """Return begin and end of a sum without a bracket around it of which only one belongs to it."""
    bare = found.removesuffix(")") if found.count("(") < found.count(")") else found
    inner = bare.removeprefix("(") if bare.count("(") > bare.count(")") else bare
    if re.fullmatch(r"\([^()]*\)", inner):
        return start + len(bare) - len(inner) + 1, start + len(bare) - 1
    return start + len(bare) - len(inner), start + len(bare)


def _is_secret(token: str) -> bool:
    """Return whether a token looks like a password, a key or a number of an order, and like no word."""
    if _PLAIN_TOKEN.fullmatch(token):
        return False
    letters = any(char.isalpha() for char in token)
    digits = any(char.isdigit() for char in token)
    inside = any(char in _SECRET_SIGNS for char in token[1:-1])
    if letters and inside and (digits or re.search(r"[A-Za-z][#$%*^~@!=|?]+[A-Za-z]", token)):
        return True
    if token[0].isalpha() and digits and token.rstrip("!*").isalnum():
        return True
    if any(len(part) >= _WORD_LETTERS and part.isalpha() for part in re.split("[-_]", token)):
        return False
    kinds = ["digit" if char.isdigit() else "upper" if char.isupper() else "lower" for char in token if char.isalnum()]
    changes = sum(first != second for first, second in pairwise(kinds))
    return letters and digits and len(token) >= _SHORTEST_SECRET and changes >= _FEWEST_CHANGES


def _whole(text: str, start: int, end: int, language: str, floor: int) -> tuple[int, int]:
    """Return a placeholder with the letters and digits that it is written together with, from a floor on."""
    inside = re.compile(r"[A-Za-z0-9_-]" if language == "zh" else r"[\w-]")
    while start > floor and inside.match(text[start - 1]):
        start -= 1
    while end < len(text) and inside.match(text[end]):
        end += 1
    return start, end
