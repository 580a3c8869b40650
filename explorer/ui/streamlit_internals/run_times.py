"""How long the runs of pages take."""

import time
from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner, ScriptRunnerEvent

_on_event = AppSession._on_scriptrunner_event
#: What ends a run that nothing has cut off.
_ENDS = {
    ScriptRunnerEvent.SCRIPT_STOPPED_WITH_SUCCESS: "page",
    ScriptRunnerEvent.FRAGMENT_STOPPED_WITH_SUCCESS: "fragment",
}


def measure(note: Callable[[float, str], None]) -> None:
    """Have `note` called with the seconds of every run, and whether it was of a `page` or a `fragment`; call once."""
    begun: WeakKeyDictionary[ScriptRunner, float] = WeakKeyDictionary()

    def on_event(
        session: AppSession, sender: ScriptRunner | None, event: ScriptRunnerEvent, *rest: Any, **more: Any
    ) -> None:
        if sender is not None:
            if event is ScriptRunnerEvent.SCRIPT_STARTED:
                begun[sender] = time.monotonic()
            elif event in _ENDS and sender in begun:
                note(time.monotonic() - begun.pop(sender), _ENDS[event])
        _on_event(session, sender, event, *rest, **more)

    AppSession._on_scriptrunner_event = on_event  # type: ignore[assignment, method-assign]
