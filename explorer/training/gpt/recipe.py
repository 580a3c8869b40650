"""The decoder-only recipe: from a text to a checkpoint that goes on with it, character by character."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import nn

from explorer.checkpoints.manifest import Manifest
from explorer.data.corpus import CorpusKind, read_corpus
from explorer.data.text import CharacterTokenizer, Windows
from explorer.evaluate.text import text_loss
from explorer.inference.gpt.generate import probe
from explorer.inference.gpt.verse_form import N_COUNTED, form_kept, openings
from explorer.models.gpt import GPT, GPTConfig
from explorer.training.config import TrainingConfig
from explorer.training.export import Stated, export
from explorer.training.loop import Run
from explorer.training.loss import TextObjective
from explorer.training.source import TextSource
from explorer.training.state import begin, describe, load_averaged

#: What a checkpoint's probe goes on with; where it lacks a character of that, with the beginning of what is held out.
PROBES: Mapping[CorpusKind, str] = {"text": "KING RICHARD:\nMy lord, ", "verse": "\n白日依山尽，"}


@dataclass(frozen=True, slots=True, kw_only=True)
class TextRecipe:
    """A recipe: everything that decides what a training run makes, apart from the text itself.

    Attributes:
        shape: of the model: arguments of `GPTConfig` apart from the vocabulary.
        n_dev: characters of the held-out part that every report measures.
        training: the course; labels are not smoothed unless it says so.
    """

    shape: Mapping[str, Any] = field(default_factory=dict)
    n_dev: int = 32_768
    training: TrainingConfig = field(default_factory=lambda: TrainingConfig(smoothing=0.0))


def train_gpt(data: Path, run: Path, recipe: TextRecipe, *, device: torch.device, resume: bool = False) -> None:
    """Train on most of a text or of a collection of verse, and watch the rest; state and history go to `run`.

    Raises:
        TextError: there is no text, or too little of it.
        ResumeError: there is no run to resume, or another one, or there is one and `resume` was not asked for.
    """
    corpus = read_corpus(data)
    begin(run, seed=recipe.training.seed, resume=resume)
    tokenizer = corpus.tokenizer()
    torch.manual_seed(recipe.training.seed)
    model = GPT(GPTConfig(vocab_size=tokenizer.vocab_size, **recipe.shape)).to(device)
    describe(run, model.config, tokenizer=tokenizer, resume=resume)
    windows = Windows(tokenizer.encode(corpus.train), length=model.config.max_length, seed=recipe.training.seed)
    watched = corpus.held_out[: max(recipe.n_dev, model.config.max_length + 1)]

    def evaluate(averaged: nn.Module) -> dict[str, float]:
        assert isinstance(averaged, GPT)
        return {"dev_loss": text_loss(averaged, tokenizer, watched)}

    objective = TextObjective(model, smoothing=recipe.training.smoothing, bf16=recipe.training.bf16)
    Run(model, objective, TextSource(windows), recipe.training, run, evaluate).train(resume=resume)


def export_gpt(run: Path, out: Path, *, data: Path, stated: Stated) -> Manifest:
    """Write a run's averaged model as a checkpoint, measured on the whole held-out part.

    Raises:
        ResumeError: there is no usable state.
    """
    model, tokenizer = load_averaged(run, GPT, GPTConfig), CharacterTokenizer.load(run / "tokenizer.json")
    corpus = read_corpus(data)
    metrics = {"val_loss": round(text_loss(model.half().float(), tokenizer, corpus.held_out), 4)}  # as stored
    if corpus.kind == "verse":
        metrics["form_kept"] = form_kept(model, tokenizer, openings(corpus.held_out, N_COUNTED))
    given = PROBES[corpus.kind]
    if tokenizer.unknown(given):
        given = corpus.held_out[:32]
    return export(
        run,
        out,
        model,
        stated,
        kind="gpt",
        family="gpt",
        metrics=metrics,
        probe=lambda stored, reader: probe(stored, reader, given),
        text=corpus.kind,
    )
