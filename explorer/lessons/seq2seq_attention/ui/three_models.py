"""“One vector or a look back”: one sentence, several models, and what became of one of its details."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from explorer.lessons import seq2seq_attention as lesson
from explorer.lessons.seq2seq_attention import details, readings, state
from explorer.lessons.seq2seq_attention.live import details as live_details
from explorer.lessons.seq2seq_attention.ui import alignment_map, controls as widgets
from explorer.lessons.seq2seq_attention.ui.tables import alignment_table
from explorer.lessons.seq2seq_attention.ui.written import write_beside
from explorer.models.seq2seq_step import Seq2SeqStep
from explorer.records.language import t
from explorer.records.recurrent import RecurrentRecord
from explorer.scenes.seq2seq_attention import LESSON, THREE_MODELS
from explorer.ui import cache, choice, fields, uploaded_models
from explorer.ui.scene import beside, heat_map, predict, state as scene_state

CODE = (Seq2SeqStep.move,)
#: Pictures that stand side by side, and more details than anybody writes.
ACROSS, MOST_DETAILS = 3, 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A choice for the stage.

    Attributes:
        said: place below the sentence.
        detail: number of the detail that is followed, from 0; what lies behind the last means the last.
        hard: whether a map marks the heaviest source word of each row.
    """

    params: lesson.Params
    said: DeltaGenerator
    detail: int
    hard: bool


def controls() -> Chosen:
    """Draw the sentence, and how weights are drawn; models and search in the fold."""
    box, middle, fold = widgets.parts()
    params = widgets.several_models(box, fold)
    with box:
        said = st.container()
    with middle:
        detail = choice.step(t("Follow a detail"), key="sa_detail", last=MOST_DETAILS)
    with fold:
        marks = t("A square around the source token that each output token weighs most: its argmax.")
        hard = choice.toggle(t("Mark the hard alignment"), key="sa_hard", help=marks)
    return Chosen(params=params, said=said, detail=detail, hard=hard)


def stage(chosen: Chosen) -> dict[str, str]:
    """Draw a column for each model."""
    lines: list[str] = []
    mapped = heat_map.ask_heat_map()

    def draw(result: lesson.Result) -> None:
        lines.extend(filter(None, (record.trace.pharaoh() for record in result.records.values())))
        _draw(result, chosen, mapped=mapped)

    write_beside(chosen.params, chosen.said, draw)
    return {"pharaoh": "\n".join(lines) or "–"}


def _draw(result: lesson.Result, chosen: Chosen, *, mapped: bool) -> None:
    records = list(result.records.items())
    every = details.details(records[0][1])
    chosen = replace(chosen, detail=min(chosen.detail, len(every) - 1))
    if told := [each.label for each in every if each.said is not None]:
        with chosen.said:
            beside.show_caption(t("It tells of: {details}.").format(details=t(", ").join(told)))
    titles = widgets.model_names(state.models(list(widgets.list_brought())))
    named = {name: titles.get(name, name) for name, _ in records}
    across = min(ACROSS, len(records)) if len(records) != 4 else 2
    waits = not predict.is_settled(LESSON, THREE_MODELS) and scene_state.holds(LESSON, THREE_MODELS, {})
    if not mapped:
        live_details.show(
            {named[name]: record for name, record in records},
            chosen.detail,
            key="sa_details",
            of=(result.params, tuple(named.items())),
            link_key="sa_detail",
            across=across,
            waits=waits,
        )
    for start in range(0, len(records), across):
        pairs = zip(st.columns(across, gap="medium"), records[start : start + across], strict=False)
        for column, (name, record) in pairs:
            with column:
                rows = details.said_by(record, every[chosen.detail]) or details.looking_at(record, every[chosen.detail])
                if mapped:
                    _map(name, record, named[name], result.params, chosen, rows)
                else:
                    live_details.remark(
                        named[name],
                        record,
                        chosen.detail,
                        key=map_key(name),
                        of=(result.params, name),
                        reading=readings.says(record) if waits else readings.describe_kept(record),
                        table=partial(alignment_table, record),
                    )


def map_key(name: str) -> str:
    """Return the key of a model's picture, without what a style sheet's class must not hold, and without `__`."""
    return "_".join(["sa_map", *filter(None, re.split(r"[\W_]+", name.rpartition(uploaded_models.PREFIX)[2]))])


def _map(
    name: str, record: RecurrentRecord, title: str, params: lesson.Params, chosen: Chosen, rows: Sequence[int]
) -> None:
    """Draw the weights step by step, those of the detail framed; without any, the column."""
    written = record.trace.written
    tokens = [token for row in rows for token in written.words[row]]

    def followed(row: int) -> None:
        every = details.details(record)
        says = [
            position for position, each in enumerate(every) if written.word_of(row) in details.said_by(record, each)
        ]
        if says:
            fields.set_values({"sa_detail": str(says[0])})

    alignment_map.draw(
        map_key(name),
        record,
        params.task,
        hard=chosen.hard,
        strong=details.find_words(record),
        followed=(min(tokens), max(tokens)) if tokens else None,
        on_followed=followed,
        title=title,
        note=readings.says_how(record),
        reading=readings.describe_alignment(record),
        of=(params, name, chosen.hard),
    )


def answer() -> predict.Answer:
    """Translate the sentence with the three models, and say which of them keep its first detail."""
    three = (state.NO_ATTENTION, state.FIXED, state.ADDITIVE)
    found = cache.compute(lesson.compute, lesson.Params(models=three)).records
    first = details.details(found[state.ADDITIVE])[0]
    texts = {record.mechanism: record.best.text for record in found.values()}
    kept = [name for name, record in found.items() if details.said_by(record, first)]
    right = "back" if kept == [state.ADDITIVE] else {0: "none", len(three): "all"}.get(len(kept), "two")
    return right, {"none": texts["none"], "fixed": texts["fixed"], "attention": texts["additive"]}
