"""Cost of a lab run, measured before it starts."""

import time
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from statistics import median

import torch

from explorer.data.task_source import TaskSource, whole
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
        seconds: from its start to its end, if nothing else keeps the processor busy; never more than its minutes.
        size_bytes: of its snapshots on the disk.
        within_minutes: whether it will make all its steps before its minutes are over.
    """

    n_parameters: int
    seconds: float
    size_bytes: int
    within_minutes: bool


def estimate(recipe: LabRecipe) -> Estimate:
    """Estimate what a run will cost: time real steps on small batches of its examples here and now, and scale them up.

    The time of a step is taken to be a + b · batch, through the medians of a few steps with about 8 and about 32
    examples; measuring is taken to cost the same for each example.
    """
    shape = replace(recipe, batch=LARGE, steps=1000, minutes=1.0, learning_rate=1e-3, seed=1)
    n_parameters, fixed, each, measuring = _timed(shape)
    points = len(points_at(recipe.steps)) + 1
    n_held_out = len(data_of(recipe).held_out)
    training = recipe.steps * (fixed + each * recipe.batch) + points * measuring * n_held_out
    kept = -(-points // snapshots_of(n_parameters, points))
    return Estimate(
        n_parameters=n_parameters,
        seconds=STARTING_S + min(training, 60 * recipe.minutes),
        size_bytes=kept * n_parameters * BYTES_PER_WEIGHT,
        within_minutes=training <= 60 * recipe.minutes,
    )


@lru_cache(maxsize=128)
def _timed(recipe: LabRecipe) -> tuple[int, float, float, float]:
    """Return parameters; seconds of a step apart from its examples, for each example, and for measuring each."""
    tokenizer, pairs = tokenizer_of(recipe), data_of(recipe).train[:N_LOOKED_AT]
    model = new_model(recipe, tokenizer.vocab_size)
    source = TaskSource(pairs, tokenizer, seed=recipe.seed, max_length=MAX_LENGTH)
    took = {}
    for rows in (SMALL, LARGE):
        tokens = max(1, round(rows * source.target_tokens))
        parts = PairSource(source).parts(0, first=0, tokens_per_batch=tokens, calm=True, rank=0, world=1)
        took[rows] = median(_step_times(model, list(islice(parts, N_TIMED))))
    since = time.thread_time()
    held_out = whole(data_of(recipe).held_out[:LARGE], tokenizer, max_length=MAX_LENGTH, rows=LARGE)
    exact_match(model, held_out)
    measuring = (time.thread_time() - since) / LARGE
    per_example = max(0.0, (took[LARGE] - took[SMALL]) / (LARGE - SMALL))
    n_parameters = sum(parameter.numel() for parameter in model.parameters())
    return n_parameters, max(0.0, took[SMALL] - SMALL * per_example), per_example, measuring


def _step_times(model: LabModel, parts: list[Part]) -> list[float]:
    """Time some steps, in seconds; one more before them, which finds everything cold, is not counted."""
    optimizer, objective, took = torch.optim.Adam(model.parameters(), lr=0.0, fused=True), objective_of(model), []
    for part in (parts[0], *parts):
        since = time.thread_time()
        train_step(model, objective, optimizer, part, 1e-4)
        took.append(time.thread_time() - since)
    return took[1:]
