"""What a lesson asks: recorded answers at once, others from the worker; nothing is asked that may not be."""

import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from explorer.checkpoints import store
from explorer.checkpoints.manifest import read_manifest
from explorer.opened import ask, limits, recorded, recording, sources
from explorer.opened.limits import Limits
from explorer.opened.passes import looks, seen
from explorer.opened.queue import ModelQueue
from explorer.opened.refused import ModelRefused
from explorer.opened.sources import Source
from explorer.records.opened import texts
from explorer.records.opened.prediction import HeadEffects
from tests.imports import imported_by
from tests.opened.conftest import Families
from tests.opened.tiny import TEXT

SMOL, MINI = "SmolLM2-135M-Instruct", "all-MiniLM-L6-v2"


@pytest.fixture
def here(queue: ModelQueue, llama: Path, bert: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Source]:
    """Models on the shelf, and a queue that is shared."""
    monkeypatch.setenv(limits.SHELF, f"{llama}:{bert.parent}:{bert.parent / 'gone'}")
    monkeypatch.setattr(ask, "model_queue", lambda: queue)
    return dict(sources.sources())


def test_recorded_looks_need_neither_torch_nor_transformers_nor_a_network() -> None:
    script = (
        "from explorer.opened import ask, sources\nfrom explorer.records.opened import texts\ns = sources.sources()"
    )
    for name in (SMOL, MINI):
        script += f"\nask.look(s['{name}'], texts.CAPITALS), ask.attention(s['{name}'], texts.CAPITALS, 3)"
        script += f"\nnext(ask.effects(s['{name}'], texts.CAPITALS)), sources.card_of(s['{name}']).peak_bytes(256)"
    assert not {"torch", "transformers", "streamlit"} & imported_by(script)


@pytest.mark.parametrize("file", sorted(recorded.FOLDER.glob("*.npz")), ids=lambda file: file.stem)
def test_a_recording_is_small_and_says_where_it_comes_from(file: Path) -> None:
    assert file.stat().st_size < 500_000
    model = recorded.models()[file.stem]
    own = store.BUNDLED / file.stem
    assert model.card.licence == (read_manifest(own).licence if own.exists() else "apache-2.0")
    for text in model.texts.values():
        assert text.look.provenance.revision == model.card.revision
        assert model.made_from in text.look.provenance.detail
        assert len(text.look.sites) == model.card.layers + 2 * model.card.decoder_layers


def test_the_recorded_story_of_the_capitals() -> None:
    """What the lesson is built on: 59 % rests; one head of 270 carries Italy; it takes until the end."""
    smol = Source(name=SMOL)
    look = ask.look(smol, texts.CAPITALS)
    assert look.rested == pytest.approx(0.59, abs=0.01)
    assert look.count()["after"] == 17
    (found,) = ask.effects(smol, texts.CAPITALS)
    assert found.complete
    assert found.answer is not None
    assert (found.answer.label, round(found.answer.probability, 2)) == ("Rome", 0.90)
    assert found.strongest() == (23, 4)
    assert found.chance[23, 4] == pytest.approx(0.058, abs=0.002)
    assert [each.label for each in found.sites[23].likeliest[4][:3]] == ["New", "London", "Los"]
    assert found.count_beyond(0.02) == 270 - 209
    assert ask.lens(smol, texts.CAPITALS).leads_from(len(look.keys) - 1) >= 28
    estimate = ask.slopes(smol, texts.CAPITALS)
    by_log = np.argsort(-np.abs(estimate.log_probability), axis=None).tolist().index(23 * 9 + 4)
    assert by_log > 100, "the gradient of the logarithm misses the head that matters"
    assert np.unravel_index(np.abs(estimate.difference).argmax(), (30, 9)) == (23, 4)


def test_the_recorded_induction_head_of_the_address() -> None:
    smol = Source(name=SMOL)
    look = ask.look(smol, texts.GETTYSBURG)
    maps = ask.attention(smol, texts.GETTYSBURG, recording.SITE)
    labels = look.keys.row.labels
    position = [at for at, label in enumerate(labels) if label == "dedicate"][1]
    seen = int(maps.weights[4, position].argmax())
    assert (labels[seen], labels[seen - 1]) == ("a", "dedicate")
    assert maps.weights[4, position, seen] > 0.9


def test_other_texts_of_a_recorded_model_name_its_address() -> None:
    with pytest.raises(ModelRefused, match=f"HuggingFaceTB/{SMOL}"):
        ask.look(sources.sources()[SMOL], "Another text.")
    with pytest.raises(ModelRefused, match=SMOL):
        ask.attention(sources.sources()[SMOL], texts.GETTYSBURG, 3)


