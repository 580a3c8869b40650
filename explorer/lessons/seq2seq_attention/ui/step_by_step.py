"""“Step by step”: memory, weights, what is added up, and the next word, one step after the other."""

from dataclasses import dataclass, replace
from functools import partial

import streamlit as st

from explorer.inference.seq2seq.one_query import one_query
from explorer.inference.seq2seq.translate import load
from explorer.lessons import seq2seq_attention as lesson
from explorer.lessons.seq2seq_attention import numbers, readings, state
from explorer.lessons.seq2seq_attention.figures import step as figures
from explorer.lessons.seq2seq_attention.figures.columns import names, plain_names
from explorer.lessons.seq2seq_attention.figures.whole_step import whole_step
from explorer.lessons.seq2seq_attention.numbers import word_weights
from explorer.lessons.seq2seq_attention.ui import controls as widgets, step_film
from explorer.lessons.seq2seq_attention.ui.tables import step_table
from explorer.lessons.seq2seq_attention.ui.written import write
from explorer.nn.alignment import Alignment
from explorer.records.journey import JourneyRecord
from explorer.records.recurrent import DecoderStep, RecurrentRecord, Vector
from explorer.records.wording import token
from explorer.ui import cache, choice
from explorer.ui.language import t
from explorer.ui.live import journey
from explorer.ui.scene import picture, predict

CODE = (Alignment.forward,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A choice for the stage: a step of what a model wrote, and which picture of it."""

    result: lesson.Result | None
    place: int
    shown: str

    @property
    def record(self) -> RecurrentRecord:
        """Return what the model wrote."""
        assert self.result is not None
        return next(iter(self.result.records.values()))


def controls() -> Chosen:
    """Draw the sentence, the step, and which picture of it; model and search in the fold."""
    box, middle, fold = widgets.parts()
    params = widgets.one_model(box, fold)
    with box:
        result = write(params)
    with middle:
        last = len(next(iter(result.records.values())).trace.steps) - 1 if result else 0
        pictures = {
            "step": t("all"),
            "scores": t("scores"),
            "sum": t("sum"),
            "state": t("its memory"),
            "query": t("its query"),
        }
        shown = choice.segmented(t("Show"), pictures, key="sa_shown")
        if shown == "query" and result:
            place = _ask(next(iter(result.records.values())))
        else:
            place = choice.step(t("Step"), key="sa_step", last=last)
    return Chosen(result=result, place=place, shown=shown)


def _ask(record: RecurrentRecord) -> int:
    """Ask for the step whose query travels: the film is then one of its moments."""
    labels = plain_names(record.trace.written.labels, t, None)
    steps = {str(place): f"{place + 1} · {label}" for place, label in enumerate(labels)}
    return int(choice.select(t("Step"), steps, key="sa_step"))


def stage(chosen: Chosen) -> None:
    """Play the steps, or the way of one query; below it, what is said of the step."""
    if chosen.result is None:
        return
    record, shown = chosen.record, chosen.shown
    travels = None
    if shown == "query":
        travels = one_query(load(chosen.result.params.models[0]), record.trace, chosen.place)
    if travels is not None:
        _travel(record, chosen.place, replace(travels, asker=t("its memory")))
        return
    if shown == "query" or (shown == "scores" and record.trace.alignment is None):
        shown = "step"
    strips = [_strips(record, each, shown)[0] for each in record.trace.steps] if shown in ("sum", "state") else []
    draw, title = _figure(record, chosen.place, shown)
    step_film.draw(
        record,
        shown,
        chosen.place,
        strips,
        key="sa_decoder",
        of=(chosen.result.params, record.mechanism),
        link_key="sa_step",
        draw=draw,
        title=title,
        table=partial(step_table, record, record.trace.steps[chosen.place]) if shown == "step" else None,
        provenance=record.provenance,
    )


def _travel(record: RecurrentRecord, place: int, travels: JourneyRecord) -> None:
    """Draw the way of one query past every source token."""
    cut = journey.cut(travels)
    labels = tuple(token(label, t) for label in record.trace.source.labels)
    with st.container(key="sa_travel"):
        journey.draw(cut, key="sa_journey", asks=0, begun=True)
        picture.remark(
            "sa_picture_query",
            partial(figures.scores_and_weights, record.trace.steps[place], labels, t=t),
            title=t("Step {n} of {m}").format(n=place + 1, m=len(record.trace.steps)),
            reading=readings.describe_step(record, place, t),
            table=lambda: journey.table(cut),
            provenance=travels.attention.provenance,
        )


def _strips(record: RecurrentRecord, step: DecoderStep, shown: str) -> tuple[step_film.Rows, tuple[int, ...]]:
    """Return the vectors of a step that are shown, and above which of them a line stands."""
    if shown == "sum":
        return context_rows(record, step)
    return [(t("before"), step.before), (t("after"), step.after), (t("change"), step.after - step.before)], (2,)


def _figure(record: RecurrentRecord, place: int, shown: str) -> tuple[picture.Draw, str]:
    """Return the picture of one step to take away, and its title."""
    step = record.trace.steps[place]
    if shown == "scores":
        labels = tuple(token(label, t) for label in record.trace.source.labels)
        return partial(figures.scores_and_weights, step, labels, t=t), t("Scores, then weights")
    if shown == "step":
        title = t("Step {n} of {m}").format(n=place + 1, m=len(record.trace.steps))
        return partial(whole_step, record, place, t=t), title
    rows, ruled = _strips(record, step, shown)
    titles = {"sum": t("The context: weighted states, added up"), "state": t("The memory before and after the step")}
    return partial(figures.strips, rows, value_title=t("value"), ruled=ruled, t=t), titles[shown]


def context_rows(record: RecurrentRecord, step: DecoderStep) -> tuple[list[tuple[str, Vector]], tuple[int, ...]]:
    """Return the strips of the context, and above which of them the sum's line stands."""
    parts = numbers.context_parts(record.trace, step)
    if parts is None or step.weights is None:
        return [(t("context"), step.context)], ()
    labels = names(record.trace.source.labels, t)
    rows = [
        (f"{step.weights[place]:.2f} · {labels[place]}", part)
        for place, part in zip(parts.places, parts.parts, strict=True)
    ]
    if parts.rest is not None:
        rows.append((t("all others"), parts.rest))
    return [*rows, (t("sum: context"), parts.context)], (len(rows),)


def answer() -> predict.Answer:
    """Let the model write, and compute at which word it looks most for the third."""
    record = cache.compute(lesson.compute, lesson.Params(models=(state.ADDITIVE,))).records[state.ADDITIVE]
    step = record.trace.steps[2]
    weights = word_weights(record.trace, step)
    best = int(weights.argmax())
    word = record.trace.source.word_labels[best]
    return word, {"share": f"{weights[best]:.0%}", "word": word, "written": step.written.label}
