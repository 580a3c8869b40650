"""Draw the training on the stage: a recorded one or one of the reader's, at one step."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast

import streamlit as st

from explorer.data.digits import SIDE, ink, is_drawn
from explorer.figures import drawn_numbers
from explorer.inference.lab.snapshots import SnapshotMissing
from explorer.inference.translator.translate import InputRefused
from explorer.lessons import training_lab as lesson
from explorer.lessons.training_lab import drawn, naming, recorded, state
from explorer.lessons.training_lab.compute import film as film_of
from explorer.lessons.training_lab.expected_alignment import right_cells, right_places
from explorer.lessons.training_lab.figures import map as maps
from explorer.lessons.training_lab.live import film
from explorer.lessons.training_lab.live.film import Shown
from explorer.lessons.training_lab.ui import orders, tables
from explorer.lessons.training_lab.ui.runs import OwnRun
from explorer.records.language import t
from explorer.records.training_run import LabFrame, LabProgress
from explorer.records.wording import token
from explorer.training.lab.reference_runs import MeasuredRun, read_runs
from explorer.ui import choice, downloads, fields, messages
from explorer.ui.live.told import Action, Index
from explorer.ui.paper.collected import Draw
from explorer.ui.scene import beside, heat_map, runs_on

#: How often a training is looked at; and how soon again while frames of it are still to be computed.
LOOK_EVERY_S, HURRY_EVERY_S = 1.0, 0.4
#: How much of a look goes into frames that are not there yet.
FRAME_SECONDS = 0.3
TEXT_CHARACTERS = 320


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A training, a text and a head to look at.

    Attributes:
        own: one of the reader's trainings; None for a recorded one.
        recorded: the recorded training, to look at or to compare with.
        exact: whether it was trained with the very settings.
        text: number of a recorded film, or a text for an own training.
        view: layer, head and reading, for an own training.
    """

    own: OwnRun | None
    recorded: MeasuredRun
    exact: bool
    text: str
    view: lesson.View


def which(mine: tuple[OwnRun, ...]) -> OwnRun | None:
    """Ask which training stands on the stage, if there is a choice; the newest of the reader's unless they chose."""
    if not mine:
        return None
    names = {"recorded": t("recorded"), **{each.id: each.name for each in mine}}
    chosen = choice.select(t("On the stage"), names, key="tl_stage")
    return next((each for each in mine if each.id == chosen), None)


def example(own: OwnRun | None, run: MeasuredRun) -> str:
    """Ask for the text: of a recorded training one of its films, of an own one a held-out example or anything else."""
    examples = state.examples(own.entry.recipe) if own else ()
    sources = [pair.source for pair in examples] if own else [each.source for each in run.films]
    if own and not is_drawn(sources[0]):
        return _typed(sources, [pair.targets[0] for pair in examples])
    answers = [pair.targets[0] for pair in examples] if own else [each.expected or "" for each in run.films]
    labels = answers if is_drawn(sources[0]) else sources
    names = {str(position): messages.plain(label) for position, label in enumerate(labels)}
    what = t("The drawing it reads") if is_drawn(sources[0]) else t("The text it reads")
    position = choice.pills(what, names, key="tl_digit")
    return sources[int(position)] if own else position


def _typed(sources: list[str], answers: list[str]) -> str:
    said = t("One of the held-out examples, or anything you type. Empty, it is the first of them.")
    label, hint = t("The text it reads"), sources[0]
    typed = choice.text(label, TEXT_CHARACTERS, key="tl_text", help=said, placeholder=hint)
    with st.popover(t("Held-out examples"), icon=":material/lightbulb:"):
        choice.examples(sources, "tl_text", lambda source: f"{source} → {answers[sources.index(source)]}")
    return typed.strip() or sources[0]


def attention(n_layers: int, n_heads: int) -> lesson.View:
    """Ask which layer and head are looked at, of as many as there are; and what the decoder reads."""
    view = lesson.View(layer=n_layers - 1)
    if n_layers > 1:
        layers = {str(each): str(each) for each in range(n_layers - 1)} | {"last": str(n_layers - 1)}
        layer = choice.buttons(t("Layer"), layers, key="tl_layer")
        view = replace(view, layer=int(layer) if layer.isdigit() else n_layers - 1)
    if n_heads > 1:
        heads = {"mean": t("mean"), **{str(each): str(each) for each in range(n_heads)}}
        head = choice.buttons(t("Head"), heads, key="tl_head")
        view = replace(view, head=int(head) if head.isdigit() else None)
    said = {"expected": t("the right answer"), "own": t("what it writes")}
    reading = choice.buttons(t("The decoder reads"), said, key="tl_reading")
    return replace(view, reading=cast("lesson.Reading", reading))


def draw(chosen: Choice, *, tells_weight: bool) -> None:
    """Draw it. While something changes, the stage alone looks again and again: nothing else runs."""
    pace = _pace(chosen)
    st.fragment(_watched, run_every=pace)(chosen, pace, tells_weight)


def _pace(chosen: Choice) -> float | None:
    """Return when there may be something new; None for never."""
    if chosen.own is None:
        return None
    if st.session_state.get("tl_more"):
        return HURRY_EVERY_S
    return None if chosen.own.entry.ended else LOOK_EVERY_S


