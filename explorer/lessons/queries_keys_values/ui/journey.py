"""One query's journey, with numbers chosen by hand and with those of a trained head."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from explorer.attention.attend import attend
from explorer.checkpoints.manifest import CheckpointError
from explorer.inference.device import DeviceRefused
from explorer.inference.translator.request import BOX_CHARACTERS
from explorer.inference.translator.translate import InputRefused
from explorer.lessons.queries_keys_values import journey as lesson, readings
from explorer.lessons.queries_keys_values.figures import weights
from explorer.lessons.queries_keys_values.ui import tables
from explorer.records.language import t
from explorer.records.wording import token
from explorer.scenes import DEFAULTS
from explorer.scenes.queries_keys_values import JOURNEY, LESSON
from explorer.ui import cache, choice, messages
from explorer.ui.live import journey
from explorer.ui.live.told import Link, OneOf
from explorer.ui.scene import heat_map, predict, rail

CODE = (attend,)


@dataclass(frozen=True, slots=True)
class Chosen:
    """Source of the numbers, and the word that asks."""

    asked: lesson.Journey
    word: int


def controls() -> Chosen:
    """Draw whose numbers are shown and which word asks; the sentence of a trained head in the fold."""
    names = {
        "toy": t("four numbers, by hand"),
        "noun": t("a trained head: which noun?"),
        "before": t("a trained head: the word before"),
    }
    top, rest = st.container(), st.container()
    with top:
        numbers = choice.select(t("Numbers of"), names, key="qk_numbers")
    with rest, rail.more():
        typed = choice.text(t("What a trained head reads"), BOX_CHARACTERS, key="qk_sentence")
    asked = _readable(lesson.Journey(numbers=numbers, sentence=typed or ""))
    record = cache.compute(lesson.journey, asked)
    words = {str(at): f"{at} · {token(word)}" for at, word in enumerate(record.words)}
    with top:
        word = choice.select(t("Which word asks?"), words, key="qk_ask")
    return Chosen(asked, int(word))


def _readable(asked: lesson.Journey) -> lesson.Journey:
    """Return what can be computed: the example where the sentence cannot be read, the toy where there is no model."""
    try:
        cache.compute(lesson.journey, asked)
    except InputRefused as refused:
        messages.example_instead(refused)
        return lesson.Journey(numbers=asked.numbers)
    except (CheckpointError, DeviceRefused):
        messages.error(t("The translator cannot be read: here are the numbers chosen by hand."))
        return lesson.Journey()
    return asked


def stage(chosen: Chosen) -> None:
    """Draw the journey; what it comes to is shown once the reader has guessed, or asked something else."""
    record = cache.compute(lesson.journey, chosen.asked)
    begun = chosen != Chosen(lesson.Journey(), int(DEFAULTS["qk_ask"])) or predict.is_settled(LESSON, JOURNEY)
    names = readings.number_names()
    said = (readings.describe_journey if begun else readings.describe_waiting)(record, chosen.word)
    shown: dict[str, Any] = {
        "title": t("Which word looks at which"),
        "reading": said,
        "table": lambda: tables.journey(record, chosen.word),
        "provenance": record.attention.provenance,
    }
    word = Link("qk_ask", OneOf(list(map(str, range(len(record.words))))))
    if heat_map.instead(
        "qk_journey_map",
        partial(weights.weights, record.attention, chosen.word, secret=not begun),
        of=(chosen, begun),
        on_click=lambda position: word.take(round(position["y"])),
        **shown,
    ):
        return
    drawn = partial(
        journey.pack, record, asks=chosen.word, begun=begun, names=tuple(names[each] for each in record.features)
    )
    journey.PICTURE.show("qk_journey", drawn, tells={"asks": word}, **shown)


def answer() -> predict.Answer:
    """Let “its” ask, and say which word gets the most weight."""
    record = cache.compute(lesson.journey, lesson.Journey())
    asks = int(DEFAULTS["qk_ask"])
    best = record.most(asks)
    products = record.query[asks] * record.key[best]
    top = int(products.argmax())
    return record.words[best], {
        "word": record.words[best],
        "wanted": f"{record.query[asks, top]:g}",
        "offered": f"{record.key[best, top]:g}",
        "weight": f"{record.attention.weights[0, asks, best]:.0%}",
    }
