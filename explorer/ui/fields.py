"""What the link's fields hold, whatever a message of the browser says that had not heard of it.

Every message says what all fields hold, and one that the browser sends before it has heard of a change says the value
from before it: of two quick choices, or two points dragged one after the other, the first would be lost. What the page
has `put` therefore stays where a message says what the field held before; in a hidden field, always.
"""

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

import streamlit as st

from explorer.scenes import DEFAULTS
from explorer.ui.streamlit_internals import address

#: How long after a field was drawn the browser may not yet have heard of it.
_HEARD_S = 1.0
#: Session key of what the page has put into fields.
_PUT = "put_by_page"
#: When a field was drawn of which the browser itself has said what it holds.
_EVER = -math.inf


@dataclass(slots=True)
class _Put:
    """A value that a field of the link holds.

    Attributes:
        value: the value.
        before: what it held before the page has set it, which is what the browser may still say.
        linked: what the browser's address says of it, or soon will.
        drawn: when it was drawn since; None if it was not.
    """

    value: Any
    before: tuple[Any, ...] = ()
    linked: Any = None
    drawn: float | None = None

    def heard(self) -> bool:
        """Return whether the browser has heard of it."""
        return self.drawn is not None and is_heard(self.drawn)


def is_heard(since: float) -> bool:
    """Return whether the browser has heard by now of what it was told then."""
    return time.monotonic() - since > _HEARD_S


def set_values(values: Mapping[str, Any]) -> None:
    """Set fields of the link, by their keys; in a callback."""
    for key, value in values.items():
        last = _puts().get(key)
        before = () if last is None or last.heard() else last.before
        _hold(key, value, (*before, st.session_state.get(key)))
    _complete_link()


def follow(key: str, value: Any) -> None:
    """Set a field to what the reader has chosen, which the browser knows; in a callback."""
    _hold(key, value)
    _complete_link()


def _hold(key: str, value: Any, before: tuple[Any, ...] = ()) -> None:
    last = _puts().get(key)
    _puts()[key] = _Put(value, before, None if last is None else last.linked)
    st.session_state[key] = value


def _complete_link() -> None:
    """Have the link of this request say what the browser was told, though it had not heard of it.

    Streamlit takes a request's link for the page's, and tells the browser of what differs from it.
    """
    said: dict[str, str | None] = {}
    for key, last in list(_puts().items()):  # the run that this one breaks off may still draw
        by_hand = last.drawn is not None and st.session_state.get(key) != last.value
        if last.linked is None or last.heard() or by_hand:
            continue
        if last.linked == DEFAULTS.get(key):
            said[key] = None
        elif isinstance(last.linked, str):
            said[key] = last.linked
    address.take_to_say(said)


def _puts() -> dict[str, _Put]:
    return cast("dict[str, _Put]", st.session_state.setdefault(_PUT, {}))


def is_outdated(key: str, said: Any) -> bool:
    """Return whether the browser says this because it has not heard of what was put."""
    last = _puts().get(key)
    return last is not None and said in last.before and not last.heard()


def accept_unless_stale(key: str, then: Callable[..., None], args: tuple[Any, ...]) -> None:
    """Leave a field as it was put if the browser has not heard of it; else go on."""
    if is_outdated(key, st.session_state[key]):
        st.session_state[key] = _puts()[key].value
    else:
        then(*args)


def fresh(key: str) -> bool:
    """Return whether the page has put something into a field that has not been drawn since."""
    last = _puts().get(key)
    return last is not None and last.drawn is None


def before_draw(key: str) -> None:
    """Note that the browser's address is told: before the field is, where the run may be broken off."""
    last = _puts().get(key)
    if last is not None:
        last.linked = last.value


def link(key: str, usual: float | str) -> None:
    """Tell the browser's address what a slider or a text was put to, before it is drawn.

    Streamlit (1.67) leaves there what it held before, if its bounds or its label change in the same run.
    """
    last = _puts().get(key)
    if last is not None and last.drawn is None:
        address.tell(key, None if last.value == usual else last.value)


def after_draw(key: str, value: Any) -> None:
    """Note what a field held when it was drawn."""
    last = _puts().get(key)
    if last is None or last.value != value:
        _puts()[key] = _Put(value, linked=value, drawn=_EVER)
    elif last.drawn is None:
        last.drawn = time.monotonic()


def forget(key: str, usual: Any) -> None:
    """Set a field that is not drawn yet to its default."""
    _puts().pop(key, None)
    st.session_state[key] = usual


def keep(key: str) -> None:
    """Leave a hidden field as it is; the browser's history does not come this way."""
    st.session_state[key] = _puts()[key].value
