"""“Step by step”: memory, weights, what is added up, and the next word, one step after the other."""

from dataclasses import dataclass, replace
from functools import partial

from explorer.figures import alignment as maps
from explorer.inference.seq2seq.one_query import one_query
from explorer.inference.seq2seq.translate import load
from explorer.lessons import seq2seq_attention as lesson
from explorer.lessons.seq2seq_attention import numbers, readings, state
from explorer.lessons.seq2seq_attention.figures.columns import plain_names
from explorer.lessons.seq2seq_attention.live import step
from explorer.lessons.seq2seq_attention.live.german import explain_german
from explorer.lessons.seq2seq_attention.numbers import word_weights
from explorer.lessons.seq2seq_attention.ui import controls as widgets
from explorer.lessons.seq2seq_attention.ui.tables import score_table, side_titles, step_table, vector_table
from explorer.lessons.seq2seq_attention.ui.written import write
from explorer.nn.alignment import Alignment
from explorer.records import AttentionRecord
from explorer.records.journey import JourneyRecord
from explorer.records.language import t
from explorer.records.recurrent import DecoderStep, RecurrentRecord
from explorer.records.wording import clamp
from explorer.ui import cache, choice, fields, plot_clicks
from explorer.ui.live import journey
from explorer.ui.scene import experiment as trial, heat_map, predict

CODE = (Alignment.forward,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A choice for the stage: a step of what a model wrote, and which picture of it."""

    result: lesson.Result | None
    position: int
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
        shown = choice.buttons(t("Show"), pictures, key="sa_shown")
        if shown == "query" and result:
            position = _ask(next(iter(result.records.values())))
        else:
            position = choice.step(t("Step"), key="sa_step", last=last)
    return Chosen(result=result, position=position, shown=shown)


def _ask(record: RecurrentRecord) -> int:
    """Ask for the step whose query travels: the film is then one of its moments."""
    labels = plain_names(record.trace.written.labels, None)
    steps = {str(position): f"{position + 1} · {label}" for position, label in enumerate(labels)}
    return int(choice.select(t("Step"), steps, key="sa_step"))


def stage(chosen: Chosen) -> None:
    """Play the steps, or the way of one query; below it, what is said of the step."""
    if chosen.result is None:
        return
    record, shown = chosen.record, chosen.shown
    alignment = numbers.by_steps(record)
    if alignment is not None and _mapped(chosen, record, alignment):
        return
    model = load(chosen.result.params.models[0])
    travels = one_query(model, record.trace, chosen.position) if shown == "query" else None
    if travels is not None:
        _travel(record, chosen.position, replace(travels, asker=t("its memory")))
        return
    if shown == "query" or (shown == "scores" and record.trace.alignment is None):
        shown = "step"
    steps, position = record.trace.steps, chosen.position
    strips = [_strips(record, each, shown) for each in steps] if shown in ("sum", "state") else []
    tables = {
        "step": partial(step_table, record, steps[position]),
        "scores": partial(score_table, record, steps[position]),
    }
    titles = {
        "step": t("Step {n} of {m}").format(n=position + 1, m=len(steps)),
        "scores": t("Scores, then weights"),
        "sum": t("The context: weighted states, added up"),
        "state": t("The memory before and after the step"),
    }
    step.show(
        record,
        shown,
        position,
        strips,
        key="sa_decoder",
        of=(chosen.result.params, record.mechanism),
        link_key="sa_step",
        after=model.prepared.config.query == "after",
        title=titles[shown],
        table=partial(vector_table, strips[position]) if strips else tables[shown],
    )


def _mapped(chosen: Chosen, record: RecurrentRecord, alignment: AttentionRecord) -> bool:
    """Draw the weights of all steps, if the map is asked for; a click on a row goes to its step."""
    assert chosen.result is not None
    rows, across = alignment.weights.shape[1:]
    source, output = side_titles(chosen.result.params.task)
    return heat_map.instead(
        "sa_steps_map",
        partial(maps.alignment, alignment, query_title=output, key_title=source),
        title=t("Step {n} of {m}").format(n=chosen.position + 1, m=len(record.trace.steps)),
        reading=readings.describe_step(record, chosen.position),
        of=chosen.result.params,
        on_click=lambda position: fields.set_values({"sa_step": str(clamp(round(position["y"]), rows))}),
        frames=[plot_clicks.rows(chosen.position, chosen.position, across)],
        **explain_german([record]),
    )


def _travel(record: RecurrentRecord, position: int, travels: JourneyRecord) -> None:
    """Draw the way of one query past every source token."""
    cut = journey.cut(travels)
    journey.PICTURE.show(
        "sa_picture_query",
        lambda: {**journey.pack(cut), **explain_german([record])},
        title=t("Step {n} of {m}").format(n=position + 1, m=len(record.trace.steps)),
        reading=readings.describe_step(record, position),
        table=lambda: journey.table(cut),
        provenance=travels.attention.provenance,
    )


def _strips(record: RecurrentRecord, moment: DecoderStep, shown: str) -> step.Rows:
    """Return the vectors of a step that are shown: the parts of the context with their sum, or the memory."""
    if shown == "state":
        change = moment.after - moment.before
        return [(t("before"), moment.before), (t("after"), moment.after), (t("change"), change)]
    parts = numbers.context_parts(record, moment)
    if parts is None or moment.weights is None:
        return [(t("context"), moment.context)]
    labels, weights = plain_names(record.trace.source.word_labels), numbers.word_weights(record.trace, moment)
    rows = [
        (f"{weights[position]:.2f} · {labels[position]}", part)
        for position, part in zip(parts.positions, parts.parts, strict=True)
    ]
    rest = [] if parts.rest is None else [(t("all others"), parts.rest)]
    return [*rows, *rest, (t("sum: context"), parts.context)]


def answer() -> predict.Answer:
    """Let the model write, and compute at which word it looks most for the third."""
    record = cache.compute(lesson.compute, lesson.Params(models=(state.ADDITIVE,))).records[state.ADDITIVE]
    step = record.trace.steps[2]
    weights = word_weights(record.trace, step)
    best = int(weights.argmax())
    word = record.trace.source.word_labels[best]
    return word, {"share": f"{weights[best]:.0%}", "word": word, "written": step.written.label}


def experiment() -> trial.Maps:
    """Lay the alignment of what the model writes over whole words."""
    record = cache.compute(lesson.compute, lesson.Params(models=(state.ADDITIVE,))).records[state.ADDITIVE]
    alignment = numbers.by_words(record)
    assert alignment is not None
    rows, columns = alignment.query_labels, alignment.key_labels
    looks = alignment.weights[0].argmax(-1)
    last = max(row for row, label in enumerate(rows) if label.isalpha())
    return trial.over_words(
        rows,
        columns,
        {t("The model"): alignment.weights[0]},
        values={"first": str(looks[0] + 1), "back": str(looks[last] + 1), "last": rows[last]},
        reveals={"sa_step": str(last)},
    )
