"""In which arithmetic a run computes."""

import argparse
from collections.abc import Iterator

import pytest
import torch

from explorer.training import autocast

CPU = torch.device("cpu")


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """Nothing is measured yet, and what a test measured is not kept."""
    autocast.bf16_pays.cache_clear()
    yield
    autocast.bf16_pays.cache_clear()


def given(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    autocast.add_options(parser)
    return parser.parse_args(words)


@pytest.mark.parametrize(("exact", "rounded"), [(1.0, 2.0), (2.0, 1.0)])
def test_the_faster_unless_one_is_asked_for(monkeypatch: pytest.MonkeyPatch, exact: float, rounded: float) -> None:
    monkeypatch.setattr(autocast, "least_seconds", lambda *_, **__: [exact, rounded])
    assert autocast.bf16(given(), CPU) == (rounded < exact)
    assert autocast.bf16(given("--bfloat16"), CPU)
    assert not autocast.bf16(given("--float32"), CPU)


def test_both_cannot_be_asked_for() -> None:
    with pytest.raises(SystemExit):
        given("--bfloat16", "--float32")


def test_a_product_is_measured_once() -> None:
    assert autocast.bf16_pays(CPU) is autocast.bf16_pays(CPU)
    assert autocast.bf16_pays.cache_info().misses == 1
