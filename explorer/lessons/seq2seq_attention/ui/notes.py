"""“The notes’ own model”: what changes to it cost and bring, two on one sentence, a step, and where it starts."""

import math
from dataclasses import dataclass
from functools import partial

import pandas as pd
import streamlit as st

from explorer.checkpoints import store
from explorer.checkpoints.manifest import read_manifest
from explorer.lessons import seq2seq_attention as lesson
from explorer.lessons.seq2seq_attention import details, notes, readings
from explorer.lessons.seq2seq_attention.figures import notes as figures, wiring
from explorer.lessons.seq2seq_attention.live import columns, step
from explorer.lessons.seq2seq_attention.notes import find_unusable  # noqa: F401 - the kit asks for it
from explorer.lessons.seq2seq_attention.records import TrainingCost, Wiring
from explorer.lessons.seq2seq_attention.seed_runs import seed_runs
from explorer.lessons.seq2seq_attention.ui import (
    alignment_map,
    controls as widgets,
    first_state,
)
from explorer.lessons.seq2seq_attention.ui.tables import alignment_table, step_table
from explorer.lessons.seq2seq_attention.ui.written import write
from explorer.models.seq2seq_step import Seq2SeqStep
from explorer.records.language import t
from explorer.records.provenance import Provenance
from explorer.records.recurrent import RecurrentRecord
from explorer.records.wording import join_sentences
from explorer.scenes.seq2seq_attention import LESSON, NOTES
from explorer.ui import cache, choice
from explorer.ui.scene import heat_map, picture, predict, rail

