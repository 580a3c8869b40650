"""Runs of the lab on a cluster that answers, is full, breaks off or is away; Ray's part is played."""

import logging
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request as StarletteRequest
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from explorer.cluster.training import TrainingReplica
from explorer.inference.lab.snapshots import snapshot_path
from explorer.service import cluster as module
from explorer.service.cluster import cluster
from explorer.service.lab import elsewhere
from explorer.service.lab.elsewhere import ClusterTraining
from explorer.service.lab.process import PREFIX, LabRun
from tests.cluster.played import PlayedCluster, Request
from tests.service.lab.helpers import LONG, PRETEND, TINY
from tests.support.browser import free_port
from tests.support.waiting import until


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[int]:
    """Of the cluster that the environment names; every folder of a run lies in a place of this test's own."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    port = free_port()
    monkeypatch.setenv(module.VARIABLE, f"http://127.0.0.1:{port}")
    cluster.cache_clear()
    yield port
    cluster.cache_clear()


@contextmanager
def replica(port: int) -> Iterator[None]:
    """What runs on a cluster, behind a web server as Ray's."""
    trains = TrainingReplica(PRETEND)

    async def routes(_: StarletteRequest) -> Response:
        return JSONResponse({"/lab": "lab"})

    async def train(request: StarletteRequest) -> Response:
        return await trains(request)

    app = Starlette(routes=[Route("/-/routes", routes), Route("/lab", train, methods=["POST"])])
    served = uvicorn.Server(uvicorn.Config(app, port=port, log_level="error"))
    thread = threading.Thread(target=served.run, daemon=True)
    thread.start()
    until(lambda: served.started, 20)
    try:
        yield
    finally:
        served.should_exit = served.force_exit = True
        thread.join(10)


class Played(PlayedCluster):
    """A cluster that says lines of a run and hangs up; with none, it takes no run."""

    ROUTES = ("lab",)

    def __init__(self, port: int, *lines: dict[str, Any], waits: bool = False) -> None:
        self.lines, self.waits = lines, waits
        super().__init__(port)

    def answer(self, request: Request) -> None:
        if self.lines:
            request.begin()
        for each in self.lines:
            request.say(each)
        if self.waits or not self.lines:
            self.left.wait(20)


@contextmanager
def played(port: int, *lines: dict[str, Any], waits: bool = False) -> Iterator[None]:
    served = Played(port, *lines, waits=waits)
    try:
        yield
    finally:
        served.end()


@contextmanager
def started(recipe: Any = TINY) -> Iterator[LabRun]:
    run = LabRun.start(recipe, command=PRETEND)
    try:
        yield run
    finally:
        run.close()


def trains_here(run: LabRun) -> bool:
    assert isinstance(run._process, ClusterTraining)
    return run._process._held.here is not None


def folders(tmp_path: Path) -> int:
    return len(list(tmp_path.glob(f"{PREFIX}*")))


STEP = {"is": "step", "step": 7, "seconds": 1.0}


def test_a_run_trains_on_a_replica_and_its_files_come_before_its_words(port: int, tmp_path: Path) -> None:
    with replica(port), started() as run:
        seen = []
        while not run.ended:
            seen += [snapshot_path(run.folder, step).read_bytes() for step in run.progress().snapshots[-1:]]
        found = run.progress()
        assert (found.phase, found.reason, found.step) == ("done", "", TINY.steps)
        assert [point.step for point in found.points] == [*range(TINY.steps + 1)]
        assert {*seen} == {b"nothing"}
        assert not trains_here(run)
        until(lambda: folders(tmp_path) == 1, 20)  # the replica's is gone, the reader's stays
        assert all(snapshot_path(run.folder, step).is_file() for step in found.snapshots)
    assert folders(tmp_path) == 0


def test_it_rests_goes_on_and_stops_there(port: int) -> None:
    with replica(port), started(LONG) as run:
        run.pause()  # before anybody hears
        until(lambda: run.progress().phase == "paused", 30)
        resting = run.progress()
        time.sleep(0.3)
        assert run.progress() == resting
        run.go_on()
        until(lambda: run.progress().step > resting.step + 5, 30)
        run.stop()
        until(lambda: run.ended, 30)
        found = run.progress()
        assert (found.phase, found.reason) == ("stopped", "stopped")
        assert found.step < LONG.steps
        assert not trains_here(run)


def test_a_long_table_reaches_it_whole(port: int) -> None:
    pairs = tuple((f"{number:060}", "y" * 60) for number in range(20_000))
    with replica(port):
        since = time.monotonic()
        with started(replace(TINY, pairs=pairs)) as run:
            assert time.monotonic() - since < 10
            until(lambda: run.ended, 60)
            assert run.progress().phase == "done"
            assert not trains_here(run)


