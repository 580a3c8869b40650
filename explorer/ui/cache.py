"""Results and figures that are made once for equal parameters, bounded in number."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

P = TypeVar("P")
R = TypeVar("R")
#: Torch gives the interpreter away at every operation and waits for it after each: side by side, the computations of a
#: class take up to twice as long as one after the other. Who has waited for this many seconds goes on all the same.
_PATIENCE = 1.0
_turn = threading.RLock()


def compute(function: Callable[[P], R], params: P, *, own: bool = False) -> R:
    """Return the lesson's result for these parameters: looked up by their representation, computed if it is new.

    Readers' computations take turns. Jobs, which may take long, do not.

    Args:
        function: a lesson's `compute`.
        params: its frozen `Params`.
        own: as of `once`.
    """
    key = repr((f"{function.__module__}.{function.__qualname__}", params))

    def make() -> R:
        with _in_turn():
            return function(params)

    found: R = (_for_session if own else _results)(key, make)
    return found


def once(make: Callable[[], R], *key: object, own: bool = False) -> R:
    """Return what is made, for equal keys the same: frozen, or changed by nobody; nothing is pickled or copied.

    Args:
        key: all that it depends on; what counts is the representation.
        own: whether it tells of something that the reader brought: it is kept for their session, not for everybody.
    """
    made: R = (_for_session if own else _for_everybody)(repr(key), make)
    return made


#: Of a text of hundreds of tokens a result has up to ten megabytes, a figure of it hardly one.
@st.cache_resource(max_entries=256, show_spinner=False)
def _results(key: str, _make: Callable[[], Any]) -> Any:  # noqa: ARG001 - the key
    return _make()


@st.cache_resource(max_entries=512, show_spinner=False)
def _for_everybody(key: str, _make: Callable[[], Any]) -> Any:  # noqa: ARG001 - the key
    return _make()


@st.cache_resource(max_entries=64, show_spinner=False, scope="session")
def _for_session(key: str, _make: Callable[[], Any]) -> Any:  # noqa: ARG001 - the key
    return _make()


@contextmanager
def _in_turn() -> Iterator[None]:
    """Wait for a turn, if this is the run of a page."""
    mine = get_script_run_ctx(suppress_warning=True) is not None and _turn.acquire(timeout=_PATIENCE)
    try:
        yield
    finally:
        if mine:
            _turn.release()