def _watched(chosen: Choice, pace: float | None, tells_weight: bool) -> None:
    at = _step()
    with downloads.while_updating(pace is not None):
        if chosen.own is None:
            run = chosen.recorded
            if not chosen.exact:
                said = t("Recorded with other settings: {model}. Start a training to see yours.")
                messages.caption(said.format(model=naming.said_model(run.recipe)))
            shown = _recorded(chosen)
            by, rate = shown.provenance, run.points[-1].tokens_per_second
            runs_on.note(runs_on.describe_device(by.device, by.dtype, rate))
            _show(shown, at, tells_weight, None)
        else:
            runs_on.note("")  # its status says it
            _own(chosen, chosen.own, at, tells_weight)
    if _pace(chosen) != pace:
        st.rerun()  # so that the stage looks as often as it should


def _step() -> int | None:
    """Return the step in the link; None for the newest. A hidden field carries it."""
    asked = choice.hidden_param(t("Training step"), key="tl_step", most=10)
    return int(asked) if asked.isdecimal() else None


def _recorded(chosen: Choice) -> Shown:
    run = chosen.recorded
    reverse = {name: read_runs()[name] for name in ("reverse", "none")}
    other = reverse["none" if run.recipe.mechanism != "none" else "reverse"]
    words = t("without attention") if run.recipe.mechanism != "none" else t("with attention")
    film = run.films[min(int(chosen.text), len(run.films) - 1)]
    return Shown(
        name=run.name,
        recipe=run.recipe,
        points=run.points,
        film=film,
        total=film.steps[-1],
        other=(words, other.points) if run.recipe.task == "reverse" else None,
        after=run.after(film),
        provenance=recorded.provenance(run),
    )


def _own(chosen: Choice, own: OwnRun, at: int | None, tells_weight: bool) -> None:
    entry, progress = own.entry, own.entry.progress()
    orders.status(own, progress)
    st.session_state["tl_more"] = False
    if entry.folder is None or not progress.snapshots:
        if not progress.ended:
            beside.show_caption(
                t("Its first picture comes as soon as the model is there: before the first step of training.")
            )
        return
    looked = state.TracedText(folder=entry.folder, text=chosen.text, expected=state.answer(entry.recipe, chosen.text))
    try:
        found, missing = film_of(looked, progress.snapshots, chosen.view, seconds=FRAME_SECONDS)
    except InputRefused as refused:
        messages.info(refused.explain())
        return
    except SnapshotMissing:
        messages.info(t("The weights of this step are gone: start the training again."), ":material/folder_off:")
        return
    st.session_state["tl_more"] = missing
    if found is not None:
        like = chosen.recorded if chosen.recorded.recipe.task == entry.recipe.task else None
        shown = Shown(
            name=f"own {own.id} {chosen.view}",
            recipe=entry.recipe,
            points=progress.points,
            film=found,
            total=entry.recipe.steps,
            own=True,
            live=not entry.ended,
            other=(t("recorded"), like.points) if like else None,
            provenance=own.provenance,
        )
        _show(shown, at, tells_weight, (own, progress))


def _show(shown: Shown, at: int | None, tells_weight: bool, own: tuple[OwnRun, LabProgress] | None) -> None:
    """Draw the film, and what there is to say of it at the step that is looked at."""
    seen = shown.film.at(shown.film.steps[-1] if at is None else at)
    provenance = replace(shown.provenance, detail=f"step {seen.step} of {shown.provenance.detail}")
    source = drawn.said_source(shown.film.source, shown.film.expected)
    reading = film.describe(shown, seen, tells_weight=tells_weight, end=at is None)
    said: dict[str, Any] = {"title": film.said_title(shown, source, seen.step)}
    said |= {"reading": reading, "provenance": provenance}
    of = (shown.name, shown.film.source, seen.step, own is not None and own[0].id)
    if shown.film.columns:
        figure = still(seen, shown.film.source, shown.film.columns, shown.recipe.task)
        mapped = heat_map.instead("tl_frame_map", figure, of=of, own=own is not None, **said)
        said["table"] = lambda: drawn_numbers.table(figure())
    else:
        mapped, said["table"] = False, partial(tables.sureness, seen)
    if not mapped:
        newest = shown.film.steps[-1]
        film.PICTURE.show(
            "tl_map",
            partial(film.pack, shown, at=at, tells_weight=tells_weight),
            tells={"moved": Action(partial(_moved, newest), step=Index(newest + 1))},
            **said,
        )
    if own is not None:
        orders.take(*own, seen.step)


def still(frame: LabFrame, source: str, columns: tuple[str, ...], task: str) -> Draw:
    """Return what draws the map of one frame as a figure."""
    rows = tuple(token(each) for each in frame.rows)
    if is_drawn(source):
        return partial(maps.drawing, ink(source), frame.weights[0, : SIDE**2].reshape(SIDE, SIDE))
    positions = right_places(task, source)
    cells = right_cells(positions, frame.weights.shape) if len(columns) == len(source) + 1 else None
    read = tuple(token(each) for each in columns)
    return partial(maps.words, frame.weights, rows, read, right=cells)


def _moved(newest: int, step: int) -> None:
    fields.set_values({"tl_step": "newest" if step == newest else str(step)})
