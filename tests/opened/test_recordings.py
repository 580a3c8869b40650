"""Recordings beside the looks: two hundred sentences, and weights that are rounded."""

from pathlib import Path

import numpy as np
import pytest
import torch

from explorer.checkpoints.manifest import BUNDLED
from explorer.opened import ask, corpus, recorded, recording, sources
from explorer.opened.passes import loader, ours, rounding
from explorer.opened.refused import ModelRefused
from explorer.records.opened import texts, wire
from explorer.records.opened.several import CorpusLook

NAMES = sorted(name for name, model in recorded.models().items() if model.address)
OURS = sorted(set(recorded.models()) - set(NAMES))


def test_there_are_two_hundred_sentences_as_people_write_them() -> None:
    found = corpus.sentences()
    assert len(found) == len(set(found)) == 200
    assert not [each for each in found if " ." in each or " ," in each or " 's" in each]


@pytest.mark.parametrize("name", NAMES)
def test_what_was_recorded_is_small_and_comes_without_a_worker(name: str) -> None:
    files = [recorded.FOLDER / kind / f"{name}.npz" for kind in ("corpora", "rounded", "without")]
    assert sum(file.stat().st_size for file in files) < 100_000
    (read,) = ask.over_texts(sources.sources()[name], corpus.sentences())
    assert len(read.texts) == 200
    assert [site.heads for site in read.sites] == [len(heads) for heads in read.heads]
    assert set(recorded.read_rounded(name)) == {"8", "4", "3", "2"}
    for pair in recorded.read_rounded(name).values():
        assert pair.distance.shape == (len(read.sites), len(read.heads[0]))
        assert (pair.distance >= 0).all()


@pytest.mark.parametrize("name", NAMES)
def test_what_was_recorded_says_where_the_model_is_and_its_licence(name: str) -> None:
    model = recorded.models()[name]
    assert model.card.licence == "apache-2.0"
    assert model.address.endswith(f"/{name}")


@pytest.mark.parametrize("name", OURS)
def test_what_was_recorded_of_our_own_is_what_the_checkpoint_computes_today(name: str) -> None:
    model = recorded.models()[name]
    assert (recorded.FOLDER / f"{name}.npz").stat().st_size < 500_000
    assert model.card.revision == sources.card_of(sources.sources()[name]).revision, "record it anew"
    pictures = {recorded.picture_key(each): each for each in recording.list_pictures()}
    for text, known in model.texts.items():
        given = pictures.get(text, text)
        now = ours.look(BUNDLED / name, given, recording.MOST, name)
        assert (known.look.keys, known.look.queries, known.look.written) == (now.keys, now.queries, now.written)
        assert [[each.rule for each in site] for site in known.look.rules] == [
            [each.rule for each in site] for site in now.rules
        ]
        for site in now.sites:
            before = ask.attention(sources.sources()[name], given, site.number)
            after = ours.attention(BUNDLED / name, given, recording.MOST, name, site.number)
            assert np.abs(before.weights - after.weights).max() < 0.005


@pytest.mark.parametrize("name", NAMES)
def test_one_head_and_all_of_a_rule_are_off_without_a_worker(name: str) -> None:
    source = sources.sources()[name]
    look, (effects,) = ask.look(source, texts.CAPITALS), ask.effects(source, texts.CAPITALS)
    one = ask.without(source, texts.CAPITALS, [(1, 2)])
    assert one.chance == pytest.approx(float(effects.chance[1, 2]))
    for rule in recorded.without(name):
        heads = look.heads(rule)  # type: ignore[arg-type]
        found = ask.without(source, texts.CAPITALS, heads)
        assert found.off == heads
        assert found.provenance.model == name
        if found.before and effects.answer:
            assert found.before[0].label == effects.answer.label
    with pytest.raises(ModelRefused):
        ask.without(source, texts.CAPITALS, [(99, 0)])


