"""“Couplets”: the second line of a Chinese couplet, by one model that looks in three ways or by three models."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st

from explorer.checkpoints import store
from explorer.checkpoints.manifest import CheckpointMissing
from explorer.inference.seq2seq import couplets
from explorer.lessons import seq2seq_attention as lesson
from explorer.lessons.seq2seq_attention import alignments, readings, state
from explorer.lessons.seq2seq_attention.figures import columns
from explorer.lessons.seq2seq_attention.ui import columns_film, controls as widgets
from explorer.lessons.seq2seq_attention.ui.tables import alignment_table
from explorer.lessons.seq2seq_attention.ui.written import write
from explorer.records.recurrent import RecurrentRecord
from explorer.scenes.seq2seq_attention import COUPLETS, LESSON
from explorer.ui import choice, search_controls
from explorer.ui.language import t
from explorer.ui.scene import picture, predict, rail

CODE = (couplets.look_at, couplets.answer)
#: Ways of looking in which the model seeks the place itself.
CHOSEN = ("own", "scaled_dot")


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A choice for the stage: the second lines, by way of looking or by model, and the character that is followed."""

    result: lesson.Result | None
    place: int


def controls() -> Chosen:
    """Draw the first line, who answers, whether the form is kept, the followed character; the search in the fold."""
    line = widgets.read("couplet", ())
    answer = {"one": t("one model, three looks"), "trained": t("three models, trained so")}
    who = choice.segmented(t("Who answers"), answer, key="sa_who")
    said = t("As long as the first line, marks at the same places, a character repeated where the first does.")
    formal = choice.toggle(t("Keep the form of the first line"), key="sa_formal", help=said)
    with rail.more():
        beam = search_controls.beam("sa_beam", state.MOST_BEAM)
    model = _model()
    one = () if model is None else (model.name,)
    asked = lesson.Params(task="couplet", text=line, models=one, beam=beam, formal=formal, looks=couplets.LOOKS)
    result = write(replace(asked, models=store.SMALL_COUPLETS, looks=()) if who == "trained" else asked)
    longest = max(len(each.trace.written.words) for each in result.records.values()) if result else 1
    place = choice.step(t("Follow output word"), key="sa_place", last=longest - 1)
    return Chosen(result=result, place=place)


def _model() -> state.RecurrentModel | None:
    """Return the first model of couplets that weighs: nothing else can be made to look."""
    return next((each for each in state.models() if each.task == "couplet" and each.mechanism != "none"), None)


def stage(chosen: Chosen) -> dict[str, str]:
    """Draw both lines for each way of looking, and between them what each character looked at."""
    trained = state.compared(store.SMALL_COUPLETS)
    said = {"trained": alignments.describe_trained(trained, t)}
    if chosen.result is None:
        return said
    if chosen.result.params.looks:
        _looks(chosen, chosen.result.records)
    else:
        _trained(chosen, chosen.result.records, trained)
    return said


def _looks(chosen: Chosen, records: Mapping[str, RecurrentRecord]) -> None:
    """Draw what one model writes, looking in three ways."""
    loss, called = alignments.measured(_model()), alignments.names(t)
    cost = {look: t("{loss} nats a character").format(loss=f"{loss[''][look]:.2f}") if loss else "" for look in called}
    _pictures(chosen, {look: (called[look], cost[look], records[look]) for look in couplets.LOOKS})
    if loss:
        say = alignments.describe if predict.settled(LESSON, COUPLETS) else alignments.choosing
        st.markdown(say(loss, t))
        st.caption(t("Measured on 4,000 real couplets that the model was not trained on; its card says how."))


def _trained(chosen: Chosen, records: Mapping[str, RecurrentRecord], trained: tuple[state.RecurrentModel, ...]) -> None:
    """Draw what each of the models writes that were trained to look in one way."""
    called, shown = alignments.trained_names(t), [each for each in trained if each.name in records]
    _pictures(
        chosen,
        {each.mechanism: (called[each.mechanism], alignments.foresees(each, t), records[each.name]) for each in shown},
    )
    if said := alignments.describe_trained(shown, t):
        st.markdown(said)
        st.caption(t("Measured on 4,000 real couplets that the models were not trained on; their cards say how."))


def _pictures(chosen: Chosen, shown: Mapping[str, tuple[str, str, RecurrentRecord]]) -> None:
    """Draw the columns, each with title, note and record, by way of looking; below each, what came of it."""
    assert chosen.result is not None
    columns_film.draw(
        [columns_film.Column(title=title, note=note, record=record) for title, note, record in shown.values()],
        chosen.place,
        key="sa_couplets",
        of=(chosen.result.params, tuple(shown)),
        link_key="sa_place",
    )
    for column, (look, (title, _, record)) in zip(st.columns(len(shown), gap="medium"), shown.items(), strict=True):
        with column:
            picture.remark(
                "sa_couplet" if look == "own" else f"sa_couplet_{look}",
                partial(columns.column, record, min(chosen.place, len(record.trace.written.words) - 1), t=t),
                title=title,
                reading=readings.describe_couplet(record, t) if look in CHOSEN else readings.says(record, t),
                table=partial(alignment_table, record),
            )


def answer() -> predict.Answer:
    """Compare what the model foresees of real second lines when it chooses, and when it is told where to look."""
    loss = alignments.measured(_model())
    if not loss:
        raise CheckpointMissing("No model of couplets says what it foresees.")
    return alignments.helps(loss), {"said": alignments.describe(loss, t)}
