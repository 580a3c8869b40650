"""A worker of the translation queue as seen from outside: its process, started, spoken to, ended."""

import contextlib
import json
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from types import ModuleType
from typing import Any, Protocol, runtime_checkable

from explorer.inference.device import pick_device
from explorer.inference.search.streaming import Event
from explorer.service.cluster import Cluster, ClusterProcess, cluster
from explorer.service.process import Process, WorkerProcess, command
from explorer.service.translation.messages import TranslationRequest, batch_order, read_event, reason

#: A batch that takes longer has gone wrong; loading the model on a busy machine is part of the first.
PATIENCE_S = 120.0
MOST_WORKERS = 4
VARIABLE = "EXPLORER_TRANSLATORS"


class WorkerLost(RuntimeError):
    """The worker is gone: it was killed, or could not go on."""


class BatchFailed(RuntimeError):
    """The worker could not translate a batch, and says why; it is ready for the next."""


@runtime_checkable
class Worker(Protocol):
    """Translator of batches, one at a time."""

    @property
    def alive(self) -> bool:
        """Return whether it can be given a batch."""

    def ready(self, checkpoint: str) -> None:
        """Load a model before it is needed."""

    def translate(self, requests: tuple[TranslationRequest, ...]) -> Iterator[Event]:
        """Translate sentences that go with each other; walk to the end before the next batch."""

    def drop(self, numbers: Sequence[int]) -> None:
        """Note, in any thread, that nobody waits for these sentences of the batch any more."""

    def close(self) -> None:
        """End it now."""


def start_here() -> WorkerProcess:
    """Return a worker's process on this machine.

    Raises:
        OSError: the system gives no process.
    """
    return WorkerProcess(command("explorer.service.translation.worker"))


class ProcessWorker:
    """A worker in a process of its own, on one thread.

    Args:
        process: one of this machine's if not given.

    Raises:
        OSError: the system gives no process.
    """

    def __init__(self, process: Process | None = None) -> None:
        self._process = process or start_here()
        self._batch = 0

    @property
    def alive(self) -> bool:
        """Return whether it can be given a batch."""
        return self._process.alive

    def ready(self, checkpoint: str) -> None:
        """Load a model before it is needed."""
        for _ in self._told({"checkpoint": checkpoint, "sources": []}):
            pass

    def translate(self, requests: tuple[TranslationRequest, ...]) -> Iterator[Event]:
        """Translate a batch.

        Raises:
            WorkerLost: the process is gone.
            BatchFailed: it could not do it.
        """
        for told in self._told(batch_order(requests)):
            event = read_event(told)
            if event is not None:
                yield event

    def drop(self, numbers: Sequence[int]) -> None:
        """Say that nobody waits for these sentences of the batch any more."""
        with contextlib.suppress(OSError, ValueError):
            self._process.order(json.dumps({"batch": self._batch, "drop": list(numbers)}))

    def close(self) -> None:
        """End it now."""
        self._process.close()

    def _told(self, order: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield what the worker says of one batch, until it is done."""
        self._batch += 1
        watchdog = threading.Timer(PATIENCE_S, self._process.kill)
        watchdog.daemon = True
        watchdog.start()
        try:
            self._process.order(json.dumps({"batch": self._batch, **order}))
            for told in self._process.messages():
                if told.get("batch") != self._batch:
                    continue
                if told["is"] == "end":
                    return
                if told["is"] == "failed":
                    raise BatchFailed(told["error"])
                yield told
        except (OSError, ValueError, KeyError) as error:  # it is gone, or a message is none of ours
            raise WorkerLost(str(error)) from error
        finally:
            watchdog.cancel()
        raise WorkerLost(f"exit code {self._process.exit_code}")


class ClusterWorker(ProcessWorker):
    """A worker on the cluster, or here while that is away."""

    def __init__(self, cluster: Cluster) -> None:
        self._there = ClusterProcess(cluster, "translation", start_here)
        self._wanted: set[int] = set()
        super().__init__(self._there)

    def translate(self, requests: tuple[TranslationRequest, ...]) -> Iterator[Event]:
        """Translate a batch.

        Raises:
            WorkerLost: neither the cluster nor this machine does it.
            BatchFailed: they could not do it.
        """
        self._wanted = set(range(len(requests)))
        yield from super().translate(requests)

    def drop(self, numbers: Sequence[int]) -> None:
        """Note that nobody waits for these sentences any more; a batch for which nobody waits is left."""
        super().drop(numbers)
        self._wanted -= set(numbers)
        if not self._wanted:
            self._there.leave()


class LocalWorker:
    """A worker in this very process: for tests, and where no process can be had."""

    def __init__(self) -> None:
        self._dropped: frozenset[int] = frozenset()

    @property
    def alive(self) -> bool:
        """Return True: it lives as long as the server."""
        return True

    def ready(self, checkpoint: str) -> None:
        """Load a model before it is needed."""
        try:
            self._worker().load(checkpoint)
        except Exception as error:
            raise _failed(error) from error

    def translate(self, requests: tuple[TranslationRequest, ...]) -> Iterator[Event]:
        """Translate a batch."""
        self._dropped = frozenset()
        try:
            yield from self._worker().translate(requests, lambda: self._dropped)
        except Exception as error:
            raise _failed(error) from error

    def drop(self, numbers: Sequence[int]) -> None:
        """Say that nobody waits for these sentences of the batch any more."""
        self._dropped |= frozenset(numbers)

    def close(self) -> None:
        """Do nothing: there is nothing to end."""

    @staticmethod
    def _worker() -> ModuleType:
        from explorer.service.translation import worker  # which a process runs as its main module

        return worker


def _failed(error: Exception) -> BatchFailed:
    return BatchFailed(reason(error))


StartWorker = Callable[[], Worker]


def start_worker() -> Worker:
    """Return a worker on the cluster where the environment names one, else in a process.

    Raises:
        OSError: the system gives no process.
    """
    there = cluster()
    return ProcessWorker() if there is None else ClusterWorker(there)


def suitable_number() -> int:
    """Return how many workers suit this machine: a core stays with the pages, and a GPU is fed by one.

    `EXPLORER_TRANSLATORS` overrides; 0 has the server itself translate, in a thread.
    """
    asked = os.environ.get(VARIABLE, "").strip()
    if asked.isdecimal():
        return min(int(asked), MOST_WORKERS)
    if pick_device().type != "cpu":
        return 1
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(max(cores - 1, 1), MOST_WORKERS)
