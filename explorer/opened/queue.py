"""The one worker that opens models, as the server sees it: readers take turns, and whoever takes too long is stopped.

This module loads neither torch nor transformers.
"""

import importlib.util
import json
import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from explorer.opened.cards import our_card
from explorer.opened.limits import Limits, limits
from explorer.opened.refused import ModelRefused
from explorer.records.opened import wire
from explorer.service.cluster import ClusterProcess, cluster
from explorer.service.fair_queue import round_robin
from explorer.service.metrics import METRICS, note_loss
from explorer.service.process import ROOT, Process, WorkerProcess, command

#: Readers that may wait at the same time.
MOST_WAITING = 60
#: An answer that takes longer is given up, and the worker ended; a start includes the import of transformers.
PATIENCE_S, START_PATIENCE_S = 20.0, 120.0
#: A worker that nobody has asked anything for so long is ended: it holds a gigabyte.
IDLE_S = 600.0
#: What its environment may not have: tokens, and where they lie.
_SECRETS = ("TOKEN", "SECRET", "PASSWORD", "API_KEY")


@dataclass(slots=True, eq=False)
class _Order:
    owner: str
    turn: threading.Event = field(default_factory=threading.Event)


def environment() -> dict[str, str]:
    """Return the worker's environment: one thread, no network, no kernels of the Hub, no token."""
    plain = {name: value for name, value in os.environ.items() if not _is_secret(name)}
    bare = {"HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_IMPLICIT_TOKEN": "1", "HF_HUB_DISABLE_PROGRESS_BARS": "1"}
    nowhere = {"HF_HOME": os.devnull, "HF_TOKEN_PATH": os.devnull, "USE_HUB_KERNELS": "0"}
    return {**plain, **bare, **nowhere, "TOKENIZERS_PARALLELISM": "false", "TRANSFORMERS_VERBOSITY": "error"}


def _is_secret(variable: str) -> bool:
    return not variable.startswith("EXPLORER_") and any(each in variable.upper() for each in _SECRETS)


def has_library() -> bool:
    """Return whether models can be opened here: transformers is installed. It is not imported."""
    try:
        return importlib.util.find_spec("transformers") is not None
    except ValueError:  # it stands among the modules as one that may not be had
        return False


def check_library(folder: str) -> None:
    """Refuse a folder that only transformers opens where it is not installed; checkpoints of this project need it not.

    Raises:
        ModelRefused: it says what to install.
    """
    if not has_library() and not (folder and our_card.is_ours(Path(folder))):
        raise ModelRefused("library", requirement=_requirement())


def _requirement() -> str:
    """Return what `pip install` is asked for."""
    file = ROOT / "requirements.txt"
    lines = file.read_text(encoding="utf8").splitlines() if file.is_file() else []
    return next((line for line in lines if line.startswith("transformers")), "transformers")


def start_here() -> WorkerProcess:
    """Return a worker in a process of this machine.

    Raises:
        OSError: the system gives no process.
    """
    return WorkerProcess(command("explorer.opened.worker"), environment=environment())


def _start() -> Process:
    there = cluster()
    return start_here() if there is None else ClusterProcess(there, "models", start_here)


