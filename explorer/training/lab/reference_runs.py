"""Runs of the lab recorded beforehand: their curves, and a film of some texts.

`python -m explorer.training.lab.reference_runs` does it again; with names behind it, it does these again.
Their seconds are processor time: what a run takes on a core of its own, however busy the machine was.
"""

import json
import os
import platform
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import torch

from explorer.checkpoints.manifest import UNUSABLE, CheckpointDamaged
from explorer.data.parallel.own_pairs import OWN_EXAMPLE, parse_pairs
from explorer.data.parallel.pairs import Pair
from explorer.data.tasks import REWRITES, expected_answer
from explorer.inference.lab import film as films
from explorer.inference.lab.exact_match import exact_match
from explorer.records.training_run import LabFilm, LabPoint
from explorer.training.lab.files import describe, keep
from explorer.training.lab.loop import Diverged, LabTraining, held_out_batches
from explorer.training.lab.recipe import DEFAULTS, LabRecipe, data_of

R = TypeVar("R")
FILE = Path(__file__).with_suffix(".json")
_TRANSFORMER: Mapping[str, Any] = {"family": "transformer", **DEFAULTS["transformer"]}
#: What is recorded, by name; the first are the defaults.
RECIPES: Mapping[str, LabRecipe] = {
    "reverse": LabRecipe(),
    "none": LabRecipe(mechanism="none"),
    "dot": LabRecipe(mechanism="dot"),
    "dates": LabRecipe(task="dates"),
    "sort": LabRecipe(task="sort", **_TRANSFORMER),
    "copy": LabRecipe(task="copy", **_TRANSFORMER),
    "no_positions": LabRecipe(task="copy", position="none", **_TRANSFORMER),
    "numbers_zh": LabRecipe(task="numbers_zh"),
    "digits": LabRecipe(task="digits", steps=400),
    "digits_transformer": LabRecipe(task="digits", **{**_TRANSFORMER, "steps": 600}),
    "own": LabRecipe(task="own", pairs=parse_pairs(OWN_EXAMPLE, "characters").pairs),
    "too_fast": LabRecipe(learning_rate=0.1),
    "en_fr": LabRecipe(task="en_fr", **{**_TRANSFORMER, "batch": 32, "steps": 400}),
    "couplets": LabRecipe(task="couplets", batch=32, steps=300),
    "verses": LabRecipe(task="verses", batch=32, steps=200),
    "notes": LabRecipe(
        task="en_fr",
        family="transformer",
        d_model=32,
        n_layers=2,
        d_ff=64,
        norm="post",
        dropout=0.1,
        learning_rate=5e-3,
        steps=2_000,  # 200 epochs of 600 pairs, 64 at a step
    ),
}
#: Texts of a film; the first ones where a task has a rule and the text is not learned from.
N_TEXTS = 3
TEXTS = ("translate", "attend")
#: A film has a frame every so many steps up to here, for it is there that attention appears; then one a point.
EVERY, DENSE = 5, 150
#: A film ends at so many times the step at which this share of the best accuracy is reached.
LONGER, MOST_OF_IT, LEAST = 2, 0.9, 100


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredRun:
    """One run of the past.

    Attributes:
        name: in `RECIPES`.
        films: of some texts, over the first part of the training.
        lengths: at its end, for each length of a source, how many held-out examples there are, and how many are right.
        machine: where, and how busy it was.
    """

    name: str
    recipe: LabRecipe
    points: tuple[LabPoint, ...]
    films: tuple[LabFilm, ...]
    lengths: Mapping[int, tuple[int, int]]
    machine: str

    def after(self, film: LabFilm) -> LabPoint | None:
        """Return what was measured at the end of the training; None where a film shows that end."""
        last = self.points[-1]
        return last if last.step > film.steps[-1] else None


@lru_cache(maxsize=1)
def read_runs() -> Mapping[str, MeasuredRun]:
    """Read the runs that were recorded, by name, in the order of `RECIPES`.

    Raises:
        CheckpointDamaged: the file is not there, or is not what `main` writes.
    """
    return read_recorded(FILE, RECIPES, _run)


def read_recorded(file: Path, names: Iterable[str], made: Callable[[str, dict[str, Any]], R]) -> dict[str, R]:
    """Read what was recorded under each name.

    Args:
        file: beside the module that writes it, and called like it.
        made: makes a run of a name and what the file holds for it.

    Raises:
        CheckpointDamaged: the file is not there, or is not what its module writes.
    """
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
        return {name: made(name, content[name]) for name in names}
    except (*UNUSABLE, OSError) as error:
        again = f"run `python -m explorer.training.lab.{file.stem}`"
        raise CheckpointDamaged(f"{file.name} cannot be used ({type(error).__name__}): {again}.") from error


def _run(name: str, each: dict[str, Any]) -> MeasuredRun:
    return MeasuredRun(
        name=name,
        recipe=LabRecipe.from_json(json.dumps(each["recipe"])),
        points=tuple(LabPoint(**point) for point in each["points"]),
        films=tuple(map(films.unpack, each["films"])),
        lengths={int(length): (n, right) for length, (n, right) in each["lengths"].items()},
        machine=each["machine"],
    )


