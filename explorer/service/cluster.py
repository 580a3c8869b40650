"""A worker of a cluster, as its server sees it: the orders and messages of a process, by HTTP, in lines of JSON.

`EXPLORER_CLUSTER` names the cluster, as `http://head:8000`; `explorer/cluster/` is what runs there. This side needs
nothing of it. Where the cluster does not answer, a process of this machine does the work, and the log says so once.
"""

import contextlib
import http.client
import json
import logging
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from explorer.service.process import Process

VARIABLE = "EXPLORER_CLUSTER"
#: A cluster that does not answer for so long is away; what is known of it holds for the second.
PATIENCE_S, AGAIN_S = 3.0, 30.0
#: An order whose replica is lost is given to so many, one after the other, before it is done here.
TRIES = 3
#: Kinds of messages after which nothing more comes of an order.
LAST = frozenset({"end", "failed", "answer", "refused", "memory"})
#: What a replica says of an order about a folder that its machine has not.
ABSENT = "absent"
_LOG = logging.getLogger(__name__)


class Cluster:
    """An address where Ray Serve answers. Any thread may call anything.

    Raises:
        ValueError: it is no `http://host:port`.
    """

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        if parts.scheme != "http" or not parts.hostname:
            raise ValueError(f"{VARIABLE} must be an address as http://host:8000, not {address!r}")
        self._host, self._port, self._path = parts.hostname, parts.port or 8000, parts.path.rstrip("/")
        self._lock = threading.Lock()
        self._asked: dict[str, tuple[float, bool]] = {}

    def serves(self, name: str) -> bool:
        """Return whether it takes orders of a kind, as it was known a moment ago, or as it says now."""
        with self._lock:
            when, there = self._asked.get(name, (-AGAIN_S, True))
            if time.monotonic() - when < AGAIN_S:
                return there
            self._asked[name] = time.monotonic(), there  # whoever comes meanwhile takes what was known
        try:
            with contextlib.closing(self._connect()) as connection:
                connection.request("GET", "/-/routes")
                now = f"{self._path}/{name}" in json.loads(connection.getresponse().read())
                why = "it is not deployed there"
        except (OSError, http.client.HTTPException, ValueError) as error:
            now, why = False, type(error).__name__
        if not now:
            self.note_away(name, why)
        elif not there:
            _LOG.warning("the cluster is back: %s is computed there", name)
            with self._lock:
                self._asked[name] = time.monotonic(), True
        return now

    def doubt(self, name: str) -> None:
        """Note that it has lost an order: whether it takes others is asked anew."""
        with self._lock:
            if self._asked.get(name, (0.0, True))[1]:
                self._asked.pop(name, None)

    def note_away(self, name: str, why: str) -> None:
        """Note that it does not take orders of a kind for a while, and say so once."""
        with self._lock:
            _, there = self._asked.get(name, (0.0, True))
            self._asked[name] = time.monotonic(), False
        if there:
            _LOG.warning("the cluster at %s:%d is away (%s): %s is computed here", self._host, self._port, why, name)

    def send(self, name: str, order: str) -> http.client.HTTPConnection:
        """Send an order; the answer's lines come as they are said.

        Raises:
            OSError, HTTPException: it did not take it.
        """
        connection = self._connect()
        try:
            connection.request("POST", f"{self._path}/{name}", order, {"Content-Type": "application/json"})
            connection.sock.settimeout(None)  # a model may take long to load; who waits knows how long
        except BaseException:
            connection.close()
            raise
        return connection

    def talk(self, name: str) -> http.client.HTTPConnection:
        """Begin an order of many lines, each sent by `send_line` when it is said, while the answer's are heard.

        Raises:
            OSError, HTTPException: it did not take it.
        """
        connection = self._connect()
        try:
            connection.putrequest("POST", f"{self._path}/{name}")
            connection.putheader("Transfer-Encoding", "chunked")
            connection.endheaders()
        except BaseException:
            connection.close()
            raise
        return connection

    def _connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(self._host, self._port, timeout=PATIENCE_S)


def send_line(line: socket.socket, text: str) -> None:
    """Send one more line of an order that `Cluster.talk` has begun.

    Raises:
        OSError: it is gone.
    """
    chunk = f"{text}\n".encode()
    line.sendall(b"%x\r\n%b\r\n" % (len(chunk), chunk))


