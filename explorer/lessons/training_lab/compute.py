"""“Training lab”: train a small model on a small task, and watch attention appear."""

import time
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

import numpy as np
import torch

from explorer.data.documents.tables import TextTable
from explorer.data.parallel.own_pairs import OwnPairs, parse_pairs
from explorer.data.task_tokenizer import Unit
from explorer.inference.lab.film import frame
from explorer.inference.lab.trace import Reading, alignment
from explorer.lessons.training_lab.expected_alignment import on_right, right_cells, right_places
from explorer.lessons.training_lab.state import Params, Result, TracedText, View
from explorer.records.training_run import LabFilm, LabFrame, LabTrace
from explorer.service.kept import made_once
from explorer.training.lab.estimate import StepTimes, shape_of, step_times
from explorer.training.lab.recipe import LabRecipe, data_of, new_model, tokenizer_of
from explorer.training.lab.reference_runs import read_runs


def compute(params: Params) -> Result:
    """Return what a training will be: its parameters and its examples. Nothing is trained.

    Counted are the examples of the usual seed: to make twenty thousand of another takes a third of a second.

    Raises:
        OwnPairsError: the reader's own examples cannot be used.
    """
    recipe, repeated = params.recipe, 0
    if params.table is not None:
        own = _own(params.table, recipe.unit)
        recipe, repeated = replace(recipe, task="own", pairs=own.pairs), own.repeated
    shape = shape_of(recipe)
    data = data_of(shape)
    return Result(
        params=params,
        recipe=recipe,
        n_parameters=_n_parameters(shape, tokenizer_of(shape).vocab_size),
        n_train=len(data.train),
        n_held_out=len(data.held_out),
        n_repeated=repeated,
    )


@made_once
def _own(table: str | bytes | TextTable, unit: Unit) -> OwnPairs:
    return parse_pairs(table, unit)


@lru_cache(maxsize=128)
def _n_parameters(shape: LabRecipe, vocab_size: int) -> int:
    """Count the parameters, tied ones once; no weight is drawn."""
    with torch.device("meta"):
        model = new_model(shape, vocab_size)
    return sum(parameter.numel() for parameter in model.parameters())


def time_steps(shape: LabRecipe) -> Iterator[StepTimes]:
    """Time some steps of a shape, which takes seconds."""
    yield step_times(shape)


@made_once
def trace_text(looked: TracedText, step: int, reading: Reading) -> LabTrace:
    """Trace what the model of a step makes of a text.

    Raises:
        SnapshotMissing: there are no weights of this step.
        InputRefused: nothing visible was typed, or too much.
    """
    return alignment(looked.folder, step, looked.text, expected=looked.expected, reading=reading)


def film(looked: TracedText, steps: tuple[int, ...], view: View, *, seconds: float) -> tuple[LabFilm | None, bool]:
    """Return the frames of a text, the newest and the first ones first, as far as they are computed within a time.

    What was computed stays, so that the next call gets further.

    Returns:
        The film, None where there is no frame yet; and whether frames are missing.

    Raises:
        SnapshotMissing: there are no weights of one of these steps.
        InputRefused: nothing visible was typed, or too much.
    """
    until, found = time.monotonic() + seconds, dict[int, tuple[LabFrame, tuple[str, ...]]]()
    for step in _order(steps):
        if found and time.monotonic() > until:
            break
        found[step] = _frame(looked, step, view.layer, view.head, view.reading)
    if not found:
        return None, False
    frames = tuple(found[step][0] for step in sorted(found))
    columns = next(iter(found.values()))[1]
    made = LabFilm(source=looked.text, expected=looked.expected, columns=columns, frames=frames)
    return made, len(found) < len(steps)


def _order(steps: tuple[int, ...]) -> list[int]:
    """Return the newest step, the first, then every other one in halves: each frame that is there is well placed."""
    ordered, stride = [*steps[-1:], *steps[:1]], len(steps)
    while stride > 1:
        stride = (stride + 1) // 2
        ordered += steps[::stride]
    return list(dict.fromkeys([*ordered, *steps]))


@made_once
def _frame(
    looked: TracedText, step: int, layer: int, head: int | None, reading: Reading
) -> tuple[LabFrame, tuple[str, ...]]:
    """Return one frame, and the tokens that are read."""
    trace = trace_text(looked, step, reading)
    return frame(trace, layer, head), trace.crosses[0].key_labels if trace.crosses else ()


def weight_course(film: LabFilm, task: str) -> tuple[list[float | None], bool]:
    """Return how much weight lies on the right tokens at each frame, mean over rows; and whether they are known.

    Where nobody knows them it is the largest weight of a row.
    """
    if not film.columns:
        return [], False
    positions = right_places(task, film.source)
    known = any(positions) and len(film.columns) == len(film.source) + 1
    cells = [right_cells(positions, each.weights.shape) if known else None for each in film.frames]
    shares = [
        on_right(each.weights, found) if known else float(each.weights.max(-1).mean())
        for each, found in zip(film.frames, cells, strict=True)
    ]
    return [share if np.isfinite(share) else None for share in shares], known


def half_way() -> tuple[int, float, float, float]:
    """Return where half of the held-out words are right in the recorded default training, and the weights there.

    Returns:
        The step, the share that is right, and, mean over the films, the weight on exactly the right letter, and on it
        or its neighbours.
    """
    run = read_runs()["reverse"]
    point = min(run.points[: len(run.points) // 2], key=lambda each: abs(each.accuracy - 0.5))
    exact, beside = [], []
    for each in run.films:
        weights, positions = each.at(point.step).weights, right_places("reverse", each.source)
        cells = right_cells(positions, weights.shape)
        near = cells.copy()
        near[:, 1:] |= cells[:, :-1]
        near[:, :-1] |= cells[:, 1:]
        exact.append(on_right(weights, cells))
        beside.append(on_right(weights, near))
    return point.step, point.accuracy, float(np.mean(exact)), float(np.mean(beside))
