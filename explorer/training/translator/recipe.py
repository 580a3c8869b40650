"""The translator's recipe: from folders of sentence pairs to a run of training."""

import contextlib
import random
import re
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import torch
from torch import nn
from torch.nn import functional as F

from explorer.data.blanks import fold_case
from explorer.data.parallel.copying import copying_pairs
from explorer.data.parallel.directions import Direction, read_part
from explorer.data.parallel.pairs import NO_AUGMENTATION, Augmentation, Batch, EpochSource, Pair, PairsError, collate
from explorer.data.tokenizer import Tokenizer
from explorer.evaluate.translations import bleu
from explorer.models.seq2seq import Seq2Seq
from explorer.models.translator import Translator, TranslatorConfig
from explorer.training.config import TrainingConfig
from explorer.training.loop import Run
from explorer.training.loss import Objective
from explorer.training.source import PairSource
from explorer.training.state import begin, describe, trained_tokenizer
from explorer.training.warm_start import inherit, parents_vocabulary

#: A folder and its weight.
WEIGHTED = re.compile(r"(.+):(\d+(?:\.\d+)?)")
#: From so many on, a word is cut in fewer ways.
MANY_PAIRS = 300_000
#: Most tokens of the shortest source that is told from another: a tag, the bytes of a character, the end.
SHORTEST = 5
#: Pairs by direction.
DirectedPairs = dict[Direction, list[Pair]]


@dataclass(frozen=True, slots=True, kw_only=True)
class TranslatorRecipe:
    """A recipe: everything that decides what a training run makes, apart from the data itself.

    Attributes:
        shape: of the model: arguments of `TranslatorConfig` apart from the vocabulary.
        vocab_size: of the tokenizer that is trained first.
        n_characters: Chinese ones that each get a sub-word of their own, the most frequent of the data.
        n_dev: held-out pairs that every report translates.
        augmentation: what varies between epochs.
        directions: what it is to translate, the usual first.
        copying: pairs with other numbers, and as many with other names, that are added to each direction's, as a share
            of them (`explorer.data.parallel.copying`).
        start_from: folder of a trained translator of the same shape whose weights it begins with.
        keep_vocabulary: take that translator's tokenizer too, instead of training one.

    Raises:
        ValueError: the model could not read a character.
    """

    shape: Mapping[str, Any] = field(default_factory=dict)
    vocab_size: int = 8000
    n_characters: int = 0
    n_dev: int = 500
    augmentation: Augmentation = field(default_factory=Augmentation)
    directions: tuple[Direction, ...] = (Direction("en", "fr"),)
    copying: float = 0.0
    start_from: Path | None = None
    keep_vocabulary: bool = False
    training: TrainingConfig = field(default_factory=TrainingConfig)

    def __post_init__(self) -> None:
        if (length := self.shape.get("max_length", SHORTEST)) < SHORTEST:
            raise ValueError(f"max_length is {length}; it must be at least {SHORTEST}")


@dataclass(frozen=True, slots=True, kw_only=True)
class PairFolder:
    """A folder of sentence pairs.

    Attributes:
        folder: as `explorer.data.parallel.directions.read_part` reads it.
        language: the one that is not English; empty if the folder serves every direction that is asked for.
        weight: how often its pairs are trained on, relative to those of other folders.
    """

    folder: Path
    language: str = ""
    weight: float = 1.0

    @classmethod
    def named(cls, word: str) -> "PairFolder":
        """Read what a command calls `<language>=<folder>:<weight>`, or less of it.

        Raises:
            ValueError: the weight is not above 0.
        """
        language, _, rest = word.rpartition("=")
        folder, weight = match.groups() if (match := WEIGHTED.fullmatch(rest)) else (rest, "1")
        if not float(weight) > 0:
            raise ValueError(f"{word}: the weight is {weight}; it must be above 0")
        return cls(folder=Path(folder), language=language, weight=float(weight))

    def without_path(self) -> str:
        """Return what a command calls it, without this machine's folders."""
        language, weight = f"{self.language}=" if self.language else "", f":{self.weight:g}" if self.weight != 1 else ""
        return f"{language}<folder>/{self.folder.name}{weight}"

    def pairs(self, part: str, direction: Direction) -> list[Pair]:
        """Read the pairs of a part in a direction, with the folder's weight.

        Raises:
            PairsError: they are missing or malformed.
        """
        return [replace(pair, weight=self.weight) for pair in read_part(self.folder, part, direction)]

    def serves(self, direction: Direction) -> bool:
        """Return whether it has pairs of a direction."""
        return not self.language or self.language in direction


