"""“Learned”: a table of vectors, one for each position, and how alike they became."""

from functools import partial

import streamlit as st

from explorer.lessons.positional_encoding import trained, trained_readings
from explorer.lessons.positional_encoding.figures import trained as figures
from explorer.lessons.positional_encoding.ui import controls as widgets
from explorer.nn.positions import LearnedPositions
from explorer.records.language import t
from explorer.ui import choice
from explorer.ui.scene import picture

CODE = (LearnedPositions,)


def controls() -> bool:
    """Ask whether the codes are shown, or how alike they are."""
    names = {"codes": t("the codes"), "likeness": t("how alike they are")}
    return choice.buttons(t("Learned table"), names, key="pe_table") == "codes"


def stage(codes: bool) -> None:
    """The table, and beside it likeness by offset."""
    record = widgets.find_result(trained.load_learned_table, trained.LEARNED, "positions-learned")
    if record is None:
        return
    reach = trained_readings.table_reach(record)
    first, second = st.columns(2, gap="medium")
    with first:
        picture.show_chart(
            "pe_table_matrix",
            partial(figures.table, record, reach=reach) if codes else partial(figures.likeness, record),
            title=t("The learned codes") if codes else t("Cosine of every two learned codes"),
            note=t("colours end at ±{reach}").format(reach=f"{reach:.1f}") if codes else "",
            reading=trained_readings.describe_table(record),
            provenance=record.provenance,
            of=codes,
            height=picture.Height(less=28, less_low=30),
        )
    with second:
        picture.show_chart(
            "pe_table_offset",
            partial(figures.by_offset, record),
            title=t("How alike two learned codes are"),
            reading=trained_readings.describe_by_offset(record),
            of="learned",
            height=picture.Height(less=28, less_low=30),
        )
