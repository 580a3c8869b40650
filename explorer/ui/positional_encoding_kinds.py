"""Page 07, positions that enter the scores: rotary and ALiBi, by formula. Each reruns alone."""

import streamlit as st

from explorer.attention import positions
from explorer.figures import positional_encoding_kinds as figures
from explorer.lessons import positional_encoding as lesson
from explorer.ui import cached, card, layout
from explorer.ui import positional_encoding_tables as tables
from explorer.ui.controls import positional_encoding as controls
from explorer.ui.language import t


def phase() -> None:
    """The turn between query and key."""
    record = cached.compute(lesson.phase, controls.phase())
    card.show(
        "pe_phase",
        figures.phase(record, t=t),
        title=t("How far pair {pair} is turned between query and key").format(pair=record.pair),
        reading=lesson.reading_phase(record, t),
        table=lambda: tables.phase(record),
        provenance=record.provenance,
    )


@st.fragment
def alibi() -> None:
    """Bias matrix and decay of ALiBi."""
    layout.prose("positional_encoding", "alibi")
    record = cached.compute(lesson.bias, controls.bias())
    left, right = st.columns(2, gap="large")
    with left:
        card.show(
            "pe_bias",
            figures.bias(record, t=t),
            title=t("What head {head} adds to its scores").format(head=record.head),
            reading=lesson.reading_bias(record, t),
            table=lambda: tables.bias(record),
            provenance=record.provenance,
        )
    with right:
        card.show(
            "pe_penalties",
            figures.penalties(record, t=t),
            title=t("What distance leaves of a weight"),
            reading=lesson.reading_penalties(record, t),
            table=lambda: tables.penalties(record),
            provenance=record.provenance,
        )
    layout.code(positions.alibi_slopes)
