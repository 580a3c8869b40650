"""Steps of a way through the decoder: buttons, Play and arrow keys."""

import streamlit as st

from explorer.lessons.translator.ui import rail
from explorer.ui import choice, player
from explorer.ui.language import t


def point(count: int) -> int:
    """Return the number of the point on the way, whatever the link says: buttons, arrow keys and a player move it."""
    last = count - 1
    text = rail.note("tr_point", t("Step on the way"))
    here = min(int(text), last) if text.isascii() and text.isdigit() and len(text) <= 6 else 0
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="tr_stepper"):
        choice.move(t("Sub-layer before"), ":material/arrow_upward:", "tr_up", go, here - 1, off=here == 0)
        choice.move(t("Next sub-layer"), ":material/arrow_downward:", "tr_down", go, here + 1, off=here == last)
        player.play("tr_play", here, last, go, around="tr_stepper")
    return here


def go(number: int) -> None:
    """Look at this point from now on; in a callback."""
    st.session_state["tr_point"] = str(max(number, 0))
