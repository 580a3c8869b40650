"""One query's journey past every key: products, scores, weights, values and output, played or stepped through."""

from typing import Any

import numpy as np

from explorer.figures.live.modules import KIT
from explorer.records.journey import JourneyRecord
from explorer.records.language import t
from explorer.records.wording import token

SCRIPT = KIT / "journey.js"


def drawn(record: JourneyRecord, *, asks: int = 0, begun: bool = True, names: tuple[str, ...] = ()) -> dict[str, Any]:
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
        "said": _labels() | _sentences() | (_of_one() if record.asker else {}) | _of_score(record),
    }


def _labels() -> dict[str, str]:
    """Return what buttons, columns and steps are called."""
    return {
        "where": t("Moment of the journey"),
        "who": t("Which word asks?"),
        "caption": t("“{word}” asks: score and weight of every word, and the output"),
        "query": t("query"),
        "key": t("key"),
        "comparing": "{query} × {key}",
        "scoring": t("sum ÷ √{d}"),
        "score": t("score"),
        "weight": t("weight"),
        "value": t("value"),
        "output": t("output"),
        "step_ask": t("Ask"),
        "step_compare": t("Compare"),
        "step_share": t("Share"),
        "step_gather": t("Gather"),
        "step_answer": t("Answer"),
    }


def _sentences() -> dict[str, str]:
    """Return what is said at each moment; `**strong**`, `~q~` in the colour of its role."""
    return {
        "wait": t("**{word}** is about to ask every word, itself included. Press ▶, or point at another word."),
        "ask": t("**{word}** turns into a query ~q~: {d} numbers that say what it looks for."),
        "product": t("“{feature}”: **{word}** looks for {q}, **{key}** offers {k}; the product is {p}."),
        "sum": t("~q~ meets the key ~k~ of **{key}**: {sum} = {total}. Divided by √{d}: **{score}**."),
        "meets": t("~q~ meets the key ~k~ of **{key}**, number by number."),
        "adding": t("~q~ meets the key ~k~ of **{key}**: {n} of {d} products are added up; divided by √{d}: {score}."),
        "met": t("~q~ meets the key ~k~ of **{key}**: {d} products, added up and divided by √{d}: **{score}**."),
        "raised": t("Raise e to each score: the large ones run ahead, and none is below zero."),
        "shared": t("Divide by their sum: the bars become shares of one. **{best}** gets {weight}."),
        "gathered": t(
            "Each value ~v~ flows as wide as its weight. All ribbons together are one row wide: the weights add up to "
            "1."
        ),
        "answered": t(
            "**{word}** looks most at **{best}** ({weight}) and takes this mixture ~o~ of the values along. "
            "Point at another word: it asks."
        ),
        "others": t(
            "The other {others} keys are compared too. Their e^score, added up, is as much as one score of **{score}**."
        ),
    }


def _of_one() -> dict[str, str]:
    """Return what is said otherwise where the words are asked and none of them asks."""
    return {
        "wait": t("**{word}** is about to ask. Press ▶."),
        "answered": t("**{word}** looks most at **{best}** ({weight}) and takes this mixture ~o~ of the values along."),
        "most": t(
            "**{word}** looks most at **{best}** ({weight}) and takes this mixture ~o~ along; the other {others} add "
            "{together}."
        ),
    }


def _of_score(record: JourneyRecord) -> dict[str, str]:
    """Return what is said otherwise where a sum is not divided by √d, or query and key are not multiplied."""
    if record.divided:
        return {}
    said = {
        "scoring": t("sum"),
        "adding": t("~q~ meets the key ~k~ of **{key}**: {n} of {d} products are added up: {score}."),
        "met": t("~q~ meets the key ~k~ of **{key}**: {d} products, added up: **{score}**."),
    }
    if record.mixer is None:
        return said
    return said | {
        "comparing": "v · tanh({query} + {key})",
        "meets": t("~q~ and the key ~k~ of **{key}** are added, number by number; tanh squeezes each sum."),
        "adding": t("v · tanh(~q~ + ~k~) with the key ~k~ of **{key}**: {n} of {d} numbers are added up: {score}."),
        "met": t("v · tanh(~q~ + ~k~) with the key ~k~ of **{key}**: {d} numbers, added up: **{score}**."),
    }