def main(names: Sequence[str] = (), file: Path = FILE, recipes: Mapping[str, LabRecipe] = RECIPES) -> None:
    """Train each, one after the other, and write what was measured; what is not named stays as it was.

    Raises:
        SystemExit: a name is none of a recipe.
    """
    refuse_unknown(names, recipes)
    torch.set_num_threads(1)
    content = json.loads(file.read_text(encoding="utf-8")) if names and file.is_file() else {}
    for name in names or recipes:
        content[name] = record(recipes[name])
        last = content[name]["points"][-1]
        sys.stdout.write(f"{name}: {last['accuracy']:.1%} after {last['seconds']:.0f} s\n")
        ordered = {each: content[each] for each in recipes if each in content}
        text = json.dumps(ordered, indent=1, ensure_ascii=False).replace("\n    ", " ").replace("\n   }", "}")
        file.write_text(text + "\n", encoding="utf-8")


def refuse_unknown(names: Iterable[str], recipes: Iterable[str]) -> None:
    """Say which names there are and exit, if one is asked for that is none of them.

    Raises:
        SystemExit: with what is said.
    """
    if unknown := [name for name in names if name not in recipes]:
        raise SystemExit(f"no recipe is called {' or '.join(unknown)}: name some of {', '.join(recipes)}")


def record(recipe: LabRecipe) -> dict[str, Any]:
    """Train, and return curve, films and accuracy by length as JSON."""
    training = LabTraining(recipe, clock=time.process_time)
    with tempfile.TemporaryDirectory() as folder:
        points, kept = _trained(training, Path(folder))
        last = _until(points)
        steps = [step for step in kept if step <= last]
        made = [films.film(Path(folder), steps, pair.source, pair.targets[0]) for pair in texts_of(recipe)]
    if recipe.task not in REWRITES:  # the first is one that is learned
        made.sort(key=lambda each: each.frames[-1].output != each.expected)
    return {
        "recipe": different(recipe),
        "machine": machine(),
        "points": [round_point(point) for point in points],
        "lengths": dict(_lengths(training)),
        "films": [films.pack(each) for each in made],
    }


def _trained(training: LabTraining, folder: Path) -> tuple[list[LabPoint], list[int]]:
    """Train to the end, or to where it breaks off, and keep the weights of the film's steps."""
    points, kept = list[LabPoint](), list[int]()
    describe(training, folder)
    try:
        for point in training.run():
            if point is not None:
                points.append(point)
            if point is not None or (training.step <= DENSE and training.step % EVERY == 0):
                keep(training, folder)
                kept.append(training.step)
    except Diverged as diverged:
        sys.stdout.write(f"{diverged}\n")
    return points, kept


def _until(points: Sequence[LabPoint]) -> int:
    """Return the step at which a film ends."""
    best = max(point.accuracy for point in points)
    reached = next(point.step for point in points if point.accuracy >= MOST_OF_IT * best)
    return min(max(LONGER * reached, LEAST), points[-1].step) if best else points[-1].step


def texts_of(recipe: LabRecipe) -> tuple[Pair, ...]:
    """Return the texts of a recipe's film: none of them is learned from."""
    data = data_of(recipe)
    learned = {pair.source for pair in data.train}
    ruled = [(text, expected_answer(recipe.task, text)) for text in TEXTS] if recipe.task != "own" else []
    found = [Pair(text, (answer,)) for text, answer in ruled if answer is not None and text not in learned]
    answers = {pair.targets[0]: pair for pair in reversed(data.held_out[:40])}
    longest = sorted(answers.values(), key=lambda pair: (-len(pair.source), pair.source))
    return tuple([*found, *longest][:N_TEXTS])


def _lengths(training: LabTraining) -> Iterator[tuple[int, tuple[int, int]]]:
    """Yield for each length of a source how many held-out examples have it, and how many of them are right."""
    pairs = data_of(training.recipe).held_out
    tokens = [len(training.tokenizer.split(pair.source)) for pair in pairs]
    counts = Counter(tokens)
    for length in sorted(counts):
        as_long = [pair for pair, n in zip(pairs, tokens, strict=True) if n == length]
        batches = held_out_batches(as_long, training.tokenizer)
        yield length, (counts[length], round(exact_match(training.model, batches)[1] * counts[length]))


def different(recipe: LabRecipe) -> dict[str, Any]:
    """Return what of a recipe is not as it is by default."""
    return {name: value for name, value in asdict(recipe).items() if value != asdict(LabRecipe())[name]}


def round_point(point: LabPoint, digits: int = 6) -> dict[str, float]:
    """Return a point with so many digits of each number."""
    return {
        name: value if isinstance(value, int) else float(f"{value:.{digits}g}") for name, value in asdict(point).items()
    }


def machine() -> str:
    """Return processor, cores, and what the seconds are, in one line."""
    cpu, info = platform.processor() or platform.machine(), Path("/proc/cpuinfo")
    if info.is_file():
        names = [line.partition(":")[2].strip() for line in info.read_text().splitlines() if "model name" in line]
        cpu = names[0] if names else cpu
    return f"{cpu}, one of {os.cpu_count()} cores, processor time"


if __name__ == "__main__":
    main(sys.argv[1:])
