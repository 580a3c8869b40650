"""A server of rooms alone, on a port of its own, and sockets that speak with it.

It keeps its rooms in its process, and again, for the same tests, in a Redis that runs beside it.
"""

import asyncio
import contextlib
import json
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import pytest
import uvicorn
from starlette.applications import Starlette
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from explorer.room.hub import Hub
from explorer.room.keep import InProcess, Keep
from explorer.room.routes import routes
from tests.support.browser import free_port
from tests.support.servers import program

BASE = "/some/where"
T = TypeVar("T")


@dataclass(slots=True)
class Served:
    """A server of rooms; `room` is made anew for every test."""

    port: int
    hub: Hub
    loop: asyncio.AbstractEventLoop
    code: str = ""
    secret: str = ""

    def address(self, code: str = "") -> str:
        """Return the address of a room's socket."""
        return f"ws://127.0.0.1:{self.port}{BASE}/room/{code or self.code}/live"

    def make(self) -> None:
        found = self._run(self.hub.make())
        assert found
        self.code, self.secret = found

    def forget(self) -> None:
        """Lose all rooms, as a restart does."""
        self._run(self._forget())

    def count(self) -> int:
        """Return how many rooms there are."""
        return self._run(self._count())

    async def _forget(self) -> None:
        if isinstance(self.hub.keep, InProcess):
            self.hub.keep._rooms.clear()
            self.hub.keep._asked.clear()
        else:
            await self.hub.keep._redis.flushall()  # type: ignore[attr-defined]

    async def _count(self) -> int:
        if isinstance(self.hub.keep, InProcess):
            return len(self.hub.keep._rooms)
        return int(await self.hub.keep._redis.zcard("explorer:rooms"))  # type: ignore[attr-defined]

    def _run(self, asked: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(asked, self.loop).result(5)


@dataclass(slots=True)
class Talk:
    """One socket, and all that it was ever told."""

    socket: ClientConnection
    heard: list[str] = field(default_factory=list)

    def say(self, **order: Any) -> None:
        self.socket.send(json.dumps(order))

    def hear(self, kind: str, **wanted: Any) -> dict[str, Any]:
        """Wait for a message of a kind, in which `wanted` stands; `phase` stands in the question."""
        end = time.monotonic() + 5
        while True:
            text = self.socket.recv(timeout=max(0.01, end - time.monotonic()))
            assert isinstance(text, str)
            self.heard.append(text)
            told: dict[str, Any] = json.loads(text)
            flat = {**told, "phase": None, "round": None, **(told.get("asking") or {})}
            flat = {**flat, **{key: told[key] for key in ("round", "q") if key in told}}
            if told["is"] == kind and all(flat[key] == value for key, value in wanted.items()):
                return told

    def closed(self) -> int:
        """Wait until it is closed, and return why."""
        try:
            while True:
                self.heard.append(str(self.socket.recv(timeout=5)))
        except ConnectionClosed as end:
            return end.rcvd.code if end.rcvd else 1006


@contextmanager
def running_redis(folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """A Redis of this test's own, its process and its address."""
    store = program("redis-server")
    pytest.importorskip("redis")
    port = free_port()
    options = ["--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder), "--save", "", "--loglevel", "warning"]
    process = subprocess.Popen([store, *options], stdout=subprocess.DEVNULL)
    try:
        for _ in range(100):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.05)
        yield process, f"redis://127.0.0.1:{port}/0"
    finally:
        process.kill()
        process.wait(10)


@contextmanager
def served(make_keep: Callable[[], Keep], **options: Any) -> Iterator[Served]:
    """A server of rooms that are kept where `make_keep` says; `options` are Uvicorn's."""
    port, ready = free_port(), threading.Event()
    found: list[Served] = []

    async def serve() -> None:
        hub = Hub(make_keep())
        app = Starlette(routes=routes(BASE, hub))
        chosen = {"log_level": "error", "timeout_graceful_shutdown": 5, **options}
        config = uvicorn.Config(app, "127.0.0.1", port, ws="websockets-sansio", lifespan="off", **chosen)
        server = uvicorn.Server(config)
        found.append(Served(port, hub, asyncio.get_running_loop()))
        task = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        ready.set()
        stop.append(lambda: setattr(server, "should_exit", True))
        await task
        await hub.keep.close()

    stop: list[Any] = []
    thread = threading.Thread(target=asyncio.run, args=(serve(),), daemon=True)
    thread.start()
    assert ready.wait(10)
    try:
        yield found[0]
    finally:
        stop[0]()
        thread.join(10)


@pytest.fixture(scope="session", params=["in this process", "in Redis"])
def server_of_rooms(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    if request.param == "in this process":
        with served(InProcess) as found:
            yield found
        return
    with running_redis(tmp_path_factory.mktemp("redis")) as (_, address):
        from explorer.room.in_redis import InRedis

        with served(lambda: InRedis(address)) as found:
            yield found


@pytest.fixture
def rooms(server_of_rooms: Served) -> Served:
    server_of_rooms.forget()
    server_of_rooms.make()
    return server_of_rooms


@pytest.fixture
def talk(rooms: Served) -> Iterator[Any]:
    """`talk()` opens a socket to the room; `talk(origin=…)` as another site's page would."""
    with ExitStack() as opened:

        def run(code: str = "", **options: Any) -> Talk:
            return Talk(opened.enter_context(connect(rooms.address(code), **options)))

        yield run
