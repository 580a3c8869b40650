"""A fragment that runs by the clock leaves what a press has set."""

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequests

from explorer.ui.streamlit_internals import timed_reruns


@pytest.fixture
def repaired(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ScriptRequests, "request_rerun", ScriptRequests.request_rerun)
    timed_reruns.repair()


def sent(value: str) -> WidgetStates:
    return WidgetStates(widgets=[WidgetState(id="family", string_value=value)])


def asked(*rerun: RerunData) -> list[str]:
    """Return the values of a widget with which the script runs next."""
    requests = ScriptRequests()
    for each in rerun:
        assert requests.request_rerun(each)
    states = requests.on_scriptrunner_ready().rerun_data.widget_states
    return [] if states is None else [each.string_value for each in states.widgets]


@pytest.mark.usefixtures("repaired")
def test_the_clock_brings_no_values() -> None:
    assert asked(RerunData(widget_states=sent("old"), fragment_id="film", is_auto_rerun=True)) == []


@pytest.mark.usefixtures("repaired")
def test_what_a_reader_has_chosen_waits_beside_it() -> None:
    clock = RerunData(widget_states=sent("old"), fragment_id="film", is_auto_rerun=True)
    assert asked(RerunData(widget_states=sent("new")), clock) == ["new"]
    assert asked(clock, RerunData(widget_states=sent("new"))) == ["new"]


def test_streamlit_still_needs_it() -> None:
    """Once this fails, `timed_reruns` can go."""
    assert asked(RerunData(widget_states=sent("old"), fragment_id="film", is_auto_rerun=True)) == ["old"]