class ModelQueue:
    """Asks one worker, which is started when it is needed, again when it is lost, and ended when nobody asks.

    Args:
        start: makes a worker.
        bounds: of what is opened.
        idle_s: after how many seconds without an order the worker is ended.
    """

    def __init__(
        self, start: Callable[[], Process] | None = None, bounds: Limits | None = None, idle_s: float = IDLE_S
    ) -> None:
        self._start = start or _start
        self.bounds, self._idle_s = bounds or limits(), idle_s
        self._lock = threading.Lock()
        self._waiting: list[_Order] = []
        self._served: _Order | None = None
        self._had: list[str] = []
        self._worker: Process | None = None
        self._reaper: threading.Timer | None = None
        self._number = 0

    @property
    def alive(self) -> bool:
        """Return whether a worker runs."""
        worker = self._worker
        return worker is not None and worker.alive

    @property
    def n_waiting(self) -> int:
        """Return how many orders wait for the worker."""
        return len(self._waiting)

    def warm(self) -> None:
        """Have the worker started, in a thread, before anybody asks; do nothing where transformers is missing."""
        if has_library() and not self.alive:
            threading.Thread(target=self._warm, name="model queue", daemon=True).start()

    def ask(self, what: str, *, owner: str = "", patience_s: float = PATIENCE_S, **details: Any) -> Any:
        """Have one thing done; wait for the answer.

        Args:
            what: a word of `explorer.opened.studio.ANSWERS`.
            owner: whose turn it is; the second order of one reader stands behind the first of every other.
            details: what the order needs, as JSON.

        Raises:
            ModelRefused: it cannot be done, and why.
        """
        check_library(details.get("folder", ""))
        mine = _Order(owner)
        self._wait_for_turn(mine)
        try:
            return self._asked({"what": what, "most": self.bounds.tokens, **details}, patience_s)
        finally:
            self._leave(mine)

    def close(self) -> None:
        """End the worker now."""
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.close()

    def _warm(self) -> None:
        mine = _Order("")
        self._wait_for_turn(mine)
        try:
            self._running()
        except ModelRefused:
            return  # whoever asks is told
        finally:
            self._leave(mine)

    def _wait_for_turn(self, mine: _Order) -> None:
        """Wait for a turn."""
        with self._lock:
            if len(self._waiting) >= MOST_WAITING:
                raise ModelRefused("busy")
            if self._reaper is not None:
                self._reaper.cancel()
            self._waiting.append(mine)
            self._next()
        mine.turn.wait()

    def _leave(self, mine: _Order) -> None:
        with self._lock:
            self._served = None
            self._had.append(mine.owner)
            self._next()
            if self._served is None:
                self._had.clear()
                self._reaper = threading.Timer(self._idle_s, self._reap)
                self._reaper.daemon = True
                self._reaper.start()

    def _next(self) -> None:
        """Let the next have its turn; who has been served since somebody first waited stands behind the others."""
        if self._served is None and self._waiting:
            self._served = round_robin(self._waiting, lambda each: each.owner, self._had)[0]
            self._waiting.remove(self._served)
            self._served.turn.set()

    def _reap(self) -> None:
        with self._lock:
            idle = self._served is None and not self._waiting
        if idle:
            self.close()

    def _running(self) -> Process:
        """Return the worker, which is ready."""
        if self._worker is None or not self._worker.alive:
            self.close()
            try:
                self._worker = self._start()
            except OSError as error:
                raise ModelRefused("lost") from error
            self._hear(self._worker, lambda told: told["is"] == "ready", START_PATIENCE_S)
        return self._worker

    def _asked(self, order: Mapping[str, Any], patience_s: float) -> Any:
        worker = self._running()
        self._number += 1
        number = self._number
        try:
            worker.order(json.dumps({**order, "number": number}))
        except (OSError, ValueError) as error:
            raise ModelRefused("lost") from error
        told = self._hear(worker, lambda told: told.get("number") == number, patience_s)
        if told["is"] == "answer":
            return wire.loads(told["record"])
        if told["is"] == "refused":
            raise ModelRefused(told["reason"], **told["values"])
        if told["is"] == "memory":
            raise ModelRefused("out_of_memory")
        raise ModelRefused("broken", what=told["error"])

    def _hear(
        self, worker: Process, wanted: Callable[[Mapping[str, Any]], bool], patience_s: float
    ) -> Mapping[str, Any]:
        """Return the message that is waited for; end a worker that takes too long."""
        late = threading.Event()

        def stop() -> None:
            late.set()
            worker.kill()

        watchdog = threading.Timer(patience_s, stop)
        watchdog.daemon = True
        watchdog.start()
        try:
            for told in worker.messages():
                if wanted(told):
                    return told
        except ValueError:  # it was closed
            pass
        finally:
            watchdog.cancel()
        self.close()
        note_loss("models")
        raise ModelRefused("slow", seconds=round(patience_s)) if late.is_set() else ModelRefused("lost")


@lru_cache(maxsize=1)
def model_queue() -> ModelQueue:
    """Return the server's queue."""
    made = ModelQueue()
    METRICS.watch("explorer_waiting", lambda: made.n_waiting, 'queue="models"')
    return made
