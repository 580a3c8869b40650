"""What the page asks a picture to show, so that a click in it sends nothing back that it knows already.

A picture of every head weighs a hundred kilobytes. What the reader has clicked in it stays out of what is sent next:
the message is the same as before, and Streamlit does not send it again.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from explorer.ui import fields
from explorer.ui.live.told import Action, Index, Told

#: Of a head: its site and its number; of a word: its number alone, -1 for none.
Place = tuple[int, ...]


@dataclass(slots=True)
class _Asked:
    """A place that was asked for.

    Attributes:
        of: all else that the picture depends on.
        position: as the page has asked for it.
        times: how often it has asked for one.
        clicked: what the reader has chosen in the picture since.
    """

    of: str = ""
    position: Place = ()
    times: int = 0
    clicked: Place | None = None


def request_place(key: str, position: Place, *of: object) -> tuple[int, ...]:
    """Return a place and how often one was asked for: as before, if the reader has chosen this one in the picture.

    Args:
        key: of the field of the link that holds the place.
        of: all else that the picture depends on: where it has changed, the picture is told of the place anew.
    """
    last = _last(key)
    if last.of != repr(of) or (last.clicked or last.position) != position:
        last.of, last.position, last.clicked, last.times = repr(of), position, None, last.times + 1
    return (*last.position, last.times)


def tells(key: str, said: Sequence[str], positions: Sequence[Place]) -> Told:
    """Return what is done with a place that the reader clicks: the link says it.

    Args:
        said: every place as the link says it, in the order of the picture.
        positions: the same as of `asked`.
    """

    def clicked(position: int) -> None:
        _last(key).clicked = positions[position]
        fields.set_values({key: said[position]})

    return Action(clicked, position=Index(len(positions)))


def _last(key: str) -> _Asked:
    found: _Asked = st.session_state.setdefault(f"{key}_asked", _Asked())
    return found
