"""A run that trains on the cluster: one conversation by HTTP, orders one way, progress and files the other.

A run is too long to be given to another replica when its own is lost: its reader is told, and may begin again.
"""

import base64
import contextlib
import http.client
import json
import re
import shutil
import socket
import threading
import weakref
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from explorer.service.cluster import Cluster, send_line
from explorer.service.process import WorkerProcess
from explorer.training.lab.files import RECIPE

#: Its name among the cluster's deployments.
NAME = "lab"
#: A cluster that has no free replica for so long has none: the run trains here.
FREE_PATIENCE_S = 30.0
#: A replica says something at least so often; one that has said nothing for the longer is lost.
BEAT_S, SILENT_S = 5.0, 30.0
#: Why a run ended whose replica was lost.
LOST = "lost"
#: Files that a replica may hand on.
_NAMES = re.compile(r"[\w-]+\.(json|safetensors|txt)")


@dataclass(slots=True)
class _Held:
    """The process and the connection that are to be let go at the end."""

    here: WorkerProcess | None = None
    line: socket.socket | None = None
    killed: bool = False

    def kill(self) -> None:
        self.killed = True
        if self.line is not None:
            with contextlib.suppress(OSError):  # it has ended already
                self.line.shutdown(socket.SHUT_RDWR)
        if self.here is not None:
            self.here.kill()


class ClusterTraining:
    """A training on the cluster, or here where that does not take it: to its run, a worker's process.

    Args:
        folder: its recipe lies there, and its files come there; taken away with it.
        start: makes the process that trains here.
    """

    def __init__(self, cluster: Cluster, folder: Path, start: Callable[[], WorkerProcess]) -> None:
        self._cluster, self._folder, self._start = cluster, folder, start
        self._lock = threading.Lock()
        self._orders: list[str] = []
        self._held = _Held()
        self._code: int | None = None
        #: Ends it now; also when nobody holds it any more, and at the end of the server.
        self.close = weakref.finalize(self, _end, self._held, folder)

    @property
    def alive(self) -> bool:
        """Return whether it can be given an order."""
        here = self._held.here
        return not self._held.killed and (here is None or here.alive)

    @property
    def exit_code(self) -> int | None:
        """Return how its process ended; None while it runs."""
        return self._code if self._held.here is None else self._held.here.exit_code

    def order(self, line: str) -> None:
        """Give an order, kept until somebody hears it.

        Raises:
            OSError: who trains is gone.
            ValueError: it was closed.
        """
        with self._lock:
            if self._held.here is not None:
                self._held.here.order(line)
            elif self._held.line is not None:
                send_line(self._held.line, line)
            else:
                self._orders.append(line)

    def messages(self) -> Iterator[dict[str, Any]]:
        """Yield what is said of the run until it ends."""
        taken = yield from self._messages_there()
        if taken:
            return
        with self._lock:
            if self._held.killed:
                return
            try:
                here = self._held.here = self._start()
                for each in self._orders:
                    here.order(each)
            except OSError as error:
                yield {"is": "end", "phase": "failed", "reason": str(error)}
                return
        yield from here.messages()

    def wait(self) -> None:
        """Wait for the end of the process here, if there is one."""
        if self._held.here is not None:
            self._held.here.wait()

    def kill(self) -> None:
        """End it now; what it has said and written stays."""
        with self._lock:
            self._held.kill()

    def _messages_there(self) -> Generator[dict[str, Any], None, bool]:
        """Yield what a replica says, and at last that it is lost if it is; return whether one took the run."""
        taken = over = False
        if not self._cluster.serves(NAME):
            return False
        try:
            with self._listen() as answer:
                for each in answer:
                    told = json.loads(each)
                    taken = True
                    if told["is"] == "file":
                        self._write(told["name"], base64.b64decode(told["content"]))
                    elif told["is"] == "over":
                        over, self._code = True, told["code"]
                    else:
                        yield told
        except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError):
            pass
        if self._held.killed:
            return True
        if not taken:
            self._cluster.note_away(NAME, "no replica is free")
        elif not over:
            self._cluster.doubt(NAME)
            yield {"is": "end", "phase": "failed", "reason": LOST}
        return taken

    @contextlib.contextmanager
    def _listen(self) -> Iterator[Iterator[bytes]]:
        """Give the run to a replica, and hear what it says, line by line."""
        connection = self._cluster.talk(NAME)
        with contextlib.closing(connection), connection.sock as line:
            line.settimeout(FREE_PATIENCE_S)
            send_line(line, (self._folder / RECIPE).read_text(encoding="utf-8"))
            with self._lock:
                for each in self._orders:
                    send_line(line, each)
                self._held.line = line
                if self._held.killed:
                    self._held.kill()
            try:
                with connection.getresponse() as answer:
                    line.settimeout(SILENT_S)
                    yield iter(answer) if answer.status == http.HTTPStatus.OK else iter(())
            finally:
                with self._lock:
                    self._held.line = None

    def _write(self, name: str, content: bytes) -> None:
        """Write a file of the run; whoever reads it finds the whole of it or none."""
        if not _NAMES.fullmatch(name):
            raise ValueError(f"no file of a run: {name!r}")
        part = self._folder / f"{name}.part"
        part.write_bytes(content)
        part.replace(self._folder / name)


def _end(held: _Held, folder: Path) -> None:
    held.kill()
    if held.here is not None:
        held.here.close()
    shutil.rmtree(folder, ignore_errors=True)
