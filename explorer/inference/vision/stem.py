"""Turn a patch into a vector, by a model's own convolutions and by the one linear map that comes nearest to them."""

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float, UInt8
from torch import Tensor, nn
from torch.nn.functional import unfold

from explorer.data.images import normalise
from explorer.inference.vision.classify import LoadedVision
from explorer.models.vit import ViT
from explorer.records.image import PatchVectors


def flatten_patches(pixels: Float[Tensor, "batch 3 rows columns"], side: int) -> Float[Tensor, "batch patches numbers"]:
    """Cut pictures into patches, each its numbers in a row: pixel by pixel, red, green and blue of each."""
    cut = unfold(pixels, side, stride=side)  # [batch, 3 * side², patches], colour by colour
    by_colour = cut.view(len(cut), 3, side * side, -1)
    return by_colour.permute(0, 3, 2, 1).flatten(2)


def linear_map(
    numbers: Float[Tensor, "patches numbers"], vectors: Float[Tensor, "patches d_model"]
) -> Float[Tensor, "numbers_and_bias d_model"]:
    """Find the linear map, its bias in the last row, whose vectors have the least squared distance from those given."""
    found: Tensor = torch.linalg.lstsq(_with_one(numbers), vectors.double()).solution
    return found


def apply_linear_map(
    numbers: Float[Tensor, "patches numbers"], weights: Float[Tensor, "numbers_and_bias d_model"]
) -> Float[Tensor, "patches d_model"]:
    """Apply a linear map to patches, a matrix product for all of them."""
    return _with_one(numbers) @ weights


def r_squared(
    guessed: Float[Tensor, "patches d_model"],
    vectors: Float[Tensor, "patches d_model"],
    mean: Float[Tensor, " d_model"],
) -> float:
    """Return R²: 1 if all is guessed, 0 if it is no better than always saying `mean`."""
    return 1 - float((vectors - guessed).square().sum() / (vectors - mean).square().sum())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LinearStem:
    """The linear map of a patch's numbers that comes nearest to a model's convolutions on some pictures.

    Attributes:
        mean: of the convolutions' vectors there.
        fit: share of them that it explains there, R².
        fitted_on: how many patches there were.
    """

    weights: Float[Tensor, "numbers_and_bias d_model"]
    mean: Float[Tensor, " d_model"]
    fit: float
    fitted_on: int


@torch.inference_mode()
def linear_stem(loaded: LoadedVision, pictures: UInt8[Tensor, "pictures 3 rows columns"]) -> LinearStem:
    """Find the linear map that comes nearest to a model's convolutions."""
    assert isinstance(loaded.model, ViT)
    seen = normalise(pictures)
    numbers = flatten_patches(seen, loaded.model.config.patch_size).flatten(0, 1)
    vectors = loaded.model.patches(seen.to(loaded.device)).cpu().flatten(2).transpose(1, 2).flatten(0, 1)
    weights, mean = linear_map(numbers, vectors), vectors.double().mean(0)
    fit = r_squared(apply_linear_map(numbers, weights), vectors, mean)
    return LinearStem(weights=weights, mean=mean, fit=fit, fitted_on=len(numbers))


@torch.inference_mode()
def patch_vectors(loaded: LoadedVision, pixels: UInt8[Tensor, "3 rows columns"], linear: LinearStem) -> PatchVectors:
    """Turn each patch of a picture into a vector both ways."""
    assert isinstance(loaded.model, ViT)
    assert isinstance(loaded.model.patches, nn.Sequential)
    shapes, x = [tuple(pixels.shape)], normalise(pixels[None])
    numbers, x = flatten_patches(x, loaded.model.config.patch_size)[0], x.to(loaded.device)
    for part in loaded.model.patches:
        x = part(x)
        if not isinstance(part, nn.ReLU):
            shapes.append(tuple(x.shape[1:]))
    stem, guessed = x[0].cpu().flatten(1).T, apply_linear_map(numbers, linear.weights)
    return PatchVectors(
        numbers=numbers.numpy(),
        linear=guessed.numpy().astype(np.float32),
        stem=stem.numpy(),
        shapes=tuple(shapes),
        fitted_on=linear.fitted_on,
        fit=linear.fit,
        held_out=r_squared(guessed, stem, linear.mean),
        n_parameters=(linear.weights.numel(), sum(each.numel() for each in loaded.model.patches.parameters())),
        provenance=loaded.provenance(linear_map, f"least squares on {linear.fitted_on:,} patches of other pictures"),
    )


def _with_one(numbers: Float[Tensor, "patches numbers"]) -> Float[Tensor, "patches numbers_and_bias"]:
    """Return numbers with a 1 behind them, which the bias is multiplied by."""
    return torch.cat((numbers.double(), torch.ones(len(numbers), 1, dtype=torch.float64)), 1)