def test_a_recording_is_what_is_computed(family: Families, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, opened = family("llama")
    monkeypatch.setattr(recorded, "FOLDER", tmp_path)
    torch.set_num_threads(1)
    assert recording.main([str(folder), "--address", "org/tiny", "--made-from", "nothing"]) == 0
    source = Source(name=folder.name, folder=str(folder))
    look = looks.look(opened, looks.read_text(opened, texts.CAPITALS, 256))
    found = ask.look(source, texts.CAPITALS)
    assert (found.rules, found.keys, found.sites) == (look.rules, look.keys, look.sites)
    maps = looks.attention(opened, looks.read_text(opened, texts.CAPITALS, 256), 1)
    stored = ask.attention(source, texts.CAPITALS, 1) if found.is_whole(1) else maps
    assert np.abs(stored.weights - maps.weights).max() < 0.004
    assert recording.main([str(tmp_path), "--address", "org/tiny", "--made-from", "nothing"]) == 2
    monkeypatch.undo()


def test_a_folder_with_other_weights_is_not_answered_from_the_recording(llama: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(llama, tmp_path / SMOL)
    assert ask._recorded(Source(name=SMOL), texts.CAPITALS)
    assert ask._recorded(Source(name=SMOL, folder=str(folder)), texts.CAPITALS) is None


def test_the_shelf_holds_what_the_owner_named(here: dict[str, Source]) -> None:
    assert {"tiny-llama", "tiny-bert", SMOL, MINI} <= here.keys()
    assert set(list(here)[: len(recorded.models())]) == recorded.models().keys(), "what needs no network comes first"
    assert sources.card_of(here["tiny-llama"]).name == "tiny-llama"
    with pytest.raises(ModelRefused, match="no model gone"):
        sources.card_of(Source(name="gone"))


def test_everything_is_answered_by_the_worker(here: dict[str, Source], family: Families) -> None:
    llama = here["tiny-llama"]
    look = ask.look(llama, TEXT, owner="a")
    assert ask.attention(llama, TEXT, 1).key_labels == look.keys.row.labels
    assert ask.lens(llama, TEXT).likeliest.shape[:2] == (3, len(look.keys))
    found: list[HeadEffects] = list(ask.effects(llama, TEXT))
    assert [each.complete for each in found] == [False, True]
    assert sum(len(look.heads(rule)) for rule in look.count()) == 8
    off = ask.without(llama, TEXT, [(1, 2)], left=0.0)
    assert off.chance == pytest.approx(found[-1].chance[1, 2], abs=1e-6)
    carried = list(ask.carry_over(llama, TEXT, "The dog"))[-1]
    assert carried.carried_chance.shape == (2, 4)
    assert ask.slopes(llama, TEXT).difference.shape == (2, 4)
    corpus = list(ask.over_texts(llama, [TEXT, " ", "The dog"] * 6))
    assert [len(each.texts) for each in corpus] == [5, 11, 12]
    assert ask.compare(llama, llama, TEXT).distance.max() == 0


def test_what_needs_more_memory_than_is_given_is_refused_before_it_is_opened(
    here: dict[str, Source], monkeypatch: pytest.MonkeyPatch
) -> None:
    poor = ModelQueue(bounds=Limits(memory=1000))
    monkeypatch.setattr(ask, "model_queue", lambda: poor)
    with pytest.raises(ModelRefused, match="at most 0 are given"):
        ask.look(here["tiny-llama"], TEXT)
    assert not poor.alive


def test_without_transformers_recorded_looks_are_shown_and_others_say_what_to_install(
    here: dict[str, Source], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("explorer.opened.queue.has_library", lambda: False)
    assert ask.look(here[SMOL], texts.CAPITALS).rested > 0.5
    with pytest.raises(ModelRefused, match="pip install transformers"):
        ask.look(here["tiny-llama"], TEXT)


def test_a_translator_writes_and_its_three_attentions_are_those_of_the_steps(family: Families) -> None:
    for name in ("bart", "t5", "marian"):
        _, opened = family(name)
        given = looks.read_text(opened, TEXT, 40)
        look = looks.look(opened, given)
        assert [site.name for site in look.sites[2:4]] == ["decoder.layers.0.self", "decoder.layers.0.cross"]
        cross = looks.attention(opened, given, 3)
        assert cross.weights.shape == (4, len(given.queries), len(given.keys))
        assert cross.kind == "cross"
        assert looks.attention(opened, given, 2).kind == "causal"
        ids = given.queries.ids
        forced = getattr(opened.model.config, "forced_bos_token_id", None) is not None
        with torch.inference_mode():
            for step in range(1 + forced, min(len(ids), 6)):
                read = {**given.inputs, "decoder_input_ids": torch.tensor([ids[:step]])}
                assert int(opened.model(**read).logits[0, -1].argmax()) == ids[step]


def test_a_picture_is_cut_into_patches(family: Families, llama: Path) -> None:
    pixels = np.random.default_rng(0).integers(0, 255, (40, 60, 3), dtype=np.uint8)
    for name, before in (("vit", 1), ("dinov2", 1), ("deit", 2), ("clip_vision_model", 1)):
        folder, opened = family(name)
        given = seen.read_picture(opened, folder, pixels)
        look = looks.look(opened, given)
        assert given.keys.grid == (4, 4)
        assert look.tiles[0].shape == (4, 16 + before, 16 + before)
        assert sum(given.keys.row.special) == before
        with pytest.raises(ModelRefused, match="reads pictures"):
            looks.read_text(opened, TEXT, 40)
    with pytest.raises(ModelRefused, match="reads text"):
        seen.read_picture(family("llama")[1], llama, pixels)


def test_equal_weights_have_one_revision_and_others_another(llama: Path, tmp_path: Path) -> None:
    first = sources.card_of(Source(name="a", folder=str(llama))).revision
    copy = shutil.copytree(llama, tmp_path / "copy")
    assert sources.card_of(Source(name="b", folder=str(copy))).revision == first
    data = (copy / "model.safetensors").read_bytes()
    (copy / "model.safetensors").write_bytes(data[:-4000] + bytes(4000))
    assert sources.card_of(Source(name="b", folder=str(copy))).revision != first


def test_what_the_readme_runs_runs(root: Path) -> None:
    codes = re.findall(r"```python\n(.*?)```", (root / "README.md").read_text("utf8"), re.DOTALL)
    (code,) = [each for each in codes if "explorer.opened" in each]
    names: dict[str, Any] = {}
    exec(code, names)
    assert names["seen"].weights.shape == (9, 19, 19)
    assert {names["lens"].words[each] for each in names["lens"].likeliest[-1, -1]} >= {"Rome"}
