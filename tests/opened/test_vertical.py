"""From a folder to records, through the worker."""

import sys
from pathlib import Path

import numpy as np
import pytest

from explorer.checkpoints.manifest import BUNDLED
from explorer.opened.cards import card
from explorer.opened.passes import loader, looks
from explorer.opened.queue import ModelQueue, environment
from explorer.opened.refused import ModelRefused
from explorer.records.attention import AttentionRecord
from explorer.records.opened.look import ModelLook, decode
from explorer.service.process import WorkerProcess
from tests.imports import imported_by
from tests.opened.tiny import TEXT


def test_a_card_says_what_the_configuration_and_the_headers_say(llama: Path) -> None:
    found = card.read(llama)
    assert (found.family, found.kind, found.layers, found.heads, found.kv_heads) == ("llama", "decoder", 2, 4, 2)
    assert (found.width, found.head_width, found.vocabulary, found.maps) == (32, 8, 320, 8)
    opened = loader.load(llama)
    assert found.counted == sum(each.numel() for each in opened.model.parameters()) + (not found.tied) * 0
    assert found.map_bytes(10) == 8 * 100 * 4


def test_the_worker_says_what_is_computed_here(queue: ModelQueue, llama: Path) -> None:
    opened = loader.load(llama)
    given = looks.read_text(opened, TEXT, 256)
    there: ModelLook = queue.ask("look", folder=str(llama), text=TEXT)
    here = looks.look(opened, given)
    assert there.keys == here.keys
    assert (there.rules, there.sites, str(there.provenance)) == (here.rules, here.sites, str(here.provenance))
    assert all(map(np.array_equal, there.tiles, here.tiles))
    maps: AttentionRecord = queue.ask("attention", folder=str(llama), text=TEXT, site=1)
    assert maps.site == "decoder.layers.1.self"
    assert maps.key_labels == here.keys.row.labels
    assert maps.allowed is not None
    assert np.abs(decode(there.tiles[1]) - maps.weights).max() < 0.004
    assert there.is_whole(1)


def test_what_goes_wrong_is_said_and_the_worker_lives_on(queue: ModelQueue, llama: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelRefused, match=r"config\.json is missing"):
        queue.ask("look", folder=str(tmp_path), text=TEXT)
    with pytest.raises(ModelRefused, match="no tokens"):
        queue.ask("look", folder=str(llama), text="")
    assert queue.alive
    assert isinstance(queue.ask("look", folder=str(llama), text="The cat"), ModelLook)


def test_the_server_loads_neither_torch_nor_transformers_for_it() -> None:
    found = imported_by("import explorer.opened.queue, explorer.opened.cards.card")
    assert "explorer.opened.queue" in found
    assert {"torch", "transformers", "streamlit"} & found == set()


def test_without_transformers_our_own_are_opened_and_of_others_the_desk_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, llama: Path
) -> None:
    monkeypatch.setitem(sys.modules, "transformers", None)
    lacking = "import sys; sys.modules['transformers'] = None; from explorer.opened.worker import main; main()"
    alone = ModelQueue(lambda: WorkerProcess((sys.executable, "-c", lacking), environment=environment()))
    with pytest.raises(ModelRefused, match="pip install transformers==") as refusal:
        alone.ask("look", folder=str(llama), text=TEXT)
    assert refusal.value.reason == "library"
    look = alone.ask("look", folder=str(BUNDLED / "gpt-repeats"), text="qwerty" * 3)
    alone.close()
    assert len(look.queries) == 18
