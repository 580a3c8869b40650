"""What the words of a translation mean to the reader, in a picture of an attention."""

from collections.abc import Callable, Mapping
from typing import Any

from explorer.lessons.translator import Result, finished
from explorer.records import AttentionRecord
from explorer.records.heads import Part
from explorer.records.wording import token
from explorer.ui.live.glosses import explain_words


def with_glosses(
    drawn: Callable[[], Mapping[str, Any]], result: Result, record: AttentionRecord, site: Part = "cross"
) -> Callable[[], dict[str, Any]]:
    """Return what makes the same data with the meanings of foreign words among those that ask, as they are drawn."""
    return lambda: {**drawn(), **explain(result, record, site)}


def explain(result: Result, record: AttentionRecord, site: Part = "cross") -> dict[str, Any]:
    """Return the meanings of foreign words among those that ask; nothing where the languages have no names."""
    direction = finished.direction(result)
    if direction is None:
        return {}
    asks, asked = ([token(label) for label in labels] for labels in (record.query_labels, record.key_labels))
    language = direction.source if site == "encoder" else direction.target
    return explain_words(asks, language, others=asked if site == "cross" else ())
