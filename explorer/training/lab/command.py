"""Train a small model on a small task from the command line: `python -m explorer.training lab --help`."""

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

import torch

from explorer.data.parallel.own_pairs import parse_pairs
from explorer.data.tasks import TASKS
from explorer.inference.device import pick_lab_device
from explorer.inference.lab.snapshots import VOCABULARY
from explorer.records.training_run import LabPoint, to_csv
from explorer.training.export import refuse_other
from explorer.training.lab.export import export_lab
from explorer.training.lab.files import STORED_AS
from explorer.training.lab.loop import LabTraining
from explorer.training.lab.recipe import BOUNDS, LabRecipe, data_of
from explorer.training.options import Options, all_but


def add(parsers: Any) -> None:
    """Add the word that trains a small model."""
    bounds = ", ".join(f"{name} {least:g}…{most:g}" for name, (least, most) in BOUNDS.items())
    parser = parsers.add_parser(
        "lab", help="train a small model on a small task", epilog=f"Numbers are brought within bounds: {bounds}."
    )
    parser.add_argument("--out", type=Path, required=True, help="folder of the checkpoint")
    parser.add_argument("--data", type=Path, help="own pairs instead of a task: a file of two columns")
    # Own pairs come with --data.
    Options(parser).add(LabRecipe, all_but(LabRecipe, "pairs"), choices={"task": TASKS})
    parser.set_defaults(action=_run)


def _run(given: argparse.Namespace) -> None:
    torch.set_num_threads(1)
    recipe = _recipe(given)
    refuse_other(given.out, STORED_AS[recipe.family])
    points, training = _train(recipe)
    with tempfile.TemporaryDirectory() as kept:
        training.tokenizer.save(Path(kept) / VOCABULARY)
        vocabulary = Path(kept) / VOCABULARY
        manifest = export_lab(recipe, training.model, vocabulary, given.out, step=training.step, points=points)
    (given.out / "history.csv").write_text(to_csv(points), encoding="utf-8")
    lines = [f"{pair.source}\t{pair.targets[0]}\n" for pair in data_of(recipe).held_out]
    (given.out / "held_out.tsv").write_text("".join(lines), encoding="utf-8")
    sys.stdout.write(f"{given.out} @ {manifest.revision}: {dict(manifest.metrics)}\n")


def _train(recipe: LabRecipe) -> tuple[tuple[LabPoint, ...], LabTraining]:
    training, points = LabTraining(recipe, device=pick_lab_device()), []
    sys.stdout.write(f"{training.n_parameters:,} parameters, {len(data_of(recipe).train):,} examples\n")
    for point in training.run():
        if point is not None:
            points.append(point)
            where = f"step {point.step:>5}  {point.seconds:6.1f} s"
            sys.stdout.write(f"{where}  loss {point.loss:.4f}  exact match {point.accuracy:.1%}\n")
            sys.stdout.flush()
    return tuple(points), training


def _recipe(given: argparse.Namespace) -> LabRecipe:
    values = {name: getattr(given, name) for name in all_but(LabRecipe, "pairs")}
    if given.data is None:
        return LabRecipe(**values)
    own = parse_pairs(given.data.read_bytes(), given.unit)
    return LabRecipe(**{**values, "task": "own"}, pairs=own.pairs)
