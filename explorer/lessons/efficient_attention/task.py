"""“Efficient attention”: what a mechanism costs a trained model that was not trained with it."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from explorer.attention.efficient.variants import Variant
from explorer.inference.gpt import generate
from explorer.lessons.efficient_attention import replacement
from explorer.lessons.efficient_attention.readings import mechanism_names
from explorer.lessons.efficient_attention.records.comparison import TaskPoint, TaskProgress, TaskRecord
from explorer.lessons.efficient_attention.state import GPT, MOST_SEED
from explorer.records.language import t
from explorer.records.wording import capitalise, said_change, times
from explorer.scenes.efficient_attention import WINDOWS
from explorer.service.kept import made_once

MOST_WINDOWS = WINDOWS.high
#: What is computed again on a sample.
AGAIN = tuple(
    each for each in replacement.SWEEP if each.name in ("window", "bigbird", "linear", "performer", "grouped")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """Windows of the held-out text; numbers are clamped.

    Attributes:
        n_windows: how many.
    """

    n_windows: int = 8
    seed: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "n_windows", min(max(self.n_windows, 2), MOST_WINDOWS))
        object.__setattr__(self, "seed", min(max(self.seed, 0), MOST_SEED))


def read_evaluation() -> tuple[TaskRecord, ...]:
    """Return the evaluation that lies beside the model: windows of the training length, and longer ones.

    Of what was evaluated at every stop of the sliders only the sweep is drawn as curves.

    Raises:
        CheckpointError: the model or the evaluation cannot be used.
    """
    usual, *longer = replacement.read_evaluation(GPT)
    drawn = {_key(variant) for variant in replacement.SWEEP}
    return replace(usual, points=tuple(each for each in usual.points if (each.name, each.settings) in drawn)), *longer


def _key(variant: Variant) -> tuple[str, tuple[tuple[str, int], ...]]:
    return variant.name, tuple(variant.own().items())


def again(sample: Sample) -> Iterator[TaskProgress]:
    """Yield the same on a sample of windows, computed here.

    Raises:
        CheckpointError: the model cannot be used.
    """
    yield from replacement.evaluate(generate.load(GPT), AGAIN, n_windows=sample.n_windows, seed=sample.seed)


@made_once
def point(variant: Variant) -> TaskPoint:
    """Return what one mechanism costs, from the stored evaluation, or computed on the same windows if it has none.

    Raises:
        CheckpointError: the model or the evaluation cannot be used.
    """
    evaluated = replacement.read_evaluation(GPT)[0]
    known = {(each.name, each.settings): each for each in evaluated.points}
    return known.get(_key(variant)) or replacement.point(generate.load(GPT), variant, _exact(evaluated.n_windows))


@lru_cache(maxsize=1)
def _exact(n_windows: int) -> npt.NDArray[np.float64]:
    return replacement.exact_losses(generate.load(GPT), n_windows)


def describe_task(record: TaskRecord) -> str:
    """Say the narrowest window that costs next to nothing, and what linear attention and shared keys cost."""
    names = mechanism_names()
    parts = [t("Exact attention hesitates between {n} characters.").format(n=times(math.exp(record.exact)))]
    narrow = [point for point in record.of("window") if point.added < 0.05]
    if narrow:
        least = min(narrow, key=lambda point: dict(point.settings)["width"])
        text = t("With a window of {width} positions the right character is {change}.")
        parts.append(text.format(width=dict(least.settings)["width"], change=said_change(-least.added)))
    for name in ("linear", "performer", "grouped"):
        points = record.of(name)
        if points:
            worst = max(points, key=lambda point: point.added)
            text = t("{name}: at worst {change}.")
            parts.append(text.format(name=capitalise(names[name]), change=said_change(-worst.added)))
    return " ".join(parts)


def describe_longer(record: TaskRecord) -> str:
    """Say what a window does to texts longer than those of the training."""
    best = min(record.points, key=lambda point: point.loss)
    return t(
        "On texts of {length} characters, after training on {trained}, exact attention hesitates between {exact} "
        "characters, a window of {width} between only {kept}: it keeps every distance among those that were trained."
    ).format(
        length=record.length,
        trained=record.trained_length,
        exact=times(math.exp(record.exact)),
        width=dict(best.settings)["width"],
        kept=times(math.exp(best.loss)),
    )
