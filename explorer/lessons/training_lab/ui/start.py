"""The button that starts a training, and what is known of it before."""

from functools import partial

import streamlit as st

from explorer.data.parallel.own_pairs import OwnPairsError
from explorer.lessons import training_lab as lesson
from explorer.lessons.training_lab import readings
from explorer.lessons.training_lab.compute import timed
from explorer.lessons.training_lab.ui import runs
from explorer.training.lab.estimate import StepTimes, estimate, shape_of
from explorer.training.lab.recipe import LabRecipe
from explorer.ui import cache, fields, figure_card, job_progress
from explorer.ui.language import t


def computed(params: lesson.Params) -> lesson.Result | None:
    """Return what is set, or say what is wrong with the reader's own examples, which no other session sees."""
    if params.table is None:
        return cache.compute(lesson.compute, params)
    try:
        return lesson.compute(params)
    except OwnPairsError as error:
        st.info(figure_card.escape(error.explain(t)), icon=":material/edit:")
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
    refused()


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
    refused()


def _start_both(*recipes: LabRecipe) -> None:
    """Start them; in a callback."""
    runs.start(*recipes)
    if not runs.refusal():
        fields.put({"tl_pair": "own"})


def refused() -> None:
    """Say why the last training was not started, if it was not."""
    said = runs.refusal()
    if said:
        st.warning(said, icon=":material/hourglass_disabled:")


def announced(result: lesson.Result) -> None:
    """Show how large the model is, how many examples there are, and, as soon as it is known, how long it takes.

    Trainings whose steps take as long are timed once.
    """
    shape = shape_of(result.recipe)
    draw = partial(_cost, result)
    try:
        job_progress.at_once("tl_cost", timed, shape, draw, before=partial(draw, None), patience_s=0.0)
    except (RuntimeError, MemoryError):  # as torch says that it lacks memory
        _cost(result, None, failed=True)


def _cost(result: lesson.Result, times: StepTimes | None, *, failed: bool = False) -> None:
    recipe = result.recipe
    cost = None if times is None else estimate(recipe, times, result.n_held_out)
    said = t(
        "{parameters} parameters, {train} examples to learn from ({epochs} epochs), {held_out} held out; {cost}."
    ).format(
        epochs=f"{recipe.steps * recipe.batch / result.n_train:.2g}",
        parameters=f"{result.n_parameters:,}",
        train=readings.said_examples(result, t),
        held_out=f"{result.n_held_out:,}",
        cost=figure_card.escape(readings.said_cost(cost, recipe.minutes, t, failed=failed)),
    )
    st.caption(said)
    if result.n_repeated:
        left_out = t("Rows that were left out, for their source stands in a row before: {n}.")
        st.caption(left_out.format(n=result.n_repeated))
