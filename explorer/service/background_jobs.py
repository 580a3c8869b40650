"""Run long work beside the pages: in threads, shared by all who ask for the same, stopped when nobody does."""

import atexit
import itertools
import logging
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from explorer.service.fair_queue import round_robin
from explorer.service.kept import list_kept
from explorer.service.metrics import METRICS

#: Jobs that run at the same time; the others wait in line. One core stays with the pages.
MOST_RUNNING = 1
#: A job that no page has asked about for this long is stopped.
FORGOTTEN_AFTER_S = 20.0
#: Jobs that ended otherwise than with a result and are remembered; results are kept within the budget of all.
MOST_ENDED = 32
#: How often a page looks at a running job.
LOOK_EVERY_S = 0.7
#: Who has not looked for this long is no reason to go on when another leaves; a page may take a while to be drawn.
LOOKED_AWAY_AFTER_S = 5.0
_NUMBERS = itertools.count()
_LOG = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class Job:
    """One piece of work, from waiting in line to its end.

    Attributes:
        name: what it computes.
        work: yields ever more complete results.
        owner: who asked for it first.
        reader: the same, as `kept` knows them: the result fills their part.
        over: set once nothing will be computed any more.
        stop: asks it to end.
        watchers: sessions that look at it, and when each looked last (`time.monotonic`).
    """

    name: str
    work: Callable[[], Iterator[Any]]
    owner: str = ""
    reader: str = ""
    latest: Any = None
    error: BaseException | None = None
    over: threading.Event = field(default_factory=threading.Event)
    stop: threading.Event = field(default_factory=threading.Event)
    watchers: dict[str, float] = field(default_factory=dict)

    @property
    def ended(self) -> bool:
        """Return whether nothing will be computed any more."""
        return self.over.is_set()

    @property
    def complete(self) -> bool:
        """Return whether it ran to its end."""
        return self.ended and self.error is None and not self.stop.is_set()

    def forgotten(self, after_s: float) -> bool:
        """Return whether nobody has looked for this long."""
        return time.monotonic() - max(tuple(self.watchers.values()), default=0.0) > after_s

    def leave(self, watcher: str) -> None:
        """Take a watcher away; it stops when no other is looking."""
        self.watchers.pop(watcher, None)
        if self.forgotten(LOOKED_AWAY_AFTER_S):
            self.stop.set()

    def run(self) -> None:
        """Walk through the work until it ends, is stopped or is forgotten."""
        try:
            for step in self.work():
                self.latest = step
                if self.stop.is_set() or self.forgotten(FORGOTTEN_AFTER_S):
                    self.stop.set()
                    break
        except BaseException as error:
            _LOG.exception("long work broke off")
            self.error = error
        finally:
            self.over.set()


class BackgroundJobs:
    """All jobs of the process, by what they compute: two who ask for the same thing share one."""

    def __init__(self, most_running: int = MOST_RUNNING) -> None:
        self._lock = threading.Lock()
        self._jobs: dict[str, Job] = {}
        self._line: list[Job] = []
        self._running: list[Job] = []
        self._most_running, self._number = most_running, next(_NUMBERS)

    @property
    def n_waiting(self) -> int:
        """Return how many jobs wait in line."""
        return len(self._line)

    def find(self, name: str, watcher: str) -> Job | None:
        """Return the job of that name, if there is one; asking keeps it from being forgotten."""
        with self._lock:
            job = self._jobs.get(name) or self._with_result(name)
        if job is not None:
            job.watchers[watcher] = time.monotonic()
        return job

    def start(self, name: str, watcher: str, work: Callable[[], Iterator[Any]]) -> Job:
        """Put work in line, unless the same is there already and was neither stopped nor failed."""
        with self._lock:
            job = self._jobs.pop(name, None) or self._with_result(name)
            if job is None or job.stop.is_set() or job.error is not None:
                job = Job(name=name, work=work, owner=watcher, reader=list_kept().asking())
                self._line.append(job)
            if not job.complete:
                self._jobs[name] = job
            job.watchers[watcher] = time.monotonic()
            for old in [each for each, other in self._jobs.items() if other.ended][:-MOST_ENDED]:
                del self._jobs[old]
        self._serve()
        return job

    def leave(self, job: Job, watcher: str) -> None:
        """Take a watcher away from a job; one that nobody watches and that still waits in line ends at once."""
        job.leave(watcher)
        with self._lock:
            if job.stop.is_set() and job in self._line:
                self._line.remove(job)
                job.over.set()

    def drop(self, name: str) -> None:
        """Forget a job that has ended: who asks next starts it anew."""
        with self._lock:
            self._jobs.pop(name, None)
        list_kept().forget(lambda key: key == ("job", self._number, name))

    def place_in_line(self, job: Job) -> int:
        """Return how many jobs come first, the running included; 0 for one that runs or has ended."""
        with self._lock:
            line = self._by_turns()
            return line.index(job) + len(self._running) if job in line else 0

    def close(self, patience_s: float = 30.0) -> None:
        """Stop everything and wait for what runs: torch must not be at work while the interpreter is taken down."""
        with self._lock:
            jobs = [*self._jobs.values(), *self._line]
        for job in jobs:
            job.stop.set()
        until = time.monotonic() + patience_s
        while self._running and time.monotonic() < until:
            time.sleep(0.02)

    def _with_result(self, name: str) -> Job | None:
        found: Job | None = list_kept().find(("job", self._number, name))
        return found

    def _by_turns(self) -> list[Job]:
        """Return the jobs in line, the next first."""
        return round_robin(self._line, lambda job: job.owner, [job.owner for job in self._running])

    def _serve(self) -> None:
        """Give the next in line to a thread, if fewer run than may. Those forgotten or stopped in line are let go."""
        with self._lock:
            while self._line and len(self._running) < self._most_running:
                job = self._by_turns()[0]
                self._line.remove(job)
                if job.stop.is_set() or job.forgotten(FORGOTTEN_AFTER_S):
                    job.stop.set()
                    job.over.set()
                    continue
                self._running.append(job)
                try:
                    threading.Thread(target=self._run, args=(job,), daemon=True).start()
                except RuntimeError as error:  # the system gives no more of them
                    self._running.remove(job)
                    job.error = error
                    job.over.set()

    def _run(self, job: Job) -> None:
        try:
            job.run()
        finally:
            moved = job.complete and list_kept().keep(("job", self._number, job.name), job, job.reader)
            with self._lock:
                self._running.remove(job)
                if moved and self._jobs.get(job.name) is job:
                    del self._jobs[job.name]
            self._serve()


@lru_cache(maxsize=1)
def background_jobs() -> BackgroundJobs:
    """Return the long jobs of this process, which readers ask for."""
    return _opened("long jobs")


@lru_cache(maxsize=1)
def short_jobs() -> BackgroundJobs:
    """Return those of about a second, which pages start by themselves: none waits behind a long one."""
    return _opened("short jobs")


def _opened(name: str) -> BackgroundJobs:
    made = BackgroundJobs()
    METRICS.watch("explorer_waiting", lambda: made.n_waiting, f'queue="{name}"')
    atexit.register(made.close)
    return made
