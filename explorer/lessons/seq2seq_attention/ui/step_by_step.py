"""“Step by step”: memory, weights, what is added up, and the next word, one step after the other."""

from dataclasses import dataclass
from functools import partial

import streamlit as st

from explorer.lessons import seq2seq_attention as lesson
from explorer.lessons.seq2seq_attention import numbers, readings, state
from explorer.lessons.seq2seq_attention.figures import step as figures
from explorer.lessons.seq2seq_attention.figures.columns import names
from explorer.lessons.seq2seq_attention.figures.whole_step import whole_step
from explorer.lessons.seq2seq_attention.numbers import of_words
from explorer.lessons.seq2seq_attention.ui import controls as widgets
from explorer.lessons.seq2seq_attention.ui.tables import step_table
from explorer.lessons.seq2seq_attention.ui.written import write
from explorer.nn.alignment import Alignment
from explorer.records.recurrent import DecoderStep, RecurrentRecord, Vector
from explorer.ui import cache, choice, figure_card, player, stepper
from explorer.ui.language import t
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
        place = widgets.place(t("Step"), "sa_step", last)
        pictures = {"step": t("all"), "scores": t("scores"), "sum": t("sum"), "state": t("its memory")}
        shown = choice.segmented(t("Show"), pictures, key="sa_shown", default=widgets.DEFAULTS["sa_shown"])
    return Chosen(result=result, place=place, shown=shown)


def stage(chosen: Chosen) -> None:
    """Draw what is written so far, and one picture of the step."""
    if chosen.result is None:
        return
    record, step = chosen.record, chosen.record.trace.steps[chosen.place]
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="sa_steps"):
        _player(chosen.place, len(record.trace.steps) - 1)
        _so_far(record, chosen.place)
    draw, title, note, reading = _shown(chosen, record, step)
    picture.show(
        f"sa_picture_{chosen.shown}",
        draw,
        title=title,
        note=note,
        reading=reading,
        table=partial(step_table, record, step) if chosen.shown == "step" else None,
        provenance=record.provenance,
        of=(chosen.result.params, chosen.place, chosen.shown),
    )


def _shown(chosen: Chosen, record: RecurrentRecord, step: DecoderStep) -> tuple[picture.Draw, str, str, str]:
    """Return the picture that was asked for, its title, the small print, and its reading."""
    if chosen.shown == "sum":
        rows, ruled = context_rows(record, step)
        draw = partial(figures.strips, rows, value_title=t("value"), ruled=ruled, t=t)
        return draw, t("The context: weighted states, added up"), "", readings.describe_context(record, step, t)
    if chosen.shown == "state":
        states = [(t("before"), step.before), (t("after"), step.after), (t("change"), step.after - step.before)]
        draw = partial(figures.strips, states, value_title=t("value"), ruled=(2,), t=t)
        return draw, t("The memory before and after the step"), "", readings.describe_state(step, t)
    if chosen.shown == "scores" and step.scores is not None:
        labels = tuple(names(record.trace.source.labels, t, None))
        draw = partial(figures.scores_and_weights, step, labels, t=t)
        return draw, t("Scores, then weights"), "", readings.describe_scores(record, step, t)
    note = t("{n} numbers each, {drawn} drawn").format(n=step.context.size, drawn=min(24, step.context.size))
    title = t("Step {n} of {m}").format(n=chosen.place + 1, m=len(record.trace.steps))
    return partial(whole_step, record, chosen.place, t=t), title, note, readings.describe_step(record, chosen.place, t)


def _player(place: int, last: int) -> None:
    """Show the buttons that step and play."""
    go = stepper.goes("sa_step")
    choice.move("", ":material/chevron_left:", "sa_previous", go, place - 1, off=place == 0)
    choice.move("", ":material/chevron_right:", "sa_next", go, place + 1, off=place == last)
    player.play("sa_play", place, last, go, around="sa_steps")


def _so_far(record: RecurrentRecord, place: int) -> None:
    """Show the output up to the step as words to click; what comes later is hidden."""
    words = names(record.trace.written.labels, t, None)
    # Streamlit finds the option by its label, so equal ones are told apart by zero-width spaces.
    labels = [(figure_card.escape(word) if at <= place else "…") + "\u200b" * at for at, word in enumerate(words)]
    st.session_state["sa_so_far"] = place
    go = stepper.goes("sa_step")

    def clicked() -> None:
        chosen = st.session_state["sa_so_far"]
        if chosen is not None:
            go(int(chosen))

    st.pills(
        t("Written so far (click a word)"),
        range(len(labels)),
        format_func=labels.__getitem__,
        key="sa_so_far",
        on_change=clicked,
        label_visibility="collapsed",
        width="stretch",
    )


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
    model = next(each.name for each in state.models() if each.task == "de-en" and each.mechanism == "additive")
    record = cache.compute(lesson.compute, lesson.Params(models=(model,))).records[model]
    step = record.trace.steps[2]
    weights, _ = of_words(record, step)
    best = int(weights.argmax())
    word = record.trace.source.word_labels[best]
    return word, {"share": f"{weights[best]:.0%}", "word": word, "written": step.written.label}
