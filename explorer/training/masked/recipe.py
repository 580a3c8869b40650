"""The recipe of an encoder alone: from English sentences to a checkpoint that fills in blanks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import nn

from explorer.checkpoints.manifest import Manifest
from explorer.data.blanks import Blanks, read_sentences
from explorer.data.tokenizer import MASK, Tokenizer
from explorer.evaluate.blanks import BlankScores, one_by_one
from explorer.inference.masked.fill import encode, probe
from explorer.models.masked import MaskedConfig, MaskedEncoder
from explorer.training.config import TrainingConfig
from explorer.training.export import Stated, export
from explorer.training.loop import Run
from explorer.training.loss import BlankObjective
from explorer.training.source import BlankSource
from explorer.training.state import begin, describe, load_averaged, trained_tokenizer
from explorer.training.translator.recipe import PairFolder

PROBE = "He drinks a cup of ___ every morning."


@dataclass(frozen=True, slots=True, kw_only=True)
class MaskedRecipe:
    """A recipe: everything that decides what a training run makes, apart from the sentences themselves.

    Attributes:
        shape: of the model: arguments of `MaskedConfig` apart from the vocabulary.
        vocab_size: of the tokenizer that is trained first.
        asked: share of the tokens of a sentence that are asked for.
        n_dev: held-out sentences that every report measures.
        training: the course; `tokens_per_batch` counts tokens that are read, and labels are not smoothed unless it
            says so.

    Raises:
        ValueError: `asked` is out of range.
    """

    shape: Mapping[str, Any] = field(default_factory=dict)
    vocab_size: int = 6000
    asked: float = 0.2
    n_dev: int = 300
    training: TrainingConfig = field(default_factory=lambda: TrainingConfig(smoothing=0.0))

    def __post_init__(self) -> None:
        if not 0 <= self.asked <= 1:
            raise ValueError(f"asked {self.asked} is not in [0, 1]")


def train_masked(
    data: Sequence[PairFolder], run: Path, recipe: MaskedRecipe, *, device: torch.device, resume: bool = False
) -> None:
    """Train on the English of the `train` parts and watch `dev`; state, history and tokenizer go to the folder `run`.

    Raises:
        PairsError: a part is missing or malformed.
        ResumeError: there is no run to resume, or another one, or there is one and `resume` was not asked for.
    """
    train, dev, _ = read_sentences(_folders(data))
    begin(run, seed=recipe.training.seed, resume=resume)
    tokenizer = trained_tokenizer(
        run, lambda: Tokenizer.train(train, recipe.vocab_size, [MASK]), Tokenizer.load, resume=resume
    )
    torch.manual_seed(recipe.training.seed)
    model = MaskedEncoder(MaskedConfig(vocab_size=tokenizer.vocab_size, **recipe.shape)).to(device)
    describe(run, model.config, resume=resume)
    length, seed = model.config.max_length, recipe.training.seed
    blanks = Blanks(train, tokenizer, max_length=length, share=recipe.asked, seed=seed)
    watched = dev[: recipe.n_dev]

    def evaluate(averaged: nn.Module) -> dict[str, float]:
        assert isinstance(averaged, MaskedEncoder)
        found = one_by_one(averaged, tokenizer, watched)
        return {"dev_loss": found.loss, "dev_right": 100 * found.right}

    objective = BlankObjective(model, smoothing=recipe.training.smoothing, bf16=recipe.training.bf16)
    Run(model, objective, BlankSource(blanks), recipe.training, run, evaluate).train(resume=resume)


def export_masked(run: Path, out: Path, *, data: Sequence[PairFolder], stated: Stated) -> Manifest:
    """Write a run's averaged model as a checkpoint, measured on `dev` and `test`, one blank at a time.

    Raises:
        ResumeError: there is no usable state.
    """
    model, tokenizer = load_averaged(run, MaskedEncoder, MaskedConfig), Tokenizer.load(run / "tokenizer.json")
    _, *parts = read_sentences(_folders(data))
    stored = model.half().float()
    given = PROBE if len(encode(tokenizer, PROBE)) <= model.config.max_length else "___"
    scores: dict[str, BlankScores] = {
        name: one_by_one(stored, tokenizer, texts) for name, texts in zip(("dev", "test"), parts, strict=True)
    }
    metrics = {f"{name}_loss": round(each.loss, 4) for name, each in scores.items()}
    metrics |= {f"{name}_right": round(100 * each.right, 2) for name, each in scores.items()}
    metrics |= {f"{name}_among_five": round(100 * each.among_five, 2) for name, each in scores.items()}
    return export(
        run,
        out,
        model,
        stated,
        kind="masked",
        family="masked",
        metrics=metrics,
        probe=lambda stored, reader: probe(stored, reader, given),
        scores=scores,
    )


def _folders(data: Sequence[PairFolder]) -> list[tuple[Path, str]]:
    return [(each.folder, each.language or "de") for each in data]
