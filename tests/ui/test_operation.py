"""A server that lets its readers go."""

from types import SimpleNamespace

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from explorer.room.hub import Hub
from explorer.room.keep import InProcess
from explorer.ui import operation


def test_a_server_that_drains_says_so_and_ends_when_the_last_has_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    hub, readers, ended = Hub(InProcess()), [2, 2, 0, 1, 0, 0, 0, 0, 0, 0], list[int]()
    monkeypatch.setattr(operation, "EMPTY_S", 0.03)
    monkeypatch.setattr(operation, "LOOK_S", 0.01)
    found = operation.Operation(hub)
    monkeypatch.setattr(
        operation, "script_run", SimpleNamespace(count_connected=lambda: readers.pop(0) if readers else 0)
    )
    monkeypatch.setattr(operation.signal, "raise_signal", ended.append)
    with TestClient(Starlette(routes=found.routes("/some/where"))) as client:
        assert client.get("/some/where/healthz").status_code == 200
        client.portal.call(found.drain)
        assert ended == [operation.signal.SIGINT]
        assert len(readers) <= 4  # not before the last had gone
        assert client.get("/some/where/healthz").status_code == 404
