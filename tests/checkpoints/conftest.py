"""A tiny translator in a folder."""

from pathlib import Path

import pytest
import torch
from torch import nn

from explorer.checkpoints.manifest import Probe
from explorer.checkpoints.store import save
from explorer.data.parallel.directions import parse_directions
from explorer.data.tokenizer import Tokenizer
from explorer.models.translator import Translator, TranslatorConfig

SENTENCES = ["The cat saw the dog.", "Le chat a vu le chien.", "I'm busy.", "Je suis occupé."]


def tiny_tokenizer(directions: str = "") -> Tokenizer:
    return Tokenizer.train(SENTENCES, 300, sorted({each.tag for each in parse_directions(directions)}))


def tiny_model(vocab_size: int, directions: str = "") -> Translator:
    torch.manual_seed(7)
    config = TranslatorConfig(
        vocab_size=vocab_size,
        d_model=16,
        n_heads=2,
        n_encoder_layers=2,
        n_decoder_layers=2,
        d_ff=32,
        max_length=64,
        directions=directions,
    )
    return Translator(config).eval()


def probe(model: nn.Module, tokenizer: Tokenizer) -> Probe:
    ids = torch.tensor([[*tokenizer.encode("The cat"), tokenizer.eos_id]])
    with torch.inference_mode():
        score = model(ids, torch.tensor([[tokenizer.bos_id]])).logsumexp(-1).item()
    return Probe(given="The cat", expected="", score=score)


def write(folder: Path, model: Translator) -> None:
    tokenizer = tiny_tokenizer(model.config.directions)
    tokenizer.save(folder.parent / "tok.json")
    save(
        folder,
        family="translator",
        config=model.config,
        model=model,
        tokenizer_file=folder.parent / "tok.json",
        data="four sentences",
        licence="CC0",
        command="none",
        seed=7,
        metrics={"test_bleu": 1.5},
        probe=probe,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A sound checkpoint, to be damaged."""
    where = tmp_path / "tiny"
    write(where, tiny_model(tiny_tokenizer().vocab_size))
    return where
