"""Watch attention appear: a recorded training, or the reader's own while it runs."""

import streamlit as st

from explorer import scenes
from explorer.lessons.training_lab import recorded, state
from explorer.lessons.training_lab.compute import half_way, weight_course
from explorer.lessons.training_lab.ui import bounds, runs, settings, stage as stages, start
from explorer.lessons.training_lab.ui.recordings import find_unusable  # noqa: F401 - the kit asks for it
from explorer.training.lab.loop import train_step
from explorer.ui.scene import predict, rail
from explorer.ui.visitors import remember

CODE = (train_step,)
Chosen = stages.Choice
#: Moments of the film, pair by pair, that the question names.
ASKED = ("0-30", "55-85", "210-300")


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
    """Say between which of the moments the weight on the right letters grows most, and how much of it is enough."""
    run = recorded.find_recorded(state.Params().recipe)[0]
    film = run.films[0]
    course = dict(zip(film.steps, weight_course(film, run.recipe.task)[0], strict=True))
    grown: dict[str, tuple[float, float]] = {}
    for name in ASKED:
        low, high = (course[int(step)] for step in name.split("-"))
        assert low is not None
        assert high is not None
        grown[name] = (low, high)
    right = max(grown, key=lambda name: grown[name][1] - grown[name][0])
    step, accuracy, exact, beside = half_way()
    return right, {
        "low": f"{grown[right][0]:.0%}",
        "high": f"{grown[right][1]:.0%}",
        "step": str(step),
        "accuracy": f"{accuracy:.0%}",
        "share": f"{exact:.0%}",
        "beside": f"{beside:.0%}",
    }
