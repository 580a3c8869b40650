"""A run of the lab as a web server leads it: orders are lines of the request, its progress and files of the answer.

Its worker stays a process of its own. This knows nothing of Ray.
"""

import asyncio
import base64
import contextlib
import json
import threading
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from explorer.cluster.replica import follow
from explorer.data.files import temporary_folder
from explorer.service.lab.elsewhere import BEAT_S
from explorer.service.lab.process import PREFIX, WORKER, start_here
from explorer.service.process import WorkerProcess
from explorer.training.lab.files import ERRORS, RECIPE


class TrainingReplica:
    """Trains one run for each request, for as long as somebody listens.

    Args:
        command: as for `LabRun.start`.
    """

    def __init__(self, command: Sequence[str] = WORKER) -> None:
        self._command = command

    async def __call__(self, _: Request) -> "Conversation":
        """Train the recipe that is the first line of a request; those after it are orders."""
        return Conversation(self._command)


class Conversation(StreamingResponse):  # type: ignore[misc]
    """One run, from its recipe to its last file."""

    def __init__(self, command: Sequence[str]) -> None:
        super().__init__(self._train(command), media_type="application/x-ndjson")
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()

    async def __call__(self, _: Scope, receive: Receive, send: Send) -> None:
        """Hear and answer at once, unlike what it is made of, which answers what was heard."""
        hearing = asyncio.create_task(self._hear(receive))
        try:
            with contextlib.suppress(OSError):  # nobody listens any more
                await self.stream_response(send)
        finally:
            hearing.cancel()
            await self.body_iterator.aclose()

    async def _hear(self, receive: Receive) -> None:
        heard = b""
        while (message := await receive())["type"] == "http.request":
            *lines, heard = (heard + message.get("body", b"")).split(b"\n")
            for each in lines:
                self._lines.put_nowait(each.decode())
        self._lines.put_nowait(None)

    async def _train(self, command: Sequence[str]) -> AsyncIterator[str]:
        recipe = await self._lines.get()
        if recipe is None:
            return
        folder = temporary_folder(PREFIX)
        (folder / RECIPE).write_text(recipe, encoding="utf-8")
        sent = {RECIPE, ERRORS}
        worker = start_here(folder, command)
        told: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        threading.Thread(target=follow, args=(asyncio.get_running_loop(), worker, told), daemon=True).start()
        leading = asyncio.create_task(self._lead(worker))
        try:
            message: dict[str, Any] | None = {"is": "taken"}
            while message is not None:
                for file in await asyncio.to_thread(_list_new, folder, sent):
                    yield await asyncio.to_thread(_file, file)
                yield _line(message)
                message = await _next(told)
            worker.wait()
            yield await asyncio.to_thread(_file, folder / ERRORS)
            yield _line({"is": "over", "code": worker.exit_code})
        finally:
            leading.cancel()
            worker.close()

    async def _lead(self, worker: WorkerProcess) -> None:
        """Hand orders on; end a run whose reader is gone."""
        while (order := await self._lines.get()) is not None:
            with contextlib.suppress(OSError, ValueError):  # it has ended already
                worker.order(order)
        worker.kill()


async def _next(told: "asyncio.Queue[dict[str, Any] | None]") -> dict[str, Any] | None:
    """Return what a worker says next, or that it is there; None after its end."""
    try:
        return await asyncio.wait_for(told.get(), BEAT_S)
    except TimeoutError:
        return {"is": "alive"}


def _list_new(folder: Path, sent: set[str]) -> list[Path]:
    """Return the whole files that were not handed on yet, and note that they are."""
    new = [each for each in sorted(folder.iterdir()) if each.suffix != ".part" and each.name not in sent]
    sent.update(each.name for each in new)
    return new


def _file(path: Path) -> str:
    return _line({"is": "file", "name": path.name, "content": base64.b64encode(path.read_bytes()).decode()})


def _line(message: dict[str, Any]) -> str:
    return json.dumps(message) + "\n"
