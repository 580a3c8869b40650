"""Steps that play by themselves: the browser asks for the next one when the last has arrived.

So nothing runs on the server while nobody looks, a slow server is never asked twice, and the wait for one reader is no
wait for another.
"""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from explorer.ui import scripts
from explorer.ui.language import t

_player = scripts.component(Path(__file__).with_suffix(".js"), "<button type='button'></button>")


def play(key: str, step: int, last: int, on_move: Callable[[int], None], *, around: str) -> None:
    """Show a button that plays and pauses, and arrow keys that step.

    Args:
        key: English name, unique on the page.
        step: that is shown now, from 0.
        last: step.
        on_move: gets the next step, clamped to 0…`last`.
        around: key of a container; arrow keys step while the focus is on a button in it or on the page itself.
    """

    def moved() -> None:
        to = read(getattr(st.session_state.get(key), "moved", None))
        if to is not None:
            on_move(min(max(to, 0), last))

    words = {"play": t("Play"), "pause": t("Pause")}
    data = {"step": step, "last": last, "around": around, **words}
    _player(data=data, key=key, width="content", on_moved_change=moved)


def read(told: Any) -> int | None:
    """Return the step that the browser asked for; None if it is no such thing."""
    to = told.get("to") if isinstance(told, dict) else None
    if isinstance(to, bool) or not isinstance(to, int | float) or not math.isfinite(to):
        return None
    return int(min(max(to, -1e9), 1e9))
