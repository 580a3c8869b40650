"""Times of a day, found in a sentence as its language writes them and written as another language does."""

import re
from collections.abc import Iterator

from explorer.data.parallel.written_numbers import Written

_TWELVE = r"(?P<h>0?[1-9]|1[0-2])(?:[:.](?P<m>[0-5]\d))?\s?(?P<half>[ap])(?:m\b|\.\s?m\b(?:\.(?!\s*$|\s+(?-i:[A-Z])))?)"
_LATE = r"(?P<h>1[3-9]|2[0-3])"
_MORNING, _AFTERNOON = "凌晨|清晨|早上|早晨|上午", "中午|下午|傍晚|晚上|夜里"
#: Times that a language writes otherwise than the others: with am or pm, or beyond twelve.
_TIMES = {
    "en": (
        re.compile(rf"(?<![\w.:,]){_TWELVE}", re.IGNORECASE | re.MULTILINE),
        re.compile(rf"(?<![\w.:,]){_LATE}:(?P<m>[0-5]\d)(?![\w:])"),
    ),
    "fr": (
        re.compile(rf"(?<![\w.:,]){_LATE}\s?(?:[hH]|heures)\s?(?P<m>[0-5]\d)(?!\w)"),
        re.compile(rf"(?<![\w.:,]){_LATE}:(?P<m>[0-5]\d)(?![\w:])"),
        re.compile(r"(?:(?<=à )|(?<=vers )|(?<=dès )|(?<=avant )|(?<=après ))(?P<h>1[3-9]|2[0-3])\s?h(?!\w|\s?\d)"),
    ),
    "de": (re.compile(rf"(?<![\w.:,]){_LATE}(?:[:.](?P<m>[0-5]\d))?\s?Uhr(?!\w)"),),
    "zh": (
        re.compile(
            rf"(?P<half>{_MORNING}|{_AFTERNOON})\s?(?P<h>0?\d|1[0-2])"
            r"(?:\s?[:：](?P<m>[0-5]\d)|点(?:(?P<m2>[0-5]?\d)分?|(?P<part>半|一刻|三刻)|钟|整)?)(?!\d)"
        ),
        re.compile(r"(?<![\d:.])(?P<h>1[3-9]|2[0-3])(?:[:：](?P<m>[0-5]\d)|点(?P<m2>[0-5]\d)分?)(?![\d:])"),
    ),
}
_PARTS = {"半": 30, "一刻": 15, "三刻": 45}
_NOON = 12


def times(text: str, source: str, target: str) -> Iterator[Written]:
    """Yield the times with am or pm, and those of a clock of 24 hours, each as the other language's clock says it."""
    for pattern in _TIMES.get(source, ()):
        for found in pattern.finditer(text):
            yield Written(found[0], found.start(), _written(*_read(found), target))


def _read(found: re.Match[str]) -> tuple[int, int]:
    """Return hour, from 0 to 23, and minute."""
    said = found.groupdict()
    hour, half = int(said["h"]), said.get("half") or ""
    minute = int(said.get("m") or said.get("m2") or _PARTS.get(said.get("part") or "", 0))
    if half:
        late = half in "pP" or half in _AFTERNOON.split("|")
        noon = half == "中午" and hour > 10
        hour = hour if noon else hour % _NOON + _NOON * late
    return hour, minute


def _written(hour: int, minute: int, language: str) -> str:
    """Return a time as a language writes it: English with am or pm, the others with 24 hours."""
    if language == "en":
        twelve = (hour - 1) % _NOON + 1
        return f"{twelve}{f':{minute:02d}' * bool(minute)} {'pm' if hour >= _NOON else 'am'}"
    if language == "fr":
        return f"{hour} h" + f" {minute:02d}" * bool(minute)
    if language == "de":
        return f"{hour}{f':{minute:02d}' * bool(minute)} Uhr"
    return f"{hour}:{minute:02d}"
