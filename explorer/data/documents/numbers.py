"""Numbers as people write them: other minus signs, decimal commas, thousands in groups."""

import re
from collections.abc import Iterable
from typing import Literal

Mark = Literal[".", ",", ""]
#: Minus signs, dashes that stand for one, and letters of full width.
_PLAIN = str.maketrans(
    dict.fromkeys("\u2212\u2010\u2011\u2012\u2013\ufe63", "-") | {chr(0xFF01 + n): chr(0x21 + n) for n in range(94)}
)
#: Between thousands: spaces of several widths, apostrophes.
_SPACES = re.compile(r"[+-]?\d{1,3}(?:[ \u00a0\u2009\u202f'’]\d{3})+(?:[.,]\d*)?")
_SPACE = re.compile(r"[ \u00a0\u2009\u202f'’]")
_PARTS = re.compile(r"([+-]?)([\d.,]*\d[\d.,]*)([eE][+-]?\d+)?")
_GROUPS = re.compile(r"[1-9]\d{0,2}(?:([.,])\d{3})(?:\1\d{3})*")
_WORDS = re.compile(r"[+-]?(?:nan|inf|infinity)", re.IGNORECASE)


def mark_of(cell: str) -> Mark | None:
    """Return which mark is the decimal one in a number; nothing if it could be either, None if it is no number."""
    parts = _parts(cell)
    if parts is None:
        return None
    _, body, exponent = parts
    kinds = {each for each in body if each in ".,"}
    if not kinds:
        return ""
    if len(kinds) == 2:
        mark: Mark = "." if body.rindex(".") > body.rindex(",") else ","
        whole, _, _ = body.rpartition(mark)
        return mark if _GROUPS.fullmatch(whole) else None
    (kind,) = kinds
    other: Mark = "," if kind == "." else "."
    if body.count(kind) > 1:
        return other if _GROUPS.fullmatch(body) and not exponent else None
    if _GROUPS.fullmatch(body) and not exponent:
        return ""
    return "." if kind == "." else ","


def is_doubtful(cell: str) -> bool:
    """Return whether a number could be in thousands, or have three decimals."""
    return mark_of(cell) == "" and bool(set(_plain(cell)) & set(".,"))


def decimal_mark(cells: Iterable[str], usual: Mark = "") -> Mark | None:
    """Return the decimal mark of a table: what numbers without doubt have, else the usual one, if there is one.

    Returns:
        Nothing where each number is as it looks; None where doubtful ones could be either.
    """
    texts = list(cells)
    marks = {mark for mark in map(mark_of, texts) if mark}
    doubtful = {each for text in texts if is_doubtful(text) for each in _plain(text) if each in ".,"}
    if len(marks) == 1:
        return marks.pop()
    return None if doubtful and (marks or (len(doubtful) == 2 and not usual)) else usual


def to_float(cell: str, mark: Mark) -> float:
    """Return a number.

    Args:
        cell: its text.
        mark: the decimal one, where the number itself does not tell; if not given, what stands in it.

    Raises:
        ValueError: it is none.
    """
    plain = _plain(cell)
    if _WORDS.fullmatch(plain):
        return float(plain)
    own = mark_of(cell)
    if own is None:
        raise ValueError(f"no number: {cell}")
    decimal = own or mark or ("," if "," in plain else ".")
    return float(plain.replace("," if decimal == "." else ".", "").replace(",", "."))


def _parts(cell: str) -> tuple[str, str, str] | None:
    """Return sign, digits with their marks, and exponent."""
    found = _PARTS.fullmatch(_plain(cell))
    return None if found is None else (found[1], found[2], found[3] or "")


def _plain(cell: str) -> str:
    plain = cell.strip().translate(_PLAIN)
    return _SPACE.sub("", plain) if _SPACES.fullmatch(plain) else plain
