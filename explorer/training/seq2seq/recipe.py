"""Recipes for the recurrent models: from captions or couplets to a run of training."""

import csv
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file, save_file
from torch import nn

from explorer.data.couplets import CoupletSource, CoupletTokenizer, make_batches, read_couplets
from explorer.data.parallel.directions import Direction, find_pairs
from explorer.data.parallel.multi30k import PARTS, read_multi30k, tokenise_moses
from explorer.data.parallel.pairs import Augmentation, EpochSource, Pair, read_pairs
from explorer.data.tokenizer import Tokenizer
from explorer.inference.search.decode import DecodingOptions
from explorer.inference.seq2seq.bleu import caption_bleu, couplet_bleu, outputs
from explorer.inference.seq2seq.couplets import answer_all
from explorer.inference.seq2seq.steps import PreparedSeq2Seq, prepare_seq2seq
from explorer.models.seq2seq import Seq2Seq
from explorer.models.seq2seq_config import Seq2SeqConfig
from explorer.training.config import TrainingConfig
from explorer.training.loop import Run
from explorer.training.seq2seq.loss import Seq2SeqObjective
from explorer.training.source import PairSource
from explorer.training.state import MODEL, RECIPE, ResumeError, begin, describe, trained_tokenizer
from explorer.training.translator.recipe import held_out_loss, mean_loss, spread

GREEDY = DecodingOptions(beam=1)
GERMAN = Direction("de", "en")
BEST = "best.safetensors"
#: Source words are cut differently in every epoch; the captions' case is gone already.
CAPTIONS = Augmentation(source_subwords=0.05, target_subwords=0.0, lower_case=0.0, open_end=0.02, joined=0.0)
#: A character must occur this often to have a token.
OFTEN = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Seq2SeqRecipe:
    """A recipe: everything that decides what a training run makes, apart from the data itself.

    Attributes:
        shape: of the model: arguments of `Seq2SeqConfig` apart from the vocabulary.
        vocab_size: of the tokenizer that is trained first; couplets have a token for each character instead.
        n_dev: held-out pairs that every report translates.
        augmentation: what varies between epochs.
        teacher_forcing: probability that the decoder reads the given token and not its own.
        clip: longest gradient; a longer one is scaled down to it (Pascanu et al. 2013).

    Raises:
        ValueError: naming the field that is out of range.
    """

    shape: Mapping[str, Any] = field(default_factory=dict)
    vocab_size: int = 4000
    n_dev: int = 507
    augmentation: Augmentation = CAPTIONS
    training: TrainingConfig = field(default_factory=TrainingConfig)
    teacher_forcing: float = 1.0
    clip: float = 1.0

    def __post_init__(self) -> None:
        if not 0 <= self.teacher_forcing <= 1:
            raise ValueError(f"teacher_forcing {self.teacher_forcing} is not in [0, 1]")
        if not self.clip > 0:
            raise ValueError(f"clip is {self.clip}; it must be above 0")


def read_part(folder: Path, part: str) -> list[Pair]:
    """Read a part of Multi30k (German to English), or of a folder of .tsv files.

    Raises:
        PairsError: it is missing or malformed.
    """
    if (folder / f"{PARTS['train']}.de.gz").is_file():
        return read_multi30k(folder, part)
    return read_pairs(find_pairs(folder, part))


def train_seq2seq(data: Path, run: Path, recipe: Seq2SeqRecipe, *, device: torch.device, resume: bool = False) -> None:
    """Train on the `train` part and watch the `dev` part; state, history, tokenizer and best weights go to `run`.

    Raises:
        PairsError: a part is missing or malformed.
        ResumeError: there is no run to resume, or another one, or there is one and `resume` was not asked for.
    """
    train, dev = read_part(data, "train"), spread(read_part(data, "dev"), recipe.n_dev)
    begin(run, seed=recipe.training.seed, resume=resume)
    texts = (text for pair in train for text in (pair.source, *pair.targets))
    tokenizer = trained_tokenizer(run, lambda: Tokenizer.train(texts, recipe.vocab_size), Tokenizer.load, resume=resume)
    model = _new_model(run, recipe, tokenizer.vocab_size, device, resume=resume)
    pairs = EpochSource(
        train,
        tokenizer,
        augmentation=recipe.augmentation,
        seed=recipe.training.seed,
        max_length=model.config.max_length,
    )
    references = [tokenise_moses(pair.targets[0]) for pair in dev]

    def evaluate(averaged: Seq2Seq) -> dict[str, float]:
        captions = outputs(_in_place(averaged), tokenizer, [pair.source for pair in dev], GREEDY)
        loss = held_out_loss(averaged, tokenizer, {GERMAN: dev})
        return {"dev_loss": loss, "dev_bleu": caption_bleu(captions, references).score}

    _course(model, pairs, recipe, run, evaluate, resume=resume).train()


