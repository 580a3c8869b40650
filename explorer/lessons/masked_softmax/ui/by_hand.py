"""Cells of a mask that are changed by hand: typed, clicked, undone; kept in the link."""

import streamlit as st

from explorer.lessons.masked_softmax import state
from explorer.lessons.masked_softmax.records import Cell, NotationError, read_cells, write_cells
from explorer.records.language import t
from explorer.ui import choice, fields, messages


def cells(key: str, label: str) -> tuple[Cell, ...]:
    """Ask for cells; none, and a message, where they cannot be read."""
    said = t("Places count from 1. 3:1-4 changes keys 1 to 4 of query 3; 2-3:1 key 1 of queries 2 and 3.")
    typed = choice.text(label, 1200, key=key, placeholder="3:1 5:2-4", help=said)
    st.button(
        t("Undo all"),
        key=f"{key}_forget",
        icon=":material/ink_eraser:",
        on_click=fields.set_values,
        args=({key: ""},),
        disabled=not typed,
    )
    try:
        return read_cells(typed, state.MAX_WORDS)
    except NotationError as error:
        not_understood(error, t("Write cells such as 3:1 or 3:1-4. Until then none is changed by hand."))
        return ()


def not_understood(error: NotationError, advice: str) -> None:
    """Say which piece of a notation cannot be read."""
    messages.info(f"“{error.piece[:40]}”? {advice}")


def flip(key: str, query: int, to: int) -> None:
    """Change one cell."""
    try:
        kept = set(read_cells(st.session_state.get(key) or "", state.MAX_WORDS))
    except NotationError:
        kept = set()
    fields.set_values({key: write_cells(kept ^ {(query, to)})})
