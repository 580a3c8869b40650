"""Compare runs: two trainings that differ in one thing, and the reader's own."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st

from explorer.lessons.training_lab import readings, recorded, state
from explorer.lessons.training_lab.figures import curves as figures
from explorer.lessons.training_lab.records import LabCurve
from explorer.lessons.training_lab.ui import runs, settings, start, tables
from explorer.lessons.training_lab.ui.recordings import find_unusable  # noqa: F401 - the kit asks for it
from explorer.records.language import t
from explorer.training.lab.loop import train_step
from explorer.training.lab.recipe import LabRecipe
from explorer.training.lab.reference_runs import MeasuredRun, read_runs
from explorer.ui import choice, messages, visitors
from explorer.ui.scene import picture, predict, rail

CODE = (train_step,)
LOOK_EVERY_S = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A comparison.

    Attributes:
        pair: name of a recorded pair; `own` for the reader's trainings alone.
        along: what runs to the right: `step` or `seconds`.
        loss: whether the loss is drawn as well.
    """

    pair: str
    along: str
    loss: bool


def controls() -> Chosen:
    """Ask which two are compared, and over what; the reader's trainings stand in the fold."""
    visitors.remember()
    mine = runs.list_runs()
    names = {
        "attention": t("With and without attention"),
        "scores": t("Additive and dot product"),
        "positions": t("With and without positions"),
        "digits": t("Two ways to read a picture"),
        "rates": t("Two learning rates"),
        **({"own": t("My trainings")} if mine else {}),
    }
    pair = choice.select(t("What differs"), names, key="tl_pair")
    said = {"step": t("steps"), "seconds": t("seconds")}
    along = choice.buttons(t("Counted in"), said, key="tl_along")
    if pair in recorded.PAIRS:
        start.both(*(read_runs()[name].recipe for name in recorded.PAIRS[pair]), key=f"tl_compare_{pair}")
    with rail.more():
        loss = choice.ask("tl_loss")
        if mine:
            for each in mine:
                _row(each)
    return Chosen(pair=pair, along=along, loss=loss)


def _row(kept: runs.OwnRun) -> None:
    """Show one training: named, hidden, set again, removed. Its widgets are in no link: nobody else has it."""
    name = f"tl_name_{kept.id}"
    st.session_state.setdefault(name, kept.name)
    st.text_input(
        t("Name of training {number}").format(number=kept.id),
        max_chars=runs.NAME_CHARACTERS,
        key=name,
        label_visibility="collapsed",
        on_change=_rename,
        args=(kept.entry.number,),
    )
    with st.container(horizontal=True, gap="small"):
        st.checkbox(t("In the chart"), True, key=f"tl_show_{kept.id}")
        st.button(
            t("Set these again"),
            key=f"tl_again_{kept.id}",
            icon=":material/tune:",
            type="tertiary",
            on_click=settings.set_again,
            args=(kept.entry.recipe,),
        )
        st.button(
            t("Remove"),
            key=f"tl_remove_{kept.id}",
            icon=":material/delete:",
            type="tertiary",
            on_click=kept.entry.close,
        )
    messages.caption(f"{state.detail(kept.entry.recipe)}, seed {kept.entry.recipe.seed}")


def _rename(number: int) -> None:
    box = f"tl_name_{number}"
    st.session_state[box] = runs.labels().rename(visitors.reader(), number, str(st.session_state[box]))


def stage(chosen: Chosen) -> dict[str, str]:
    """Curves of the two, and how long a source each can manage; own trainings beside them while they run."""
    moving = any(not each.entry.ended for each in runs.list_runs())
    st.fragment(_drawn, run_every=LOOK_EVERY_S if moving else None)(chosen, moving)
    pair = _pair(chosen)
    return {"n_held_out": f"{sum(n for n, _ in pair[0].lengths.values()):,}"}


