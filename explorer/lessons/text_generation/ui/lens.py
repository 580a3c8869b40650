"""The logit lens: what would be written if the model ended at each layer."""

from functools import partial
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from explorer.figures import logit_lens as stream
from explorer.inference.gpt.trace import logit_lens
from explorer.lessons import text_generation as lesson
from explorer.lessons.text_generation import look, readings
from explorer.lessons.text_generation.ui import controls as widgets
from explorer.records.language import t
from explorer.records.wording import clamp, lens_name
from explorer.scenes.text_generation import PLACE
from explorer.ui import choice, plot_clicks, tables
from explorer.ui.scene import picture

CODE = (logit_lens,)
Chosen = tuple[lesson.Params, str, DeltaGenerator] | None


def controls() -> Chosen:
    """Around the character, or its rivals layer by layer."""
    names = {"around": t("around it"), "choices": t("its rivals")}
    shown = choice.buttons(t("Show"), names, key="tg_lens")
    stepper = st.container()
    params = widgets.ask_writer()
    return None if params is None else (params, shown, stepper)


def stage(chosen: Chosen) -> None:
    """The map of the lens around the character, or all choices for it."""
    if chosen:
        params, shown, stepper = chosen
        widgets.text_beside(params, partial(_draw, shown, stepper))


def _draw(shown: str, stepper: DeltaGenerator, result: lesson.Result) -> None:
    position = widgets.asked_position(result, PLACE)
    with stepper:
        widgets.step(result, position)
    record, column = look.lens(result, lesson.View(position=position))
    names = [lens_name(record.points[end]) for end in record.layer_ends]
    reading = readings.describe_lens(result, lesson.View(position=position))
    common: dict[str, Any] = {
        "reading": reading,
        "provenance": record.provenance,
        "of": (result.params, position, shown),
    }
    if shown == "choices":
        picture.show_chart(
            "tg_choices",
            partial(stream.choices, record, column, names=names),
            title=t("“{token}”: the lens’s choices, layer by layer").format(token=record.written_labels[column]),
            table=lambda: tables.choices(record, column, names),
            **common,
        )
        return
    picture.show_chart(
        "tg_lens_map",
        partial(stream.lens_map, record, names=names),
        title=t("What would be written if the model ended here"),
        note=t("bold: what really stands there"),
        table=lambda: tables.lens_map(record, names),
        **common,
    )
    first, last = position - column, len(record.written_labels) - 1
    plot_clicks.listen(
        "tg_lens_map",
        lambda where: widgets.open_place(first + clamp(round(where["x"]), last + 1)),
        frames=[{"x0": column - 0.5, "x1": column + 0.5, "y0": -0.5, "y1": len(names) - 0.5, "axis": 1}],
    )
