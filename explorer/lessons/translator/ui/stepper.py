"""Steps of a search and of a way through the decoder: buttons, slider, Play and arrow keys."""

import streamlit as st

from explorer.inference.translator.request import MOST_LENGTH_PENALTY
from explorer.lessons.translator.ui import rail
from explorer.records.search import SearchRecord
from explorer.ui import choice, player
from explorer.ui.language import t


def step(record: SearchRecord) -> int:
    """Ask after how many steps the tree is shown: all, unless the reader goes back. Buttons, slider, Play."""
    last = record.n_steps
    here = _asked_step(last)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="tr_tree_stepper"):
        choice.move(t("First step"), ":material/first_page:", "tr_tree_first", _go, 1, off=here == 1)
        choice.move(t("Step back"), ":material/chevron_left:", "tr_tree_back", _go, here - 1, off=here == 1)
        choice.move(t("Step on"), ":material/chevron_right:", "tr_tree_on", _go, here + 1, off=here == last)
        player.play("tr_tree_play", here - 1, last - 1, lambda to: _go(to + 1), around="tr_tree_stepper")
        if last > 1:
            st.session_state["tr_tree_step_shown"] = here
            st.slider(t("Which step? {n} in all").format(n=last), 1, last, key="tr_tree_step_shown", on_change=_slid)
    return here


def _asked_step(last: int) -> int:
    text = rail.note("tr_tree_step", t("Step"))
    return min(max(int(text), 1), last) if text.isascii() and text.isdigit() and len(text) <= 6 else last


def _slid() -> None:
    _go(int(st.session_state["tr_tree_step_shown"]))


def _go(step: int) -> None:
    st.session_state["tr_tree_step"] = str(max(step, 1))


def dropped() -> bool:
    """Ask whether candidates that were not kept are drawn."""
    return bool(
        st.toggle(
            t("Also show what was not kept"),
            key="tr_tree_dropped",
            help=t("At each step twice as many continuations are looked at as are kept: here are the others too."),
            **rail.URL,
        )
    )


def penalty() -> float:
    """Return the length penalty that the finished hypotheses are ranked by."""
    said = t("score = log-probability / ((5 + tokens) / 6)^α; nothing is translated again.")
    return float(rail.slider(t("Length penalty α for ranking"), 0.0, MOST_LENGTH_PENALTY, "tr_rank", 0.05, help=said))


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
