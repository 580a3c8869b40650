"""The translator's recipe: from a folder of sentence pairs to a checkpoint."""

import json
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
from torch import nn
from torch.nn import functional as F

from explorer.checkpoints.manifest import Manifest
from explorer.checkpoints.store import save
from explorer.data.pairs import NO_AUGMENTATION, Augmentation, EpochSource, Pair, PairsError, collate, read_pairs
from explorer.data.tokenizer import Tokenizer
from explorer.evaluate import Scores, bleu, score, translate_all
from explorer.inference.decoding import DecodingOptions
from explorer.inference.prepared import prepare
from explorer.inference.translator import probe
from explorer.models.seq2seq import Seq2Seq
from explorer.models.translator import Translator, TranslatorConfig
from explorer.training.card import model_card
from explorer.training.config import TrainingConfig
from explorer.training.loop import Run
from explorer.training.loss import Objective
from explorer.training.process import rank, world
from explorer.training.source import PairSource
from explorer.training.state import ResumeError, load_averaged

PROBE = "The children are playing in the garden."


@dataclass(frozen=True, slots=True, kw_only=True)
class TranslatorRecipe:
    """Everything that decides what a training run makes, apart from the data itself.

    Attributes:
        shape: of the model: arguments of `TranslatorConfig` apart from the vocabulary.
        vocab_size: of the tokenizer that is trained first.
        n_dev: held-out pairs that every report translates.
        augmentation: what varies between epochs.
        training: the course.
    """

    shape: Mapping[str, Any] = field(default_factory=dict)
    vocab_size: int = 8000
    n_dev: int = 500
    augmentation: Augmentation = field(default_factory=Augmentation)
    training: TrainingConfig = field(default_factory=TrainingConfig)


def find_pairs(folder: Path, name: str) -> Path:
    """The file of a part (`train`, `dev`, `test`) in a data folder, gzipped or not.

    Raises:
        PairsError: there is none.
    """
    for path in (folder / f"{name}.tsv.gz", folder / f"{name}.tsv"):
        if path.is_file():
            return path
    raise PairsError(f"{folder} has no {name}.tsv or {name}.tsv.gz of lines 'source TAB translation'")


def train_translator(
    data: Path, run: Path, recipe: TranslatorRecipe, *, device: torch.device, resume: bool = False
) -> None:
    """Train on a folder's `train` part and watch its `dev` part; state, history and tokenizer go to the folder `run`.

    Raises:
        PairsError: a part is missing or malformed.
        ResumeError: there is no run to resume, or there is one and `resume` was not asked for.
    """
    train, dev = read_pairs(find_pairs(data, "train")), spread(read_pairs(find_pairs(data, "dev")), recipe.n_dev)
    if (run / "state.json").exists() and not resume:
        raise ResumeError(f"{run} already holds a run: continue it with --resume, or choose another --run-folder")
    tokenizer = _tokenizer(train, run, recipe.vocab_size)
    torch.manual_seed(recipe.training.seed)
    model = Translator(TranslatorConfig(vocab_size=tokenizer.vocab_size, **recipe.shape)).to(device)
    (run / "model.json").write_text(json.dumps(asdict(model.config), indent=1))
    pairs = EpochSource(
        train,
        tokenizer,
        augmentation=recipe.augmentation,
        seed=recipe.training.seed,
        max_length=model.config.max_length,
    )

    def evaluate(averaged: nn.Module) -> dict[str, float]:
        assert isinstance(averaged, Translator)
        return {"dev_loss": held_out_loss(averaged, tokenizer, dev), "dev_bleu": bleu(averaged, tokenizer, dev)}

    objective = Objective(model, smoothing=recipe.training.smoothing, bf16=recipe.training.bf16)
    course = Run(model, objective, PairSource(pairs), recipe.training, run, evaluate)
    if resume:
        course.resume()
    course.train()


