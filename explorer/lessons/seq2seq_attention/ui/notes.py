"""“The notes’ own model”: what three changes to it cost and bring, two on one sentence, and one of its steps."""

from dataclasses import dataclass
from functools import partial

import pandas as pd
import streamlit as st

from explorer.checkpoints import store
from explorer.lessons import seq2seq_attention as lesson
from explorer.lessons.seq2seq_attention import details, notes, readings
from explorer.lessons.seq2seq_attention.figures import columns, notes as figures, wiring
from explorer.lessons.seq2seq_attention.figures.whole_step import whole_step
from explorer.lessons.seq2seq_attention.notes import lost  # noqa: F401 - the kit asks for it
from explorer.lessons.seq2seq_attention.records import TrainingCost
from explorer.lessons.seq2seq_attention.seed_runs import seed_runs
from explorer.lessons.seq2seq_attention.ui import columns_film, controls as widgets, step_film
from explorer.lessons.seq2seq_attention.ui.tables import alignment_table, step_table
from explorer.lessons.seq2seq_attention.ui.written import write
from explorer.models.seq2seq_step import Seq2SeqStep
from explorer.records.provenance import Provenance
from explorer.records.recurrent import RecurrentRecord
from explorer.records.wording import joined
from explorer.scenes.seq2seq_attention import LESSON, NOTES
from explorer.ui import cache, choice
from explorer.ui.language import t
from explorer.ui.scene import picture, predict, rail

