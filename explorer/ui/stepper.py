"""A place that the link carries: its slider, and what sets it."""

from collections.abc import Callable

import streamlit as st

from explorer.ui import choice


def place(key: str, label: str, last: int, default: str, *, first: int = 0) -> int:
    """Ask for a place from 0 to `last`; whatever the link says, it exists.

    Args:
        key: of the place.
        label: of the slider.
        last: place.
        default: place, as the link writes it.
        first: what the slider calls place 0.
    """
    asked, go, shown = choice.note(label, default, key=key, most=6), goes(key), f"{key}_shown"
    now = min(int(asked), last) if asked.isascii() and asked.isdigit() else 0
    if last > 0:
        st.session_state[shown] = now + first
        st.slider(label, first, last + first, key=shown, on_change=lambda: go(int(st.session_state[shown]) - first))
    return now


def goes(key: str) -> Callable[[int], None]:
    """Return what sets the step that stands under a key; for callbacks."""

    def go(to: int) -> None:
        st.session_state[key] = str(max(to, 0))

    return go
