"""What else could have stood here: the text coloured by surprise; each character shows its rivals."""

import math
from functools import partial

import numpy as np

from explorer.inference.gpt.sampling import next_tokens
from explorer.lessons import text_generation as lesson
from explorer.lessons.text_generation import look, readings
from explorer.lessons.text_generation.live import live_text
from explorer.lessons.text_generation.ui import controls as widgets, tables
from explorer.records.language import current_language, t
from explorer.ui import cache
from explorer.ui.scene import predict

CODE = (next_tokens,)
Chosen = lesson.Params | None


def controls() -> Chosen:
    """Temperature and top-p; other ways to cut in the fold."""
    return widgets.ask_writer("temperature", "top_p")


def stage(chosen: Chosen) -> None:
    """The text; each character shows its rivals."""
    widgets.text_beside(chosen, _draw)


def _draw(result: lesson.Result) -> None:
    written = result.text.surprisal[result.text.n_given :]
    view = lesson.View(position=widgets.asked_position(result, result.text.n_given + int(np.argmax(written))))
    record, reading = live_text.once(
        lambda: (look.next_at(result, view), readings.describe_choices(result)),
        result,
        "rivals",
        view.position,
        current_language(),
    )
    live_text.PICTURE.show(
        "tg_next",
        partial(live_text.pack, result, view, "surprise"),
        tells=widgets.tells(result),
        title=t("What could stand at position {position}").format(position=view.position),
        reading=reading,
        table=lambda: tables.next_tokens(record),
        provenance=record.provenance,
    )


def answer() -> predict.Answer:
    """Compare the surprise of first letters of words with that of the letters inside them."""
    first, inside = readings.surprise_in_words(cache.compute(lesson.compute, lesson.Params()))
    right = "first" if first > inside else "inside"
    return right, {"first": f"{math.exp(first):.1f}", "inside": f"{math.exp(inside):.1f}"}
