"""How long runs take, as the server's numbers have it."""

import pytest
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner.script_runner import ScriptRunnerEvent

from explorer.ui.streamlit_internals import run_times


class Runner:
    """Stands for a runner of scripts."""


def test_a_run_is_timed_to_its_end_and_one_that_is_cut_off_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    passed, noted, now = list[object](), list[tuple[float, str]](), [100.0]
    monkeypatch.setattr(run_times, "_on_event", lambda _, __, event, *rest, **more: passed.append(event))
    monkeypatch.setattr(AppSession, "_on_scriptrunner_event", AppSession._on_scriptrunner_event)
    monkeypatch.setattr(run_times.time, "monotonic", lambda: now[0])
    run_times.measure(lambda seconds, kind: noted.append((seconds, kind)))
    one, other, event = Runner(), Runner(), ScriptRunnerEvent
    told = [
        (one, event.SCRIPT_STARTED, 0.0),
        (other, event.SCRIPT_STARTED, 1.0),
        (one, event.ENQUEUE_FORWARD_MSG, 0.0),
        (one, event.SCRIPT_STOPPED_WITH_SUCCESS, 1.0),
        (other, event.SCRIPT_STOPPED_FOR_RERUN, 2.0),
        (other, event.SCRIPT_STARTED, 0.0),
        (other, event.FRAGMENT_STOPPED_WITH_SUCCESS, 0.5),
        (None, event.SHUTDOWN, 0.0),
    ]
    for sender, what, after_s in told:
        now[0] += after_s
        AppSession._on_scriptrunner_event(None, sender, what)  # type: ignore[arg-type]
    assert noted == [(2.0, "page"), (0.5, "fragment")]
    assert passed == [what for _, what, _ in told]