def train_translator(
    data: Sequence[PairFolder], run: Path, recipe: TranslatorRecipe, *, device: torch.device, resume: bool = False
) -> None:
    """Train on the `train` part of folders and watch `dev`; state, history and tokenizer go to the folder `run`.

    Raises:
        PairsError: a part is missing or malformed.
        CheckpointError: there is no trained translator to start from.
        ValueError: it has another shape.
        ResumeError: there is no run to resume, or another one, or there is one and `resume` was not asked for.
    """
    train, dev = (read_directions(data, part, recipe.directions) for part in ("train", "dev"))
    for each in train.values():
        each += copying_pairs(each, share=recipe.copying, seed=recipe.training.seed)
    if len(data) > 1:
        train = without_held_out(train, data)
    dev = {direction: spread(pairs, recipe.n_dev // len(dev)) for direction, pairs in dev.items()}
    begin(run, seed=recipe.training.seed, resume=resume)
    tokenizer = trained_tokenizer(run, lambda: _tokenizer(train, recipe), Tokenizer.load, resume=resume)
    torch.manual_seed(recipe.training.seed)
    named = " ".join(map(str, recipe.directions))
    model = Translator(TranslatorConfig(vocab_size=tokenizer.vocab_size, directions=named, **recipe.shape))
    if recipe.start_from and not resume:
        inherit(model, tokenizer, recipe.start_from)
    model.to(device)
    describe(run, model.config, resume=resume)
    pairs = _epochs(train, tokenizer, recipe.augmentation, recipe.training.seed, model.config.max_length)

    def evaluate(averaged: nn.Module) -> dict[str, float]:
        assert isinstance(averaged, Translator)
        scores = {direction: bleu(averaged, tokenizer, pairs, direction) for direction, pairs in dev.items()}
        each = {f"dev_bleu_{direction}": found for direction, found in scores.items()} if len(scores) > 1 else {}
        loss = held_out_loss(averaged, tokenizer, dev)
        return {"dev_loss": loss, "dev_bleu": statistics.fmean(scores.values()), **each}

    objective = Objective(model, smoothing=recipe.training.smoothing, bf16=recipe.training.bf16)
    Run(model, objective, PairSource(pairs), recipe.training, run, evaluate).train(resume=resume)


def read_directions(data: Sequence[PairFolder], part: str, directions: Sequence[Direction]) -> DirectedPairs:
    """Read the pairs of a part by direction; for `dev` and `test` those of the first folder that serves it.

    Raises:
        PairsError: the part is missing or malformed, or a direction has no folder.
    """
    found: DirectedPairs = {}
    for direction in directions:
        corpora = [corpus for corpus in data if corpus.serves(direction)]
        if not corpora:
            raise PairsError(f"no folder has pairs of {direction}: give one as --data <language>=<folder>")
        used = corpora if part == "train" else corpora[:1]
        found[direction] = [pair for corpus in used for pair in corpus.pairs(part, direction)]
    return found


def _epochs(
    parts: DirectedPairs, tokenizer: Tokenizer, augmentation: Augmentation, seed: int, max_length: int
) -> EpochSource:
    """Join the pairs of all directions, each source with its tag where there are several."""
    tags = [tokenizer.tags[direction.tag] for direction, pairs in parts.items() for _ in pairs if len(parts) > 1]
    pairs = [pair for each in parts.values() for pair in each]
    n_cuts = 16 if len(pairs) < MANY_PAIRS else 4  # of each distinct word: cutting them all takes minutes
    return EpochSource(
        pairs, tokenizer, augmentation=augmentation, seed=seed, n_cuts=n_cuts, max_length=max_length, tags=tags
    )


def without_held_out(train: DirectedPairs, data: Sequence[PairFolder]) -> DirectedPairs:
    """Leave out what would teach a model to write a sentence that some folder keeps to measure it.

    Each folder is split on its own: an English sentence to be written from French in one folder's test can be there to
    be written from German in another's training data. Case and punctuation make no difference.
    """
    held_out: dict[str, set[str]] = {direction.target: set() for direction in train}
    for direction in train:
        for corpus in data:
            for part in ("dev", "test") if corpus.serves(direction) else ():
                with contextlib.suppress(PairsError):  # there need not be both
                    pairs = read_part(corpus.folder, part, direction)
                    held_out[direction.target] |= {fold_case(target) for pair in pairs for target in pair.targets}
    return {
        direction: [pair for pair in pairs if fold_case(pair.targets[0]) not in held_out[direction.target]]
        for direction, pairs in train.items()
    }


def spread(pairs: list[Pair], n: int) -> list[Pair]:
    """Return about `n` pairs from everywhere in a list, which may be sorted."""
    return pairs[:: max(1, len(pairs) // n)]


def _tokenizer(train: DirectedPairs, recipe: TranslatorRecipe) -> Tokenizer:
    """Train a tokenizer, or take the parent's."""
    tags = sorted({direction.tag for direction in train}) if len(train) > 1 else []
    if not recipe.keep_vocabulary:
        texts = _weighted_texts(train, recipe.training.seed)
        return Tokenizer.train(texts, recipe.vocab_size, tags, n_characters=recipe.n_characters)
    if recipe.start_from is None:
        raise ValueError("--keep-vocabulary needs --start-from: there is none to keep")
    return parents_vocabulary(recipe.start_from, tags)


def _weighted_texts(train: DirectedPairs, seed: int) -> Iterator[str]:
    """Yield both sides of the pairs that an epoch reads: a share of them by weight."""
    draw = random.Random(f"texts {seed}")  # noqa: S311 (no secret)
    pairs = [pair for each in train.values() for pair in each]
    most = max(pair.weight for pair in pairs)
    for pair in pairs:
        if pair.weight == most or draw.random() < pair.weight / most:
            yield from (pair.source, *pair.targets)


def held_out_loss(model: Translator | Seq2Seq, tokenizer: Tokenizer, parts: DirectedPairs) -> float:
    """Compute the mean cross-entropy of a target token (first reference, no smoothing), in nats."""
    source = _epochs(parts, tokenizer, NO_AUGMENTATION, 0, model.config.max_length)
    tokens = source.epoch(0)
    return mean_loss(
        model, (collate(*tokens, rows, source) for rows in source.batches(0, tokens_per_batch=2048, drawn=tokens))
    )


@torch.inference_mode()
def mean_loss(model: Translator | Seq2Seq, batches: Iterable[Batch]) -> float:
    """Compute the mean cross-entropy of a target token of some batches, in nats."""
    pad_id, device = model.config.pad_id, model.embedding.weight.device
    total, count = 0.0, 0
    for each in batches:
        batch = each.to(device)
        logits, wanted = model(batch.source, batch.target_in).flatten(0, 1), batch.target_out.flatten()
        total += float(F.cross_entropy(logits, wanted, ignore_index=pad_id, reduction="sum"))
        count += int((wanted != pad_id).sum())
    return total / count
