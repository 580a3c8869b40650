"""Cost of a lab run, measured before it starts."""

import time
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from statistics import median

import torch
from torch import nn

from explorer.data.task_source import TaskSource, whole
from explorer.inference.device import pick_lab_device
from explorer.inference.lab.exact_match import exact_match
from explorer.training.lab.files import BYTES_PER_WEIGHT, snapshots_of
from explorer.training.lab.loop import LabModel, objective_of, points_at, train_step
from explorer.training.lab.recipe import MAX_LENGTH, LabRecipe, data_of, new_model, tokenizer_of
from explorer.training.source import PairSource, Part

#: Batches that are timed: a step costs a part that is the same for all and a part for each example.
SMALL, LARGE = 8, 32
N_TIMED = 5
N_LOOKED_AT = 1000
#: Starting a process and importing torch.
STARTING_S = 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """The cost of a run.

    Attributes:
        seconds: from its start to its end, if nothing else keeps the processor busy; apart from starting, never more
            than its minutes.
        size_bytes: of its snapshots on the disk.
        within_minutes: whether it will make all its steps before its minutes are over.
    """

    seconds: float
    size_bytes: int
    within_minutes: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTimes:
    """Seconds that the steps of a shape take here: a step takes `fixed + each * batch`.

    Attributes:
        measuring: of one held-out example at one point of the curve.
    """

    n_parameters: int
    fixed: float
    each: float
    measuring: float


def shape_of(recipe: LabRecipe) -> LabRecipe:
    """Return the recipe that is timed for it: what does not change the time of a step has its usual value."""
    dropout, attention_dropout = (0.1 if each else 0.0 for each in (recipe.dropout, recipe.attention_dropout))
    forcing = 1.0 if recipe.teacher_forcing == 1 else 0.5  # one step after the other, however often
    usual = replace(recipe, batch=LARGE, steps=1000, minutes=1.0, learning_rate=1e-3, seed=1)
    return replace(usual, dropout=dropout, attention_dropout=attention_dropout, teacher_forcing=forcing)


def estimate(recipe: LabRecipe, times: StepTimes, n_held_out: int) -> Estimate:
    """Estimate what a run will cost, by what the steps of its shape take here.

    Measuring is taken to cost the same for each of the held-out examples.
    """
    points = len(points_at(recipe.steps)) + 1
    training = recipe.steps * (times.fixed + times.each * recipe.batch) + points * times.measuring * n_held_out
    kept = -(-points // snapshots_of(times.n_parameters, points))
    return Estimate(
        seconds=STARTING_S + min(training, 60 * recipe.minutes),
        size_bytes=kept * times.n_parameters * BYTES_PER_WEIGHT,
        within_minutes=training <= 60 * recipe.minutes,
    )


@lru_cache(maxsize=128)
def step_times(shape: LabRecipe) -> StepTimes:
    """Time real steps on small batches of its examples, through the medians of a few with about 8 and about 32."""
    tokenizer, pairs = tokenizer_of(shape), data_of(shape).train[:N_LOOKED_AT]
    model = new_model(shape, tokenizer.vocab_size).to(pick_lab_device())
    objective = objective_of(model, shape.teacher_forcing)
    source = TaskSource(pairs, tokenizer, seed=shape.seed, max_length=MAX_LENGTH)
    took = {}
    for rows in (SMALL, LARGE):
        tokens = max(1, round(rows * source.target_tokens))
        parts = PairSource(source).parts(0, first=0, tokens_per_batch=tokens, calm=True, rank=0, world=1)
        took[rows] = median(_step_times(model, objective, list(islice(parts, N_TIMED))))
    since = time.thread_time()
    held_out = whole(data_of(shape).held_out[:LARGE], tokenizer, max_length=MAX_LENGTH, rows=LARGE)
    exact_match(model, held_out)
    measuring = (time.thread_time() - since) / LARGE
    each = max(0.0, (took[LARGE] - took[SMALL]) / (LARGE - SMALL))
    n_parameters = sum(parameter.numel() for parameter in model.parameters())
    fixed = max(0.0, took[SMALL] - SMALL * each)
    return StepTimes(n_parameters=n_parameters, fixed=fixed, each=each, measuring=measuring)


def _step_times(model: LabModel, objective: nn.Module, parts: list[Part]) -> list[float]:
    """Time some steps, in seconds; one more before them, which finds everything cold, is not counted."""
    optimizer, took = torch.optim.Adam(model.parameters(), lr=0.0, fused=True), list[float]()
    for part in (parts[0], *parts):
        since = time.thread_time()
        train_step(model, objective, optimizer, part, 1e-4)
        took.append(time.thread_time() - since)
    return took[1:]
