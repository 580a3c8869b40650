"""“Couplets”: the second line of a Chinese couplet, and what each character looked at."""

from dataclasses import dataclass
from functools import partial

import streamlit as st

from explorer.inference.seq2seq import couplets
from explorer.lessons import seq2seq_attention as lesson
from explorer.lessons.seq2seq_attention import readings, state
from explorer.lessons.seq2seq_attention.figures import columns
from explorer.lessons.seq2seq_attention.ui import controls as widgets
from explorer.lessons.seq2seq_attention.ui.tables import alignment_table
from explorer.lessons.seq2seq_attention.ui.written import write
from explorer.ui import plot_clicks, search_controls, stepper
from explorer.ui.language import t
from explorer.ui.scene import picture, rail

CODE = (couplets.answer,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A choice for the stage: the second line, and the character that is followed."""

    result: lesson.Result | None
    place: int


def controls() -> Chosen:
    """Draw the first line, whether its form is kept, and the followed character; the search in the fold."""
    names = tuple(each.name for each in state.models() if each.task == "couplet")
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
    result = write(lesson.Params(task="couplet", text=line, models=names, beam=beam, formal=formal))
    last = len(next(iter(result.records.values())).trace.written.words) - 1 if result else 0
    return Chosen(result=result, place=widgets.place(t("Follow output word"), "sa_place", last))


def stage(chosen: Chosen) -> None:
    """Draw both lines, and between them what each character looked at."""
    if chosen.result is None:
        return
    record = next(iter(chosen.result.records.values()))
    picture.show(
        "sa_couplet",
        partial(columns.column, record, chosen.place, t=t),
        title=t("First line and second line"),
        reading=readings.describe_couplet(record, t),
        table=partial(alignment_table, record),
        provenance=record.provenance,
        of=(chosen.result.params, chosen.place),
    )
    count, go = len(record.trace.written.words), stepper.goes("sa_place")
    plot_clicks.listen("sa_couplet", lambda place: go(columns.row_at(place["y"], count)))