def _pair(chosen: Chosen) -> tuple[MeasuredRun, ...]:
    return tuple(read_runs()[name] for name in recorded.PAIRS.get(chosen.pair, recorded.PAIRS["attention"]))


def _drawn(chosen: Chosen, moving: bool) -> None:
    pair = () if chosen.pair == "own" else _pair(chosen)
    own = [each for each in runs.list_runs() if st.session_state.get(f"tl_show_{each.id}", True)]
    drawn = recorded.curves(pair)
    said = _names(chosen.pair) or readings.tell_apart([each.name for each in drawn])
    drawn = [replace(each, name=name) for each, name in zip(drawn, said, strict=True)]
    drawn += [_own(each, len(pair)) for each in own]
    lengths = [(curve.name, number, run.lengths) for number, (curve, run) in enumerate(zip(drawn, pair, strict=False))]
    if lengths and len(lengths[0][2]) > 1:
        wide, narrow = st.columns([3, 2], gap="medium")
        with wide:
            _curves(tuple(drawn), chosen)
        with narrow:
            _lengths(lengths, drawn, chosen)
    else:
        _curves(tuple(drawn), chosen)
    if moving and all(each.entry.ended for each in runs.list_runs()):
        st.rerun()


def _names(pair: str) -> tuple[str, ...]:
    """Return what the two of a pair are called; nothing where their settings say it."""
    return {
        "attention": (t("with attention"), t("without attention")),
        "positions": (t("with positions"), t("without positions")),
    }.get(pair, ())


def _own(each: runs.OwnRun, before: int) -> LabCurve:
    return replace(each.curve(each.entry.progress()), number=before + each.colour)


def _curves(drawn: tuple[LabCurve, ...], chosen: Chosen) -> None:
    picture.show_chart(
        "tl_curves",
        partial(figures.curves, drawn, along=chosen.along, loss=chosen.loss),
        title=t("Written without any mistake, and the loss") if chosen.loss else t("Written without any mistake"),
        note=t("pale: loss of held-out examples") if chosen.loss else "",
        reading=readings.describe_curves(drawn, along=chosen.along) if drawn else t("No training is shown yet."),
        table=lambda: tables.curves(drawn),
        provenance=tables.provenance(drawn) if drawn else state.provenance_of(LabRecipe()),
        of=(chosen, drawn),
        own=bool(runs.list_runs()),
    )


def _lengths(
    lengths: list[tuple[str, int, Mapping[int, tuple[int, int]]]], drawn: list[LabCurve], chosen: Chosen
) -> None:
    picture.show_chart(
        "tl_lengths",
        partial(figures.lengths, lengths),
        title=t("How long a source they manage"),
        reading=readings.describe_lengths([(name, counts) for name, _, counts in lengths]),
        provenance=tables.provenance(tuple(drawn[: len(lengths)])),
        of=(chosen.pair, [name for name, _, _ in lengths]),
    )


def answer() -> predict.Answer:
    """Say which words the one without attention gets wrong, and by when half of all are right."""
    attends, alone = (read_runs()[name] for name in recorded.PAIRS["attention"])
    half = [next(point.seconds for point in run.points if point.accuracy >= HALF) for run in (attends, alone)]
    steps = [run.points[-1].seconds / run.points[-1].step for run in (attends, alone)]
    short, long = min(alone.lengths), max(alone.lengths)
    first, last, attended = (
        right / count for count, right in (alone.lengths[short], alone.lengths[long], attends.lengths[long])
    )
    right = "alike" if abs(first - last) < ALIKE else "long" if last < first else "short"
    return right, {
        "short": str(short),
        "long": str(long),
        "first": f"{first:.0%}",
        "last": f"{last:.0%}",
        "attended": f"{attended:.0%}",
        "slower": f"{steps[0] / steps[1]:.1f}",
        "with_seconds": f"{half[0]:.1f}",
        "without_seconds": f"{half[1]:.1f}",
    }


#: The share of right words by which trainings are compared, and the difference that counts.
HALF, ALIKE = 0.5, 0.1
