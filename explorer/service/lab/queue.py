"""All lab runs of a server: at most so many train at once, the others wait in line, and nothing is left behind."""

import itertools
import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Literal

from explorer.service.fair_queue import round_robin
from explorer.service.lab.entry import LabEntry, Wish
from explorer.service.lab.process import PATIENCE_S, WORKER, LabRun
from explorer.training.lab.recipe import LabRecipe

#: Runs that train at the same time, each on one thread.
MOST_TRAINING = 2
#: Processes there may be, those that rest included: each takes some 300 MB.
MOST_PROCESSES = 6
MOST_WAITING = 20
#: Runs of one owner: on their way, and kept to be compared.
MOST_OWN_ACTIVE, MOST_OWN = 2, 6
#: Runs of all owners that are kept; the oldest that has ended makes room.
MOST_KEPT = 60
#: An owner who has been gone for this long is forgotten.
FORGOTTEN_AFTER_S = 120.0
#: A run that rests for this long is stopped.
MOST_PAUSE_S = 600.0
SWEEP_EVERY_S = 0.5
_LOG = logging.getLogger(__name__)

Refusal = Literal["own_active", "own_kept", "line"]


class LabRefused(RuntimeError):
    """A run is not taken.

    Attributes:
        reason: `own_active` if the owner has as many on their way as one may, `own_kept` if the owner keeps as many as
            one may, `line` if too many wait.
        limit: the number that was reached.
    """

    def __init__(self, reason: Refusal, limit: int) -> None:
        self.reason, self.limit = reason, limit
        super().__init__(f"refused: {reason}, at most {limit}")


