"""“Couplets”: the second line of a Chinese couplet, looking at will, straight across, and at all alike."""

from dataclasses import dataclass
from functools import partial

import streamlit as st

from explorer.inference.seq2seq import couplets
from explorer.lessons import seq2seq_attention as lesson
from explorer.lessons.seq2seq_attention import alignments, readings, state
from explorer.lessons.seq2seq_attention.figures import columns
from explorer.lessons.seq2seq_attention.ui import controls as widgets
from explorer.lessons.seq2seq_attention.ui.tables import alignment_table
from explorer.lessons.seq2seq_attention.ui.written import write
from explorer.records.recurrent import RecurrentRecord
from explorer.ui import plot_clicks, search_controls, stepper
from explorer.ui.language import t
from explorer.ui.scene import picture, predict, rail

CODE = (couplets.look_at, couplets.answer)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A choice for the stage: the second lines, and the character that is followed."""

    result: lesson.Result | None
    place: int


def controls() -> Chosen:
    """Draw the first line, whether its form is kept, and the followed character; the search in the fold."""
    model = _model()
    line = widgets.read("couplet", ())
    formal = st.toggle(
        t("Keep the form of the first line"),
        widgets.DEFAULTS["sa_formal"],
        key="sa_formal",
        help=t("As long as the first line, marks at the same places, a character repeated where the first does."),
        bind="query-params",
    )
    with rail.more():
        beam = search_controls.beam(
            st.container(), "sa_beam", widgets.DEFAULTS["sa_beam"], state.MOST_BEAM, bind="query-params"
        )
    names = () if model is None else (model.name,)
    asked = lesson.Params(task="couplet", text=line, models=names, beam=beam, formal=formal, looks=couplets.LOOKS)
    result = write(asked)
    longest = max(len(each.trace.written.words) for each in result.records.values()) if result else 1
    return Chosen(result=result, place=widgets.place(t("Follow output word"), "sa_place", longest - 1))


def _model() -> state.RecurrentModel | None:
    """Return the first model of couplets that weighs: nothing else can be made to look."""
    return next((each for each in state.models() if each.task == "couplet" and each.mechanism != "none"), None)


def stage(chosen: Chosen) -> None:
    """Draw both lines for each way of looking, and between them what each character looked at."""
    if chosen.result is None:
        return
    loss = alignments.measured(_model())
    records = chosen.result.records
    for column, look in zip(st.columns(len(records), gap="medium"), couplets.LOOKS, strict=True):
        with column:
            cost = t("{loss} nats a character").format(loss=f"{loss[''][look]:.2f}") if loss else ""
            _picture(chosen, look, records[look], cost)
    if loss:
        st.markdown(alignments.describe(loss, t))
        st.caption(t("Measured on 4,000 real couplets that the model was not trained on; its card says how."))


def _picture(chosen: Chosen, look: couplets.Look, record: RecurrentRecord, note: str) -> None:
    assert chosen.result is not None
    key, count = "sa_couplet" if look == "own" else f"sa_couplet_{look}", len(record.trace.written.words)
    place = min(chosen.place, count - 1)
    picture.show(
        key,
        partial(columns.column, record, place, t=t),
        title=alignments.names(t)[look],
        note=note,
        reading=readings.describe_couplet(record, t) if look == "own" else readings.says(record, t),
        table=partial(alignment_table, record),
        provenance=record.provenance,
        of=(chosen.result.params, look, place),
    )
    go = stepper.goes("sa_place")
    plot_clicks.listen(key, lambda at: go(columns.row_at(at["y"], count)))


def answer() -> predict.Answer:
    """Compare what the model foresees of real second lines when it chooses, and when it is told where to look."""
    loss = alignments.measured(_model())
    return alignments.helps(loss) if loss else "", {"said": alignments.describe(loss, t)}
