"""The address of a request, beneath what `st.query_params` lets be written."""

from collections.abc import Callable

import pytest
import streamlit as st
from streamlit.errors import StreamlitAPIException
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state import get_session_state

from explorer.ui.streamlit_internals import address, own_session


def told_by(act: Callable[[], None]) -> list[str]:
    """What the browser is told of its address meanwhile."""
    context, told = get_script_run_ctx(), []
    assert context
    context._enqueue = lambda message: told.append(message.page_info_changed.query_string)
    act()
    return told


def test_what_the_request_says_is_changed_without_a_word_to_the_browser() -> None:
    def make() -> None:
        assert told_by(lambda: address.take_to_say({"one": "1", "two": "2"})) == []
        assert st.query_params.to_dict() == {"one": "1", "two": "2"}
        assert told_by(lambda: address.take_to_say({"one": None, "none": None})) == []
        assert st.query_params.to_dict() == {"two": "2"}

    own_session.run(make, {})


def test_the_browser_is_told_the_value_of_a_widget() -> None:
    def make() -> None:
        st.slider("Number", 0.0, 9.0, 4.0, key="number", bind="query-params")
        with pytest.raises(StreamlitAPIException):
            st.query_params["number"] = "5"  # else `address.tell` can go
        assert told_by(lambda: address.tell("number", 2.5)) == ["number=2.5"]
        assert told_by(lambda: address.tell("number", 2.5)) == []
        assert told_by(lambda: address.tell("text", "a b")) == ["number=2.5&text=a+b"]
        assert told_by(lambda: address.tell("number", None)) == ["text=a+b"]
        assert told_by(lambda: address.tell("number", None)) == []

    own_session.run(make, {})


@pytest.mark.parametrize(("forgotten", "begins"), [(set(), 7), ({"number"}, 4)])
def test_what_is_forgotten_gives_no_widget_its_value(forgotten: set[str], begins: int) -> None:
    def make() -> int:
        context = get_script_run_ctx()
        assert context
        context.query_string = "number=7&other=1"
        with get_session_state().query_params() as parameters:
            parameters.set_initial_query_params(context.query_string)
        address.forget(forgotten)
        return st.slider("Number", 0, 9, 4, key="number", bind="query-params")

    assert own_session.run(make, {}) == begins
