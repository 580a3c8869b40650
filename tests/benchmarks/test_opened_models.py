"""The worker that opens models: thirty readers with ten texts, and its memory over twenty openings in turn."""

import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from explorer.opened.desk import ModelDesk
from explorer.records.opened.look import ModelLook
from tests.opened import tiny
from tests.opened.conftest import desk as desk

#: Seconds that one reader of twenty waits longer than; megabytes that twenty openings may add.
WAITS_S, ADDED_MB = 3.0, 30.0
READERS, TEXTS, OPENINGS = 30, 10, 20


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    shelf = tmp_path_factory.mktemp("models")
    return [tiny.save(shelf / name, name, tiny.OWN[name]) for name in ("llama", "bert", "t5")]


@pytest.mark.benchmark_run
def test_thirty_readers_with_ten_texts_each_wait_little(desk: ModelDesk, folders: list[Path]) -> None:
    desk.ask("look", folder=str(folders[0]), text="The cat.")

    def read(reader: int) -> list[float]:
        waited = []
        for number in range(TEXTS):
            began = time.perf_counter()
            text = f"Reader {reader} writes text {number}: the cat saw the dog."
            found = desk.ask("look", owner=str(reader), patience_s=60, folder=str(folders[0]), text=text)
            waited.append(time.perf_counter() - began)
            assert isinstance(found, ModelLook)
        return waited

    with ThreadPoolExecutor(READERS) as readers:
        waited = sorted(each for reader in readers.map(read, range(READERS)) for each in reader)
    late = waited[int(0.95 * len(waited))]
    sys.stdout.write(f"{len(waited)} looks: median {waited[len(waited) // 2]:.2f} s, p95 {late:.2f} s\n")
    assert late < WAITS_S


@pytest.mark.benchmark_run
def test_memory_is_flat_over_twenty_openings(desk: ModelDesk, folders: list[Path]) -> None:
    held = []
    for number in range(OPENINGS):
        folder = folders[number % len(folders)]  # two stay open: the third makes room each time
        desk.ask("look", patience_s=60, folder=str(folder), text="The cat saw the dog.")
        held.append(_resident_mb(desk))
    sys.stdout.write(f"MB: {' '.join(f'{each:.0f}' for each in held)}\n")
    assert held[-1] - max(held[: len(folders) + 1]) < ADDED_MB


def _resident_mb(desk: ModelDesk) -> float:
    worker = desk._worker
    assert worker is not None
    status = Path(f"/proc/{worker._process.pid}/status").read_text(encoding="utf8")
    (line,) = [each for each in status.splitlines() if each.startswith("VmRSS")]
    return int(line.split()[1]) / 1000
