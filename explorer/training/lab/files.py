"""The folder of a lab run: what its model is, its vocabulary, and its weights at some steps."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import Tensor

from explorer.inference.lab.snapshots import DESCRIPTION, VOCABULARY, snapshot_path
from explorer.training.lab.loop import LabTraining

#: Folder name of the family of a checkpoint.
STORED_AS: Mapping[str, str] = {"recurrent": "lab_recurrent", "transformer": "lab_transformer"}
#: What the worker is to train, and what it said when it broke off.
RECIPE, ERRORS = "recipe.json", "errors.txt"
#: A run's snapshots together; large models keep fewer.
SNAPSHOT_BYTES = 24_000_000
FEWEST_SNAPSHOTS = 8
BYTES_PER_WEIGHT = 2


def describe(training: LabTraining, folder: Path) -> None:
    """Write what never changes."""
    training.tokenizer.save(folder / VOCABULARY)
    content = {"family": STORED_AS[training.recipe.family], "config": asdict(training.model.config)}
    (folder / DESCRIPTION).write_text(json.dumps(content), encoding="utf-8")


def keep(training: LabTraining, folder: Path) -> None:
    """Write the weights of this step, in half precision; whoever reads them finds the whole file or none."""
    path = snapshot_path(folder, training.step)
    weights = {name: _half(tensor.detach()) for name, tensor in training.model.state_dict().items()}
    save_file(weights, path.with_suffix(".part"))
    path.with_suffix(".part").replace(path)


def _half(tensor: Tensor) -> Tensor:
    """Return a tensor in half precision, unless that would be infinite."""
    half = tensor.to(torch.float16)
    return (half if half.isfinite().all() else tensor).contiguous()


def snapshots_of(n_parameters: int, points: int) -> int:
    """Return every how many points a snapshot is kept, so that all of them together stay within bounds."""
    most = max(FEWEST_SNAPSHOTS, SNAPSHOT_BYTES // (BYTES_PER_WEIGHT * n_parameters))
    return -(-points // most)
