"""The shares of the keys under the pointer: temperature and query move them before their sliders are let go."""

from pathlib import Path

import streamlit as st

from explorer.lessons.queries_keys_values import state
from explorer.lessons.queries_keys_values.figures.ways import way_names
from explorer.lessons.queries_keys_values.records.lookup import WAYS, LookupRecord
from explorer.lessons.queries_keys_values.ui import dragged
from explorer.ui import fields, scripts
from explorer.ui.language import t
from explorer.ui.live.ribbons import read

_shares = scripts.component(Path(__file__).with_name("shares.js"))


def draw(record: LookupRecord, *, key: str) -> None:
    """Draw whose share the answer is at every temperature; the one that is let go is kept in the link."""
    names = way_names(t)
    data = dragged.dictionary(record) | {
        "temperatures": record.temperatures.tolist(),
        "ways": [names[way] for way in WAYS],
        "said": {
            "title": t("Whose share the answer is"),
            "hint": t("The areas are the weights of the keys; the strip below them is the answer. Drag the mark."),
            "across": t("temperature T"),
            "answer": t("answer"),
            "share": t("temperature {temperature}: “{key}” weighs {weight}"),
        },
    }

    def told() -> None:
        place = read(getattr(st.session_state.get(key), "moved", None), len(state.TEMPERATURES), "place")
        if place is not None:
            fields.put({"qk_t": state.TEMPERATURES[place]})

    _shares(data=data, key=key, on_moved_change=told)
