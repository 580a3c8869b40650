"""“Vision”: how a vision Transformer and a network with channel and spatial attention read one picture."""

from functools import lru_cache

import numpy as np
import torch
from torch import Tensor

from explorer.checkpoints.manifest import CheckpointError
from explorer.data import pictures
from explorer.inference.vision import one_query, stem, trace
from explorer.inference.vision.classify import load
from explorer.lessons.vision.pictures import FRAMES, crop_square, names, sample
from explorer.lessons.vision.state import CNN, SIDE, VIT, Changed, Frame, Gates, Params, RemovalParams, Result, View
from explorer.records.image import Hidden, PatchVectors, PositionCodes
from explorer.records.journey import JourneyRecord
from explorer.service.kept import made_once

#: Zoom of the squares that the linear map is found on.
ZOOMS = (1.0, 1.5, 2.0, 3.0, 4.0)


def compute(params: Params) -> Result:
    """Show the picture to both models and keep every attention of the Transformer.

    Raises:
        CheckpointError: a model cannot be used.
    """
    pixels = _tensor(params.pixels)
    said, attention = trace.patch_attention(load(VIT), pixels)
    return Result(params=params, attention=attention, answers=(said, trace.answer(load(CNN), pixels)))


def gates(params: Params) -> Gates:
    """Return every gate of the convolutional network on the picture, and what is usual on the others there are.

    Raises:
        CheckpointError: the model cannot be used.
    """
    pixels = _tensor(params.pixels)
    others = [other for other in _samples() if not torch.equal(other, pixels)]
    channels, positions = trace.gates(load(CNN), pixels, others)
    return Gates(channels=channels, positions=positions)


@lru_cache(maxsize=1)
def _samples() -> tuple[Tensor, ...]:
    """Return the pictures that come along, as the models see them."""
    return tuple(_tensor(crop_square(sample(name), name, FRAMES.get(name, Frame())).seen.tobytes()) for name in names())


def patch_vectors(params: Params, held_out: str) -> PatchVectors:
    """Turn every patch into a vector by the Transformer's convolutions, and by one linear map.

    Args:
        held_out: name of the picture among those that come along, which the linear map may not be found on; empty for
            a reader's own.

    Raises:
        CheckpointError: the model cannot be used.
    """
    return stem.patch_vectors(load(VIT), _tensor(params.pixels), _linear_stem(held_out))


@made_once
def _linear_stem(held_out: str) -> stem.LinearStem:
    """Find the linear map on many squares, near and far, of all pictures that come along but one."""
    ends = (0.0, 0.5, 1.0)
    positions = [{"zoom": zoom, "across": across, "down": down} for zoom in ZOOMS for across in ends for down in ends]
    cut = [pictures.square(sample(name), **position) for name in names() if name != held_out for position in positions]
    return stem.linear_stem(load(VIT), torch.stack([_tensor(pictures.resize(each, SIDE).tobytes()) for each in cut]))


def codes(checkpoint: str = VIT) -> PositionCodes:
    """Return how alike the position codes of a Transformer are.

    Raises:
        CheckpointError: the model cannot be used.
    """
    return trace.position_codes(load(checkpoint))


def journey(params: Params, view: View, names: tuple[str, ...]) -> JourneyRecord:
    """Return what the view's query meets in its head of the Transformer; `names` are those of all tokens.

    Raises:
        CheckpointError: the model cannot be used.
    """
    position = {"layer": view.layer, "head": view.head, "query": view.query}
    return one_query.journey(load(VIT), _tensor(params.pixels), **position, names=names)


def find_unusable() -> dict[str, CheckpointError]:
    """Return what is wrong with those of the two models that cannot be used, by name."""
    found = {}
    for name in (VIT, CNN):
        try:
            load(name)
        except CheckpointError as error:
            found[name] = error
    return found


def change(asked: RemovalParams, before: Result) -> Changed:
    """Paint patches over, take heads away, and ask both models again. What there is not is left out.

    Args:
        before: what both make of the same picture with everything there.

    Raises:
        CheckpointError: a model cannot be used.
    """
    vit, cnn, pixels = load(VIT), load(CNN), _tensor(asked.params.pixels)
    config = vit.model.config
    grid: int = config.grid  # type: ignore[union-attr]
    layers, n_heads = config.n_layers, config.n_heads  # type: ignore[union-attr]
    patches = [patch for patch in asked.patches if 0 <= patch < grid**2]
    heads = [each for each in asked.heads if 0 <= each[0] < layers and 0 <= each[1] < n_heads]
    painted = trace.cover_patches(pixels, patches, grid)
    after = (
        trace.answer(vit, painted, heads) if patches or heads else before.answers[0],
        trace.answer(cnn, painted) if patches else before.answers[1],
    )
    return Changed(params=asked, before=before, after=after)


def accuracy(checkpoint: str) -> float:
    """Return the share of the test pictures that a model gets right, as its manifest says; NaN where it does not.

    Raises:
        CheckpointError: the model cannot be used.
    """
    return load(checkpoint).manifest.metrics.get("test_accuracy", float("nan"))


def effects(params: Params) -> Hidden:
    """Return what each patch and each head is worth to the Transformer's answer: each taken away alone.

    Raises:
        CheckpointError: the model cannot be used.
    """
    return trace.measure_removals(load(VIT), _tensor(params.pixels))


def _tensor(pixels: bytes) -> Tensor:
    """Return bytes of a picture as the models' channels first."""
    return torch.from_numpy(np.frombuffer(pixels, np.uint8).reshape(SIDE, SIDE, 3).copy()).permute(2, 0, 1)
