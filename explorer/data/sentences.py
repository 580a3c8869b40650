"""A text as sentences: where each ends, in the languages that the translators read and write."""

import re
import unicodedata
from collections.abc import Sequence

#: Ends of sentences. The first group needs white space behind it, the second does not.
LATIN_ENDS, WIDE_ENDS = ".!?…", "。！？｡"
#: What may stand between a sentence's last mark and the white space, and belongs to it. French sets » apart.
_CLOSING = r"[\"'”’“»›)\]」』）】]"
_END = re.compile(
    rf"(?P<wide>[{WIDE_ENDS}]+[{LATIN_ENDS}{WIDE_ENDS}]*[’”»›)\]」』）】]*\s*)"
    rf"|(?P<marks>[{LATIN_ENDS}]+)(?P<closing>{_CLOSING}*(?:\s+[»›])?)(?P<space>\s+|(?=\w))"
)
_LAST_WORD = re.compile(r"[^\s(\[{\"“„«‘'’/-]*$")
_TITLES = (
    "mr mrs ms dr prof st mt gen col sgt capt lt rev hon sen gov pres rep messrs mme mlle mmes mm hr fr frl dipl ing"
)
_POINTERS = (
    "vs e.g i.e cf viz fig figs vol p pp sec ch eq ed eds approx ca c.-à-d p.ex env av z.b d.h u.a o.ä s.o s.u vgl bzw"
    " bspw evtl ggf inkl max min abs art bd str tel geb sog gem"
)
_MONTHS = "jan feb mar apr jun jul aug sept sep oct okt nov dec dez janv févr avr juil déc"
#: Never the end: something follows.
_BEFORE_NAMES = frozenset(f"{_TITLES} {_POINTERS} {_MONTHS}".split())
#: Only before a number.
_BEFORE_NUMBERS = frozenset(("no", "nos", "nr", "nº"))
_ENDINGS = "etc usw inc ltd co corp bros jr sr a.m p.m ph.d b.c a.d u.s.w al"
#: The end if a capital follows.
_MAY_END = frozenset(_ENDINGS.split())
_FIRST_WORDS = (
    "he she it they we i you the a an this that these those there but and so then in on at when if my his her our their"
    " il elle ils elles nous je tu vous on le la les un une mais et er sie es wir ich du ihr der die das ein eine aber"
)
#: After an acronym such as “U.S.” a capital may belong to the same name; these begin a sentence.
STARTERS = frozenset(_FIRST_WORDS.split())
_GERMAN_AFTER_ORDINALS = re.compile(
    r"(?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|jahrhundert|klasse|platz)\b",
    re.IGNORECASE,
)
_ACRONYM = re.compile(r"(?:\w\.)+\w", re.UNICODE)
_WITHOUT_SPACE = re.compile(r"[^\W\d_]{2,}$"), re.compile(r"[^\W\d_]{2}")


def split(text: str) -> tuple[str, ...]:
    """Cut a text after every sentence, and at every line end; nothing but white space is lost.

    A full stop ends no sentence after an abbreviation, an initial or an ordinal, in a number or an address, nor before
    a small letter, unless the sentence itself began with one (some people never type capitals). A piece without a
    letter or digit stays with the sentence before it.
    """
    found: list[str] = []
    for line in text.splitlines():
        for piece in _cut(line.strip()):
            if found and not any(char.isalnum() for char in piece):
                found[-1] = f"{found[-1]} {piece}"
            else:
                found.append(piece)
    return tuple(found)


def join(sentences: Sequence[str], shown: Sequence[str] = ()) -> str:
    """Join sentences to one text again: a space between sentences, but none after a Chinese or Japanese one.

    Args:
        shown: what to put in the place of each, such as the same with markup; the sentences themselves if empty.
    """
    text, before = "", ""
    for sentence, put in zip(sentences, shown or sentences, strict=True):
        text += put if not before or _is_wide(before[-1]) else f" {put}"
        before = sentence or before
    return text


def _cut(line: str) -> list[str]:
    pieces, start = [], 0
    for end in _END.finditer(line):
        if end["wide"] is not None or _ends(line[start : end.start()], end, line[end.end() :]):
            pieces.append(line[start : end.end()].strip())
            start = end.end()
    return [piece for piece in (*pieces, line[start:].strip()) if piece]


def _ends(before: str, end: re.Match[str], after: str) -> bool:
    """Return whether a sentence ends with these Latin marks."""
    if not end["space"]:
        return _ends_without_space(before, end, after)
    follows = after.lstrip("\"'“„«‹‘([¿¡- ")
    small = follows[:1].islower()
    if end["marks"][-1] in "!?":
        return not (small and end["closing"])  # “What?” he asked
    if end["marks"] != ".":
        return not small
    if small and not before.lstrip("\"'“„«‘( ")[:1].islower():
        return False
    return not _is_abbreviation(before, follows)


def _is_abbreviation(before: str, follows: str) -> bool:
    """Return whether the full stop belongs to the word before it."""
    found = _LAST_WORD.search(before)
    word = found[0] if found else ""
    name, capital = word.casefold(), not follows[:1].islower()
    if name in _BEFORE_NAMES:
        return True
    if name in _BEFORE_NUMBERS:
        return follows[:1].isdigit()
    if name in _MAY_END:
        return not capital
    if word.isdecimal():  # an ordinal, or the number of a point in a list
        return before.strip() == word or (len(word) <= 2 and bool(_GERMAN_AFTER_ORDINALS.match(follows)))
    if len(word) == 1 and word.isalpha() and not _is_wide(word):  # an initial, “z. B.”; but “so did I.” ends
        return bool(re.match(r"[A-Z]\.", follows)) or (word.isupper() and (word != "I" or before.strip() == "I"))
    if _ACRONYM.fullmatch(word):
        return follows.split(maxsplit=1)[0].casefold().rstrip(",") not in STARTERS if follows else False
    return False


def _ends_without_space(before: str, end: re.Match[str], after: str) -> bool:
    """Return whether somebody forgot the space: “I see.You do not.”, but not in an address or a name of a file."""
    found = re.search(r"\S*$", before)
    word = found[0] if found else ""
    if any(sign in word for sign in "@/:._") or word.casefold() == "www":
        return False
    left, right = _WITHOUT_SPACE
    begins = bool(right.match(after)) and after[:1].isupper() and after[1:2].islower()
    return bool(left.search(before)) and begins and (end["marks"][-1] in "!?." or bool(end["closing"]))


def _is_wide(char: str) -> bool:
    return unicodedata.east_asian_width(char) in "WF"