@pytest.mark.parametrize("end", ["kill", "close", "drop"])
def test_a_run_that_its_reader_leaves_ends_there_too(port: int, tmp_path: Path, end: str) -> None:
    with replica(port):
        run = LabRun.start(LONG, command=PRETEND)
        until(lambda: run.progress().step > 3, 30)
        assert folders(tmp_path) == 2
        if end == "drop":
            run._process.close()  # as at the end of the server
        else:
            getattr(run, end)()
        until(lambda: folders(tmp_path) == (end == "kill"), 20)
        until(lambda: not run._listener.is_alive(), 20)
        assert (run.progress().phase, run.progress().reason) == ("stopped", "stopped") or end == "drop"
        run.close()


def test_a_worker_that_dies_on_a_replica_says_why(port: int) -> None:
    with replica(port), started(replace(TINY, seed=13)) as run:
        until(lambda: run.ended, 30)
        assert (run.progress().phase, run.progress().reason) == ("failed", "ValueError: thirteen brings bad luck")
        assert not trains_here(run)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no such end on this system")
def test_a_worker_that_is_killed_on_a_replica_is_named_by_its_exit_code(port: int, tmp_path: Path) -> None:
    with replica(port), started(LONG) as run:
        until(lambda: run.progress().step > 3, 30)
        (folder,) = {*tmp_path.glob(f"{PREFIX}*")} - {run.folder}
        (pid,) = [
            int(each.name)
            for each in Path("/proc").iterdir()
            if each.name.isdecimal() and str(folder).encode() in (each / "cmdline").read_bytes()
        ]
        os.kill(pid, signal.SIGKILL)
        until(lambda: run.ended, 30)
        assert (run.progress().phase, run.progress().reason) == ("failed", "exit code -9")


def test_a_replica_that_is_lost_is_said_and_what_was_computed_stays(port: int) -> None:
    with played(port, {"is": "taken"}, {"is": "built", "device": "cuda"}, STEP), started() as run:
        until(lambda: run.ended, 30)
        found = run.progress()
        assert (found.phase, found.reason, found.step, found.device) == ("failed", elsewhere.LOST, 7, "cuda")
        assert not trains_here(run)


def test_a_replica_that_falls_silent_is_lost(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elsewhere, "SILENT_S", 0.5)
    with played(port, {"is": "taken"}, STEP, waits=True), started() as run:
        until(lambda: run.ended, 30)
        assert (run.progress().phase, run.progress().reason) == ("failed", elsewhere.LOST)


def test_a_replica_at_rest_is_not_silent(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elsewhere, "SILENT_S", 0.6)
    monkeypatch.setattr("explorer.cluster.training.BEAT_S", 0.1)
    with replica(port), started(LONG) as run:
        run.pause()
        until(lambda: run.progress().phase == "paused", 30)
        time.sleep(1.5)
        assert run.progress().phase == "paused"
        run.stop()
        until(lambda: run.ended, 30)
        assert run.progress().phase == "stopped"


def test_a_cluster_without_a_free_replica_keeps_no_run_waiting_for_ever(
    port: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(elsewhere, "FREE_PATIENCE_S", 0.5)
    with played(port), started() as run:
        until(lambda: run.ended, 30)
        assert (run.progress().phase, trains_here(run)) == ("done", True)
    (record,) = caplog.records
    assert record.message == f"the cluster at 127.0.0.1:{port} is away (no replica is free): lab is computed here"


def test_where_the_cluster_is_away_runs_train_here_and_the_log_says_so_once(
    port: int, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    for recipe, phase in ((LONG, "stopped"), (TINY, "done")):
        with started(recipe) as run:
            if recipe is LONG:
                run.pause()
                until(lambda: run.progress().phase == "paused", 30)
                run.go_on()
                run.stop()
            until(lambda: not run._listener.is_alive(), 30)
            assert (run.progress().phase, trains_here(run)) == (phase, True)
    assert folders(tmp_path) == 0
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert record.message.endswith(f"127.0.0.1:{port} is away (ConnectionRefusedError): lab is computed here")


def test_no_replica_and_no_process_here_is_a_failed_run(port: int) -> None:
    run = LabRun.start(TINY, command=("/nowhere/at/all",))
    until(lambda: run.ended, 30)
    assert run.progress().phase == "failed"
    assert "nowhere" in run.progress().reason
    run.close()


@pytest.mark.parametrize("name", ["../outside.json", "recipe", "/tmp/outside.json", ".json", "a\n.json"])
def test_a_replica_writes_nothing_but_files_of_a_run(port: int, tmp_path: Path, name: str) -> None:
    with played(port, {"is": "taken"}, {"is": "file", "name": name, "content": ""}), started() as run:
        until(lambda: run.ended, 30)
        assert run.progress().reason == elsewhere.LOST
        assert [each.name for each in run.folder.iterdir()] == ["recipe.json"]
    assert list(tmp_path.iterdir()) == []


def test_without_a_cluster_a_run_is_a_process_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(module.VARIABLE, raising=False)
    cluster.cache_clear()
    with started() as run:
        assert not isinstance(run._process, ClusterTraining)
