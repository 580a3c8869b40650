"""“Three families”: who may look at whom, and what each predicts, on the same sentence."""

from functools import partial

import streamlit as st

from explorer.lessons.whole_transformer import families, family_readings
from explorer.lessons.whole_transformer.families import find_unusable  # noqa: F401 - the kit asks for it
from explorer.lessons.whole_transformer.figures import families as figures
from explorer.lessons.whole_transformer.records import FamilyRecord
from explorer.lessons.whole_transformer.state import MOST_CHARACTERS
from explorer.models.masked import MaskedEncoder
from explorer.records.language import t
from explorer.ui import choice, messages
from explorer.ui.scene import picture

CODE = (MaskedEncoder.hidden,)


def controls() -> families.Params:
    """Ask for the sentence with a blank, and the layer."""
    text = choice.text(t("English sentence with a blank ___"), MOST_CHARACTERS, key="wt_blanked")
    names = {"first": t("first"), "last": t("last")}
    depth = choice.buttons(t("Layer"), names, key="wt_family_layer")
    return families.Params(text=text, depth="first" if depth == "first" else "last")


def stage(params: families.Params) -> dict[str, str] | None:
    """Draw the three beside each other."""
    records = _recorded(params)
    if records is None:
        return None
    called = figures.names()
    for record, column in zip(records, st.columns(3, gap="medium"), strict=True):
        with column:
            picture.show_chart(
                f"wt_family_{record.family}",
                partial(figures.family, record),
                title=called[record.family],
                reading=family_readings.describe(record),
                of=params,
            )
    return {"right": f"{families.right():.0f}"}


def _recorded(params: families.Params) -> tuple[FamilyRecord, ...] | None:
    """Return the records; where there are none, say why and what to do."""
    found = []
    try:
        for read, name in families.READERS.items():
            record = messages.compute(read, params, name)
            if record is None:
                return None
            found.append(record)
    except families.NoBlank:
        messages.info(t("Write ___ where a word is left out: “I drink a cup of ___.”"))
        return None
    return tuple(found)
