"""Setting a scene to a state, and knowing whether it is in one."""

import math
from collections.abc import Container, Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from explorer.scenes.spec import Lesson, Scene, State
from explorer.ui import choice


def put(lesson: Lesson, scene: Scene, state: State) -> None:
    """Set the scene's controls; what the state does not name returns to its default."""
    wanted = {**lesson.defaults(scene), **state}
    choice.put(wanted)
    _forget_in_link(wanted)


def _forget_in_link(keys: Container[str]) -> None:
    """Keep the link of this request from overruling what was put.

    Streamlit takes a widget whose range has changed for a new one, and a new one's value from the link.
    """
    context = get_script_run_ctx()
    if context is None:
        return
    others = [(key, value) for key, value in parse_qsl(context.query_string) if key not in keys]
    with context.session_state.query_params() as link:
        link.set_initial_query_params(urlencode(others))


def holds(lesson: Lesson, scene: Scene, state: State) -> bool:
    """Return whether the scene is in the state that `put` would bring about."""
    usual = lesson.defaults(scene)
    wanted: Mapping[str, Any] = {**usual, **state}
    return all(_same(st.session_state.get(key, usual.get(key, value)), value) for key, value in wanted.items())


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=1e-6, abs_tol=1e-9)
    return bool(one == other)
