"""What the German words of the pictures mean to the reader."""

from collections.abc import Iterable
from typing import Any

from explorer.lessons.seq2seq_attention.figures.columns import plain_names
from explorer.records.recurrent import RecurrentRecord
from explorer.ui.live.glosses import explain_words


def explain_german(records: Iterable[RecurrentRecord]) -> dict[str, Any]:
    """Return what the words that were read mean, unless a translation has them, too; nothing of a couplet."""
    traces = [record.trace for record in records]
    read, written = ({word for each in traces for word in plain_names(side(each))} for side in (_read, _written))
    return explain_words(read, "de", others=written)


def _read(trace: Any) -> Any:
    return trace.source.word_labels


def _written(trace: Any) -> Any:
    return trace.written.word_labels
