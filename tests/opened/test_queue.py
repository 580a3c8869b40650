"""The worker, as its server sees it: readers take turns, what takes too long ends, and nothing is left behind."""

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from explorer.opened import queue as module
from explorer.opened.limits import Limits
from explorer.opened.queue import ModelQueue, environment
from explorer.opened.refused import ModelRefused
from explorer.records.opened.look import ModelLook
from explorer.service.process import WorkerProcess, command
from tests.opened import tiny
from tests.opened.tiny import TEXT

#: A worker that answers with what it was asked, sleeps when it is told to, and dies when it is told to.
STAND_IN = """
import json, os, sys, time
print(json.dumps({"is": "ready"}), flush=True)
for line in sys.stdin:
    order = json.loads(line)
    time.sleep(order.get("sleep", 0))
    if order["what"] == "die":
        os._exit(1)
    record = json.dumps([order["what"], []])
    print(json.dumps({"is": "answer", "number": order["number"], "record": record}), flush=True)
"""


@pytest.fixture
def stand_in() -> Iterator[Callable[..., ModelQueue]]:
    made: list[ModelQueue] = []

    def make(**settings: float) -> ModelQueue:
        made.append(ModelQueue(lambda: WorkerProcess((sys.executable, "-c", STAND_IN)), **settings))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for each in made:
        each.close()


def test_readers_take_turns(stand_in: Callable[..., ModelQueue]) -> None:
    queue, served = stand_in(), list[str]()
    asking = threading.Thread(target=lambda: queue.ask("first", owner="a", sleep=0.5))
    asking.start()
    while queue._served is None:
        time.sleep(0.01)

    def ask(what: str) -> None:
        served.append(queue.ask(what, owner=what[0]))

    others = []
    for number, what in enumerate(["a2", "a3", "b1", "c1"]):
        others.append(threading.Thread(target=ask, args=(what,)))
        others[-1].start()
        while len(queue._waiting) <= number:
            time.sleep(0.01)
    for each in (asking, *others):
        each.join()
    assert served == ["b1", "c1", "a2", "a3"]


def test_what_takes_too_long_is_ended_and_the_next_is_answered(stand_in: Callable[..., ModelQueue]) -> None:
    queue = stand_in()
    with pytest.raises(ModelRefused, match="longer than 0") as refusal:
        queue.ask("slow", sleep=30, patience_s=0.3)
    assert refusal.value.reason == "slow"
    assert queue.ask("next") == "next"


def test_a_worker_that_dies_is_started_anew(stand_in: Callable[..., ModelQueue]) -> None:
    queue = stand_in()
    with pytest.raises(ModelRefused) as refusal:
        queue.ask("die")
    assert refusal.value.reason == "lost"
    assert queue.ask("next") == "next"


def test_a_worker_that_nobody_asks_is_ended(stand_in: Callable[..., ModelQueue]) -> None:
    queue = stand_in(idle_s=0.2)
    assert queue.ask("one") == "one"
    assert queue.alive
    for _ in range(100):
        time.sleep(0.05)
        if not queue.alive:
            break
    assert not queue.alive
    assert queue.ask("two") == "two"


def test_too_many_readers_are_told_so(stand_in: Callable[..., ModelQueue], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_WAITING", 0)
    with pytest.raises(ModelRefused) as refusal:
        stand_in().ask("one")
    assert refusal.value.reason == "busy"


def test_the_worker_gets_no_token_and_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "OPENAI_API_KEY", "DB_PASSWORD"):
        monkeypatch.setenv(name, "hf_secret")
    monkeypatch.setenv("EXPLORER_MODEL_TOKENS", "99")
    found = environment()
    assert "hf_secret" not in json.dumps(found)
    assert (found["EXPLORER_MODEL_TOKENS"], found["HF_HUB_OFFLINE"]) == ("99", "1")
    assert found["HF_HOME"] == found["HF_TOKEN_PATH"] == os.devnull


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is limited on Linux")
def test_a_model_that_needs_more_memory_than_there_is_does_not_take_the_worker_with_it(
    llama: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    large = {**tiny.OWN["llama"], "vocab_size": 100_000, "hidden_size": 256, "num_hidden_layers": 1}
    folder = tiny.save(tmp_path / "large", "llama", large)
    monkeypatch.setenv("EXPLORER_MODEL_MEMORY_MB", "450")
    queue = ModelQueue(lambda: WorkerProcess(command("explorer.opened.worker"), environment=environment()), Limits())
    try:
        assert isinstance(queue.ask("look", folder=str(llama), text=TEXT), ModelLook)
        worker = queue._worker
        with pytest.raises(ModelRefused) as refusal:
            queue.ask("look", folder=str(folder), text=TEXT)
        assert refusal.value.reason == "out_of_memory"
        assert isinstance(queue.ask("look", folder=str(llama), text=TEXT), ModelLook)
        assert queue._worker is worker
    finally:
        queue.close()
