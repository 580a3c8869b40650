"""A step of a film: a slider, Play, two buttons and the arrow keys; the link carries its number."""

from collections.abc import Callable

import streamlit as st

from explorer.ui import choice, player
from explorer.ui.language import t


def ask(name: str, label: str, last: int, default: str, *, first: int = 0) -> int:
    """Ask for a step from 0 to `last`; whatever the link says, it exists.

    Args:
        name: the key is `{name}_step`, that of the buttons' container `{name}_stepper`.
        last: step.
        default: step, as the link writes it.
        first: what the slider calls step 0.
    """
    key, go = f"{name}_step", goes(f"{name}_step")
    now = place(key, label, last, default, first=first)
    with st.container(horizontal=True, gap="xsmall", key=f"{name}_stepper"):
        player.play(f"{name}_play", now, last, go, around=f"{name}_stepper")
        choice.move(t("Step back"), ":material/chevron_left:", f"{name}_previous", go, now - 1, off=now == 0)
        choice.move(t("Step on"), ":material/chevron_right:", f"{name}_next", go, now + 1, off=now == last)
    return now


def place(key: str, label: str, last: int, default: str, *, first: int = 0) -> int:
    """Ask for a place from 0 to `last` by the slider alone; arguments as of `ask`."""
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
