"""Results and figures that are made once for equal parameters, bounded in bytes (`explorer.service.kept`)."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import streamlit as st

from explorer.service.kept import list_kept
from explorer.ui.streamlit_internals import script_run

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

    return _kept("result", key, make, own)


def once(make: Callable[[], R], *key: object, own: bool = False) -> R:
    """Return what is made, for equal keys the same: frozen, or changed by nobody; nothing is pickled or copied.

    Args:
        key: all that it depends on; what counts is the representation.
        own: whether it tells of something that the reader brought: it is kept for their session, not for everybody.
    """
    return _kept("made", repr(key), make, own)


def _kept(kind: str, key: str, make: Callable[[], R], own: bool) -> R:
    return list_kept().once((kind, _session() if own else "", key), make)


list_kept().asking = script_run.session_id


def _left(session: str) -> None:
    """Let what a session kept for itself go with it."""
    list_kept().forget(lambda key: isinstance(key, tuple) and key[1] == session)


@st.cache_resource(show_spinner=False, scope="session", on_release=_left)
def _session() -> str:
    """Return the session that what it brought is kept for."""
    return script_run.session_id()


@contextmanager
def _in_turn() -> Iterator[None]:
    """Wait for a turn, if this is the run of a page."""
    mine = script_run.current() is not None and _turn.acquire(timeout=_PATIENCE)
    try:
        yield
    finally:
        if mine:
            _turn.release()
