"""One query's journey past every key: products, scores, weights, values and output, played or stepped through."""

from typing import Any

import numpy as np

from explorer.figures.live.modules import KIT
from explorer.records.journey import JourneyRecord
from explorer.records.wording import token

SCRIPT = KIT / "journey.js"


def pack(record: JourneyRecord, *, asks: int = 0, begun: bool = True, names: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the journey of one word's query; pointing at another word lets that one ask. It tells `asks`, its place.

    Args:
        record: of all words that may ask, or of one.
        asks: the word that asks until another one is pointed at; 0 if the record has one asker alone.
        begun: whether the answer may be seen; else the query waits, and sets out when this becomes true.
        names: of the numbers of a vector, translated.
    """
    return {
        "words": [token(label) for label in record.words],
        "asker": token(record.asker) if record.asker else "",
        "others": record.others,
        "features": names,
        "packed": {name: getattr(record, name) for name in ("query", "key", "value", "scores", "output")}
        | {"weights": record.attention.weights[0]}
        | {"mixer": np.zeros(0, np.float32) if record.mixer is None else record.mixer},
        "divided": record.divided,
        "ask": asks,
        "begun": begun,
    }