CODE = (Seq2SeqStep.move,)
#: What the prediction asks about is not drawn before it is answered or skipped.
HIDDEN = store.NOTES[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A choice for the stage.

    Attributes:
        shown: `training`, `sentences` or `step`.
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
    views = {"training": t("the trainings"), "sentences": t("one sentence"), "step": t("one step")}
    shown = choice.segmented(t("Show"), views, key="sa_notes")
    if shown == "training":
        axes = {"steps": t("by steps"), "minutes": t("by time")}
        axis = choice.segmented(t("Draw the loss"), axes, key="sa_notes_axis")
        return Chosen(shown=shown, timed=axis == "minutes", result=None, word=0)
    text = widgets.read("de-en", ())
    with rail.more():
        beam, penalty = widgets.search()
    names = (notes.BASE, _beside()) if shown == "sentences" else (notes.BASE,)
    result = write(lesson.Params(text=text, models=names, beam=beam, length_penalty=penalty))
    longest = max((_count(each, shown) for each in result.records.values()), default=1) if result else 1
    word = choice.step(t("Follow output word"), key="sa_word", last=longest - 1)
    return Chosen(shown=shown, timed=False, result=result, word=word)


def _beside() -> str:
    """Ask which changed model stands beside the notes' own."""
    said = {name.rpartition("-")[2]: notes.names(t)[name] for name in notes.CHANGED}
    ids = {name.rpartition("-")[2]: name for name in notes.CHANGED}
    return ids[choice.select(t("The other model"), said, key="sa_notes_beside")]


def _count(record: RecurrentRecord, shown: str) -> int:
    return len(record.trace.steps) if shown == "step" else len(record.trace.written.words)


def stage(chosen: Chosen) -> dict[str, str]:
    """Draw the trainings, two models on a sentence, or one step of the first."""
    found, spread, open_ = _courses(), seed_runs().spread, predict.settled(LESSON, NOTES)
    seen = tuple(each for each in found if open_ or each.model != HIDDEN)
    if chosen.shown == "training":
        _trainings(seen, spread, timed=chosen.timed)
    elif chosen.result is not None and chosen.shown == "sentences":
        _sentences(chosen, chosen.result)
    elif chosen.result is not None:
        _step(chosen, next(iter(chosen.result.records.values())))
    return {
        "steps": f"{int(found[0].step[-1]):,}",
        "spread": f"{spread:.1f}",
        "said": notes.describe(seen, spread, t).replace("**", ""),
    }


def _courses() -> tuple[TrainingCost, ...]:
    return cache.once(notes.courses, "seq2seq_attention.notes.courses")


def _trainings(found: tuple[TrainingCost, ...], spread: float, *, timed: bool) -> None:
    named = notes.names(t)
    of = tuple(each.provenance for each in found)
    left, right = st.columns(2, gap="medium")
    with left:
        picture.show(
            "sa_notes_loss",
            partial(figures.losses, found, timed=timed, names=named, t=t),
            title=t("Loss on held-out captions"),
            reading=_ends(found),
            provenance=found[0].provenance,
            of=(of, timed),
        )
    with right:
        picture.show(
            "sa_notes_cost",
            partial(figures.costs, found, spread, names=named, t=t),
            title=t("What it brings beside what it costs"),
            reading=notes.describe_counting(found, spread, t),
            table=lambda: _table(found),
            provenance=found[0].provenance,
            of=of,
        )


def _ends(found: tuple[TrainingCost, ...]) -> str:
    named = notes.names(t)
    ends = t(", ").join(f"{named[each.model]} {each.dev_loss[-1]:.2f}" for each in found)
    said = t("At the end: {ends}.").format(ends=ends)
    return (
        said if len(found) == len(named) else joined([said, t("The one you are asked about comes when you answer.")], t)
    )


def _table(found: tuple[TrainingCost, ...]) -> pd.DataFrame:
    named = notes.names(t)
    return pd.DataFrame(
        {
            t("model"): [named[each.model] for each in found],
            "BLEU": [each.bleu for each in found],
            t("minutes of the processor"): [each.minutes for each in found],
            t("steps"): [int(each.step[-1]) for each in found],
        }
    )


def _sentences(chosen: Chosen, result: lesson.Result) -> None:
    named, records = notes.names(t), result.records
    columns_film.draw(
        [
            columns_film.Column(title=named[name], note="", record=record, strong=details.found(record))
            for name, record in records.items()
        ],
        chosen.word,
        key="sa_notes_columns",
        of=(result.params, tuple(records)),
        link_key="sa_word",
    )
    for column, (name, record) in zip(st.columns(len(records), gap="medium"), records.items(), strict=True):
        with column:
            word = min(chosen.word, len(record.trace.written.words) - 1)
            picture.remark(
                f"sa_notes_{name.rpartition('-')[2]}",
                partial(columns.column, record, word, strong=details.found(record), t=t),
                title=named[name],
                reading=readings.describe_kept(record, t),
                table=partial(alignment_table, record),
            )


def _step(chosen: Chosen, record: RecurrentRecord) -> None:
    place = min(chosen.word, len(record.trace.steps) - 1)
    left, right = st.columns([1, 1.4], gap="medium")
    with left:
        picture.show(
            "sa_notes_wiring",
            partial(wiring.wiring, "after", "next", t=t),
            title=t("One step of the decoder"),
            reading=readings.describe_wiring("after", "next", t),
            provenance=Provenance.of(Seq2SeqStep.move),
            of="notes",
        )
    with right:
        step_film.draw(
            record,
            "step",
            place,
            (),
            key="sa_notes_decoder",
            of=chosen.result and chosen.result.params,
            link_key="sa_word",
            after=True,
            draw=partial(whole_step, record, place, after=True, t=t),
            title=t("Step {n} of {m}").format(n=place + 1, m=len(record.trace.steps)),
            table=partial(step_table, record, record.trace.steps[place]),
            provenance=record.provenance,
        )


def answer() -> predict.Answer:
    """Compare BLEU with teacher forcing of one half and of one, and call what seeds alone can do no difference."""
    found, spread = _courses(), seed_runs().spread
    bleu = {each.model: each.bleu for each in found}
    return notes.verdict(found, HIDDEN, spread), {
        "half": f"{bleu[HIDDEN]:.1f}",
        "base": f"{bleu[notes.BASE]:.1f}",
        "spread": f"{spread:.1f}",
    }
