"""Long work beside the pages: in a background thread, watched from a fragment, shared by all who ask for the same.

A script run is cut off by any click, so work of more than a second does not live in one. A lesson offers it as a
generator that yields ever more complete results; a thread walks through it and can be stopped between two of them.
"""

import logging
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol, TypeVar

import streamlit as st

from explorer.ui.language import t

#: Jobs that run at the same time; the others wait in line. One core stays with the pages.
MOST_RUNNING = 1
#: A job that no page has asked about for this long is stopped.
FORGOTTEN_AFTER_S = 20.0
#: Finished results that are kept for whoever asks next.
MOST_KEPT = 32
#: How often a page looks at a running job.
LOOK_EVERY_S = 0.7
_LOG = logging.getLogger(__name__)
P = TypeVar("P")


class Progress(Protocol):
    """What a step of long work yields: a result, as far as it is known."""

    @property
    def done(self) -> int:
        """Parts that are done."""

    @property
    def total(self) -> int:
        """Parts in all."""


S = TypeVar("S", bound=Progress)


@dataclass(slots=True, eq=False)
class Job:
    """One piece of work, from waiting in line to its end.

    Attributes:
        work: yields ever more complete results.
        latest: the newest of them.
        error: what broke it off.
        ended: nothing will be computed any more.
        stop: asks it to end.
        watchers: sessions that look at it, and when each looked last (`time.monotonic`).
    """

    work: Callable[[], Iterator[Any]]
    latest: Any = None
    error: BaseException | None = None
    ended: bool = False
    stop: threading.Event = field(default_factory=threading.Event)
    watchers: dict[str, float] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Whether it ran to its end."""
        return self.ended and self.error is None and not self.stop.is_set()

    def forgotten(self, after_s: float) -> bool:
        """Whether nobody has looked for this long."""
        return time.monotonic() - max(tuple(self.watchers.values()), default=0.0) > after_s

    def leave(self, watcher: str) -> None:
        """One watcher wants no more of it; it stops when no other is looking."""
        self.watchers.pop(watcher, None)
        if self.forgotten(2 * LOOK_EVERY_S):
            self.stop.set()

    def run(self) -> None:
        """Walk through the work until it ends, is stopped or is forgotten."""
        try:
            for step in self.work():
                self.latest = step
                if self.stop.is_set() or self.forgotten(FORGOTTEN_AFTER_S):
                    self.stop.set()
                    break
        except Exception as error:
            _LOG.exception("long work broke off")
            self.error = error
        finally:
            self.ended = True


class Office:
    """All jobs of the process, by what they compute: two who ask for the same thing share one."""

    def __init__(self, most_running: int = MOST_RUNNING) -> None:
        self._lock = threading.Lock()
        self._jobs: dict[str, Job] = {}
        self._line: list[Job] = []
        self._running = 0
        self._most_running = most_running

    def find(self, name: str, watcher: str) -> Job | None:
        """The job of that name, if there is one; asking keeps it from being forgotten."""
        with self._lock:
            job = self._jobs.get(name)
        if job is not None:
            job.watchers[watcher] = time.monotonic()
        return job

    def start(self, name: str, watcher: str, work: Callable[[], Iterator[Any]]) -> Job:
        """Put work in line, unless the same is there already and was neither stopped nor failed."""
        with self._lock:
            job = self._jobs.pop(name, None)
            if job is None or job.stop.is_set() or job.error is not None:
                job = Job(work=work)
                self._line.append(job)
            self._jobs[name] = job
            job.watchers[watcher] = time.monotonic()
            for old in [each for each, other in self._jobs.items() if other.ended][:-MOST_KEPT]:
                del self._jobs[old]
        self._serve()
        return job

    def place_in_line(self, job: Job) -> int:
        """How many jobs come first, the running included; 0 for one that runs or has ended."""
        with self._lock:
            return self._line.index(job) + self._running if job in self._line else 0

    def _serve(self) -> None:
        """Give the next in line to a thread, if fewer run than may. Those forgotten or stopped in line are let go."""
        with self._lock:
            while self._line and self._running < self._most_running:
                job = self._line.pop(0)
                if job.stop.is_set() or job.forgotten(FORGOTTEN_AFTER_S):
                    job.stop.set()
                    job.ended = True
                    continue
                self._running += 1
                threading.Thread(target=self._run, args=(job,), daemon=True).start()

    def _run(self, job: Job) -> None:
        try:
            job.run()
        finally:
            with self._lock:
                self._running -= 1
            self._serve()


@lru_cache(maxsize=1)
def office() -> Office:
    """The one office of this process."""
    return Office()


def watch(
    key: str,
    compute: Callable[[P], Iterator[S]],
    params: P,
    draw: Callable[[S], None],
    *,
    label: str,
    note: str = "",
    before: Callable[[], None] = lambda: None,
) -> None:
    """Draw long work: a button that starts it, its progress with a way to stop, and its result as far as it is known.

    The result of equal parameters is there at once, whoever computed it.

    Args:
        key: English name, unique on the page.
        compute: a lesson's generator; it yields frozen results with `done` and `total`.
        params: its frozen parameters.
        draw: draws a result, complete or not.
        label: of the button, translated.
        note: what it will cost, translated; stands beside the button.
        before: draws what stands there until there is a first result.
    """
    name = f"{compute.__module__}.{compute.__qualname__}({params!r})"
    job = _mine(key, name)
    running = job is not None and not job.ended
    st.fragment(_watched, run_every=LOOK_EVERY_S if running else None)(
        key, name, compute, params, draw, label, note, before
    )


def _watched(
    key: str,
    name: str,
    compute: Callable[[P], Iterator[S]],
    params: P,
    draw: Callable[[S], None],
    label: str,
    note: str,
    before: Callable[[], None],
) -> None:
    job = _mine(key, name)
    if job is None or (job.ended and not job.complete):
        with st.container(horizontal=True, vertical_alignment="center"):
            pressed = st.button(label, key=f"{key}_start", icon=":material/play_arrow:")
            if note:
                st.caption(note)
        if pressed:
            st.session_state.pop(f"{key}_left", None)
            office().start(name, _me(), lambda: compute(params))
            st.rerun()  # the whole page, so that the fragment begins to look every moment
    if job is None:
        before()
        return
    _status(key, name, job)
    if job.latest is None:
        before()
    else:
        draw(job.latest)
    ended_before, st.session_state[f"{key}_ended"] = st.session_state.get(f"{key}_ended"), job.ended
    if job.ended and ended_before is False:
        st.rerun()  # and ceases to


def _me() -> str:
    """Name of this session."""
    return str(st.session_state.setdefault("jobs_watcher", uuid.uuid4().hex))


def _mine(key: str, name: str) -> Job | None:
    """The job this session looks at: none if it has left it."""
    return None if st.session_state.get(f"{key}_left") == name else office().find(name, _me())


def _leave(key: str, name: str, job: Job) -> None:
    """Stop looking. What was computed stays with the job; if it goes on for others, this session can join again."""
    job.leave(_me())
    if not job.stop.is_set():
        st.session_state[f"{key}_left"] = name


def _status(key: str, name: str, job: Job) -> None:
    """Where it stands."""
    if job.error is not None:
        st.error(t("This broke off ({error}). Press the button to try again.").format(error=type(job.error).__name__))
    elif job.complete:
        return
    elif job.stop.is_set():
        st.caption(f":material/stop_circle: {t('Stopped: what was computed until then is shown.')}")
    else:
        done, total = (job.latest.done, job.latest.total) if job.latest is not None else (0, 1)
        before = office().place_in_line(job)
        text = t("Waiting for {count} other computations …") if before else t("{done} of {total}")
        with st.container(horizontal=True, vertical_alignment="center"):
            st.progress(done / max(total, 1), text.format(count=before, done=done, total=total))
            leave = (key, name, job)
            st.button(t("Stop"), key=f"{key}_stop", icon=":material/stop:", on_click=_leave, args=leave)
