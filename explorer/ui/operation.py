"""What whoever runs the server asks of it: whether it is well, its numbers, to let its readers go, a log for programs.

The environment chooses: `EXPLORER_METRICS=1` answers at `/metrics`, `EXPLORER_LOG=json` writes the log in JSON.
"""

import asyncio
import json
import logging
import os
import signal
import time
import traceback
from pathlib import PurePath
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from explorer.room.hub import Hub
from explorer.service.metrics import METRICS
from explorer.ui.streamlit_internals import log, run_times, script_run

#: A server that nobody uses any more, and that is to let its readers go, ends after so long: its proxy has heard of it.
EMPTY_S, LOOK_S = 10.0, 1.0
_LOG = logging.getLogger(__name__)


class Operation:
    """The state of this server, for its owner: whether it takes readers, and how many it has."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self.drains = False
        METRICS.watch("explorer_readers", script_run.count_connected)
        METRICS.watch("explorer_store_away_total", lambda: hub.n_away)
        METRICS.watch("explorer_rooms", lambda: hub.n_rooms)
        METRICS.watch("explorer_seats", lambda: hub.n_seats)

    def routes(self, root: str) -> list[BaseRoute]:
        """Return the routes below a path: `healthz`, and `metrics` if the environment asks for it."""
        found: list[BaseRoute] = [Route(f"{root.rstrip('/')}/healthz", self._health)]
        if _is_metered():
            found.append(Route(f"{root.rstrip('/')}/metrics", _answer_metrics))
        return found

    async def drain(self) -> None:
        """Take no new readers, and end the server once those it has are gone."""
        self.drains = True
        _LOG.warning("drains: takes no new readers, and ends when the last has gone")
        since = time.monotonic()
        while time.monotonic() - since < EMPTY_S:
            await asyncio.sleep(LOOK_S)
            if script_run.count_connected() or self._hub.n_seats:
                since = time.monotonic()
        signal.raise_signal(signal.SIGINT)

    async def _health(self, _: Request) -> Response:
        """Answer 200; 404 while it drains, which HAProxy takes as that (`http-check disable-on-404`)."""
        return PlainTextResponse("drains\n", 404) if self.drains else PlainTextResponse("well\n")


def _is_metered() -> bool:
    return os.environ.get("EXPLORER_METRICS") == "1"


async def _answer_metrics(_: Request) -> Response:
    return PlainTextResponse(METRICS.write(), media_type="text/plain; version=0.0.4")


class JsonLines(logging.Formatter):
    """One JSON object a line. Of an error, its kind and its place: its message may quote what a reader wrote."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        line: dict[str, Any] = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        kind, error, _ = record.exc_info if isinstance(record.exc_info, tuple) else (None, None, None)
        if kind is not None and error is not None:
            line["error"] = kind.__name__
            frames = traceback.extract_tb(error.__traceback__)
            line["at"] = [f"{PurePath(each.filename).name}:{each.lineno} {each.name}" for each in frames[-8:]]
        return json.dumps(line, ensure_ascii=False)


def begin(operation: Operation) -> None:
    """Hear the signal that drains, and write the log as the environment asks; call in the server's loop."""
    if _is_metered():
        run_times.measure(lambda seconds, kind: METRICS.time("explorer_run_seconds", seconds, f'kind="{kind}"'))
    if os.environ.get("EXPLORER_LOG") == "json":
        log.write_as(JsonLines())
    _drain_on_signal(operation)


def _drain_on_signal(operation: Operation) -> None:
    if hasattr(signal, "SIGUSR1"):
        loop, tasks = asyncio.get_running_loop(), set[asyncio.Task[None]]()

        def drain() -> None:
            if not tasks:
                tasks.add(loop.create_task(operation.drain()))

        signal.signal(signal.SIGUSR1, lambda *_: loop.call_soon_threadsafe(drain))
