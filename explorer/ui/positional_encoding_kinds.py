"""Page 07, positions that enter the scores: rotary and ALiBi. Each reruns alone."""

import streamlit as st

from explorer.attention import positions
from explorer.figures import positional_encoding_kinds as figures
from explorer.figures import positional_encoding_trained as trained_figures
from explorer.lessons import positional_encoding as lesson
from explorer.ui import cached, card, layout
from explorer.ui import positional_encoding_tables as tables
from explorer.ui import positional_encoding_trained_tables as trained_tables
from explorer.ui.controls import positional_encoding as controls
from explorer.ui.language import t
from explorer.ui.positional_encoding_trained import found


@st.fragment
def rotary() -> None:
    """The turn by formula, and a real query and key at every distance."""
    left, right = st.columns(2, gap="large")
    with left:
        layout.prose("positional_encoding", "rotary")
        _phase()
    with right:
        _pair()
    layout.code(positions.turn)
    layout.code(positions.rotary_angles)


def _phase() -> None:
    record = cached.compute(lesson.phase, controls.phase())
    card.show(
        "pe_phase",
        figures.phase(record, t=t),
        title=t("How far pair {pair} is turned between query and key").format(pair=record.pair),
        reading=lesson.reading_phase(record, t),
        table=lambda: tables.phase(record),
        provenance=record.provenance,
    )


def _pair() -> None:
    record = found(lesson.turned, controls.pair(), "positions-rotary")
    if record is None:
        return
    card.show(
        "pe_score",
        trained_figures.pair(record, t=t),
        title=t("“{query}” asks “{key}”, at every distance").format(query=record.query_label, key=record.key_label),
        reading=lesson.reading_pair(record, t),
        table=lambda: trained_tables.pair(record),
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
