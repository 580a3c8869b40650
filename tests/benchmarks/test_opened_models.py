"""The worker that opens models: thirty readers with ten texts, and its memory over twenty openings in turn."""

import itertools
import os
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from explorer.opened.cards import card
from explorer.opened.limits import Limits
from explorer.opened.queue import ModelQueue
from explorer.records.opened.look import ModelLook
from explorer.records.opened.texts import CAPITALS, GETTYSBURG
from tests.opened import real_sized, tiny
from tests.opened.conftest import queue as queue

#: Seconds that one reader of twenty waits longer than; megabytes that twenty openings may add.
WAITS_S, ADDED_MB = 3.0, 30.0
READERS, TEXTS, OPENINGS = 30, 10, 20
#: Processor seconds from the click to the map, the worker warm; and of another text.
OPEN_S, TEXT_S = {"all-MiniLM-L6-v2": 1.0, "SmolLM2-135M": 2.0}, 0.3


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    shelf = tmp_path_factory.mktemp("models")
    return [tiny.save(shelf / name, name, tiny.OWN[name]) for name in ("llama", "bert", "t5")]


@pytest.fixture(scope="module")
def sized(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A random model of a real one's size, by its name."""
    shelf = tmp_path_factory.mktemp("sized")
    return lambda name: found if (found := shelf / name).exists() else real_sized.save(found, name)


@pytest.mark.benchmark_run
@pytest.mark.parametrize("name", OPEN_S)
def test_a_model_opens_and_another_text_is_read_in_time(
    queue: ModelQueue, sized: Callable[[str], Path], folders: list[Path], name: str
) -> None:
    queue.ask("look", patience_s=60, folder=str(folders[0]), text="The cat.")
    folder, spent = str(sized(name)), [_seconds(queue)]
    for text in (CAPITALS, CAPITALS.replace("Italy", "Spain"), CAPITALS.replace("Italy", "Japan")):
        queue.ask("look", patience_s=60, folder=folder, text=text)
        spent.append(_seconds(queue))
    opened, *texts = (later - sooner for sooner, later in itertools.pairwise(spent))
    sys.stdout.write(f"{name}: opened in {opened:.2f} CPU s, another text {min(texts):.2f}\n")
    assert opened <= OPEN_S[name]
    assert min(texts) <= TEXT_S


@pytest.mark.benchmark_run
@pytest.mark.parametrize("name", ["t5-small", "bart-base"])
def test_what_is_translated_is_written_once(queue: ModelQueue, sized: Callable[[str], Path], name: str) -> None:
    folder, spent = str(sized(name)), list[float]()
    for order in ({"what": "open"}, {"what": "look"}, {"what": "attention", "site": 7}):
        queue.ask(order.pop("what"), patience_s=120, folder=folder, text=CAPITALS, **order)
        spent.append(_seconds(queue))
    written, map_of_it = spent[1] - spent[0], spent[2] - spent[1]
    sys.stdout.write(f"{name}: written and looked at in {written:.2f} CPU s, one map {map_of_it:.2f}\n")
    assert map_of_it <= written / 4


@pytest.mark.benchmark_run
@pytest.mark.parametrize("name", OPEN_S)
def test_the_estimate_of_memory_is_near_what_is_taken(sized: Callable[[str], Path], name: str) -> None:
    alone, folder = ModelQueue(), sized(name)
    try:
        alone.ask("look", patience_s=60, folder=str(folder), text=GETTYSBURG)
        taken = 1_000_000 * _resident_mb(alone)
    finally:
        alone.close()
    estimated = card.read(folder).peak_bytes(Limits().tokens)
    sys.stdout.write(f"{name}: {taken / 1e6:.0f} MB, estimated {estimated / 1e6:.0f}\n")
    assert 0.6 < taken / estimated < 1.25


@pytest.mark.benchmark_run
def test_thirty_readers_with_ten_texts_each_wait_little(queue: ModelQueue, folders: list[Path]) -> None:
    queue.ask("look", folder=str(folders[0]), text="The cat.")

    def read(reader: int) -> list[float]:
        waited = []
        for number in range(TEXTS):
            began = time.perf_counter()
            text = f"Reader {reader} writes text {number}: the cat saw the dog."
            found = queue.ask("look", owner=str(reader), patience_s=60, folder=str(folders[0]), text=text)
            waited.append(time.perf_counter() - began)
            assert isinstance(found, ModelLook)
        return waited

    with ThreadPoolExecutor(READERS) as readers:
        waited = sorted(each for reader in readers.map(read, range(READERS)) for each in reader)
    late = waited[int(0.95 * len(waited))]
    sys.stdout.write(f"{len(waited)} looks: median {waited[len(waited) // 2]:.2f} s, p95 {late:.2f} s\n")
    assert late < WAITS_S


@pytest.mark.benchmark_run
def test_memory_is_flat_over_twenty_openings(queue: ModelQueue, folders: list[Path]) -> None:
    held = []
    for number in range(OPENINGS):
        folder = folders[number % len(folders)]  # two stay open: the third makes room each time
        queue.ask("look", patience_s=60, folder=str(folder), text="The cat saw the dog.")
        held.append(_resident_mb(queue))
    sys.stdout.write(f"MB: {' '.join(f'{each:.0f}' for each in held)}\n")
    assert held[-1] - max(held[: len(folders) + 1]) < ADDED_MB


def _process(queue: ModelQueue) -> int:
    assert queue._worker is not None
    return queue._worker._process.pid


def _seconds(queue: ModelQueue) -> float:
    """Processor seconds of the worker so far."""
    user, system = Path(f"/proc/{_process(queue)}/stat").read_text(encoding="utf8").rsplit(")", 1)[1].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _resident_mb(queue: ModelQueue) -> float:
    status = Path(f"/proc/{_process(queue)}/status").read_text(encoding="utf8")
    (line,) = [each for each in status.splitlines() if each.startswith("VmRSS")]
    return int(line.split()[1]) / 1000