CODE = (Seq2SeqStep.move,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A choice for the stage.

    Attributes:
        shown: `training`, `sentences`, `step` or `start`.
        timed: whether losses are drawn against time.
        result: what the models wrote; None where nothing is read, or they could not.
        word: number of the output word that is followed, from 0.
    """

    shown: str
    timed: bool
    result: lesson.Result | None
    word: int


def controls() -> Chosen:
    """Draw what is shown, and what belongs to it: the axis, or a sentence and the followed word."""
    views = {
        "training": t("the trainings"),
        "sentences": t("one sentence"),
        "step": t("one step"),
        "start": t("its start"),
    }
    shown = choice.buttons(t("Show"), views, key="sa_notes")
    if shown == "training":
        axes = {"steps": t("by steps"), "minutes": t("by time")}
        axis = choice.buttons(t("Draw the loss"), axes, key="sa_notes_axis")
        return Chosen(shown=shown, timed=axis == "minutes", result=None, word=0)
    text = widgets.read("de-en", ())
    with rail.more():
        beam, penalty = widgets.search()
    names = (notes.BASE, _beside()) if shown == "sentences" else (notes.BASE,)
    result = write(lesson.Params(text=text, models=names, beam=beam, length_penalty=penalty))
    if shown == "start":
        return Chosen(shown=shown, timed=False, result=result, word=0)
    longest = max((_count(each, shown) for each in result.records.values()), default=1) if result else 1
    word = choice.step(t("Follow output word"), key="sa_word", last=longest - 1)
    return Chosen(shown=shown, timed=False, result=result, word=word)


def _beside() -> str:
    """Ask which changed model stands beside the notes' own."""
    ids = {_short(name): name for name in notes.CHANGED}
    said = {short: notes.names()[name] for short, name in ids.items()}
    return ids[choice.select(t("The other model"), said, key="sa_notes_beside")]


def _short(name: str) -> str:
    """Return what tells the models apart in a link."""
    return name.partition("-notes-")[2]


def _count(record: RecurrentRecord, shown: str) -> int:
    return len(record.trace.steps) if shown == "step" else len(record.trace.written.words)


def stage(chosen: Chosen) -> dict[str, str]:
    """Draw the trainings, two models on a sentence, one step of the first, or where it starts."""
    found, spread, open_ = _courses(), seed_runs().spread, predict.is_settled(LESSON, NOTES)
    seen = tuple(each for each in found if open_ or each.model not in notes.GIVEN)
    if chosen.shown == "training":
        _trainings(seen, spread, timed=chosen.timed)
    elif chosen.result is not None and chosen.shown == "sentences":
        _sentences(chosen, chosen.result)
    elif chosen.result is not None and chosen.shown == "start":
        first_state.draw(next(iter(chosen.result.records.values())))
    elif chosen.result is not None:
        _step(chosen, next(iter(chosen.result.records.values())))
    return {
        "steps": f"{int(found[0].step[-1]):,}",
        "spread": f"{spread:.1f}",
        "said": notes.describe(seen, spread).replace("**", ""),
    }


def _courses() -> tuple[TrainingCost, ...]:
    return cache.once(notes.courses, "seq2seq_attention.notes.courses")


def _trainings(found: tuple[TrainingCost, ...], spread: float, *, timed: bool) -> None:
    named = notes.names()
    of = tuple(each.provenance for each in found)
    left, right = st.columns(2, gap="medium")
    with left:
        picture.show_chart(
            "sa_notes_loss",
            partial(figures.losses, found, timed=timed, names=named),
            title=t("Between how many pieces it hesitates, on held-out captions"),
            reading=_ends(found),
            provenance=found[0].provenance,
            of=(of, timed),
        )
    with right:
        picture.show_chart(
            "sa_notes_cost",
            partial(figures.costs, found, spread, names=named),
            title=t("What it brings beside what it costs"),
            reading=notes.describe_counting(found, spread),
            table=lambda: _table(found),
            provenance=found[0].provenance,
            of=of,
        )


def _ends(found: tuple[TrainingCost, ...]) -> str:
    named = notes.names()
    ends = t(", ").join(f"{named[each.model]} {math.exp(each.dev_loss[-1]):.1f}" for each in found)
    said = t("At the end: {ends}.").format(ends=ends)
    return (
        said
        if len(found) == len(named)
        else join_sentences([said, t("Those you are asked about come when you answer.")])
    )


def _table(found: tuple[TrainingCost, ...]) -> pd.DataFrame:
    named = notes.names()
    return pd.DataFrame(
        {
            t("model"): [named[each.model] for each in found],
            "BLEU": [each.bleu for each in found],
            t("minutes of the processor"): [each.minutes for each in found],
            t("steps"): [int(each.step[-1]) for each in found],
        }
    )


def _sentences(chosen: Chosen, result: lesson.Result) -> None:
    named, records, mapped = notes.names(), result.records, heat_map.ask_heat_map()
    drawn = {
        name: columns.Column(title=named[name], note="", record=record, strong=details.find_words(record))
        for name, record in records.items()
    }
    if not mapped:
        columns.show(
            list(drawn.values()),
            chosen.word,
            key="sa_notes_columns",
            of=(result.params, tuple(records)),
            link_key="sa_word",
        )
    for column, (name, record) in zip(st.columns(len(records), gap="medium"), records.items(), strict=True):
        with column:
            key, of, reading = f"sa_notes_{_short(name)}", (result.params, name), readings.describe_kept(record)
            if mapped:
                alignment_map.draw(f"{key}_map", record, "de-en", title=named[name], reading=reading, of=of)
            else:
                table = partial(alignment_table, record)
                columns.remark(drawn[name], chosen.word, key=key, of=of, reading=reading, table=table)


def _step(chosen: Chosen, record: RecurrentRecord) -> None:
    position = min(chosen.word, len(record.trace.steps) - 1)
    wired = Wiring.of(read_manifest(store.BUNDLED / notes.BASE).config)
    left, right = st.columns([1, 1.4], gap="medium")
    with left:
        picture.show_chart(
            "sa_notes_wiring",
            partial(wiring.wiring, wired, size=13),
            title=t("One step of the decoder"),
            reading=readings.describe_wiring(wired),
            provenance=Provenance.of(Seq2SeqStep.move),
            of="notes",
        )
    with right:
        step.show(
            record,
            "step",
            position,
            (),
            key="sa_notes_decoder",
            of=chosen.result and chosen.result.params,
            link_key="sa_word",
            title=t("Step {n} of {m}").format(n=position + 1, m=len(record.trace.steps)),
            table=partial(step_table, record, record.trace.steps[position]),
        )


def answer() -> predict.Answer:
    """Compare BLEU with all right words given and with half of them, and call what seeds alone can do no difference."""
    found, spread = _courses(), seed_runs().spread
    bleu = {each.model: each.bleu for each in found}
    return notes.verdict(found, notes.GIVEN[0], spread), {
        "given": f"{bleu[notes.GIVEN[0]]:.1f}",
        "base": f"{bleu[notes.BASE]:.1f}",
        "spread": f"{spread:.1f}",
    }
