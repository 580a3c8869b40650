"""How many readers and phones this machine holds: `python -m explorer.benchmarks.capacity`.

Starts the app on this machine alone, and has ever more readers move a slider of a lesson, then ever more phones vote in
rooms, until an answer takes too long: half a second, for nineteen of twenty. It stops by itself. Readers and phones run
here, too: without them the machine holds more.
"""

import argparse
import asyncio
import contextlib
import json
import os
import random
import socket
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from explorer import project
from explorer.ui.streamlit_internals.sessions import arrive

#: What is still quick, 95th percentile; and how often a reader moves a slider.
MOST_S, EVERY_S = 0.5, 4.0
#: Within so long all phones vote; a room holds so many in this measurement, a server so many rooms of one address.
VOTES_S, A_ROOM, MOST_PHONES = 5.0, 200, 1600
MOST_READERS = 320
#: A measurement that takes longer is given up.
PATIENCE_S = 120.0
LESSON, SCENE = "kernel_regression", "kernel_regression/one_query"


@dataclass(frozen=True, slots=True)
class Load:
    """One measurement: `n` readers or phones, and what came of it.

    Attributes:
        p50, p95: seconds until an answer.
        cores: that the server kept busy, of those it shares with readers and phones.
        memory_mb: of the server, resident; 0 where the system does not say.
    """

    n: int
    p50: float
    p95: float
    cores: float
    memory_mb: float


def measure_readers(n: int, address: str, process: int, seconds: float) -> Load:
    """Have `n` readers open a lesson, one after the other, and move its first slider every four seconds."""
    return asyncio.run(asyncio.wait_for(_measure_readers(n, address, process, seconds), PATIENCE_S + seconds))


def measure_phones(n: int, address: str, process: int) -> Load:
    """Have `n` phones vote within five seconds; timed is from a vote until the phone hears that it is kept."""
    return asyncio.run(asyncio.wait_for(_measure_phones(n, address, process), PATIENCE_S))


async def _measure_readers(n: int, address: str, process: int, seconds: float) -> Load:
    sessions = []
    try:
        for _ in range(n):
            sessions.append(await arrive(address))
            await sessions[-1].rerun(LESSON)
        before, begun = _used_s(process), time.monotonic()
        end = begun + seconds

        async def move(position: int) -> list[float]:
            session, chance, took = sessions[position], random.Random(position), list[float]()  # noqa: S311 - no secret
            due = begun + chance.random() * EVERY_S
            while due < end:
                await asyncio.sleep(max(0.0, due - time.monotonic()))
                shape = session.sliders[min(session.sliders)]
                notch = chance.randrange(session.notches(shape))
                took.append(await session.rerun(LESSON, slider=(shape, notch)))
                due = max(due + EVERY_S, time.monotonic())
            return took

        took = [each for moves in await asyncio.gather(*map(move, range(n))) for each in moves]
        cores = (_used_s(process) - before) / (time.monotonic() - begun)
    finally:
        for session in sessions:
            await session.socket.close()
    return Load(n, *_percentiles(took), cores, _memory_mb(process))


async def _measure_phones(n: int, address: str, process: int) -> Load:
    rooms = [(await asyncio.to_thread(_make_room, address), min(A_ROOM, n - at)) for at in range(0, n, A_ROOM)]
    before, begun = _used_s(process), time.monotonic()
    took = [each for room in await asyncio.gather(*(_vote(address, *room) for room in rooms)) for each in room]
    cores = (_used_s(process) - before) / (time.monotonic() - begun)
    return Load(n, *_percentiles(took), cores, _memory_mb(process))


def _make_room(address: str) -> dict[str, str]:
    with urllib.request.urlopen(f"{address}/room", b"{}") as answered:  # noqa: S310 - our own server
        made: dict[str, str] = json.loads(answered.read())
    return made


