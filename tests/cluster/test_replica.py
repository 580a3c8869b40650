"""A replica by itself, without Ray around it: what it does when nobody listens any more, or its worker dies."""

import asyncio
import json
import sys
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from explorer.cluster.replica import Replica
from explorer.service.process import WorkerProcess

#: A worker that begins a batch, ends it once it is dropped, dies when it is told to, and says who it is.
WORKER = """
import json, os, sys
for line in sys.stdin:
    order = json.loads(line)
    if order.get("die"):
        os._exit(1)
    name = "batch" if "batch" in order else "number"
    what = "end" if "drop" in order or order.get("short") else "begun"
    print(json.dumps({"is": what, name: order[name], "pid": os.getpid(), "drop": order.get("drop")}), flush=True)
"""
Told = dict[str, Any]


class Request:
    """What a replica asks of a request."""

    def __init__(self, order: Told) -> None:
        self._order = order

    async def json(self) -> Told:
        return self._order


def run(act: Callable[[Any], Coroutine[Any, Any, None]], *, can_drop: bool = True) -> None:
    """Do something with a replica, and end its worker."""

    async def with_replica() -> None:
        replica = Replica(lambda: WorkerProcess((sys.executable, "-c", WORKER)), 30.0, can_drop=can_drop)
        try:
            await act(replica)
        finally:
            if replica._worker is not None:
                replica._worker.close()
            await asyncio.sleep(0.1)  # who follows it hears of that

    with ThreadPoolExecutor(1) as thread:  # Playwright's own loop may run in this one
        thread.submit(asyncio.run, with_replica()).result()


async def said(replica: Any, **order: Any) -> list[Told]:
    """All that is said of an order."""
    answer = await replica(Request(order))
    return [json.loads(each) async for each in answer.body_iterator]


@pytest.mark.parametrize("can_drop", [True, False])
def test_an_order_to_which_nobody_listens_any_more_ends(*, can_drop: bool) -> None:
    async def act(replica: Any) -> None:
        async with aclosing(replica._obey({"batch": 7, "sources": [[1], [2]]})) as lines:
            first = json.loads(await anext(lines))
            assert (first["is"], first["batch"]) == ("begun", 7)
        if can_drop:
            assert await asyncio.wait_for(replica._told.get(), 10) == {
                "is": "end",
                "batch": 1,
                "pid": first["pid"],
                "drop": [0, 1],
            }
        (last,) = await said(replica, batch=8, sources=[[1]], short=True)
        assert (last["is"], last["batch"]) == ("end", 8)
        assert (last["pid"] == first["pid"]) is can_drop

    run(act, can_drop=can_drop)


def test_of_an_order_that_its_worker_does_not_survive_no_last_word_is_said_and_the_next_has_a_new_one() -> None:
    async def act(replica: Any) -> None:
        assert await said(replica, number=3, die=True) == []
        (last,) = await said(replica, number=4, short=True)
        assert (last["is"], last["number"]) == ("end", 4)

    run(act)


def test_a_folder_that_is_not_here_is_said_to_be_absent(tmp_path: Path) -> None:
    async def act(replica: Any) -> None:
        assert await said(replica, number=1, folder=str(tmp_path / "gone")) == [{"is": "absent"}]
        assert [each["is"] for each in await said(replica, number=1, folder=str(tmp_path), short=True)] == ["end"]

    run(act)
