"""Watch it write: the text so far, what can come next, and what is looked at."""

from functools import partial

from explorer.inference.gpt.sampling import draw
from explorer.lessons import text_generation as lesson
from explorer.lessons.text_generation import lines, readings
from explorer.lessons.text_generation.figures import text as figures
from explorer.lessons.text_generation.ui import controls as widgets, live_text, tables
from explorer.models.gpt_step import read_on
from explorer.ui import cache
from explorer.ui.language import t
from explorer.ui.scene import picture, predict

CODE = (read_on, draw)
Chosen = lesson.Params | None


def controls() -> Chosen:
    """Beginning of the text and temperature; the rest in the fold."""
    return widgets.written("temperature", beginning=True)


def stage(chosen: Chosen) -> None:
    """The player; behind the icon the whole text as a figure."""
    widgets.text_beside(chosen, _draw)


def _draw(result: lesson.Result) -> None:
    view = lesson.View(place=widgets.asked(result, result.text.n_given))
    live_text.draw("tg_player", result, view, "watch", widgets.open_place)
    picture.remark(
        "tg_written",
        partial(figures.text, result.text, lines.lines(result.text.labels, result.kind), result.text.surprisal, t=t),
        title=t("The text, coloured by surprise"),
        reading=readings.describe_surprise(result, t),
        table=lambda: tables.text(result, view),
        provenance=result.provenance,
    )


def answer() -> predict.Answer:
    """Write with the likeliest characters only, and find what comes back."""
    result = cache.compute(lesson.compute, lesson.Params(temperature=0.0))
    again, times = readings.longest_repeat(result)
    return "repeats" if times > 1 else "fresh", {"again": again, "times": str(times)}
