"""A session without a browser: what a page calls runs in it, and nothing reaches anybody's page."""

import secrets
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import streamlit as st
from streamlit.runtime import Runtime, exists
from streamlit.runtime.fragment import MemoryFragmentStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import add_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext
from streamlit.runtime.state import SafeSessionState, SessionState

from explorer import project

R = TypeVar("R")
_HOME = str(project.APP)


def run(make: Callable[[], R], state: Mapping[str, Any]) -> R:
    """Return what a function makes in a session of its own, in which every widget has its default.

    Without a session Streamlit would keep one state for the whole process: two readers' languages would mix.

    Args:
        make: may call whatever a page calls.
        state: what the session holds at first.
    """
    with ThreadPoolExecutor(1, thread_name_prefix="own_session") as thread:
        return thread.submit(_in_session, make, state).result()


def _in_session(make: Callable[[], R], state: Mapping[str, Any]) -> R:
    name = f"own_session_{secrets.token_hex(8)}"
    context = ScriptRunContext(
        session_id=name,
        _enqueue=lambda _message: None,
        query_string="",
        session_state=SafeSessionState(SessionState(), lambda: None),
        uploaded_file_mgr=MemoryUploadedFileManager("/nowhere"),
        main_script_path=_HOME,
        user_info={},
        fragment_storage=MemoryFragmentStorage(),
        pages_manager=PagesManager(_HOME),
    )
    add_script_run_ctx(ctx=context)
    context.reset()
    st.session_state.update(state)
    try:
        return make()
    finally:
        if exists():
            Runtime.instance().media_file_mgr.clear_session_refs(name)
