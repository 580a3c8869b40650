"""Computations of several readers: who waits for whom."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from explorer.ui import cache

Crowd = Callable[[int, float], int]


@pytest.fixture
def crowd(monkeypatch: pytest.MonkeyPatch) -> Crowd:
    """Let so many readers compute at once, each for so many seconds; returns how many did so side by side at most."""
    cache.list_kept().forget()
    monkeypatch.setattr(cache, "_PATIENCE", 30.0)
    monkeypatch.setattr(cache.script_run, "current", object)

    def gather(readers: int, seconds: float) -> int:
        counting, inside, most = threading.Lock(), 0, 0

        def compute(params: int) -> int:
            nonlocal inside, most
            with counting:
                inside += 1
                most = max(most, inside)
            time.sleep(seconds)
            with counting:
                inside -= 1
            return params

        with ThreadPoolExecutor(readers) as pool:
            assert list(pool.map(lambda params: cache.compute(compute, params), range(readers))) == [*range(readers)]
        return most

    return gather


def test_readers_compute_one_after_the_other(crowd: Crowd) -> None:
    assert crowd(6, 0.02) == 1


def test_a_reader_who_has_waited_long_goes_on(crowd: Crowd, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_PATIENCE", 0.05)
    assert crowd(3, 1.0) == 3


def test_a_job_waits_for_nobody(crowd: Crowd, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache.script_run, "current", lambda: None)
    assert crowd(3, 1.0) == 3


def test_a_turn_ends_with_an_error(crowd: Crowd) -> None:
    def fail(_: str) -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        cache.compute(fail, "")
    assert crowd(2, 0.0) == 1
