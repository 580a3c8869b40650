"""One query's journey past every key: products, scores, weights, values and output, played or stepped through."""

import pandas as pd

from explorer.figures.live.journey import SCRIPT, pack
from explorer.records.journey import JourneyRecord
from explorer.records.language import t
from explorer.records.wording import join_sentences, percent, token
from explorer.ui import tables
from explorer.ui.live.live import Live

__all__ = ["PICTURE", "cut", "describe", "pack", "table"]
#: Keys of a single asker that are drawn; all others are one row.
MOST = 12
PICTURE = Live(SCRIPT)


def cut(record: JourneyRecord) -> JourneyRecord:
    """Return the journey of one asker past the keys that it weighs most; all others are one row."""
    return record.strongest(MOST, f"+{len(record.words) - MOST}")


def describe(record: JourneyRecord) -> str:
    """Say which key a single asker weighs most, and how much all those weigh that are drawn as one."""
    best, weights = record.most(0), record.attention.weights[0, 0]
    said = t("“{word}” gives **{weight}** to “{best}”.").format(
        word=token(record.asker), best=token(record.words[best]), weight=percent(float(weights[best]))
    )
    if not record.others:
        return said
    left = t("**{n}** keys are left out of the picture: together they weigh **{weight}**.")
    return join_sentences([said, left.format(n=record.others, weight=percent(float(weights[-1])))])


def table(record: JourneyRecord) -> pd.DataFrame:
    """Return score and weight of every key, of a single asker."""
    numbers = {t("score"): record.scores[0], t("weight"): record.attention.weights[0, 0]}
    return pd.DataFrame(numbers, index=tables.number_labels(tuple(token(word) for word in record.words)))
