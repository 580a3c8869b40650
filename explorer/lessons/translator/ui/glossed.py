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
    direction = finished.direction(result)
    asks, asked = ([token(label) for label in labels] for labels in (record.query_labels, record.key_labels))

    def made() -> dict[str, Any]:
        if direction is None:
            return dict(drawn())
        language = direction.source if site == "encoder" else direction.target
        return {**drawn(), **explain_words(asks, language, others=asked if site == "cross" else ())}

    return made
