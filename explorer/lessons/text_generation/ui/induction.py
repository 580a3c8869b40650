"""Induction heads: what every head does on random characters that come again."""

from functools import partial

import streamlit as st

from explorer.inference.gpt.induction import induction as definition
from explorer.lessons import text_generation as lesson
from explorer.lessons.text_generation import look, readings
from explorer.lessons.text_generation.figures import heads
from explorer.lessons.text_generation.ui import controls as widgets, tables
from explorer.records.language import t
from explorer.records.wording import capitalise, clamp
from explorer.ui import choice, messages, plot_clicks
from explorer.ui.scene import picture

CODE = (definition,)
#: The model that has such heads.
_COPIES = "gpt-repeats"
Chosen = tuple[str, int, lesson.View] | None


def controls() -> Chosen:
    """Model, random sequences, and which head is drawn."""
    checkpoint = widgets.model(_COPIES)
    if checkpoint is None:
        return None
    with messages.explain(checkpoint):
        layer, head = widgets.head(checkpoint, every=False)
        return checkpoint, choice.ask("tg_dice"), lesson.View(layer=layer, head=head)
    return None


def stage(chosen: Chosen) -> dict[str, str]:
    """Three scores of every head, and one head's map."""
    if chosen is None:
        return {}
    checkpoint, seed, view = chosen
    record = look.heads_on_repetition(checkpoint, seed)
    attended = look.repetition_map(checkpoint, seed, view)
    names = (t("prefix matching"), t("copying"), t("previous token"))
    first, second = st.columns([1.25, 1], gap="medium")
    with first:
        picture.show_chart(
            "tg_induction",
            partial(heads.induction, record, names=names),
            title=t("Three scores of every head"),
            note=t("rows are layers, columns heads; click one"),
            reading=readings.describe_induction(record),
            table=lambda: tables.induction(record, names),
            of=(checkpoint, seed),
        )
    with second:
        picture.show_chart(
            "tg_repeated",
            partial(heads.attention, attended),
            title=capitalise(readings.of_head(view)),
            note=t("on the first sequence"),
            reading=readings.describe_repeated(record, view),
            of=chosen,
        )
    layers, count = record.prefix.shape
    plot_clicks.listen(
        "tg_induction",
        lambda where: widgets.open_head(clamp(round(where["y"]), layers), clamp(round(where["x"]), count)),
    )
    return {
        "period": str(record.period),
        "times": str((len(record.labels) - 1) // record.period),
        "sequences": str(record.sequences),
    }
