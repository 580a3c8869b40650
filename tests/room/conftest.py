"""A server of rooms alone, on a port of its own, and sockets that speak with it."""

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import pytest
import uvicorn
from starlette.applications import Starlette
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from explorer.room.hub import Hub
from explorer.room.keep import InProcess
from explorer.room.routes import routes
from tests.support.browser import free_port

BASE = "/some/where"


@dataclass(slots=True)
class Served:
    """A server of rooms; `room` is made anew for every test."""

    port: int
    hub: Hub
    loop: asyncio.AbstractEventLoop
    code: str = ""
    secret: str = ""

    def make(self) -> None:
        found = asyncio.run_coroutine_threadsafe(self.hub.make(), self.loop).result(5)
        assert found
        self.code, self.secret = found

    def forget(self) -> None:
        """Lose all rooms, as a restart does."""

        async def now() -> None:
            self.hub.keep._rooms.clear()  # type: ignore[attr-defined]

        asyncio.run_coroutine_threadsafe(now(), self.loop).result(5)


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


@pytest.fixture(scope="session")
def server_of_rooms() -> Iterator[Served]:
    port, ready = free_port(), threading.Event()
    found: list[Served] = []

    async def serve() -> None:
        hub = Hub(InProcess())
        app = Starlette(routes=routes(BASE, hub))
        config = uvicorn.Config(app, "127.0.0.1", port, log_level="error", ws="websockets-sansio", lifespan="off")
        server = uvicorn.Server(config)
        found.append(Served(port, hub, asyncio.get_running_loop()))
        task = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        ready.set()
        stop.append(lambda: setattr(server, "should_exit", True))
        await task

    stop: list[Any] = []
    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    assert ready.wait(10)
    yield found[0]
    stop[0]()
    thread.join(10)


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
            address = f"ws://127.0.0.1:{rooms.port}{BASE}/room/{code or rooms.code}/live"
            return Talk(opened.enter_context(connect(address, **options)))

        yield run
