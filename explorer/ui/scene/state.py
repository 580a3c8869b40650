"""Setting a scene to a state, and knowing whether it is in one."""

import math
from collections.abc import Mapping
from typing import Any

import streamlit as st

from explorer.scenes.spec import Lesson, Scene, State
from explorer.ui import fields
from explorer.ui.streamlit_internals import address

_PRESSES = "presets_pressed"


def put(lesson: Lesson, scene: Scene, state: State) -> None:
    """Set the scene's controls; what the state does not name returns to its default."""
    wanted = {**lesson.defaults(scene), **state}
    fields.set_values(wanted)
    address.forget(wanted)
    st.session_state[_PRESSES] = presses() + 1


def presses() -> int:
    """Return how often this reader has set a scene to a state: a film that plays goes back to it, too."""
    return int(st.session_state.get(_PRESSES, 0))


def holds(lesson: Lesson, scene: Scene, state: State) -> bool:
    """Return whether the scene is in the state that `put` would bring about."""
    usual = lesson.defaults(scene)
    wanted: Mapping[str, Any] = {**usual, **state}
    return all(_same(st.session_state.get(key, usual.get(key, value)), value) for key, value in wanted.items())


def current(lesson: Lesson, scene: Scene) -> State:
    """Return the state that the scene is in, for `put` to bring back."""
    return {key: st.session_state.get(key, usual) for key, usual in lesson.defaults(scene).items()}


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=1e-6, abs_tol=1e-9)
    return bool(one == other)
