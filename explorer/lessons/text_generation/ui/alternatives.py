"""What else could have stood here: the text coloured by surprise; each character shows its rivals."""

from functools import partial

import numpy as np

from explorer.inference.gpt.sampling import next_tokens
from explorer.lessons import text_generation as lesson
from explorer.lessons.text_generation import look, readings
from explorer.lessons.text_generation.figures import text as figures
from explorer.lessons.text_generation.ui import controls as widgets, live_text, tables
from explorer.ui import cache, language
from explorer.ui.language import t
from explorer.ui.scene import picture, predict

CODE = (next_tokens,)
Chosen = lesson.Params | None


def controls() -> Chosen:
    """Temperature and top-p; other ways to cut in the fold."""
    return widgets.written("temperature", "top_p")


def stage(chosen: Chosen) -> None:
    """The text; behind the icon the chosen place as a figure."""
    widgets.text_beside(chosen, _draw)


def _draw(result: lesson.Result) -> None:
    written = result.text.surprisal[result.text.n_given :]
    view = lesson.View(place=widgets.asked(result, result.text.n_given + int(np.argmax(written))))
    live_text.draw("tg_rivals", result, view, "surprise", widgets.open_place)
    record, reading = live_text.once(
        lambda: (look.next_at(result, view), readings.describe_choices(result, t)),
        result,
        "rivals",
        view.place,
        language.current(),
    )
    picture.remark(
        "tg_next",
        partial(figures.next_tokens, record, t=t),
        title=t("What could stand at place {place}").format(place=view.place),
        reading=reading,
        table=lambda: tables.next_tokens(record),
    )


def answer() -> predict.Answer:
    """Compare the surprise of first letters of words with that of the letters inside them."""
    first, inside = readings.surprise_in_words(cache.compute(lesson.compute, lesson.Params()))
    right = "first" if first > inside else "inside"
    return right, {"first": f"{first:.2f}", "inside": f"{inside:.2f}"}
