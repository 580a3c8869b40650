"""Whose script runs, in a session and outside of every one."""

import pytest
import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.testing.v1 import AppTest

from explorer.ui.streamlit_internals import own_session, script_run


def page() -> None:
    """A page that keeps what stands for its runs."""
    import streamlit as st

    from explorer.ui.streamlit_internals import script_run

    assert script_run.current() is script_run.current() is not None
    runs = st.session_state.setdefault("runs", [])
    runs.append((script_run.current(), script_run.session_id()))


def test_every_run_is_another_of_one_session() -> None:
    app = AppTest.from_function(page, default_timeout=60).run().run()
    assert not app.exception
    (first, session), (second, same) = app.session_state["runs"]
    assert first is not second
    assert session == same != ""


def test_where_no_page_runs_there_is_no_session() -> None:
    assert script_run.current() is None
    assert script_run.session_id() == ""
    assert not script_run.has_server()
    assert not script_run.is_connected("any")


def test_a_session_of_its_own_begins_as_told_and_leaves_nothing() -> None:
    """Widgets of every kind that is drawn have their defaults, a link too, and nobody's state is touched."""

    def make() -> tuple[int, bool, str, str]:
        st.html("<p>drawn</p>")
        with st.container(key="box"), st.expander("Fold"):
            number = st.slider("Number", 0, 9, 4, key="number", bind="query-params")
        shown = st.toggle("Shown", key="shown", bind="query-params")
        st.file_uploader("File", key="file")
        return number, shown, st.session_state["word"], script_run.session_id()

    first, second = (own_session.run(make, {"word": word, "shown": word == "a"}) for word in "ab")
    assert first[:3] == (4, True, "a")
    assert second[:3] == (4, False, "b")
    assert first[3] != second[3]
    assert get_script_run_ctx(suppress_warning=True) is None
    with pytest.raises(KeyError):
        st.session_state["word"]
