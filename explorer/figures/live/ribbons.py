"""Ribbons between words that ask and words that are looked at, as wide as the weights."""

from typing import Any

from explorer.figures import heatmap
from explorer.figures.live.modules import KIT
from explorer.records import AttentionRecord
from explorer.records.wording import is_word, join_sentences, rests, said_rest, token

SCRIPT = KIT / "ribbons.js"


def pack(
    record: AttentionRecord, *, sentence: str, hint: str, start: int = 0, pinned: int | None = None, heaviest: str = ""
) -> dict[str, Any]:
    """Return the mean over the record's heads; words ask one after the other until the reader asks.

    Self-attention has the same words on both sides; words that a mask hides from the asking word are hatched. Words
    that do not fit beside each other stand below each other, those of a long sentence wrap like text. Tokens that are
    no words are grey, and so is the weight that rests on them. It tells `pinned`, whose `row` a click, or Enter, pins.

    Args:
        record: of whole words; rows ask.
        sentence: takes the place of the page's reading, or stands below; `{query}`, `{key}` and `{weight}` are filled
            in by what asks and what it looks at most.
        hint: what the reader can do.
        start: row that asks first.
        pinned: row that asks until another one is pointed at; then nothing plays by itself.
        heaviest: `each` for the heaviest ribbon of each word alone, `asking` for that of the word that asks.
    """
    rows = len(record.query_labels)
    return {
        "asks": [token(label) for label in record.query_labels],
        "asked": [token(label) for label in record.key_labels],
        "rests": [list(map(rests, labels)) for labels in (record.query_labels, record.key_labels)],
        "weights": heatmap.mask_values(record.weights, record.allowed).mean(0),
        "sentence": sentence,
        "hint": join_sentences([hint, said_rest(record.key_labels)]),
        "tour": [row for row, label in enumerate(record.query_labels) if is_word(label)] or [0],
        "start": min(start, rows - 1),
        "heaviest": heaviest,
        "pinned": -1 if pinned is None else min(max(pinned, 0), rows - 1),
    }
