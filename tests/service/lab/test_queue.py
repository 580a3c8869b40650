"""The line before the lab: fair, bounded, and empty when nobody is there."""

import gc
import os
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from explorer.service.lab import queue
from explorer.service.lab.entry import LabEntry
from explorer.service.lab.queue import Lab, LabRefused
from tests.service.lab.helpers import LONG, PRETEND, TINY
from tests.support.waiting import until


@pytest.fixture
def lab(monkeypatch: pytest.MonkeyPatch) -> Iterator[Lab]:
    monkeypatch.setattr(queue, "SWEEP_EVERY_S", 0.02)
    lab = Lab(command=PRETEND)
    yield lab
    lab.close()


def phases(*entries: LabEntry) -> list[str]:
    return [entry.progress().phase for entry in entries]


def waits(entry: LabEntry) -> bool:
    return entry.progress().place_in_line > 0


def training(entry: LabEntry) -> bool:
    return entry.progress().phase == "training"


def test_two_train_and_the_third_waits(lab: Lab) -> None:
    one, two, three, four = (lab.submit(LONG, owner) for owner in "abcd")
    until(lambda: training(one) and training(two))
    assert phases(three, four) == ["waiting", "waiting"]
    assert [entry.progress().place_in_line for entry in (one, two, three, four)] == [0, 0, 1, 2]
    one.stop()
    until(lambda: training(three))
    assert four.progress().place_in_line == 1
    assert (one.progress().phase, one.progress().reason) == ("stopped", "stopped")
    assert one.folder is not None
    assert one.folder.exists()  # what was computed stays


def test_a_run_that_ends_makes_room(lab: Lab) -> None:
    entries = [lab.submit(TINY, owner) for owner in "abcde"]
    until(lambda: all(entry.ended for entry in entries))
    assert phases(*entries) == ["done"] * 5


def test_a_paused_run_gives_its_place_and_comes_first_when_it_goes_on(lab: Lab) -> None:
    one, two, three, four = (lab.submit(LONG, owner) for owner in "abcd")
    until(lambda: training(one) and training(two))
    one.pause()
    until(lambda: training(three))
    assert phases(one, four) == ["paused", "waiting"]
    one.go_on()
    assert (one.progress().phase, one.progress().place_in_line, four.progress().place_in_line) == ("waiting", 1, 2)
    stood = one.progress().step
    two.stop()
    until(lambda: training(one) and one.progress().step > stood)
    assert phases(four) == ["waiting"]


def test_a_run_can_be_paused_and_stopped_in_line(lab: Lab) -> None:
    _, _, three, four = (lab.submit(LONG, owner) for owner in "abcd")
    three.pause()
    assert (three.progress().phase, four.progress().place_in_line) == ("paused", 1)
    three.go_on()
    assert three.progress().place_in_line == 1
    three.stop()
    assert (three.progress().phase, three.progress().reason, three.folder) == ("stopped", "stopped", None)
    assert three.ended
    three.go_on()
    assert phases(three) == ["stopped"]


def test_owners_take_turns(lab: Lab) -> None:
    _, second, other, third = (lab.submit(LONG, owner) for owner in ("a", "a", "b", "c"))
    until(lambda: training(second))  # two places, and nobody else was there yet
    assert [entry.progress().place_in_line for entry in (other, third)] == [1, 2]
    late = lab.submit(LONG, "b")
    newcomer = lab.submit(LONG, "d")
    assert [entry.progress().place_in_line for entry in (other, third, newcomer, late)] == [1, 2, 3, 4]


