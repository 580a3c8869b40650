"""The recipe of models that see: from pictures with labels to a checkpoint."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

import torch
from torch import nn

from explorer.checkpoints.manifest import Manifest
from explorer.data.augmentation import ImageAugmentation
from explorer.data.images import ClassNames, ImageSet, read_images, split
from explorer.inference.vision.classify import correct, load, probe
from explorer.models.families import FAMILIES
from explorer.training.config import TrainingConfig
from explorer.training.export import Stated, export
from explorer.training.loop import Run
from explorer.training.state import RECIPE, begin, describe, load_averaged
from explorer.training.vision.source import ImageSource, VisionObjective


@dataclass(frozen=True, slots=True, kw_only=True)
class VisionRecipe:
    """A recipe: everything that decides what a training run makes, apart from the pictures themselves.

    Attributes:
        family: `vit` or `cnn`.
        shape: of the model: arguments of its configuration apart from the classes and the size of the pictures.
        n_dev: training pictures held out, which every report measures.
        augmentation: how pictures vary.
        teacher: checkpoint of a model whose answers are learnt too; empty for none.
    """

    family: Literal["vit", "cnn"]
    shape: Mapping[str, Any] = field(default_factory=dict)
    n_dev: int = 500
    augmentation: ImageAugmentation = field(default_factory=ImageAugmentation)
    teacher: str = ""
    training: TrainingConfig = field(default_factory=TrainingConfig)


def train_vision(data: Path, run: Path, recipe: VisionRecipe, *, device: torch.device, resume: bool = False) -> None:
    """Train on the pictures of a folder's `train.npz`; state, history and names of the classes go to `run`.

    Raises:
        ImagesError: there are no pictures, or too few.
        CheckpointError: the teacher cannot be used.
        ResumeError: there is no run to resume, or another one, or there is one and `resume` was not asked for.
    """
    begin(run, seed=recipe.training.seed, resume=resume)
    train, dev = split(read_images(data / "train.npz"), recipe.n_dev)
    teacher = load(recipe.teacher).model.to(device) if recipe.teacher else None
    model = _new(recipe, train, run, resume=resume).to(device)
    course = recipe.training

    def evaluate(averaged: nn.Module) -> dict[str, float]:
        return {"dev_accuracy": 100 * correct(averaged, dev)}

    objective = VisionObjective(model, smoothing=course.smoothing, bf16=course.bf16, teacher=teacher)
    source = ImageSource(train, recipe.augmentation, course.seed)
    Run(model, objective, source, course, run, evaluate).train(resume=resume)


def _new(recipe: VisionRecipe, images: ImageSet, run: Path, *, resume: bool) -> nn.Module:
    """Make the untrained model, and describe it in the run's folder."""
    sizes = {"n_classes": len(images.classes.names), "image_size": images.pixels.shape[-1]}
    family = FAMILIES[recipe.family]
    config = family.config(**sizes, **recipe.shape)
    about = {"family": recipe.family, "teacher": recipe.teacher, **asdict(recipe.augmentation)}
    describe(run, config, tokenizer=images.classes, about=about, resume=resume)
    torch.manual_seed(recipe.training.seed)
    return family.module(config)


def export_vision(run: Path, out: Path, *, data: Path, stated: Stated) -> Manifest:
    """Write a run's averaged model as a checkpoint, measured on the folder's `test.npz`.

    Raises:
        ResumeError: there is no usable state.
    """
    about = json.loads((run / RECIPE).read_text())
    family = FAMILIES[about["family"]]
    model: Any = load_averaged(run, family.module, family.config)
    accuracy = correct(model.half().float(), read_images(data / "test.npz"))  # as stored
    classes = ClassNames.load(run / "tokenizer.json").names
    more = {**about, "teacher": Path(about["teacher"]).name, "classes": classes}
    return export(run, out, model, stated, kind="vision", metrics={"test_accuracy": accuracy}, probe=probe, **more)