class Lab:
    """The line, the places and the kept runs. Any thread may call anything.

    A place is what a run needs to train. A run that is paused gives its place to the next in line and comes first when
    it wants to go on; its process stays, so `MOST_PROCESSES` bounds how many rest. Owners take turns: in line, the
    second run of an owner stands behind the first of every other.

    Args:
        is_alive: whether an owner is still there.
        most_running: places.
        most_waiting: in line.
        command: as for `LabRun.start`.
        forgotten_after_s: how long an owner may be gone.
    """

    def __init__(
        self,
        is_alive: Callable[[str], bool] = lambda _: True,
        *,
        most_running: int = MOST_TRAINING,
        most_waiting: int = MOST_WAITING,
        command: Sequence[str] = WORKER,
        forgotten_after_s: float = FORGOTTEN_AFTER_S,
    ) -> None:
        self._is_alive, self._command, self._forgotten_after_s = is_alive, command, forgotten_after_s
        self._most_running, self._most_waiting = most_running, most_waiting
        self._lock, self._wake = threading.RLock(), threading.Event()
        self._entries: list[LabEntry] = []
        self._numbers = itertools.count(1)
        self._gone_since: dict[str, float] = {}
        self._sweeper: threading.Thread | None = None

    def submit(self, recipe: LabRecipe, owner: str) -> LabEntry:
        """Train a recipe as soon as there is a place.

        Raises:
            LabRefused: the owner has too many already, or too many wait.
        """
        with self._lock:
            self._check(owner)
            self._make_room()
            entry = LabEntry(next(self._numbers), owner, recipe, self)
            self._entries.append(entry)
            self._serve()
            if self._sweeper is None:
                self._sweeper = threading.Thread(target=self._sweep, name="lab sweeper", daemon=True)
                self._sweeper.start()
        return entry

    def runs(self, owner: str) -> tuple[LabEntry, ...]:
        """Return what an owner has, the oldest first."""
        with self._lock:
            return tuple(entry for entry in self._entries if entry.owner == owner)

    @property
    def n_waiting(self) -> int:
        """Return how many runs wait for a place."""
        with self._lock:
            return len(self._line())

    def place_in_line(self, entry: LabEntry) -> int:
        """Return the place in line from 1; 0 for one that does not wait."""
        with self._lock:
            line = self._line()
            return line.index(entry) + 1 if entry in line else 0

    def want(self, entry: LabEntry, what: Wish) -> None:
        """Note what an owner wants of a run, and act on it."""
        with self._lock:
            if entry.ended or entry.wants in (what, "stop"):
                return
            entry.wants, entry.since = what, time.monotonic()
            if what != "train":
                entry.has_place = False
                if entry.run is not None:
                    entry.run.pause() if what == "rest" else entry.run.stop()
            self._serve()

    def drop(self, entry: LabEntry) -> None:
        """End a run and forget it."""
        with self._lock:
            if entry in self._entries:
                self._entries.remove(entry)
            entry.wants, entry.has_place = "stop", False
        if entry.run is not None:
            entry.run.close()
        self._wake.set()

    def forget(self, owner: str) -> None:
        """End and forget all runs of an owner."""
        for entry in self.runs(owner):
            self.drop(entry)

    def close(self) -> None:
        """End and forget everything."""
        with self._lock:
            entries, sweeper = tuple(self._entries), self._sweeper
        for entry in entries:
            self.drop(entry)
        if sweeper is not None:
            sweeper.join()

    def _check(self, owner: str) -> None:
        own = self.runs(owner)
        active = sum(not entry.ended for entry in own)
        if active >= MOST_OWN_ACTIVE:
            raise LabRefused("own_active", MOST_OWN_ACTIVE)
        if len(own) >= MOST_OWN:
            raise LabRefused("own_kept", MOST_OWN)
        if len(self._line()) >= self._most_waiting:
            raise LabRefused("line", self._most_waiting)

    def _make_room(self) -> None:
        """Let the oldest that has ended go, of whoever keeps most."""
        while len(self._entries) >= MOST_KEPT:
            ended = [entry for entry in self._entries if entry.ended]
            if not ended:
                raise LabRefused("line", MOST_KEPT)
            kept = Counter(entry.owner for entry in ended)
            self.drop(max(ended, key=lambda entry: (kept[entry.owner], -entry.number)))

    def _line(self) -> list[LabEntry]:
        """Return who waits for a place, the next first; one that has rested comes before all others."""
        there = [entry for entry in self._entries if not entry.ended]
        return round_robin(
            [entry for entry in there if entry.wants == "train" and not entry.has_place],
            lambda entry: entry.owner,
            [entry.owner for entry in there if entry.has_place],
            ahead=lambda entry: entry.run is not None,
        )

    def _serve(self) -> None:
        """Give free places to those who wait."""
        for entry in self._line():
            if sum(other.has_place and not other.ended for other in self._entries) >= self._most_running:
                return
            processes = sum(other.run is not None and not other.ended for other in self._entries)
            if entry.run is not None:
                entry.has_place = True
                entry.run.go_on()
            elif processes < MOST_PROCESSES:
                self._start(entry)

    def _start(self, entry: LabEntry) -> None:
        try:
            entry.run, entry.has_place = LabRun.start(entry.recipe, command=self._command, on_end=self._wake.set), True
        except (OSError, RuntimeError) as error:  # no process, no thread, no room on the disk
            entry.wants, entry.reason = "stop", str(error)

    def _sweep(self) -> None:
        """Serve the line, stop what rests too long, and forget the owners who are gone, until nothing is left."""
        while True:
            with self._lock:
                if not self._entries:
                    self._sweeper = None
                    return
                self._serve()
                now, entries = time.monotonic(), tuple(self._entries)
            for entry in entries:
                self._look_after(entry, now)
            for owner in {entry.owner for entry in entries}:
                self._forget_if_gone(owner, now)
            self._wake.wait(SWEEP_EVERY_S)
            self._wake.clear()

    def _forget_if_gone(self, owner: str, now: float) -> None:
        try:
            alive = self._is_alive(owner)
        except Exception:  # the caller's own; the line must go on
            _LOG.exception("whether an owner is there could not be told")
            alive = True
        if alive:
            self._gone_since.pop(owner, None)
        elif now - self._gone_since.setdefault(owner, now) > self._forgotten_after_s:
            self._gone_since.pop(owner, None)
            self.forget(owner)

    def _look_after(self, entry: LabEntry, now: float) -> None:
        if entry.ended:
            return
        if entry.wants == "rest" and now - entry.since > MOST_PAUSE_S:
            entry.reason = "abandoned"
            entry.stop()
        elif entry.wants == "stop" and entry.run is not None and now - entry.since > PATIENCE_S:
            entry.run.kill()
