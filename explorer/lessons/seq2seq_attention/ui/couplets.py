"""“Couplets”: a second line by one model that looks in three ways, by three models, or by the poet."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import streamlit as st

from explorer.checkpoints import store
from explorer.checkpoints.manifest import CheckpointMissing
from explorer.inference.seq2seq import couplets
from explorer.inference.translator.request import BOX_CHARACTERS
from explorer.lessons import seq2seq_attention as lesson
from explorer.lessons.seq2seq_attention import alignments, readings, state
from explorer.lessons.seq2seq_attention.live import columns
from explorer.lessons.seq2seq_attention.ui import alignment_map, controls as widgets
from explorer.lessons.seq2seq_attention.ui.tables import alignment_table
from explorer.lessons.seq2seq_attention.ui.written import write
from explorer.records.language import t
from explorer.records.recurrent import RecurrentRecord
from explorer.records.wording import times
from explorer.scenes.seq2seq_attention import COUPLETS, EGRETS, LESSON, ORIOLES
from explorer.ui import choice
from explorer.ui.scene import beside, heat_map, predict, rail

CODE = (couplets.look_at, couplets.answer, couplets.follow)
#: Ways of looking in which the model seeks the place itself.
CHOSEN = ("own", "given", "scaled_dot")


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A choice for the stage: the second lines, by way of looking or by model, and the character that is followed."""

    result: lesson.Result | None
    position: int


def controls() -> Chosen:
    """Draw the first line, who answers, whether the form is kept, the followed character; the search in the fold."""
    line = widgets.read("couplet", ())
    answer = {
        "one": t("one model, three looks"),
        "trained": t("three models, each trained its own way"),
        "true": t("the poet"),
    }
    who = choice.buttons(t("Who answers"), answer, key="sa_who")
    second = (
        choice.text(t("The second line it is made to write"), BOX_CHARACTERS, key="sa_true") if who == "true" else ""
    )
    said = t("As long as the first line, marks at the same places, a character repeated where the first does.")
    formal = choice.toggle(t("Keep the form of the first line"), key="sa_formal", help=said)
    with rail.more():
        beam = choice.ask("sa_beam")
    model = _model()
    one = () if model is None else (model.name,)
    asked = lesson.Params(task="couplet", text=line, models=one, beam=beam, formal=formal)
    differs: dict[str, dict[str, Any]] = {
        "one": {"looks": couplets.WEIGHTINGS},
        "trained": {"models": store.SMALL_COUPLETS},
        "true": {"second": second.strip() or EGRETS},
    }
    result = write(replace(asked, **differs[who]))
    longest = max(len(each.trace.written.words) for each in result.records.values()) if result else 1
    position = choice.step(t("Follow output word"), key="sa_place", last=longest - 1)
    return Chosen(result=result, position=position)


def _model() -> state.RecurrentModel | None:
    """Return the first model of couplets that weighs: nothing else can be made to look."""
    return next((each for each in state.models() if each.task == "couplet" and each.mechanism != "none"), None)


def stage(chosen: Chosen) -> dict[str, str]:
    """Draw both lines for each way of looking, and between them what each character looked at."""
    trained = state.list_compared(store.SMALL_COUPLETS)
    said = {"trained": alignments.describe_trained(trained)}
    if chosen.result is None:
        return said
    if chosen.result.params.second:
        _given(chosen, chosen.result.records)
    elif chosen.result.params.looks:
        _looks(chosen, chosen.result.records)
    else:
        _trained(chosen, chosen.result.records, trained)
    return said


def _looks(chosen: Chosen, records: Mapping[str, RecurrentRecord]) -> None:
    """Draw what one model writes, looking in three ways."""
    loss, called = alignments.measure_alignments(_model()), alignments.names()
    cost = {look: _hesitates(loss[""][look]) if loss else "" for look in called}
    _pictures(chosen, {look: (called[look], cost[look], records[look]) for look in couplets.WEIGHTINGS})
    if loss:
        say = alignments.describe if predict.is_settled(LESSON, COUPLETS) else alignments.choosing
        beside.show_markdown(say(loss))
        beside.show_caption(t("Measured on 4,000 real couplets that the model was not trained on; its card says how."))


def _hesitates(loss: float) -> str:
    """Say a loss, in nats a character, as a number of characters that would be equally likely."""
    return t("hesitates between {n} characters").format(n=times(math.exp(loss)))


def _given(chosen: Chosen, records: Mapping[str, RecurrentRecord]) -> None:
    """Draw what one model writes beside the line that it is made to write."""
    called = {"own": t("What it writes"), "given": t("What it is made to write")}
    _pictures(
        chosen,
        {
            name: (called[name], _hesitates(-each.best.log_probability / len(each.trace.steps)), each)
            for name, each in records.items()
        },
    )
    beside.show_markdown(readings.describe_given(records["given"]))
    if (records["own"].source, records["given"].best.text) == (ORIOLES, EGRETS):
        beside.show_caption(
            t("Both lines are Du Fu’s, and the model was trained on them, among about 300,000 pairs of lines.")
        )


def _trained(chosen: Chosen, records: Mapping[str, RecurrentRecord], trained: tuple[state.RecurrentModel, ...]) -> None:
    """Draw what each of the models writes that were trained to look in one way."""
    called, shown = alignments.trained_names(), [each for each in trained if each.name in records]
    _pictures(
        chosen,
        {each.mechanism: (called[each.mechanism], alignments.foresees(each), records[each.name]) for each in shown},
    )
    if said := alignments.describe_trained(shown):
        beside.show_markdown(said)
        beside.show_caption(
            t("Measured on 4,000 real couplets that the models were not trained on; their cards say how.")
        )


def _pictures(chosen: Chosen, shown: Mapping[str, tuple[str, str, RecurrentRecord]]) -> None:
    """Draw the columns, each with title, note and record, by way of looking; below each, what came of it."""
    assert chosen.result is not None
    params, mapped = chosen.result.params, heat_map.ask_heat_map()
    drawn = {look: columns.Column(title=title, note=note, record=each) for look, (title, note, each) in shown.items()}
    if not mapped:
        columns.show(
            list(drawn.values()),
            chosen.position,
            key="sa_couplets",
            of=(params, tuple(shown)),
            link_key="sa_place",
        )
    for column, (look, (title, _, record)) in zip(st.columns(len(shown), gap="medium"), shown.items(), strict=True):
        key = f"sa_couplet_{look}"
        reading = readings.describe_couplet(record) if look in CHOSEN else readings.says(record)
        with column:
            if mapped:
                alignment_map.draw(f"{key}_map", record, "couplet", title=title, reading=reading, of=(params, look))
                continue
            table = partial(alignment_table, record)
            columns.remark(drawn[look], chosen.position, key=key, of=(params, look), reading=reading, table=table)


def answer() -> predict.Answer:
    """Compare what the model foresees of real second lines when it chooses, and when it is told where to look."""
    loss = alignments.measure_alignments(_model())
    if not loss:
        raise CheckpointMissing("No model of couplets says what it foresees.")
    return alignments.helps(loss), {"said": alignments.describe(loss)}
