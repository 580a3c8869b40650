"""Watch attention appear: a recorded training, or the reader's own while it runs."""

import streamlit as st

from explorer import scenes
from explorer.lessons.training_lab import recorded, state
from explorer.lessons.training_lab.compute import half_way
from explorer.lessons.training_lab.ui import bounds, runs, settings, stage as stages, start
from explorer.lessons.training_lab.ui.recordings import find_unusable  # noqa: F401 - the kit asks for it
from explorer.training.lab.loop import train_step
from explorer.ui.scene import predict, rail
from explorer.ui.visitors import remember

CODE = (train_step,)
Chosen = stages.Choice


def controls() -> Chosen | None:
    """Task, model, attention and text; after the start all settings are one line."""
    remember()
    above = st.container()
    own = stages.which(runs.list_runs())
    params, foot = settings.draw(folded=own is not None)
    result = start.compute_settings(params)
    if result is not None:
        with foot:
            start.announce_size(result)
    with above:
        start.button(result)
    run, exact = recorded.find_recorded(result.recipe if result else params.recipe)
    text = stages.example(own, run)
    view = state.View()
    if own is not None:
        with rail.more():
            view = stages.attention(*state.attention_shape(own.entry.recipe))
    return stages.Choice(own=own, recorded=run, exact=exact, text=text, view=view)


def stage(chosen: Chosen) -> dict[str, str]:
    """Map, answer, curves and moments, on one clock."""
    lesson = scenes.lesson("training_lab")
    stages.draw(chosen, tells_weight=predict.is_settled(lesson, lesson.scene("watch")))
    return bounds.values()


def answer() -> predict.Answer:
    """Say how much weight lies on the right letter where half of the words are right."""
    step, accuracy, exact, beside = half_way()
    right = "under_half" if exact < 0.5 else "two_thirds" if exact < 0.8 else "nearly_all"
    return right, {
        "step": str(step),
        "accuracy": f"{accuracy:.0%}",
        "share": f"{exact:.0%}",
        "beside": f"{beside:.0%}",
    }
