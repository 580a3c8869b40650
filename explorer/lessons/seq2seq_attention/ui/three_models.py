"""“One vector or a look back”: one sentence, several models, and what each saw when it wrote a word."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import streamlit as st

from explorer.figures import alignment as maps
from explorer.inference.seq2seq import translate as seq2seq
from explorer.lessons import seq2seq_attention as lesson
from explorer.lessons.seq2seq_attention import details, readings, state
from explorer.lessons.seq2seq_attention.figures import columns
from explorer.lessons.seq2seq_attention.ui import columns_film, controls as widgets
from explorer.lessons.seq2seq_attention.ui.tables import alignment_table, side_titles
from explorer.lessons.seq2seq_attention.ui.written import write
from explorer.models.seq2seq_step import Seq2SeqStep
from explorer.records.recurrent import RecurrentRecord
from explorer.scenes.seq2seq_attention import DRESSES
from explorer.ui import cache, choice, uploaded_models
from explorer.ui.language import t
from explorer.ui.scene import picture, predict

CODE = (Seq2SeqStep.move,)
#: Pictures that stand side by side.
ACROSS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A choice for the stage.

    Attributes:
        result: what the models wrote; None where they could not.
        word: number of the output word that is followed, from 0.
        drawn: ribbons or a map.
        hard: whether a map marks the heaviest source word of each row.
    """

    result: lesson.Result | None
    word: int
    drawn: str
    hard: bool


def controls() -> Chosen:
    """Draw the sentence, the followed word, and how weights are drawn; models and search in the fold."""
    box, middle, fold = widgets.parts()
    params = widgets.several_models(box, fold)
    with box:
        result = write(params)
    longest = max((len(r.trace.written.words) for r in result.records.values()), default=1) if result else 1
    with middle:
        word = choice.step(t("Follow output word"), key="sa_word", last=longest - 1)
        shown = {"ribbons": t("as ribbons"), "map": t("as a map")}
        drawn = choice.segmented(t("Draw the weights"), shown, key="sa_drawn")
    with fold:
        said = t("A square around the source token that each output token weighs most: its argmax.")
        hard = choice.toggle(t("Mark the hard alignment"), key="sa_hard", help=said)
    return Chosen(result=result, word=word, drawn=drawn, hard=hard)


def stage(chosen: Chosen) -> dict[str, str]:
    """Draw a column for each model."""
    if chosen.result is None:
        return {"pharaoh": "–"}
    records = list(chosen.result.records.items())
    titles = widgets.model_names(state.models(list(widgets.brought())))
    named = {name: titles.get(name, name) for name, _ in records}
    across = min(ACROSS, len(records)) if len(records) != 4 else 2
    if chosen.drawn == "ribbons":
        _film(chosen, named, across)
    for start in range(0, len(records), across):
        beside = zip(st.columns(across, gap="medium"), records[start : start + across], strict=False)
        for column, (name, record) in beside:
            with column:
                (_remark if chosen.drawn == "ribbons" else _map)(name, record, named[name], chosen)
    lines = [record.trace.pharaoh() for _, record in records]
    return {"pharaoh": "\n".join(filter(None, lines)) or "–"}


def _film(chosen: Chosen, named: Mapping[str, str], across: int) -> None:
    assert chosen.result is not None
    columns_film.draw(
        [
            columns_film.Column(
                title=named[name], note=readings.says_how(record, t), record=record, strong=details.found(record)
            )
            for name, record in chosen.result.records.items()
        ],
        chosen.word,
        key="sa_columns",
        of=(chosen.result.params, tuple(named.items())),
        link_key="sa_word",
        across=across,
    )


def map_key(name: str) -> str:
    """Return the key of a model's picture, without what a style sheet's class must not hold, and without `__`."""
    return "_".join(["sa_map", *filter(None, re.split(r"[\W_]+", name.rpartition(uploaded_models.PREFIX)[2]))])


def _remark(name: str, record: RecurrentRecord, title: str, chosen: Chosen) -> None:
    """Say what came of the sentence; the picture to take away follows the word at which the film rests."""
    word = min(chosen.word, len(record.trace.written.words) - 1)
    picture.remark(
        map_key(name),
        partial(columns.column, record, word, strong=details.found(record), t=t),
        title=title,
        reading=readings.describe_kept(record, t),
        table=lambda: alignment_table(record),
    )


def _map(name: str, record: RecurrentRecord, title: str, chosen: Chosen) -> None:
    """Draw the weights token by token; without any, the column."""
    assert chosen.result is not None
    alignment, params = record.trace.alignment, chosen.result.params
    if alignment is None:
        draw = partial(columns.column, record, None, strong=details.found(record), t=t)
    else:
        source, output = side_titles(params.task)
        draw = partial(maps.alignment, alignment, hard=chosen.hard, query_title=output, key_title=source, t=t)
    picture.show(
        map_key(name),
        draw,
        title=title,
        note=readings.says_how(record, t),
        reading=readings.describe_alignment(record, t),
        table=lambda: alignment_table(record),
        provenance=alignment.provenance if alignment else record.provenance,
        of=(params, name, chosen.hard),
        height=picture.Height(less_low=74),
    )


def answer() -> predict.Answer:
    """Translate the sentence with one vector and with a look back, and compare what is left of it."""
    names = tuple(
        each.name for each in state.models() if each.task == "de-en" and each.mechanism in ("none", "additive")
    )
    found = cache.compute(lesson.compute, lesson.Params(text=DRESSES, models=names)).records
    texts = {seq2seq.load(name).mechanism: record.best.text for name, record in found.items()}
    signs = {"women": ("women",), "colours": ("colorful", "bright", "colored"), "street": ("street",)}
    lost = [what for what, words in signs.items() if not any(word in texts["none"] for word in words)]
    return lost[0] if lost else "", {"none": texts["none"], "attention": texts["additive"]}
