"""Watch it write: the text so far, what can come next, and what is looked at."""

from functools import partial

import streamlit as st

from explorer.inference.gpt.sampling import draw
from explorer.lessons import text_generation as lesson
from explorer.lessons.text_generation import readings
from explorer.lessons.text_generation.live import live_text
from explorer.lessons.text_generation.ui import controls as widgets, looked_map, tables
from explorer.models.gpt_step import read_on
from explorer.records.language import t
from explorer.ui import cache
from explorer.ui.scene import predict

CODE = (read_on, draw)
Chosen = lesson.Params | None


def controls() -> Chosen:
    """Beginning of the text and temperature; the rest in the fold."""
    return widgets.ask_writer("temperature", beginning=True)


def stage(chosen: Chosen) -> None:
    """The player; what is taken away shows the whole text."""
    widgets.text_beside(chosen, _draw)


def _draw(result: lesson.Result) -> None:
    view = lesson.View(position=widgets.asked_position(result, result.text.n_given))
    if looked_map.instead(result, view):
        return
    whole = lesson.View(position=len(result.ids) - 1)
    with st.container(key="tg_written"):
        drawn = partial(live_text.pack, result, view, "watch")
        live_text.PICTURE.draw("tg_written_live", drawn, tells=widgets.tells(result))
        live_text.PICTURE.remark(
            "tg_written",
            partial(live_text.pack, result, whole, "watch"),
            title=t("Watch it write"),
            reading=readings.describe_surprise(result),
            table=lambda: tables.text(result, view),
            provenance=result.provenance,
        )


def answer() -> predict.Answer:
    """Write with the likeliest characters only, and find what comes back."""
    result = cache.compute(lesson.compute, lesson.Params(temperature=0.0))
    again, times = readings.longest_repeat(result)
    return "repeats" if times > 1 else "fresh", {"again": again, "times": str(times)}
