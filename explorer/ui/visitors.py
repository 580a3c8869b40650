"""Readers who are here: each outlives a reload of the page, and is gone some time after their last tab closed.

What lives longer than a script run (a training, an opened checkpoint) belongs to a reader. A reader is known by an
unguessable token that their browser keeps; Streamlit's session, which a reload replaces, only says who is connected.
"""

import logging
import re
import secrets
import threading
import time
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import streamlit as st

from explorer.records.language import t
from explorer.ui import scripts
from explorer.ui.streamlit_internals import script_run

#: How long what a reader has stays after their last tab has closed.
KEPT_S = 120.0
#: How often it is looked whether they are still here.
LOOK_EVERY_S = 5.0
_keeper = scripts.component(Path(__file__).with_suffix(".js"), "")
#: Tells this process from one before it, and from others that stand beside it.
_PROCESS = secrets.token_hex(8)
_LOST = "lost_with_process"
_LOG = logging.getLogger(__name__)
_TOKEN = re.compile("[0-9a-f]{32}")


def reader() -> str:
    """Return the reader's token; call it on every run of a page that keeps something for them."""
    token: str = st.session_state.setdefault("reader", secrets.token_hex(16))
    visitors().here(token, script_run.session_id())
    return token


def remember(*, keeps: bool = True) -> None:
    """Have the browser keep the token, or bring the one it kept: a reload then finds what was there before.

    The token stands in no link. It is taken from the browser as it is: who knows it is its reader. The browser keeps,
    too, how much the reader has in this process, and tells another one.

    Args:
        keeps: whether the page makes what is kept; one that only shows it need not know a reader who has nothing.
    """

    def told() -> None:
        known = getattr(st.session_state.get("presence"), "known", None)
        if isinstance(known, str) and _TOKEN.fullmatch(known):
            st.session_state["reader"] = known

    def told_lost() -> None:
        lost = getattr(st.session_state.get("presence"), "lost", None)
        if isinstance(lost, int) and 0 < lost < 1000:
            st.session_state[_LOST] = lost

    told_before = st.session_state.get(_LOST) is not None
    held = visitors().count_held(reader())
    data = {"mine": reader(), "process": _PROCESS, "held": held, "told": told_before, "keeps": keeps}
    _keeper(data=data, key="presence", height=0, width="content", on_known_change=told, on_lost_change=told_lost)


def loss() -> str:
    """Say what went with a process that is no more, or that the reader was led away from; empty if nothing did.

    It is also empty once the reader has begun again.
    """
    lost = 0 if visitors().count_held(reader()) else st.session_state.get(_LOST, 0)
    said = t(
        "The server was started anew, or another one took over: what you had trained or opened here ({n}) is gone. "
        "In the training lab your settings are still here: start it again, or bring the file again."
    )
    return said.format(n=lost) if lost else ""


class Visitors:
    """The readers of this process, and what is to be done when one has gone.

    Args:
        is_connected: whether a browser is connected to a session.
        kept_s: how long a reader without one still counts as here.
        look_every_s: how often that is looked at.
    """

    def __init__(
        self,
        is_connected: Callable[[str], bool] = script_run.is_connected,
        kept_s: float = KEPT_S,
        look_every_s: float = LOOK_EVERY_S,
    ) -> None:
        self._is_connected, self._kept_s, self._look_every_s = is_connected, kept_s, look_every_s
        self._lock = threading.Lock()
        self._sessions: dict[str, set[str]] = {}
        self._seen: dict[str, float] = {}
        self._gone: list[Callable[[str], None]] = []
        self._held: list[Callable[[str], int]] = []
        self._looking = False

    def here(self, token: str, session: str) -> None:
        """Note that a reader has just been seen in a session."""
        with self._lock:
            for others in self._sessions.values():
                others.discard(session)  # the session has turned out to be another reader's
            self._sessions.setdefault(token, set()).add(session)
            self._seen[token] = time.monotonic()
            start, self._looking = not self._looking, True
        if start:
            threading.Thread(target=self._look, name="presence", daemon=True).start()

    def is_here(self, token: str) -> bool:
        """Say whether a reader is connected, or was a moment ago."""
        with self._lock:
            connected = {each for each in self._sessions.get(token, ()) if self._is_connected(each)}
            if connected:
                self._sessions[token], self._seen[token] = connected, time.monotonic()
            return time.monotonic() - self._seen.get(token, -self._kept_s) < self._kept_s

    def is_connected(self, token: str) -> bool:
        """Say whether a browser of the reader is connected at this moment."""
        with self._lock:
            return any(map(self._is_connected, self._sessions.get(token, ())))

    def when_gone(self, act: Callable[[str], None]) -> None:
        """Have something done, in a thread of its own, with the token of every reader who has gone."""
        with self._lock:
            self._gone.append(act)

    def count(self, held: Callable[[str], int]) -> None:
        """Have counted what a reader has, by token."""
        with self._lock:
            self._held.append(held)

    def count_held(self, token: str) -> int:
        """Return how much a reader has in this process."""
        return sum(held(token) for held in tuple(self._held))

    def _look(self) -> None:
        """Let those go who have gone, until nobody is left."""
        while True:
            time.sleep(self._look_every_s)
            for token in tuple(self._seen):
                if not self.is_here(token):
                    self._forget(token)
            with self._lock:
                if not self._seen:
                    self._looking = False
                    return

    def _forget(self, token: str) -> None:
        with self._lock:
            self._sessions.pop(token, None)
            self._seen.pop(token, None)
            acts = tuple(self._gone)
        for act in acts:
            try:
                act(token)
            except Exception:
                _LOG.exception("a reader who has gone left something behind")


@lru_cache(maxsize=1)
def visitors() -> Visitors:
    """Return the process's visitors."""
    return Visitors()
