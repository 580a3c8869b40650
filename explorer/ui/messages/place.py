"""Boxes of messages, where the picture would stand."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar

import streamlit as st

from explorer.ui.messages.plain import plain
from explorer.ui.paper.collected import Collected, add, collecting

_place: ContextVar[AbstractContextManager[object] | None] = ContextVar("place", default=None)


@contextmanager
def at(place: AbstractContextManager[object]) -> Iterator[None]:
    """Put what is said inside into a container: nobody looks for a message in a fold beside the picture."""
    before = _place.set(place)
    try:
        yield
    finally:
        _place.reset(before)


def place() -> AbstractContextManager[object]:
    """Return the container that takes a message: that of `at`, or the one that is drawn into."""
    return _place.get() or nullcontext()


def info(said: str, icon: str = ":material/edit:") -> None:
    """Say what is to be typed or chosen otherwise; plain text (escaped here), as in all of these."""
    _say(st.info, said, icon)


def warning(said: str, icon: str = ":material/error:") -> None:
    """Say what could not be done as asked."""
    _say(st.warning, said, icon)


def error(said: str, icon: str = ":material/error:") -> None:
    """Say why there is nothing to see."""
    _say(st.error, said, icon)


def _say(draw: Callable[..., object], said: str, icon: str) -> None:
    if collecting():
        from explorer.ui.paper import written  # a page does without its parser

        add(Collected("", "", markup=f'<div class="message" role="note">{written.markdown(plain(said))}</div>'))
        return
    with place():
        draw(plain(said), icon=icon)


def caption(said: str, icon: str = "") -> None:
    """Say something small, where it is called."""
    st.caption(f"{icon} {plain(said)}".strip())
