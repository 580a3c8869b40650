"""Rows, places and words of a lens that are shown."""

from explorer.records.opened.prediction import LensRecord

#: Rows in which words are large.
MOST_ROWS = 16
#: Rows that stand at the end.
_LAST = 10
#: Last row that is shown while a question asks for the way to the end.
ASKED = 10


def answer_place(record: LensRecord) -> int:
    """Return the place that the reader asks about first: a gap, or else the last word."""
    row = record.tokens.row
    gaps = [position for position, label in enumerate(row.labels) if row.special[position] and "mask" in label.lower()]
    words = [position for position, special in enumerate(row.special) if not special]
    return (gaps or words[-1:] or [len(row.labels) - 1])[0]


def is_gap(record: LensRecord, position: int) -> bool:
    """Return whether the model fills a gap at a place, instead of writing the word after it."""
    return record.tokens.row.special[position] and "mask" in record.tokens.row.labels[position].lower()


def rows(record: LensRecord, which: str) -> tuple[int, ...]:
    """Return the rows that are drawn, the first below: `all`, the `last` ten, or every so many so that words fit."""
    count = len(record.share)
    if which == "last":
        return tuple(range(max(0, count - _LAST), count))
    step = 1 if which == "all" else -(-count // MOST_ROWS)
    return tuple(reversed(range(count - 1, -1, -step)))


def final(record: LensRecord, position: int) -> str:
    """Return the word that the model writes at the end."""
    return record.top(len(record.share) - 1, position)[0].label
