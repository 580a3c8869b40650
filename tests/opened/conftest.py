from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from explorer.opened.passes import loader
from explorer.opened.passes.loader import OpenedModel
from explorer.opened.queue import ModelQueue
from tests.opened import tiny

Families = Callable[[str], tuple[Path, OpenedModel]]


@pytest.fixture(scope="session")
def family(tmp_path_factory: pytest.TempPathFactory) -> Families:
    """A tiny model by its family: its folder, and opened. Each is made once."""
    made: dict[str, tuple[Path, OpenedModel]] = {}
    shelf = tmp_path_factory.mktemp("models")

    def find(name: str) -> tuple[Path, OpenedModel]:
        if name not in made:
            folder = tiny.save(shelf / f"tiny-{name}", name, {**tiny.OWN, **tiny.EAGER}[name])
            made[name] = folder, loader.load(folder)
        return made[name]

    return find


@pytest.fixture(scope="session")
def llama(family: Families) -> Path:
    """A decoder of two layers, four heads and two heads of keys."""
    return family("llama")[0]


@pytest.fixture(scope="session")
def bert(family: Families) -> Path:
    """A masked model of two layers."""
    return family("bert")[0]


@pytest.fixture(scope="session")
def queue() -> Iterator[ModelQueue]:
    """A queue with a worker of its own, shared by all tests: to start one takes seconds."""
    made = ModelQueue()
    yield made
    made.close()