def spread(pairs: list[Pair], n: int) -> list[Pair]:
    """About `n` pairs from everywhere in a list, which may be sorted."""
    return pairs[:: max(1, len(pairs) // n)]


def _tokenizer(train: list[Pair], run: Path, vocab_size: int) -> Tokenizer:
    """The run's tokenizer; the first process trains it if it is not there."""
    run.mkdir(parents=True, exist_ok=True)
    path = run / "tokenizer.json"
    if rank() == 0 and not path.exists():
        Tokenizer.train((text for pair in train for text in (pair.source, *pair.targets)), vocab_size).save(path)
    if world() > 1:
        dist.barrier()
    return Tokenizer.load(path)


@torch.inference_mode()
def held_out_loss(model: Translator | Seq2Seq, tokenizer: Tokenizer, pairs: list[Pair]) -> float:
    """Mean cross-entropy of a target token (first reference, no smoothing), in nats."""
    source = EpochSource(pairs, tokenizer, augmentation=NO_AUGMENTATION, seed=0, max_length=model.config.max_length)
    tokens, device = source.epoch(0), model.embedding.weight.device
    total, count = 0.0, 0
    for rows in source.batches(0, tokens_per_batch=2048):
        batch = collate(*tokens, rows, source).to(device)
        logits = model(batch.source, batch.target_in).flatten(0, 1)
        wanted = batch.target_out.flatten()
        total += float(F.cross_entropy(logits, wanted, ignore_index=model.config.pad_id, reduction="sum"))
        count += int((wanted != model.config.pad_id).sum())
    return total / count


def averaged_model(run: Path) -> Translator:
    """The averaged weights of a run's last saved state, in `eval()`, on the CPU.

    Raises:
        ResumeError: there is no usable state.
    """
    model: Translator = load_averaged(run, lambda config: Translator(TranslatorConfig(**config)))
    return model


def export_translator(
    run: Path, out: Path, *, data: Path, credit: str, licence: str, command: str, hardware: str = ""
) -> Manifest:
    """Write a run's averaged model as a checkpoint, scored with beam 4 on `dev`, and on `test` if there is one.

    Args:
        run: folder of the run.
        out: folder of the checkpoint.
        data: folder of the data.
        credit: what the data is, with the attribution its licence asks for.
        licence: of the data, and so of the weights.
        command: the training command, for the manifest.
        hardware: a sentence about the machine, for the model card.
    """
    model, tokenizer = averaged_model(run), Tokenizer.load(run / "tokenizer.json")
    facts = json.loads((run / "state.json").read_text())
    scores = {name: _scores(model, tokenizer, data, name) for name in ("dev", "test") if _has(data, name)}
    metrics: dict[str, float] = {"steps": float(facts["step"]), "minutes": round(facts["minutes"], 1)}
    for name, found in scores.items():
        metrics |= {f"{name}_bleu": round(found.bleu, 2), f"{name}_chrf": round(found.chrf, 2)}
    manifest = save(
        out,
        family="translator",
        config=model.config,
        model=model,
        tokenizer_file=run / "tokenizer.json",
        data=credit,
        licence=licence,
        command=command,
        seed=facts["training"]["seed"],
        metrics=metrics,
        probe=lambda stored, reader: probe(stored, reader, PROBE),
    )
    shutil.copyfile(run / "history.csv", out / "history.csv")
    n_parameters = sum(parameter.numel() for parameter in model.parameters())
    card = model_card(out.name, manifest, facts, scores, n_parameters=n_parameters, hardware=hardware)
    (out / "README.md").write_text(card, encoding="utf-8")
    return manifest


def _has(data: Path, name: str) -> bool:
    try:
        return find_pairs(data, name).is_file()
    except PairsError:
        return False


def _scores(model: Translator, tokenizer: Tokenizer, data: Path, name: str) -> Scores:
    pairs = read_pairs(find_pairs(data, name))
    model = model.half().float()  # as stored
    texts = [pair.source for pair in pairs]
    prepared = prepare(model, torch.device("cpu"), torch.float32)
    return score(translate_all(prepared, tokenizer, texts, DecodingOptions(beam=4)), pairs)
