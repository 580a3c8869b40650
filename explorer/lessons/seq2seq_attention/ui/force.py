"""“Force a step”: other weights at one step, and what is written from there on."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import streamlit as st

from explorer.inference.seq2seq.translate import force
from explorer.lessons import seq2seq_attention as lesson
from explorer.lessons.seq2seq_attention import forced_weights, readings, state
from explorer.lessons.seq2seq_attention.figures import columns
from explorer.lessons.seq2seq_attention.live import columns as live_columns
from explorer.lessons.seq2seq_attention.ui import alignment_map, controls as widgets, forced_row
from explorer.lessons.seq2seq_attention.ui.tables import alignment_table
from explorer.lessons.seq2seq_attention.ui.written import write
from explorer.records.language import t
from explorer.records.recurrent import RecurrentRecord
from explorer.ui import cache, choice, fields, messages
from explorer.ui.scene import heat_map, predict

CODE = (force,)
#: What fits into a link: a weight of six characters for each of 129 source tokens.
_NOTE_CHARACTERS = 1000
#: The source word that is named as an example of one to click: in the first sentence “sofa”.
_NAMED = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A choice for the stage: what a model wrote, the open step, and what is forced."""

    result: lesson.Result | None
    position: int
    forced: forced_weights.Forced | None


def controls() -> Chosen:
    """Draw the sentence, the step, and where it must look; the whole row in the fold."""
    box, middle, fold = widgets.parts()
    params = widgets.one_model(box, fold)
    with box:
        result = write(params)
    if result is None:
        return Chosen(result=None, position=0, forced=None)
    with middle:
        return _forcing(result, fold)


def _forcing(result: lesson.Result, fold: Any) -> Chosen:
    """Ask for the step, and where it must look."""
    record = next(iter(result.records.values()))
    position = choice.step(t("Step"), key="sa_at", last=len(record.trace.steps) - 1)
    if record.trace.alignment is None:
        messages.info(t("This model has no weights that could be overwritten: choose one with an alignment."))
        return Chosen(result=result, position=position, forced=None)
    forced = _noted(record)
    _choose(record, position, forced)
    with fold:
        forced_row.edit(record, position, forced, put)
    return Chosen(result=result, position=position, forced=forced)


def _noted(record: RecurrentRecord) -> forced_weights.Forced | None:
    """Read from the link what replaces a step's weights; None where that fits nothing that was written."""
    asked = choice.hidden_param(t("Forced weights"), key="sa_force", most=_NOTE_CHARACTERS)
    return forced_weights.parse_forced(asked, record)


def put(forced: forced_weights.Forced | None) -> None:
    """Force this from now on, or nothing; in a callback."""
    fields.set_values({"sa_force": "" if forced is None else forced_weights.format_forced(forced)})


def _choose(record: RecurrentRecord, position: int, forced: forced_weights.Forced | None) -> None:
    source = record.trace.source
    here = forced if forced is not None and forced.step == position else None
    words = [forced_weights.on_word(position, word, len(source.labels)) for word in source.words]
    st.session_state["sa_force_shown"] = words.index(here) if here in words else None

    def chosen() -> None:
        word = st.session_state["sa_force_shown"]
        put(None if word is None else words[int(word)])

    st.selectbox(
        t("“{token}” must look only at").format(token=columns.names([record.trace.written.labels[position]])[0]),
        range(len(words)),
        format_func=lambda word: columns.names(source.word_labels, None)[word],
        key="sa_force_shown",
        placeholder=t("the model’s own weights"),
        on_change=chosen,
    )
    reset = t("Reset to the model’s own")
    st.button(reset, key="sa_reset", icon=":material/restart_alt:", on_click=put, args=(None,), disabled=forced is None)


