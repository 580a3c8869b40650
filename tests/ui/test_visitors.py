"""Who is here, and what happens when they go."""

import threading
import time

from streamlit.testing.v1 import AppTest

from explorer.ui.visitors import Visitors
from tests.support.waiting import until


def looking() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name == "presence"}


def test_connected_readers_stay_and_those_who_left_go_after_a_while() -> None:
    connected, gone, before = {"tab"}, [], looking()
    presence = Visitors(connected.__contains__, kept_s=0.1, look_every_s=0.02)
    presence.when_gone(gone.append)
    presence.here("me", "tab")
    time.sleep(0.25)
    assert presence.is_here("me")
    assert gone == []
    connected.clear()
    assert presence.is_here("me")  # for a while
    until(lambda: gone == ["me"])
    assert not presence.is_here("me")
    until(lambda: looking() <= before)  # nobody is left: nothing looks any more
    presence.here("you", "")
    until(lambda: gone == ["me", "you"])
    until(lambda: looking() <= before)


def test_a_reload_is_the_same_reader() -> None:
    connected, gone = {"first"}, []
    presence = Visitors(connected.__contains__, kept_s=0.3, look_every_s=0.02)
    presence.when_gone(gone.append)
    presence.here("me", "first")
    connected.clear()
    presence.here("fresh", "second")  # the new session does not know yet whose it is
    connected.add("second")
    presence.here("me", "second")
    until(lambda: gone)
    assert gone == ["fresh"]
    assert presence.is_here("me")
    connected.clear()
    until(lambda: len(gone) == 2)


def test_a_careless_act_stops_no_other() -> None:
    gone, presence = [], Visitors(lambda session: False, kept_s=0.0, look_every_s=0.01)
    presence.when_gone(lambda token: 1 / 0)
    presence.when_gone(gone.append)
    presence.here("me", "tab")
    until(lambda: gone)
    assert gone == ["me"]


def page() -> None:
    """A page that keeps something."""
    import streamlit as st

    from explorer.ui import visitors as presence

    presence.remember()
    st.write(presence.reader())


def test_every_session_is_a_reader_nobody_guesses() -> None:
    one, other = (AppTest.from_function(page).run() for _ in range(2))
    assert not one.exception
    assert len(one.markdown[0].value) == 32
    assert one.markdown[0].value != other.markdown[0].value
    assert one.run().markdown[0].value == one.session_state["reader"]
