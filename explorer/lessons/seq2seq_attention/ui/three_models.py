"""“One vector or a look back”: one sentence, several models, and what each saw when it wrote a word."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from explorer.figures import alignment as maps
from explorer.lessons import seq2seq_attention as lesson
from explorer.lessons.seq2seq_attention import details, readings, state
from explorer.lessons.seq2seq_attention.figures import columns
from explorer.lessons.seq2seq_attention.ui import columns_film, controls as widgets
from explorer.lessons.seq2seq_attention.ui.tables import alignment_table, side_titles
from explorer.lessons.seq2seq_attention.ui.written import write_beside
from explorer.models.seq2seq_step import Seq2SeqStep
from explorer.records.recurrent import RecurrentRecord
from explorer.records.wording import clamped
from explorer.scenes.seq2seq_attention import DRESSES
from explorer.ui import cache, choice, fields, plot_clicks, uploaded_models
from explorer.ui.language import t
from explorer.ui.scene import picture, predict

CODE = (Seq2SeqStep.move,)
#: Pictures that stand side by side, and more words than anybody writes.
ACROSS, MOST_WORDS = 3, 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A choice for the stage.

    Attributes:
        said: place below the sentence.
        word: number of the output word that is followed, from 0; what lies behind the last means the last.
        drawn: ribbons or a map.
        hard: whether a map marks the heaviest source word of each row.
    """

    params: lesson.Params
    said: DeltaGenerator
    word: int
    drawn: str
    hard: bool


def controls() -> Chosen:
    """Draw the sentence, and how weights are drawn; models and search in the fold."""
    box, middle, fold = widgets.parts()
    params = widgets.several_models(box, fold)
    with box:
        said = st.container()
    with middle:
        word = choice.step(t("Follow output word"), key="sa_word", last=MOST_WORDS)
        shown = {"ribbons": t("as ribbons"), "map": t("as a map")}
        drawn = choice.segmented(t("Draw the weights"), shown, key="sa_drawn")
    with fold:
        marks = t("A square around the source token that each output token weighs most: its argmax.")
        hard = choice.toggle(t("Mark the hard alignment"), key="sa_hard", help=marks)
    return Chosen(params=params, said=said, word=word, drawn=drawn, hard=hard)


def stage(chosen: Chosen) -> dict[str, str]:
    """Draw a column for each model."""
    lines: list[str] = []

    def draw(result: lesson.Result) -> None:
        lines.extend(filter(None, (record.trace.pharaoh() for record in result.records.values())))
        _draw(result, chosen)

    write_beside(chosen.params, chosen.said, draw)
    return {"pharaoh": "\n".join(lines) or "–"}


def _draw(result: lesson.Result, chosen: Chosen) -> None:
    records = list(result.records.items())
    longest = max(len(record.trace.written.words) for _, record in records)
    chosen = replace(chosen, word=min(chosen.word, longest - 1))
    titles = widgets.model_names(state.models(list(widgets.brought())))
    named = {name: titles.get(name, name) for name, _ in records}
    across = min(ACROSS, len(records)) if len(records) != 4 else 2
    if chosen.drawn == "ribbons":
        _film(result, chosen.word, named, across)
    for start in range(0, len(records), across):
        beside = zip(st.columns(across, gap="medium"), records[start : start + across], strict=False)
        for column, (name, record) in beside:
            with column:
                if chosen.drawn == "ribbons":
                    _remark(name, record, named[name], chosen.word)
                else:
                    _map(name, record, named[name], result.params, chosen)


def _film(result: lesson.Result, word: int, named: Mapping[str, str], across: int) -> None:
    columns_film.draw(
        [
            columns_film.Column(
                title=named[name], note=readings.says_how(record, t), record=record, strong=details.found(record)
            )
            for name, record in result.records.items()
        ],
        word,
        key="sa_columns",
        of=(result.params, tuple(named.items())),
        link_key="sa_word",
        across=across,
    )


def map_key(name: str) -> str:
    """Return the key of a model's picture, without what a style sheet's class must not hold, and without `__`."""
    return "_".join(["sa_map", *filter(None, re.split(r"[\W_]+", name.rpartition(uploaded_models.PREFIX)[2]))])


def _remark(name: str, record: RecurrentRecord, title: str, word: int) -> None:
    """Say what came of the sentence; the picture to take away follows the word at which the film rests."""
    word = min(word, len(record.trace.written.words) - 1)
    picture.remark(
        map_key(name),
        partial(columns.column, record, word, strong=details.found(record), t=t),
        title=title,
        reading=readings.describe_kept(record, t),
        table=lambda: alignment_table(record),
    )


def _map(name: str, record: RecurrentRecord, title: str, params: lesson.Params, chosen: Chosen) -> None:
    """Draw the weights token by token, the word that is followed framed; without any, the column."""
    alignment = record.trace.alignment
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
    if alignment is None:
        return
    rows, across = alignment.weights.shape[1:]
    tokens = record.trace.written.words[min(chosen.word, len(record.trace.written.words) - 1)]

    def followed(place: plot_clicks.Place) -> None:
        fields.put({"sa_word": str(record.trace.written.word_of(clamped(round(place["y"]), rows)))})

    frame = {"x0": -0.5, "x1": across - 0.5, "y0": tokens[0] - 0.5, "y1": tokens[-1] + 0.5, "axis": 1}
    plot_clicks.listen(map_key(name), followed, frames=[frame])


def answer() -> predict.Answer:
    """Translate the sentence with one vector and with a look back, and compare what is left of it."""
    asked = lesson.Params(text=DRESSES, models=(state.NO_ATTENTION, state.ADDITIVE))
    found = cache.compute(lesson.compute, asked).records
    none, attention = (found[name].best.text for name in asked.models)
    signs = {"women": ("women",), "colours": ("colorful", "bright", "colored"), "street": ("street",)}
    lost = [what for what, words in signs.items() if not any(word in none for word in words)]
    return lost[0] if lost else "", {"none": none, "attention": attention}
