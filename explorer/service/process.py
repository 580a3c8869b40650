"""Start a worker's process, order it by lines of text, and hear it in lines of JSON: numbers, nothing that is executed.

A worker ends when the other end of its input is gone, whatever ended it; and the server ends it when nobody holds it.
"""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import IO, Any, Protocol, TextIO, runtime_checkable

ROOT = Path(__file__).parents[2]


def command(module: str) -> tuple[str, ...]:
    """Return what starts a module of this project as a worker."""
    return (sys.executable, "-m", module)


@runtime_checkable
class Process(Protocol):
    """A worker that hears orders and says what comes of them, wherever it runs."""

    @property
    def alive(self) -> bool:
        """Return whether it can be given an order."""

    @property
    def exit_code(self) -> int | None:
        """Return how it ended; None while it runs."""

    def order(self, line: str) -> None:
        """Give an order; raises `OSError` if it is gone, `ValueError` if it was closed."""

    def messages(self) -> Iterator[dict[str, Any]]:
        """Yield what it says until it ends."""

    def kill(self) -> None:
        """End it now."""

    @property
    def close(self) -> Callable[[], object]:
        """Return what ends it now, and lets everything of it go."""


class WorkerProcess:
    """A worker on one thread, as its server sees it. Any thread may give orders; one hears.

    Args:
        command: starts a program that hears orders with `obey` and answers with `say`.
        folder: taken away with it.
        errors: where its messages for people go; those of the server if not given.
        environment: its variables; those of the server if not given. Its arithmetic has one thread in any case.

    Raises:
        OSError: the system gives no process.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        folder: Path | None = None,
        errors: IO[bytes] | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - our own program
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            encoding="utf-8",
            cwd=ROOT,
            env={
                **(os.environ if environment is None else environment),
                "OMP_NUM_THREADS": "1",
                "MKL_NUM_THREADS": "1",
            },
        )
        self._lock = threading.Lock()
        #: Ends it now; also when nobody holds it any more, and at the end of the server.
        self.close = weakref.finalize(self, _end, self._process, folder)

    @property
    def alive(self) -> bool:
        """Return whether the process runs; of one that has ended, the system keeps nothing any more."""
        return self._process.poll() is None

    @property
    def exit_code(self) -> int | None:
        """Return how it ended; None while it runs."""
        return self._process.poll()

    def order(self, line: str) -> None:
        """Give an order.

        Raises:
            OSError: it is gone.
            ValueError: it was closed.
        """
        with self._lock:
            assert self._process.stdin is not None
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()

    def messages(self) -> Iterator[dict[str, Any]]:
        """Yield what it says until it ends; what is no message is passed over.

        Raises:
            ValueError: it was closed.
        """
        assert self._process.stdout is not None
        for line in self._process.stdout:
            with contextlib.suppress(json.JSONDecodeError):
                message = json.loads(line)
                if isinstance(message, dict) and "is" in message:
                    yield message

    def wait(self) -> None:
        """Wait for its end, and let its pipes go."""
        self._process.wait()
        with self._lock:
            _close_pipes(self._process)

    def kill(self) -> None:
        """End it now; what it has said can still be heard."""
        self._process.kill()


def _close_pipes(process: "subprocess.Popen[str]") -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError, ValueError):
                pipe.close()


def _end(process: "subprocess.Popen[str]", folder: Path | None) -> None:
    process.kill()
    _close_pipes(process)
    process.wait()
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)


def obey(order: Callable[[str], None], alone: Callable[[], None]) -> None:
    """Hear orders in a thread of their own (called by the worker).

    Args:
        order: is called with each.
        alone: is called when the other end of the input is gone.
    """

    def read() -> None:
        for line in sys.stdin:
            order(line.strip())
        alone()

    threading.Thread(target=read, daemon=True).start()


@lru_cache(maxsize=1)
def _output() -> TextIO:
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a library prints is no message
    return out


def say(what: str, **facts: Any) -> None:
    """Send one message to the server (called by the worker)."""
    out = _output()
    out.write(json.dumps({"is": what, **facts}) + "\n")
    out.flush()
