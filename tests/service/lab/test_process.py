"""A run in a process of its own: how it goes, how it is led, and that nothing of it stays."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from explorer.inference.lab.snapshots import SnapshotMissing, snapshot, snapshot_path
from explorer.records.training_run import LabPoint
from explorer.service.lab import worker
from explorer.service.lab.process import LabRun
from explorer.service.process import ROOT
from explorer.training.lab.loop import LabTraining
from explorer.training.lab.recipe import MAX_LENGTH
from tests.service.lab.helpers import LONG, PRETEND, TINY
from tests.support.waiting import until


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return not Path(f"/proc/{pid}/stat").exists() or ") Z" not in Path(f"/proc/{pid}/stat").read_text()


def without_time(points: tuple[LabPoint, ...]) -> list[tuple[int, float, float]]:
    return [(point.step, round(point.loss, 5), point.accuracy) for point in points]


def test_a_real_run_from_its_start_to_its_end() -> None:
    run = LabRun.start(TINY)
    assert run.progress().phase == "starting"
    until(lambda: run.ended)
    found = run.progress()
    assert (found.phase, found.reason, found.step, found.total_steps) == ("done", "", 20, 20)
    assert (found.seconds_left, found.place_in_line) == (0.0, 0)
    training = LabTraining(TINY)
    here = tuple(point for point in training.run() if point is not None)
    assert without_time(found.points) == without_time(here)
    assert found.snapshots == tuple(point.step for point in here)
    assert all(snapshot_path(run.folder, step).is_file() for step in found.snapshots)
    run.close()
    run.close()
    assert not run.folder.exists()
    with pytest.raises(SnapshotMissing):
        snapshot(run.folder, 20)


def test_a_real_run_rests_goes_on_and_stops() -> None:
    run = LabRun.start(LONG)
    run.pause()  # before it can even hear it
    until(lambda: run.progress().phase == "paused")
    resting = run.progress().step
    run.go_on()
    until(lambda: run.progress().step > resting + 5)
    run.pause()
    until(lambda: run.progress().phase == "paused")
    stood = run.progress()
    threading.Event().wait(0.3)
    assert run.progress() == stood
    run.stop()
    until(lambda: run.ended)
    found = run.progress()
    assert (found.phase, found.reason) == ("stopped", "stopped")
    assert found.snapshots[-1] == found.step >= stood.step
    assert snapshot(run.folder, found.step).prepared.config.max_length == MAX_LENGTH
    run.close()


def test_what_was_computed_when_it_stopped_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also when it stops at a point of the curve whose weights would not have been kept."""
    told: list[tuple[str, dict[str, Any]]] = []
    monkeypatch.setattr(worker, "say", lambda what, **facts: told.append((what, facts)))
    monkeypatch.setattr(worker, "snapshots_of", lambda *_: 1_000)

    class Orders:
        alone = False

        @property
        def stop(self) -> bool:
            return [what for what, _ in told].count("point") > 1

        def wait_while_paused(self) -> None:
            pass

    assert worker.train(TINY, tmp_path, cast("worker.RunOrders", Orders())) == ("stopped", "stopped")
    (_, point), (last, kept) = told[-2:]
    assert (last, kept["step"]) == ("kept", point["point"]["step"])
    assert snapshot_path(tmp_path, kept["step"]).is_file()


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no such end on this system")
@pytest.mark.parametrize("order", ["go_on", "pause"])
def test_a_run_does_not_outlive_its_server(order: str) -> None:
    """The server is killed, so that it can tidy nothing up: its worker hears the silence, and tidies up itself."""
    server = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(f"""
            import time
            from explorer.service.lab.process import LabRun
            from tests.service.lab.helpers import LONG
            run = LabRun.start(LONG)
            while run.progress().step < 1: time.sleep(0.01)
            run.{order}()
            time.sleep(0.5)
            print(run.folder, run._process._process.pid, flush=True)
            time.sleep(60)
        """)],
        stdout=subprocess.PIPE, text=True, cwd=ROOT,
    )  # fmt: skip
    assert server.stdout is not None
    with server, server.stdout:
        folder, pid = server.stdout.readline().split()
        assert alive(int(pid))
        server.kill()
    until(lambda: not alive(int(pid)), 20)
    assert not Path(folder).exists()


def test_a_large_table_does_not_hold_the_caller_up() -> None:
    """A worker that never reads: 3 MB of pairs must not wait for it."""
    pairs = tuple((f"{number:060}", "y" * 60) for number in range(20_000))
    since = time.monotonic()
    run = LabRun.start(replace(TINY, pairs=pairs), command=(*PRETEND[:3], "-c", "import time; time.sleep(60)"))
    run.pause()
    assert time.monotonic() - since < 10
    run.close()


def test_a_worker_that_dies_says_why() -> None:
    run = LabRun.start(replace(TINY, seed=13), command=PRETEND)
    until(lambda: run.ended)
    assert (run.progress().phase, run.progress().reason) == ("failed", "ValueError: thirteen brings bad luck")
    run.close()


def test_a_worker_that_is_killed_from_outside() -> None:
    run = LabRun.start(LONG, command=PRETEND)
    until(lambda: run.progress().step > 3)
    os.kill(run._process._process.pid, signal.SIGTERM)
    until(lambda: run.ended)
    assert run.progress().phase == "failed"
    assert run.progress().reason.startswith("exit code")
    run.close()


def test_what_is_no_message_is_passed_over() -> None:
    lines = ["hello", "[1, 2]", '{"is": "point"}', '{"is": "step", "step": 3, "seconds": 1}']
    run = LabRun.start(TINY, command=(sys.executable, "-I", "-S", "-c", f"print(*{lines}, sep='\\n')"))
    until(lambda: run.ended)
    assert (run.progress().phase, run.progress().step) == ("failed", 3)
    run.close()


def test_no_program_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(OSError, match="nowhere"):
        LabRun.start(TINY, command=("/nowhere/at/all",))
    assert list(tmp_path.iterdir()) == []


def test_a_run_that_nobody_closes_is_closed_with_its_last_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    run = LabRun.start(TINY, command=PRETEND)
    listener = run._listener
    until(lambda: not listener.is_alive())
    assert list(tmp_path.iterdir()) == [run.folder]
    del run
    assert list(tmp_path.iterdir()) == []


def test_orders_after_the_end_are_no_error() -> None:
    run = LabRun.start(TINY, command=PRETEND)
    until(lambda: not run._listener.is_alive())
    for order in (run.pause, run.go_on, run.stop, run.kill, run.close, run.stop):
        order()
    assert run.progress().phase == "done"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is bounded by the system on Linux alone")
def test_memory_is_bounded() -> None:
    """A worker under the real limit asks for more than it allows, and says so."""
    greedy = textwrap.dedent("""
        import sys
        from pathlib import Path
        from explorer.service.lab import worker
        def train(recipe, folder, orders):
            import torch
            kept = [torch.zeros(50_000_000) for _ in range(20)]
        worker.train = train
        worker.main(Path(sys.argv[1]))
    """)
    run = LabRun.start(TINY, command=(sys.executable, "-c", greedy))
    until(lambda: run.ended)
    assert (run.progress().phase, run.progress().reason) == ("failed", "memory")
    run.close()
