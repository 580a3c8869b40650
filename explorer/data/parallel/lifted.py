"""Take signs out of a sentence before it is read, and set them into its translation where they stood."""

import re
from collections.abc import Collection
from typing import NamedTuple

from explorer.data.parallel.literals import SIGN
from explorer.data.parallel.unknown_names import LETTERS

_MARKS = ".!?…。！？｡"
_CLAUSE_MARKS = ",;:，；：、"
_OPENING, _CLOSING = "([{（「『《“«\"'", ")]}）」』》”»\"'"
_END = re.compile(rf"\s*[{re.escape(_MARKS)}]+[{re.escape(_CLOSING)}]*$")
_NO_SPACE = re.compile(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]")


class Lifted(NamedTuple):
    """Signs that stood together in a sentence.

    Attributes:
        signs: with what stands between them.
        share: of the sentence that stood before them: 0 at its beginning, 1 at its end.
        glued: whether no space stood before them, and behind them.
        mark: that stood behind them.
    """

    signs: str
    share: float
    glued: tuple[bool, bool]
    mark: str


def take_out(text: str, signs: Collection[str]) -> tuple[str, tuple[Lifted, ...]]:
    """Return a sentence without some signs, and where each stood."""
    if not signs:
        return text, ()
    one = f"[{''.join(signs)}]"
    run = rf"{one}(?:\s*{one})*"
    pairs = "|".join(f"{re.escape(a)}{run}{re.escape(b)}" for a, b in zip(_OPENING, _CLOSING, strict=True))
    pattern = re.compile(rf"(?P<before>\s*)(?P<signs>{pairs}|{run})(?P<after>\s*)")
    found, parts, end = [], [], 0
    n_spoken = sum(map(_spoken, pattern.sub(" ", text)))
    for each in pattern.finditer(text):
        parts.append(text[end : each.start()])
        end = each.end()
        sides = text[: each.start()][-1:], text[end : end + 1]
        glued = _hugs(each["before"], sides[0]), _hugs(each["after"], sides[1])
        said, behind = sum(map(_spoken, "".join(parts))), text[end : end + 1]
        share = said / n_spoken if n_spoken else 1.0
        mark = behind if behind in (*_MARKS, *_CLAUSE_MARKS) else ""
        if mark and not said:  # it goes out with the signs
            found.append(Lifted(each["signs"] + mark, share, (False, False), ""))
        else:
            found.append(Lifted(each["signs"], share, glued, mark))
        parts.append(_gap(text[: each.start()], text[end:], spaced=bool(each["before"] or each["after"])))
    rest = "".join((*parts, text[end:]))
    return re.sub(rf"^[\s{re.escape(_CLAUSE_MARKS + _MARKS)}-]+(?=\w)", "", rest).strip(), tuple(found)


def _hugs(space: str, beside: str) -> bool:
    """Return whether signs were written together with what stands beside them; Chinese has no spaces."""
    return not space and bool(beside) and not _NO_SPACE.match(beside)


def _spoken(char: str) -> bool:
    return char.isalnum() or bool(re.match(SIGN, char))


def _gap(before: str, after: str, *, spaced: bool) -> str:
    """Return what stands where signs stood: a space between words."""
    if not before.strip() or not after or after[0] in _MARKS + _CLAUSE_MARKS:
        return ""
    words = before[-1:].isalnum() and after[0].isalnum() and not _NO_SPACE.match(before[-1] + after[0])
    return " " if spaced or words else ""


def set_in(translation: str, lifted: Collection[Lifted], language: str) -> str:
    """Return a translation with what was taken out of its source, in the places that correspond to theirs."""
    if not lifted:
        return translation
    places = sorted(
        ((_place(translation, each, language), n, each) for n, each in enumerate(lifted)), key=lambda p: p[:2]
    )
    parts: list[str] = []
    end = 0
    for place, _, each in places:
        parts += [translation[end:place], *_spaced("".join(parts) + translation[end:place], translation[place:], each)]
        end = place
    return "".join((*parts, translation[end:])).strip()


def _spaced(before: str, after: str, each: Lifted) -> tuple[str, str, str]:
    """Return signs with a space before and behind them where one is due."""
    wide = bool(_NO_SPACE.match(before[-1:])), bool(_NO_SPACE.match(after[:1]))
    left = bool(before) and not before[-1].isspace() and not each.glued[0] and not (wide[0] and each.share == 1)
    open_word = bool(after) and (after[0].isalnum() or bool(re.match(SIGN, after[0])))
    right = bool(after) and not after[0].isspace() and not wide[1] and not each.glued[1] and open_word
    if before and before[-1].isalnum() and not wide[0] and each.glued[0] and after[:1].isalnum():
        right = True
    return " " * left, each.signs, " " * right


def _place(text: str, each: Lifted, language: str) -> int:
    """Return where in a translation signs are set in."""
    if each.share <= 0:
        return 0
    if each.share >= 1:
        end = _END.search(text)
        return end.start() if end and each.mark else len(text)
    if each.mark and (marks := [place for place, char in enumerate(text) if char in _CLAUSE_MARKS]):
        return min(marks, key=lambda place: abs(place - each.share * len(text)))
    edges = [place for place in range(1, len(text)) if _is_edge(text, place, language)]
    found = min(edges, key=lambda place: abs(place - each.share * len(text)), default=len(text))
    opens = each.glued == (False, True) and text[found : found + 1].isspace()
    return found + opens  # what was written together with the word behind it, stays so


def _is_edge(text: str, place: int, language: str) -> bool:
    """Return whether a word ends at a place of a text."""
    before, after = text[place - 1], text[place]
    if language == "zh":
        word = re.compile(rf"[{LETTERS}\d.,'-]")
        return after not in _MARKS + _CLAUSE_MARKS + _CLOSING and not (word.match(before) and word.match(after))
    return after.isspace() and not before.isspace() and text[place + 1 : place + 2] not in tuple("?!:;»")
