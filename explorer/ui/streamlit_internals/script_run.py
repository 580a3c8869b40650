"""The run of a page's script, the session that it belongs to, and whether a browser is connected to it."""

from streamlit.runtime import Runtime, exists
from streamlit.runtime.scriptrunner import get_script_run_ctx


def current() -> object | None:
    """Return what stands for the run of this thread's script, another for every run; None where no script runs."""
    return get_script_run_ctx(suppress_warning=True)


def session_id() -> str:
    """Return the session whose script runs; an empty text where none does."""
    context = get_script_run_ctx(suppress_warning=True)
    return context.session_id if context else ""


def has_server() -> bool:
    """Return whether a server runs the script, rather than Python alone."""
    return exists()


def count_connected() -> int:
    """Return how many sessions have a browser."""
    return Runtime.instance()._session_mgr.num_active_sessions() if exists() else 0


def is_connected(session: str) -> bool:
    """Return whether a browser is connected to a session."""
    active = exists() and Runtime.instance().is_active_session(session)
    return active is not False  # while a test mocks the runtime it is no bool