@lru_cache(maxsize=1)
def cluster() -> Cluster | None:
    """Return the cluster that the environment names; None if it names none, or none that there can be."""
    address = os.environ.get(VARIABLE, "").strip()
    try:
        return Cluster(address) if address else None
    except ValueError as error:
        _LOG.warning("%s; everything is computed here", error)
        return None


class ClusterProcess:
    """A worker on the cluster, or here while that is away: what a `WorkerProcess` is to who gives it orders.

    One order at a time. One whose replica is lost goes to another as it was, so what it says may be said twice.

    Args:
        name: of the deployment.
        start: makes the process that does the work here.
    """

    def __init__(self, cluster: Cluster, name: str, start: Callable[[], Process]) -> None:
        self._cluster, self._name, self._start = cluster, name, start
        self._lock = threading.Lock()
        self._here: Process | None = None
        self._order = ""
        self._line: socket.socket | None = None
        self._closed = self._left = False

    @property
    def alive(self) -> bool:
        """Return whether it can be given an order."""
        return not self._closed and (self._here is None or self._here.alive)

    @property
    def exit_code(self) -> int | None:
        """Return how the process here ended; None while it runs, or while the cluster does the work."""
        return None if self._here is None else self._here.exit_code

    def order(self, line: str) -> None:
        """Give an order, which is sent as soon as somebody listens; of one under way only a process here hears more.

        Raises:
            OSError: the process here is gone.
            ValueError: it was closed.
        """
        if self._closed:
            raise ValueError("closed")
        under_way = bool(self._order)
        if not under_way:
            self._order, self._left = line, False
            if self._here is not None and self._cluster.serves(self._name):
                self._here.close()
                self._here = None
        if self._here is not None:
            self._here.order(line)

    def messages(self) -> Iterator[dict[str, Any]]:
        """Yield what it says of the order; before there is one, that it is ready.

        Raises:
            OSError: neither the cluster nor this machine does it.
            ValueError: it was closed.
        """
        if self._here is None and not self._order:
            yield {"is": "ready"}
            return
        yield from self._messages_there()
        if self._closed or not self._order:
            return
        if self._here is None:
            self._here = self._start()
            self._here.order(self._order)
        for told in self._here.messages():
            if told["is"] in LAST:
                self._order = ""
            yield told

    def leave(self) -> None:
        """Want nothing more of the order, which ends; do nothing if it is done here."""
        with self._lock:
            self._left = True
            self._hang_up()

    def kill(self) -> None:
        """End it now."""
        with self._lock:
            self._closed = True
            self._hang_up()
        if self._here is not None:
            self._here.kill()

    def close(self) -> None:
        """End it now, and let everything of it go."""
        self.kill()
        if self._here is not None:
            self._here.close()

    def _messages_there(self) -> Iterator[dict[str, Any]]:
        """Yield what the cluster says of the order; if that is not all, it is to be done here."""
        for _ in range(TRIES):
            if self._here is not None or self._closed or not self._cluster.serves(self._name):
                return
            for told in self._listen():
                if told["is"] == ABSENT:
                    return
                if told["is"] in LAST:
                    self._order = ""
                yield told
            if self._left and self._order:
                number, self._order = json.loads(self._order).get("batch"), ""
                yield {"is": "end", "batch": number}
            if not self._order:
                return
        self._cluster.note_away(self._name, "replica after replica was lost")

    def _hang_up(self) -> None:
        if self._line is not None:
            with contextlib.suppress(OSError):  # it has ended already
                self._line.shutdown(socket.SHUT_RDWR)

    def _listen(self) -> Iterator[dict[str, Any]]:
        """Give the order to a replica, and yield what it says until it ends or is lost."""
        with contextlib.ExitStack() as opened:
            try:
                connection = self._cluster.send(self._name, self._order)
                opened.callback(connection.close)
                opened.enter_context(connection.sock)
                opened.callback(self._let_go)
                if not self._hold(connection.sock):
                    return
                answer = opened.enter_context(connection.getresponse())
                for each in answer if answer.status == http.HTTPStatus.OK else ():
                    told = json.loads(each)
                    if isinstance(told, dict) and "is" in told:
                        yield told
                        if told["is"] in LAST:
                            return
            except (OSError, http.client.HTTPException, ValueError):
                pass
            self._cluster.doubt(self._name)

    def _hold(self, line: socket.socket) -> bool:
        """Let others end what is said; return whether it is still wanted."""
        with self._lock:
            self._line = line
            return not (self._closed or self._left)

    def _let_go(self) -> None:
        with self._lock:
            self._line = None