async def _vote(address: str, room: dict[str, str], n: int) -> list[float]:
    """Return how long each phone of a room waited."""
    url, ready = f"ws{address.removeprefix('http')}/room/{room['code']}/live", asyncio.Barrier(n + 1)

    async def phone(after: float) -> float:
        async with connect(url) as line:
            await line.send(json.dumps({"do": "join", "seat": None}))
            await _hear(line, "state")
            await ready.wait()
            while not (asking := (await _hear(line, "state"))["asking"]):
                pass
            await asyncio.sleep(after)
            sent = time.monotonic()
            value = next(iter(asking["answers"]))
            await line.send(json.dumps({"do": "answer", "q": asking["id"], "round": 1, "value": value}))
            await _hear(line, "kept")
            return time.monotonic() - sent

    chance = random.Random(n)  # noqa: S311 - no secret
    async with connect(url) as wall:
        await wall.send(json.dumps({"do": "join", "secret": room["secret"], "wall": True}))
        await _hear(wall, "state")
        phones = [asyncio.create_task(phone(VOTES_S * chance.random())) for _ in range(n)]
        await ready.wait()
        await wall.send(json.dumps({"do": "ask", "scene": SCENE, "right": "flat", "why": {}}))
        took = await asyncio.gather(*phones)
        await wall.send(json.dumps({"do": "end"}))
    return took


async def _hear(line: ClientConnection, kind: str) -> dict[str, Any]:
    while True:
        told: dict[str, Any] = json.loads(await line.recv())
        if told["is"] == kind:
            return told


def _percentiles(times: Sequence[float]) -> tuple[float, float]:
    return statistics.median(times), statistics.quantiles(times, n=20)[-1] if len(times) > 1 else times[0]


def _used_s(process: int) -> float:
    """Return the seconds of a processor that a process has used; 0 where the system does not say."""
    with contextlib.suppress(OSError):
        fields = Path(f"/proc/{process}/stat").read_text("utf8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return 0.0


def _memory_mb(process: int) -> float:
    with contextlib.suppress(OSError):
        pages = int(Path(f"/proc/{process}/statm").read_text("utf8").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
    return 0.0


def _most(what: str, n: int, most: int, measure: Callable[[int], Load]) -> int:
    """Double a number until an answer takes too long; return the last that was quick, 0 if none was."""
    quick = 0
    while n <= most:
        try:
            load = measure(n)
        except TimeoutError:
            sys.stdout.write(f"{n:5d} {what}: no end within {PATIENCE_S:g} s\n")
            break
        row = f"{n:5d} {what}: p50 {load.p50:.3f}, p95 {load.p95:.3f} s; {load.cores:.2f} cores"
        sys.stdout.write(f"{row}, {load.memory_mb:.0f} MB\n")
        sys.stdout.flush()
        if load.p95 > MOST_S:
            break
        quick, n = n, 2 * n
    return quick


@contextlib.contextmanager
def serving() -> Iterator[tuple[int, str]]:
    """Start the app on a free port of this machine; yield its process and address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    options = ["--server.port", str(port), "--server.address", "127.0.0.1", "--server.headless", "true"]
    command = [sys.executable, "-m", "streamlit", "run", str(project.APP), *options, "--server.fileWatcherType", "none"]
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(command, cwd=project.APP.parent, stdout=quiet, stderr=quiet)  # noqa: S603 - our own
    try:
        for _ in range(600):
            with contextlib.suppress(OSError), urllib.request.urlopen(f"{address}/healthz"):  # noqa: S310 - our own
                break
            time.sleep(0.1)
        yield process.pid, address
    finally:
        process.terminate()
        process.wait(30)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and write what this machine holds."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--seconds", type=float, default=20, help="of each number of readers (default: 20)")
    parser.add_argument("--readers", type=int, default=MOST_READERS, help=f"at most (default: {MOST_READERS})")
    parser.add_argument("--phones", type=int, default=MOST_PHONES, help=f"at most (default: {MOST_PHONES})")
    given = parser.parse_args(arguments)
    busy = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    sys.stdout.write(f"{os.cpu_count()} cores; {busy:.1f} processes at work before\n")
    with serving() as (process, address):
        measure_readers(1, address, process, EVERY_S)  # what is imported and computed once
        readers = _most("readers", 10, given.readers, lambda n: measure_readers(n, address, process, given.seconds))
        phones = _most("phones", 50, given.phones, lambda n: measure_phones(n, address, process))
    sys.stdout.write(f"p95 within {MOST_S:g} s: {readers} readers who move a slider every {EVERY_S:g} s; ")
    sys.stdout.write(f"{phones} phones that vote within {VOTES_S:g} s\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
