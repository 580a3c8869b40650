"""A worker of ours as a web server hands it on: orders in JSON one after the other, what is said of each line by line.

A worker stays a process of its own: with its bounds of memory and its one thread, and one that dies takes no replica
with it. This knows nothing of Ray.
"""

import asyncio
import itertools
import json
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import StreamingResponse

from explorer.service.cluster import ABSENT, LAST
from explorer.service.process import WorkerProcess


class Replica:
    """Gives orders to a worker, one at a time, and hands on what it says, in lines of JSON.

    Args:
        start: makes the worker.
        patience_s: a worker that says nothing for so long is ended.
        can_drop: whether it hears that nobody waits for an order any more; else it is ended, then.
    """

    def __init__(self, start: Callable[[], WorkerProcess], patience_s: float, *, can_drop: bool) -> None:
        self._start, self._patience_s, self._can_drop = start, patience_s, can_drop
        self._worker: WorkerProcess | None = start()  # it loads its libraries before the first order comes
        self._followed: WorkerProcess | None = None
        self._told: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        self._numbers, self._turn = itertools.count(1), asyncio.Lock()

    async def __call__(self, request: Request) -> StreamingResponse:
        """Answer an order with all that its worker says of it; without a last word if the worker is lost."""
        order = await request.json()
        folder = Path(order.get("folder") or order.get("checkpoint") or ".")
        if not folder.exists():
            return StreamingResponse(iter([json.dumps({"is": ABSENT}) + "\n"]), media_type="application/x-ndjson")
        return StreamingResponse(self._obey(order), media_type="application/x-ndjson")

    async def _obey(self, order: Mapping[str, Any]) -> AsyncIterator[str]:
        name = "batch" if "batch" in order else "number"
        async with self._turn:
            number, worker, told = next(self._numbers), self._running(), self._told
            ended = False
            try:
                await asyncio.to_thread(worker.order, json.dumps({**order, name: number}))
                while not ended:
                    said = await asyncio.wait_for(told.get(), self._patience_s)
                    if said is None:
                        raise OSError("the worker is gone")
                    elif said.get(name) == number:
                        ended = said["is"] in LAST
                        yield json.dumps({**said, name: order[name]}) + "\n"
            except (OSError, ValueError, TimeoutError):
                self._end(worker)
            finally:
                if not ended and worker is self._worker:
                    self._drop(worker, order, number)

    def _drop(self, worker: WorkerProcess, order: Mapping[str, Any], number: int) -> None:
        """End an order to which nobody listens any more."""
        if not self._can_drop:
            self._end(worker)
            return
        try:
            worker.order(json.dumps({"batch": number, "drop": list(range(len(order["sources"])))}))
        except (OSError, ValueError):
            self._end(worker)

    def _end(self, worker: WorkerProcess) -> None:
        worker.close()
        self._worker = None

    def _running(self) -> WorkerProcess:
        """Return the worker, a new one if the last is gone."""
        if self._worker is None or not self._worker.alive:
            self._worker = self._start()
        if self._followed is not self._worker:
            self._followed, self._told = self._worker, asyncio.Queue()
            threading.Thread(
                target=follow, args=(asyncio.get_running_loop(), self._worker, self._told), daemon=True
            ).start()
        return self._worker


def follow(
    loop: asyncio.AbstractEventLoop, worker: WorkerProcess, told: "asyncio.Queue[dict[str, Any] | None]"
) -> None:
    """Hand on what a worker says, and that it is gone."""
    try:
        for message in worker.messages():
            loop.call_soon_threadsafe(told.put_nowait, message)
    except ValueError:  # it was closed
        pass
    loop.call_soon_threadsafe(told.put_nowait, None)