def stage(chosen: Chosen) -> None:
    """Draw the model's own output, and beside it what it writes with the step forced."""
    if chosen.result is None:
        return
    (name, record), *_ = chosen.result.records.items()
    if chosen.forced is None:
        own = _Side(
            "sa_own_output",
            t("On its own"),
            record,
            (),
            t("On its own it writes {text}").format(text=readings.says(record)),
        )
        _draw(chosen, [own], record, chosen.result.params)
        return
    params = forced_weights.ForceParams(params=chosen.result.params, model=name, forced=chosen.forced)
    with st.spinner(t("Reading and writing …")):
        found = messages.compute(forced_weights.force, params, name)  # a model that was brought along can be gone
    if found is None:
        return
    title = t("With step {n} forced").format(n=found.step + 1)
    lost, new = (
        tuple(word for word, same in enumerate(kept) if not same) for kept in (found.own_kept, found.forced_kept)
    )
    sides = [
        _Side("sa_own_output", t("On its own"), found.own, lost, readings.says(found.own)),
        _Side("sa_forced", title, found.forced, new, readings.describe_forced(found), found.step),
    ]
    _draw(chosen, sides, record, params)


class _Side(NamedTuple):
    """One output: the words that do not stand in the other, what is said of it, and the step that was forced."""

    key: str
    title: str
    record: RecurrentRecord
    strong: tuple[int, ...]
    reading: str
    forced: int | None = None


def _draw(chosen: Chosen, sides: Sequence[_Side], own: RecurrentRecord, of: object) -> None:
    """Draw the outputs; a click on a source word forces the step that is shown."""
    if own.trace.alignment is not None and heat_map.ask_heat_map():
        assert chosen.result is not None
        _maps(sides, chosen.position, chosen.result.params.task, of)
        return
    source, last = own.trace.source, len(own.trace.steps) - 1

    def picked(step: int, word: int) -> None:
        step = min(step, last)
        fields.set_values({"sa_at": str(step)})
        put(forced_weights.on_word(step, source.words[word], len(source.labels)))

    drawn = [
        live_columns.Column(
            title=each.title,
            note=t("in colour: only here") if each.strong else "",
            record=each.record,
            strong=each.strong,
            pieces=True,
            forced=each.forced,
        )
        for each in sides
    ]
    if chosen.forced is None and own.trace.alignment is not None:
        named = columns.names(source.word_labels, None)
        note = t("still the same: click “{word}” on the left").format(word=named[min(_NAMED, len(named) - 1)])
        title = t("With a step forced")
        drawn.append(live_columns.Column(title=title, note=note, record=own, pieces=True, waits=True))
    live_columns.show(
        drawn,
        chosen.position,
        key="sa_outputs",
        of=of,
        link_key="sa_at",
        on_picked=picked,
    )
    for column, side, each in zip(st.columns(len(drawn), gap="medium"), sides, drawn, strict=False):
        with column:
            table = partial(alignment_table, side.record)
            said: dict[str, Any] = {"key": side.key, "of": (of, side.key), "reading": side.reading}
            live_columns.remark(each, chosen.position, **said, table=table)


def _maps(sides: Sequence[_Side], step: int, task: state.Task, of: object) -> None:
    """Draw the weights of each output, those of a step framed; a click on a row goes to its step."""
    for column, side in zip(st.columns(len(sides), gap="medium"), sides, strict=True):
        with column:
            alignment_map.draw(
                f"{side.key}_map",
                side.record,
                task,
                followed=(step, step),
                on_followed=lambda row: fields.set_values({"sa_at": str(row)}),
                title=side.title,
                reading=side.reading,
                of=(of, side.key),
            )


def sofa() -> forced_weights.ForceResult:
    """Make the third step look at the sofa."""
    model = state.ADDITIVE
    params = lesson.Params(models=(model,))
    forced = forced_weights.parse_forced("2@2", cache.compute(lesson.compute, params).records[model])
    assert forced is not None
    return cache.compute(forced_weights.force, forced_weights.ForceParams(params=params, model=model, forced=forced))


def answer() -> predict.Answer:
    """Say what is written where the third step looks at the sofa."""
    found = sofa().forced
    word = messages.plain(found.trace.written.labels[2])
    return "end" if word == "</s>" else word, {"text": found.best.text}