def train_couplet(data: Path, run: Path, recipe: Seq2SeqRecipe, *, device: torch.device, resume: bool = False) -> None:
    """Train on verse and couplets, then on couplets alone, and watch some couplets that are held out.

    Raises:
        PairsError: a file is missing or malformed.
        ResumeError: there is no run to resume, or another one, or there is one and `resume` was not asked for.
    """
    verse, couplets = read_couplets(data)
    dev = hold_out(couplets, recipe.n_dev)
    held_out = {pair.source for pair in dev} | {pair.targets[0] for pair in dev}
    verse, couplets = (
        [pair for pair in pairs if not held_out & {pair.source, *pair.targets}] for pairs in (verse, couplets)
    )
    begin(run, seed=recipe.training.seed, resume=resume)
    texts = (text for pair in (*verse, *couplets) for text in (pair.source, *pair.targets))
    tokenizer = trained_tokenizer(
        run, lambda: CoupletTokenizer.train(texts, at_least=OFTEN), CoupletTokenizer.load, resume=resume
    )
    model = _new_model(run, recipe, tokenizer.vocab_size, device, resume=resume)
    length = model.config.max_length
    pairs = CoupletSource(verse, couplets, tokenizer, seed=recipe.training.seed, max_length=length)
    batches = make_batches(dev, tokenizer, max_length=length)
    references = [pair.targets[0] for pair in dev]

    def evaluate(averaged: Seq2Seq) -> dict[str, float]:
        lines = answer_all(_in_place(averaged), tokenizer, [pair.source for pair in dev], GREEDY)
        return {"dev_loss": mean_loss(averaged, batches), "dev_bleu": couplet_bleu(lines, references).score}

    # BLEU of couplets is near 0 and mostly noise.
    _course(model, pairs, recipe, run, evaluate, goodness=lambda found: -found["dev_loss"], resume=resume).train()


def hold_out(couplets: list[Pair], n: int) -> list[Pair]:
    """Return about `n` couplets to hold out, at most a tenth."""
    return spread(couplets, max(1, min(n, len(couplets) // 10)))


def _new_model(run: Path, recipe: Seq2SeqRecipe, vocab_size: int, device: torch.device, *, resume: bool) -> Seq2Seq:
    """Make a model with the seed's weights, and describe it in the run's folder."""
    torch.manual_seed(recipe.training.seed)
    model = Seq2Seq(Seq2SeqConfig(vocab_size=vocab_size, **recipe.shape)).to(device)
    about = {"teacher_forcing": recipe.teacher_forcing, "clip": recipe.clip}
    describe(run, model.config, about=about, resume=resume)
    return model


def _in_place(model: Seq2Seq) -> PreparedSeq2Seq:
    """Return a model while it trains, for decoding on its own device and in its own dtype."""
    here = next(model.parameters())
    return prepare_seq2seq(model, here.device, here.dtype)


def _course(
    model: Seq2Seq,
    pairs: EpochSource,
    recipe: Seq2SeqRecipe,
    run: Path,
    evaluate: Callable[[Seq2Seq], dict[str, float]],
    *,
    goodness: Callable[[dict[str, float]], float] = lambda measured: measured["dev_bleu"],
    resume: bool,
) -> Run:
    """Make the run: gradients are clipped, and the best averaged weights are kept beside the last state.

    The best are those with the highest `goodness` of what was measured. The history also gets the seconds that the
    processor worked, reports included: on a machine that does other work the clock says little.
    """
    best = _best_so_far(run) if resume else float("-inf")
    started = time.process_time() - (processor_seconds(run) if resume else 0.0)

    def watch(averaged: nn.Module) -> dict[str, float]:
        nonlocal best
        assert isinstance(averaged, Seq2Seq)
        measured = evaluate(averaged)
        if (score := goodness(measured)) >= best:
            best = score
            weights = {name: tensor.detach().contiguous() for name, tensor in averaged.state_dict().items()}
            save_file(weights, run / f"{BEST}.partial", metadata={"goodness": repr(score)})
            (run / f"{BEST}.partial").replace(run / BEST)
        return {**measured, "processor_seconds": time.process_time() - started}

    settings = recipe.training
    objective = Seq2SeqObjective(
        model, smoothing=settings.smoothing, bf16=settings.bf16, teacher_forcing=recipe.teacher_forcing
    )
    training = Run(model, objective, PairSource(pairs), settings, run, watch)
    parameters = list(model.parameters())

    def clip(*_: Any) -> None:
        nn.utils.clip_grad_norm_(parameters, recipe.clip)

    training.optimizer.register_step_pre_hook(clip)
    if resume:
        training.resume()
    return training


def teacher_forcing_of(run: Path) -> float:
    """Return the probability that the decoder read the given token; 1 for a run that did not write it down."""
    path = run / RECIPE
    return float(json.loads(path.read_text())["teacher_forcing"]) if path.is_file() else 1.0


def processor_seconds(run: Path) -> float:
    """Return the seconds that the processor had worked at the last report."""
    with (run / "history.csv").open(encoding="utf-8", newline="") as file:
        return float([*csv.DictReader(file)][-1]["processor_seconds"])


def _best_so_far(run: Path) -> float:
    if not (run / BEST).is_file():
        return float("-inf")
    with safe_open(run / BEST, framework="pt") as stored:
        return float(stored.metadata()["goodness"])


def best_model(run: Path) -> Seq2Seq:
    """Return the averaged weights of a run that were best on `dev`, in `eval()`, on the CPU.

    Raises:
        ResumeError: there is no usable run.
    """
    try:
        model = Seq2Seq(Seq2SeqConfig(**json.loads((run / MODEL).read_text())))
        model.load_state_dict(load_file(run / BEST))
    except (OSError, ValueError, KeyError, TypeError, RuntimeError, SafetensorError) as error:
        raise ResumeError(f"{run} holds no usable run: {error}") from error
    return model.eval()
