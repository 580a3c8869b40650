"""What a browser's clock asks for."""

from dataclasses import replace

from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequests

_request_rerun = ScriptRequests.request_rerun


def repair() -> None:
    """Let a fragment that runs by the clock (`run_every`) choose nothing; call once, before a browser comes.

    Streamlit 1.67 sends the values of all widgets with it, also those that stood there before what a press has set has
    been seen: a callback then answers a choice that nobody has made. *A Transformer reads the digit*, pressed while a
    film of the training lab was still being fetched, stood at 1,000 steps instead of its 600.
    """
    ScriptRequests.request_rerun = _request_without_values  # type: ignore[assignment, method-assign]


def _request_without_values(requests: ScriptRequests, data: RerunData) -> bool:
    return _request_rerun(requests, replace(data, widget_states=None) if data.is_auto_rerun else data)
