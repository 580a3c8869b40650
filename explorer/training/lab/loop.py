"""The training lab's loop: short enough to be read, and watched from outside."""

import itertools
import math
import time
from collections.abc import Callable, Iterator

import torch
from torch import nn

from explorer.data.parallel.pairs import Batch, Pair
from explorer.data.task_source import TaskSource, whole
from explorer.data.task_tokenizer import TaskTokenizer
from explorer.inference.device import device_of
from explorer.inference.lab.exact_match import exact_match
from explorer.models.seq2seq import Seq2Seq
from explorer.models.translator import Translator
from explorer.records.training_run import LabPoint
from explorer.training.lab.recipe import MAX_LENGTH, LabRecipe, data_of, new_model, tokenizer_of
from explorer.training.loss import Diverged as Diverged, Objective
from explorer.training.schedule import Schedule
from explorer.training.seq2seq.loss import Seq2SeqObjective
from explorer.training.source import PairSource, Part

LabModel = Seq2Seq | Translator
#: A longer gradient is scaled down to this length (Pascanu et al. 2013).
CLIP = 1.0
#: Share of the steps in which the rate climbs, and at the end falls to 0.
WARMUP, DECAY = 0.1, 0.3
#: Points of the curves after the first, which is before any step.
MOST_POINTS = 40
#: Examples that are measured at once.
ROWS_AT_ONCE = 250


def train_step(
    model: LabModel, objective: nn.Module, optimizer: torch.optim.Optimizer, part: Part, rate: float
) -> float:
    """Make one step of training: measure how wrong the model is on a batch, and move it. Returns the loss in nats."""
    batch = part.batch.to(device_of(model))
    loss = objective(batch) / part.n_tokens  # mean over the target tokens of −log p(right token)
    optimizer.zero_grad()
    loss.backward()  # the slope of the loss along every weight
    nn.utils.clip_grad_norm_(model.parameters(), CLIP)
    for group in optimizer.param_groups:
        group["lr"] = rate
    optimizer.step()
    return float(loss.detach())


class LabTraining:
    """One run, step by step: the same for the same recipe (on the same number of threads).

    Args:
        recipe: what is trained and how.
        clock: what its seconds are counted by.
        n_points: of its curves after the first, at most.
        device: where it is trained; its first weights are the same on all.

    Attributes:
        model: is trained in place.
        step: how many steps were made.
        seconds: spent training and measuring, what the caller does in between left out.
        out_of_time: whether the minutes ran out before the steps.
    """

    def __init__(
        self,
        recipe: LabRecipe,
        clock: Callable[[], float] = time.perf_counter,
        n_points: int = MOST_POINTS,
        device: torch.device | None = None,
    ) -> None:
        data = data_of(recipe)
        self._clock, self._n_points = clock, n_points
        self.recipe, self.tokenizer = recipe, tokenizer_of(recipe)
        self.model = new_model(recipe, self.tokenizer.vocab_size).to(device)
        self.objective = objective_of(self.model, recipe.teacher_forcing)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=0.0, betas=(0.9, 0.98), eps=1e-9, fused=True)
        self.schedule = Schedule(
            peak=recipe.learning_rate,
            warmup=max(1, round(WARMUP * recipe.steps)),
            horizon=recipe.steps,
            decay_from=round((1 - DECAY) * recipe.steps),
        )
        self._pairs = TaskSource(data.train, self.tokenizer, seed=recipe.seed, max_length=MAX_LENGTH)
        self.held_out = held_out_batches(data.held_out, self.tokenizer)
        self.step, self.seconds, self.out_of_time = 0, 0.0, False

    @property
    def n_parameters(self) -> int:
        """Number of parameters, tied ones counted once."""
        return sum(parameter.numel() for parameter in self.model.parameters())

    def run(self) -> Iterator[LabPoint | None]:
        """Train to the end: yields after every step, with a point of the curves where one is due.

        Raises:
            Diverged: the loss is no finite number any more.
        """
        due, losses, tokens, working = points_at(self.recipe.steps, self._n_points), list[float](), 0, 0.0
        yield self._point(losses, 0.0)
        for part in itertools.islice(self._parts(), self.recipe.steps):
            since = self._clock()
            losses.append(self._advance(part))
            took = self._clock() - since
            tokens, working, self.seconds = tokens + part.n_tokens, working + took, self.seconds + took
            self.out_of_time = self.seconds > 60 * self.recipe.minutes
            if self.step in due or self.out_of_time:
                yield self._point(losses, tokens / max(working, 1e-9))
                losses, tokens, working = [], 0, 0.0
            else:
                yield None
            if self.out_of_time:
                return

    def _point(self, losses: list[float], tokens_per_second: float) -> LabPoint:
        """Measure the model as it is now."""
        since = self._clock()
        held_out_loss, accuracy = exact_match(self.model, self.held_out)
        self.seconds += self._clock() - since
        return LabPoint(
            step=self.step,
            seconds=self.seconds,
            loss=sum(losses) / len(losses) if losses else held_out_loss,
            held_out_loss=held_out_loss,
            accuracy=accuracy,
            tokens_per_second=tokens_per_second,
        )

    def _advance(self, part: Part) -> float:
        rate = self.schedule.rate(self.step)
        with torch.random.fork_rng(devices=[]):  # dropout and teacher forcing draw the same again, whoever drew before
            torch.manual_seed(self.recipe.seed * 1_000_003 + self.step)
            loss = train_step(self.model, self.objective, self.optimizer, part, rate)
        self.step += 1
        if not math.isfinite(loss):
            raise Diverged(f"the loss is {loss} at step {self.step}")
        return loss

    def _parts(self) -> Iterator[Part]:
        source, tokens = PairSource(self._pairs), max(1, round(self.recipe.batch * self._pairs.target_tokens))
        for epoch in itertools.count():
            yield from source.parts(epoch, first=0, tokens_per_batch=tokens, calm=True, rank=0, world=1)


def held_out_batches(pairs: list[Pair], tokenizer: TaskTokenizer) -> list[Batch]:
    """Return examples as batches that are measured."""
    return whole(pairs, tokenizer, max_length=MAX_LENGTH, rows=ROWS_AT_ONCE)


def objective_of(model: LabModel, teacher_forcing: float = 1.0) -> nn.Module:
    """Return model and loss in one: it maps a batch to the loss summed over its target tokens."""
    if isinstance(model, Seq2Seq):
        return Seq2SeqObjective(model, smoothing=0.0, bf16=False, teacher_forcing=teacher_forcing)
    return Objective(model, smoothing=0.0, bf16=False)


def points_at(steps: int, n_points: int = MOST_POINTS) -> frozenset[int]:
    """Return the steps after which a run is measured, the last one always among them."""
    every = math.ceil(steps / n_points)
    return frozenset((*range(every, steps, every), steps))