def test_nobody_has_too_much(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    lab.submit(LONG, "a"), lab.submit(LONG, "a")
    with pytest.raises(LabRefused) as refused:
        lab.submit(LONG, "a")
    assert (refused.value.reason, refused.value.limit) == ("own_active", 2)
    lab.forget("a")
    kept = []
    for _ in range(queue.MOST_OWN):
        kept.append(lab.submit(replace(TINY, steps=20), "a"))
        until(lambda: kept[-1].ended)
    with pytest.raises(LabRefused, match="own_kept, at most 6"):
        lab.submit(TINY, "a")
    kept[0].close()
    assert lab.submit(TINY, "a") in lab.runs("a")
    monkeypatch.setattr(lab, "_most_waiting", 1)
    others = [lab.submit(LONG, owner) for owner in "bc"]
    until(lambda: all(training(entry) for entry in others))
    lab.submit(LONG, "d")
    with pytest.raises(LabRefused, match="line, at most 1"):
        lab.submit(LONG, "e")


def test_the_oldest_of_whoever_keeps_most_makes_room(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "MOST_KEPT", 3)
    entries = []
    for owner in "baa":
        entries.append(lab.submit(TINY, owner))
        until(lambda: entries[-1].ended)
    folder = entries[1].folder
    assert folder is not None
    new = lab.submit(TINY, "c")
    assert lab.runs("a") == (entries[2],)
    assert (lab.runs("b"), lab.runs("c")) == ((entries[0],), (new,))
    assert not folder.exists()


def test_processes_at_rest_are_bounded(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "MOST_PROCESSES", 3)
    resting = [lab.submit(LONG, owner) for owner in "abc"]
    until(lambda: training(resting[0]) and training(resting[1]))
    resting[0].pause(), resting[1].pause()
    until(lambda: training(resting[2]))
    resting[2].pause()
    late = lab.submit(LONG, "d")
    assert phases(late) == ["waiting"]
    resting[0].go_on()
    until(lambda: training(resting[0]))
    assert phases(late) == ["waiting"]
    resting[1].stop()
    until(lambda: training(late))


def test_who_is_gone_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "SWEEP_EVERY_S", 0.02)
    there = {"a", "b"}
    lab = Lab(lambda owner: owner in there, command=PRETEND, forgotten_after_s=0.3)
    left, stays = lab.submit(LONG, "a"), lab.submit(LONG, "b")
    until(lambda: training(left) and training(stays))
    folder = left.folder
    assert folder is not None
    there.clear()
    threading.Event().wait(0.1)
    there.add("a")  # only a moment: back before it was forgotten
    there.add("b")
    threading.Event().wait(0.4)
    assert phases(left, stays) == ["training", "training"]
    there.remove("a")
    threading.Event().wait(0.1)
    there.add("a")  # the second short absence counts anew
    threading.Event().wait(0.4)
    assert phases(left) == ["training"]
    there.remove("a")
    until(lambda: not lab.runs("a"))
    until(lambda: not folder.exists())
    assert phases(stays) == ["training"]
    lab.close()


def test_an_unsure_answer_forgets_nobody(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "SWEEP_EVERY_S", 0.02)
    lab = Lab(lambda owner: 1 // 0 == 1, command=PRETEND, forgotten_after_s=0.0)
    entries = [lab.submit(TINY, owner) for owner in "abc"]
    until(lambda: all(entry.ended for entry in entries))
    assert phases(*entries) == ["done"] * 3
    assert "could not be told" in caplog.text
    lab.close()


def test_who_rests_too_long_is_stopped(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = lab.submit(LONG, "a")
    until(lambda: training(entry))
    monkeypatch.setattr(queue, "MOST_PAUSE_S", 0.1)
    entry.pause()
    until(lambda: entry.ended)
    assert (entry.progress().phase, entry.progress().reason) == ("stopped", "abandoned")
    assert entry.folder is not None
    assert entry.folder.exists()


def test_who_does_not_listen_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "SWEEP_EVERY_S", 0.02)
    monkeypatch.setattr(queue, "PATIENCE_S", 0.1)
    deaf = Lab(command=(*PRETEND[:3], "-c", "import time; time.sleep(60)"))
    entry = deaf.submit(LONG, "a")
    entry.stop()
    assert entry.progress().phase in ("stopping", "stopped"), "it waits in no line"
    until(lambda: entry.ended, 5)
    assert entry.progress().phase == "stopped"
    deaf.close()


def test_a_system_without_processes(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lab, "_command", ("/nowhere/at/all",))
    entry = lab.submit(TINY, "a")
    assert entry.progress().phase == "failed"
    assert "nowhere" in entry.progress().reason


def residue() -> tuple[int, int, int, int]:
    """Threads, open files, children, and folders in the temporary folder."""
    import tempfile

    children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
    return (
        threading.active_count(),
        len(list(Path("/proc/self/fd").iterdir())),
        len(children.read_text().split()) if children.exists() else 0,
        len(list(Path(tempfile.gettempdir()).iterdir())),
    )


def more_than(before: tuple[int, int, int, int]) -> list[tuple[int, int]]:
    """Return what has grown, as (before, now); threads that earlier tests left in this process may end meanwhile."""
    return [(old, now) for old, now in zip(before, residue(), strict=True) if now > old]


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="looks into /proc")
def test_a_hundred_runs_leave_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All but two are the pretended worker, which speaks the same protocol but imports no torch, two seconds each."""
    monkeypatch.setattr(queue, "SWEEP_EVERY_S", 0.05)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    gc.collect()
    before = residue()
    lab, real = Lab(command=PRETEND), Lab()
    entries: list[LabEntry] = []
    slow = [real.submit(TINY, "real"), real.submit(LONG, "real")]
    for number in range(98):
        owner = f"owner {number % 7}"
        entries.append(lab.submit(LONG if number % 3 else TINY, owner))
        if number % 7 == 1:
            entries[-1].stop()
        elif number % 2:
            until(lambda: entries[-1].ended or entries[-1].progress().step > 1 or waits(entries[-1]))
        if number % 7 == 2:
            entries[-1].pause()
        if len(lab.runs(owner)) > 1:
            lab.forget(owner)
    until(lambda: slow[0].ended and slow[1].progress().step > 0)
    lab.close()
    real.close()
    end = time.monotonic() + 10
    while more_than(before) and time.monotonic() < end:
        time.sleep(0.05)
    assert not more_than(before)
