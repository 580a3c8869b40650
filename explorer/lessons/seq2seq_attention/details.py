"""“Recurrent attention”: whether the words that matter have arrived. They are chosen by hand for some examples."""

import re
from collections.abc import Mapping

from explorer.data.parallel.multi30k import lower
from explorer.records.recurrent import RecurrentRecord
from explorer.scenes.seq2seq_attention import BALL, DRESSES, LONG, SOFA, STAIRS

#: Of a sentence: English words that say each of its details, as patterns.
DETAILS: Mapping[str, tuple[str, ...]] = {
    SOFA: ("small|little", "cat", "sleep.*|asleep", "couch|sofa"),
    BALL: ("two", "children|kids", "play.*", "park", "red", "ball"),
    STAIRS: ("skateboarder", "jump.*", "stair.*|steps"),
    DRESSES: ("three", "young", "women", "color.*|bright.*", "dress|dresses|cloth.*", "danc.*", "street"),
    LONG: (
        "old", "man", "gray|grey", "beard", "black", "hat", "sit.*", "wood.*", "bench", "small", "store|shop",
        "play.*", "guitar", "two", "children|kids", "sidewalk", "stand.*", "listen.*",
    ),
}  # fmt: skip


def details(record: RecurrentRecord) -> tuple[str, ...]:
    """Return the details of what was read; none if nobody has listed them."""
    return {lower(sentence): each for sentence, each in DETAILS.items()}.get(record.source, ())


def found(record: RecurrentRecord) -> frozenset[int]:
    """Return the output words that say a detail."""
    patterns = details(record)
    words = record.trace.written.word_labels
    return frozenset(place for place, word in enumerate(words) if any(re.fullmatch(each, word) for each in patterns))


def kept(record: RecurrentRecord) -> tuple[int, int]:
    """Return how many details stand in the output, and how many there are."""
    patterns, words = details(record), record.trace.written.word_labels
    return sum(any(re.fullmatch(each, word) for word in words) for each in patterns), len(patterns)