@pytest.mark.parametrize("name", NAMES)
def test_less_of_a_head_and_of_all_of_a_rule_is_told_without_a_worker(name: str) -> None:
    source = sources.sources()[name]
    assert (recorded.FOLDER / "weakened" / f"{name}.npz").stat().st_size < 500_000
    look, (off,) = ask.look(source, texts.CAPITALS), ask.effects(source, texts.CAPITALS)
    site, head = off.strongest()
    turned = [ask.without(source, texts.CAPITALS, [(site, head)], left=each / 100) for each in (0, 25, 50, 75, 100)]
    assert [each.left for each in turned] == [0, 0.25, 0.5, 0.75, 1]
    chances = [each.chance for each in turned]
    assert chances == sorted(chances), "the more of it is left, the likelier the answer"
    assert chances[0] == pytest.approx(float(off.chance[site, head]))
    assert chances[-1] == pytest.approx(turned[0].chance_before)
    for rule in recorded.without(name):
        heads = look.heads(rule)  # type: ignore[arg-type]
        assert ask.without(source, texts.CAPITALS, heads, left=0.5).off == heads
    with pytest.raises(ModelRefused):
        ask.without(source, texts.CAPITALS, [(site, head)], left=0.3)


def test_one_head_of_270_carries_italy_into_the_text_about_france_and_back() -> None:
    (name,) = [each for each in NAMES if recorded.read_carried(each)]
    assert (recorded.FOLDER / "carried" / f"{name}.npz").stat().st_size < 500_000
    source = sources.sources()[name]
    pairs = {(texts.FRANCE, texts.ITALY): ("Paris", "Rome"), (texts.ITALY, texts.FRANCE): ("Rome", "Paris")}
    for pair, answers in pairs.items():
        (found,) = ask.carry_over(source, *pair)
        assert found.complete
        assert found.answer is not None
        first = found.sites[0]
        assert first.carried is not None
        assert (found.answer.label, first.carried.label) == answers
        position = np.unravel_index(int(found.carried_chance.argmax()), found.carried_chance.shape)
        assert position == (23, 4), "which switched off alone takes the country away, too"
        assert found.carried_chance[position] > 0.4 > 0.01 > found.chance[position]
    assert ask.recorded_carried(source, texts.FRANCE, texts.FRANCE) is None


@pytest.mark.parametrize("bits", [2, 4])
def test_a_block_holds_as_many_values_as_its_bits_allow_and_embeddings_stay(llama: Path, bits: int) -> None:
    before = loader.load(llama)
    after = rounding.round_weights(loader.load(llama), bits)
    assert after.card.name == f"{before.card.name}, {bits} bits"
    kept, rounded = dict(before.model.named_parameters()), dict(after.model.named_parameters())
    (name,) = [each for each in kept if each.endswith("layers.0.self_attn.q_proj.weight")]
    blocks = rounded[name].detach().reshape(-1, rounding.BLOCK)
    assert max(len(np.unique(np.round(block.numpy(), 6))) for block in blocks) <= 2**bits - 1
    step = kept[name].detach().reshape(-1, rounding.BLOCK).abs().amax(-1) / (2 ** (bits - 1) - 1)
    error = (blocks - kept[name].detach().reshape(-1, rounding.BLOCK)).abs().amax(-1)
    assert (error <= step / 2 + 1e-6).all()
    (embedding,) = [each for each in kept if "embed_tokens" in each]
    assert torch.equal(kept[embedding], rounded[embedding])


def test_the_command_records_them(llama: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorded, "FOLDER", tmp_path)
    monkeypatch.setattr(corpus, "sentences", lambda: ("The cat sat.", "The dog ran home."))
    given = [str(llama), "--address", "org/tiny", "--made-from", "a test"]
    assert recording.main([*given, "--what", "corpus"]) == 0
    assert recording.main([*given, "--what", "rounded"]) == 0
    assert recording.main([*given, "--what", "without"]) == 0
    assert recording.main([*given, "--what", "weakened"]) == 0
    assert recording.main([*given, "--what", "carried"]) == 0
    weak = wire.load(tmp_path / "weakened" / f"{llama.name}.npz", recorded.Weakened)
    assert list(weak) == ["25", "50", "75"]
    assert all(each.alone.complete for each in weak.values())
    both = wire.load(tmp_path / "carried" / f"{llama.name}.npz")
    assert [each.carried_chance.shape for each in both.values()] == [(2, 4)] * 2
    off = wire.load(tmp_path / "without" / f"{llama.name}.npz")
    assert sum(len(each.off) for each in off.values()) == 8
    read: CorpusLook = wire.load(tmp_path / "corpora" / f"{llama.name}.npz")
    assert len(read.texts) == 2
    assert "a test" in read.provenance.detail
    moved = [float(each.distance.mean()) for each in wire.load(tmp_path / "rounded" / f"{llama.name}.npz").values()]
    assert moved == sorted(moved)
    assert recording.main([str(tmp_path / "none"), "--address", "a/b", "--made-from", "x", "--what", "corpus"]) == 2
