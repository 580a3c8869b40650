"""The button that starts a training, and what is known of it before."""

from functools import partial

import streamlit as st

from explorer.data.parallel.own_pairs import OwnPairsError
from explorer.inference.refused import DeviceRefused
from explorer.lessons import training_lab as lesson
from explorer.lessons.training_lab import readings
from explorer.lessons.training_lab.compute import time_steps
from explorer.lessons.training_lab.ui import runs
from explorer.records.language import t
from explorer.training.lab.estimate import StepTimes, estimate, shape_of
from explorer.training.lab.recipe import LabRecipe
from explorer.ui import cache, fields, job_progress, messages
from explorer.ui.scene import beside
from explorer.ui.visitors import loss


def compute_settings(params: lesson.Params) -> lesson.Result | None:
    """Return what is set, or say what is wrong with the reader's own examples, which no other session sees."""
    if params.table is None:
        return cache.compute(lesson.compute, params)
    try:
        return lesson.compute(params)
    except OwnPairsError as error:
        messages.info(error.explain())
        return None


def button(result: lesson.Result | None) -> None:
    """Show the button; nothing starts while something is wrong with what is set."""
    st.button(
        t("Start training"),
        key="tl_start",
        type="primary",
        icon=":material/play_arrow:",
        on_click=runs.start,
        args=() if result is None else (result.recipe,),
        disabled=result is None,
        width="stretch",
    )
    say_refusal()


def both(*recipes: LabRecipe, key: str) -> None:
    """Show a button that trains two recorded recipes again, to be watched among the reader's own."""
    st.button(
        t("Train these two yourself"),
        key=key,
        icon=":material/compare_arrows:",
        on_click=_start_both,
        args=recipes,
        help=t(
            "Starts both with the same examples, the same seed and everything else alike. “Compare runs” shows them "
            "under “My trainings”."
        ),
        width="stretch",
    )
    say_refusal()


def _start_both(*recipes: LabRecipe) -> None:
    """Start them; in a callback."""
    runs.start(*recipes)
    if not runs.refusal():
        fields.set_values({"tl_pair": "own"})


def say_refusal() -> None:
    """Say why the last training was not started, if it was not, or that those before are gone."""
    said = runs.refusal() or loss()
    if said:
        messages.warning(said, ":material/hourglass_disabled:")


def announce_size(result: lesson.Result) -> None:
    """Show how large the model is, how many examples there are, and, as soon as it is known, how long it takes.

    Trainings whose steps take as long are timed once.
    """
    shape = shape_of(result.recipe)
    draw = partial(_cost, result)
    try:
        job_progress.at_once("tl_cost", time_steps, shape, draw, before=partial(draw, None), patience_s=0.0)
    except (RuntimeError, MemoryError, DeviceRefused):  # the first is how torch says that it lacks memory
        _cost(result, None, failed=True)


def _cost(result: lesson.Result, times: StepTimes | None, *, failed: bool = False) -> None:
    recipe = result.recipe
    cost = None if times is None else estimate(recipe, times, result.n_held_out)
    said = t(
        "{parameters} parameters, {train} examples to learn from ({epochs} epochs), {held_out} held out; {cost}."
    ).format(
        epochs=f"{recipe.steps * recipe.batch / result.n_train:.2g}",
        parameters=f"{result.n_parameters:,}",
        train=readings.said_examples(result),
        held_out=f"{result.n_held_out:,}",
        cost=messages.plain(readings.said_cost(cost, recipe.minutes, failed=failed)),
    )
    beside.show_caption(said)
    if result.n_repeated:
        left_out = t("Rows that were left out, for their source stands in a row before: {n}.")
        beside.show_caption(left_out.format(n=result.n_repeated))
