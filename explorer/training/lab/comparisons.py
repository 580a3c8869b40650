"""Trainings that differ in one part of a Transformer, recorded with several seeds each: which differences survive.

`python -m explorer.training.lab.comparisons` does it again; with names behind it, it does these again.
Their seconds are processor time, as those of `reference_runs`.
"""

import json
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import torch

from explorer.records.training_run import LabPoint
from explorer.training.lab.loop import LabTraining
from explorer.training.lab.recipe import LabRecipe
from explorer.training.lab.reference_runs import different, machine, read_recorded, refuse_unknown, round_point

FILE = Path(__file__).with_suffix(".json")
SEEDS = (1, 2, 3)
#: Measuring costs as much as twenty steps.
N_POINTS = 12
BASE = LabRecipe(
    task="en_fr",
    family="transformer",
    d_model=32,
    n_layers=2,
    d_ff=64,
    batch=16,
    learning_rate=5e-3,
    steps=480,
)
#: What is trained, by name; `base` has nothing changed.
VARIANTS: Mapping[str, LabRecipe] = {
    "base": BASE,
    "one_layer": replace(BASE, n_layers=1),
    "three_layers": replace(BASE, n_layers=3),
    "no_residual": replace(BASE, residual=False),
    "dropped_01": replace(BASE, attention_dropout=0.1),
    "dropped_05": replace(BASE, attention_dropout=0.5),
    "additive": replace(BASE, scoring="additive"),
    "post": replace(BASE, norm="post"),
}
#: Which of them stand beside each other.
COMPARISONS: Mapping[str, tuple[str, ...]] = {
    "depth": ("one_layer", "base", "three_layers"),
    "residual": ("base", "no_residual"),
    "dropped": ("base", "dropped_01", "dropped_05"),
    "scoring": ("base", "additive"),
    "norm": ("base", "post"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SeededRuns:
    """Trainings of one recipe with several seeds.

    Attributes:
        name: in `VARIANTS`.
        courses: the points of each training.
        machine: where.
    """

    name: str
    recipe: LabRecipe
    courses: tuple[tuple[LabPoint, ...], ...]
    machine: str

    def ends(self, measure: str = "accuracy") -> tuple[float, ...]:
        """Return what a measure was at the end of each training."""
        return tuple(float(getattr(points[-1], measure)) for points in self.courses)


def apart(one: Sequence[float], other: Sequence[float]) -> bool:
    """Tell whether everything in one lies above, or below, everything in the other."""
    return min(one) > max(other) or max(one) < min(other)


@lru_cache(maxsize=1)
def read_comparisons() -> Mapping[str, SeededRuns]:
    """Read what was recorded, by name, in the order of `VARIANTS`.

    Raises:
        CheckpointDamaged: the file is not there, or is not what `main` writes.
    """
    return read_recorded(FILE, VARIANTS, _runs)


def _runs(name: str, each: dict[str, Any]) -> SeededRuns:
    courses = tuple(tuple(LabPoint(**point) for point in each["courses"][str(seed)]) for seed in SEEDS)
    recipe = LabRecipe.from_json(json.dumps(each["recipe"]))
    return SeededRuns(name=name, recipe=recipe, courses=courses, machine=each["machine"])


def main(names: Sequence[str] = (), file: Path = FILE, variants: Mapping[str, LabRecipe] = VARIANTS) -> None:
    """Train each with every seed, and write what was measured; what is not named stays as it was.

    Raises:
        SystemExit: a name is none of a variant.
    """
    refuse_unknown(names, variants)
    torch.set_num_threads(1)
    content = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    for name in names or variants:
        content[name] = {"recipe": different(variants[name]), "machine": machine(), "courses": {}}
        for seed in SEEDS:
            points = _trained(replace(variants[name], seed=seed))
            content[name]["courses"][str(seed)] = points
            sys.stdout.write(f"{name}, seed {seed}: {points[-1]['accuracy']:.1%}, {points[-1]['seconds']:.0f} s\n")
            sys.stdout.flush()
        ordered = {each: content[each] for each in variants if each in content}
        text = json.dumps(ordered, indent=1).replace("\n     ", " ").replace("\n    }", "}")
        file.write_text(text + "\n", encoding="utf-8")


def _trained(recipe: LabRecipe) -> list[dict[str, float]]:
    training = LabTraining(recipe, time.process_time, N_POINTS)
    return [round_point(point, 4) for point in training.run() if point is not None]


if __name__ == "__main__":
    main(sys.argv[1:])
