"""A decoder-only model, opened and asked: losses, continuation, probes of the shipped ones."""

import math
from pathlib import Path

import pytest
import torch
from torch.nn import functional as F

from explorer.checkpoints.manifest import CheckpointMissing, CheckpointUnsupported, Probe
from explorer.checkpoints.store import BUNDLED, list_bundled, load, save
from explorer.data.text import CharacterTokenizer
from explorer.inference.gpt.generate import PROBE_CHARACTERS, continue_text, load as loaded, losses, probe
from explorer.models.gpt import GPT, GPTConfig
from explorer.nn.positions import POSITION_KINDS, PositionKind
from tests.checkpoints.conftest import tiny_model, write

TOKENIZER = CharacterTokenizer.train(["the quick brown fox\njumps"])
SHIPPED = [name for name in list_bundled() if name.startswith("positions-")]
WRITERS = [name for name in list_bundled() if name.startswith("gpt-")]


def tiny_gpt(position: PositionKind = "rotary", max_length: int = 64) -> GPT:
    torch.manual_seed(7)
    shape = {"d_model": 16, "n_heads": 2, "n_layers": 2, "d_ff": 32}
    config = GPTConfig(vocab_size=TOKENIZER.vocab_size, **shape, max_length=max_length, position=position)
    return GPT(config).eval()


def write_gpt(folder: Path, model: GPT) -> None:
    TOKENIZER.save(folder.parent / "tok.json")
    save(
        folder,
        family="gpt",
        config=model.config,
        model=model,
        tokenizer_file=folder.parent / "tok.json",
        data="a fox",
        licence="CC0",
        command="none",
        seed=7,
        metrics={"val_loss": 3.0},
        probe=lambda stored, _: Probe(given="the", expected="", score=float(losses(stored, *_pair()).sum())),
    )


def _pair() -> tuple[torch.Tensor, torch.Tensor]:
    ids = torch.tensor([TOKENIZER.encode("the quick brown")])
    return ids[:, :-1], ids[:, 1:]


def test_a_loss_for_each_place() -> None:
    model, (read, following) = tiny_gpt(), _pair()
    found = losses(model, read, following)
    assert found.shape == read.shape
    with torch.no_grad():
        probabilities = F.softmax(model(read)[0].double(), -1)
    assert float(found[0, 4]) == pytest.approx(-math.log(probabilities[4, following[0, 4]]), abs=1e-5)


def test_the_likeliest_again_and_again() -> None:
    model = tiny_gpt()
    text, score = continue_text(model, TOKENIZER, "the q", 6)
    assert len(text) == 6
    ids = torch.tensor([TOKENIZER.encode("the q" + text)])
    with torch.no_grad():
        said = model(ids[:, :-1]).log_softmax(-1)[0, 4:]
    assert said.argmax(-1).tolist() == ids[0, 5:].tolist()
    assert score == pytest.approx(float(said.max(-1).values.sum()), abs=1e-4)


@pytest.mark.parametrize("position", POSITION_KINDS)
def test_a_checkpoint_of_every_kind_comes_back(tmp_path: Path, position: PositionKind) -> None:
    model = tiny_gpt(position)
    write_gpt(tmp_path / "a", model)
    gpt = loaded(str(tmp_path / "a"))
    assert gpt.model.config == model.config
    assert gpt.tokenizer.characters == TOKENIZER.characters
    assert loaded(str(tmp_path / "a")) is gpt
    assert float(losses(gpt.model, *_pair()).sum()) == pytest.approx(gpt.manifest.probe.score, abs=1e-4)
    assert gpt.provenance(losses, "y").revision == gpt.manifest.revision


def test_what_is_no_decoder_only_model(tmp_path: Path) -> None:
    write(tmp_path / "translator", tiny_model(300))
    with pytest.raises(CheckpointUnsupported, match="not a decoder-only model"):
        loaded(str(tmp_path / "translator"))
    with pytest.raises(CheckpointMissing):
        loaded("nowhere")
    with pytest.raises(TypeError, match="no decoder-only model"):
        probe(tiny_model(300), TOKENIZER, "a")


def test_there_is_a_model_of_every_kind() -> None:
    assert set(SHIPPED) == {f"positions-{kind}" for kind in POSITION_KINDS}


@pytest.mark.parametrize("name", [*SHIPPED, *WRITERS])
def test_shipped_checkpoints_reproduce_their_probe(name: str) -> None:
    manifest, model, tokenizer = load(BUNDLED / name)
    found = probe(model, tokenizer, manifest.probe.given)
    assert len(manifest.probe.expected) == PROBE_CHARACTERS
    assert found.expected == manifest.probe.expected
    assert found.score == pytest.approx(manifest.probe.score, abs=1e-3)


def test_shipped_checkpoints_differ_in_nothing_but_their_positions() -> None:
    models = [loaded(name) for name in SHIPPED]
    assert len({(each.manifest.command.replace(each.model.config.position, "")) for each in models}) == 1
    assert len({each.tokenizer.characters for each in models}) == 1
    shapes = [{**each.manifest.config, "position": ""} for each in models]
    assert all(shape == shapes[0] for shape in shapes)
    assert all(each.manifest.licence and "Shakespeare" in each.manifest.data for each in models)
