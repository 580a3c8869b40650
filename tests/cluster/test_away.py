"""What a page server makes of a cluster that answers, breaks off, lacks a model, or is away; Ray's part is played."""

import json
import logging
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from explorer.service import cluster as module
from explorer.service.cluster import Cluster, ClusterProcess, cluster
from explorer.service.process import WorkerProcess
from explorer.service.translation import process
from explorer.service.translation.process import ClusterWorker, ProcessWorker, start_worker
from tests.cluster.played import PlayedCluster, Request
from tests.support.browser import free_port

#: A worker here: it says so.
HERE = """
import json, sys
for line in sys.stdin:
    order = json.loads(line)
    print(json.dumps({"is": "answer", "number": order["number"], "by": "here"}), flush=True)
"""


class Played(PlayedCluster):
    """Answers orders as its script says, one after the other."""

    ROUTES = ("models", "translation")

    def __init__(self, port: int, *script: str) -> None:
        self.script, self.orders = list(script), list[dict[str, Any]]()
        super().__init__(port)

    def answer(self, request: Request) -> None:
        order = request.order()
        self.orders.append(order)
        does = self.script.pop(0) if self.script else "answer"
        request.begin(500 if does == "refuse" else 200)
        name = "batch" if "batch" in order else "number"

        def say(what: str) -> None:
            request.say({"is": what, name: order[name], "by": "there"})

        if does == "absent":
            say("absent")
        elif does != "refuse":
            say("begun")
            if does == "answer":
                say("answer" if name == "number" else "end")
            elif does == "wait":
                while not self.left.is_set():
                    try:
                        say("begun")
                    except OSError:
                        self.left.set()
                    time.sleep(0.02)


@pytest.fixture
def port() -> int:
    return free_port()


@pytest.fixture
def worker(port: int) -> Iterator[ClusterProcess]:
    made = ClusterProcess(
        Cluster(f"http://127.0.0.1:{port}"), "models", lambda: WorkerProcess((sys.executable, "-c", HERE))
    )
    yield made
    made.close()


def asked(worker: ClusterProcess, number: int = 1) -> list[str]:
    """Who said what of an order."""
    worker.order(json.dumps({"number": number}))
    said = []
    for told in worker.messages():
        said.append(f"{told['is']} {told['by']}")
        if told["is"] == "answer":
            break
    return said


def test_it_is_ready_at_once_and_answers_order_after_order(worker: ClusterProcess, port: int) -> None:
    served = Played(port)
    assert [told["is"] for told in worker.messages()] == ["ready"]
    assert [asked(worker, number) for number in (1, 2)] == [["begun there", "answer there"]] * 2
    assert served.orders == [{"number": 1}, {"number": 2}]
    assert worker.alive
    served.end()
    worker.close()
    assert not worker.alive
    with pytest.raises(ValueError, match="closed"):
        worker.order("{}")


@pytest.mark.parametrize("lost", [["break"], ["refuse", "break"]])
def test_an_order_whose_replica_is_lost_goes_to_the_next_as_it_was(
    worker: ClusterProcess, port: int, lost: list[str]
) -> None:
    served = Played(port, *lost)
    assert asked(worker)[-1] == "answer there"
    assert served.orders == [{"number": 1}] * (len(lost) + 1)
    served.end()


def test_one_that_kills_every_replica_is_done_here_and_so_is_what_follows_until_it_is_asked_again(
    worker: ClusterProcess, port: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    served = Played(port, *["break"] * module.TRIES)
    assert asked(worker)[-1] == "answer here"
    assert asked(worker) == ["answer here"]
    assert len(served.orders) == module.TRIES
    monkeypatch.setattr(module, "AGAIN_S", 0.0)
    assert asked(worker)[-1] == "answer there"
    served.end()
    assert [record.message.partition(": ")[2] for record in caplog.records] == [
        "models is computed here",
        "models is computed there",
    ]


def test_a_model_that_only_this_machine_has_is_opened_here_and_the_next_there(
    worker: ClusterProcess, port: int, caplog: pytest.LogCaptureFixture
) -> None:
    served = Played(port, "absent")
    assert asked(worker) == ["answer here"]
    assert asked(worker)[-1] == "answer there"
    served.end()
    assert caplog.records == []


def test_a_cluster_that_is_away_is_named_once_and_keeps_nobody_waiting(
    worker: ClusterProcess, port: int, caplog: pytest.LogCaptureFixture
) -> None:
    since = time.monotonic()
    assert [asked(worker, number) for number in range(3)] == [["answer here"]] * 3
    assert time.monotonic() - since < module.PATIENCE_S + 5
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert record.message == (
        f"the cluster at 127.0.0.1:{port} is away (ConnectionRefusedError): models is computed here"
    )


def test_a_batch_for_which_nobody_waits_is_left(port: int) -> None:
    served = Played(port, "wait")
    worker = ClusterWorker(Cluster(f"http://127.0.0.1:{port}"))
    said = worker._there
    said.order(json.dumps({"batch": 1, "sources": [[1], [2]]}))
    worker._wanted = {0, 1}
    heard = said.messages()
    assert next(heard)["is"] == "begun"
    worker.drop([0])
    assert next(heard)["is"] == "begun"
    worker.drop([1])
    assert list(heard)[-1] == {"is": "end", "batch": 1}
    assert served.left.wait(5)
    assert worker.alive
    served.end()
    worker.close()


def test_the_environment_names_the_cluster_and_nothing_of_it_is_loaded_here(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    made: list[str] = []
    monkeypatch.setattr(process, "start_here", lambda: made.append("process"))
    for address, kind in (("", ProcessWorker), ("ray://head", ProcessWorker), ("http://head:8000", ClusterWorker)):
        monkeypatch.setenv(module.VARIABLE, address)
        cluster.cache_clear()
        assert type(start_worker()) is kind
    cluster.cache_clear()
    assert made == ["process"] * 2
    (record,) = caplog.records
    assert "must be an address as http://host:8000, not 'ray://head'" in record.message
    assert "ray" not in sys.modules
