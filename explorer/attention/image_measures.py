"""Attention between the patches of a picture: how far heads look, and which positions have similar codes."""

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn import functional


def patch_distances(grid: int, patch_size: int) -> Float[Tensor, "patches patches"]:
    """Distance between the centres of all patches of a square grid, in pixels."""
    positions = torch.cartesian_prod(torch.arange(grid), torch.arange(grid)).float() * patch_size
    return torch.cdist(positions, positions)


def mean_distance(
    weights: Float[Tensor, "*batch tokens tokens"], grid: int, patch_size: int
) -> Float[Tensor, "*batch"]:
    """Measure how far a patch looks, in pixels: distance by weight, the mean of patches (Dosovitskiy et al. 2021, D.7).

    The class token has no place: its row is left out, and its column too, the other weights of a row renormalised.

    Args:
        weights: token 0 is the class token, then the patches row by row.
        grid: patches on each side.
        patch_size: pixels on each side of a patch.
    """
    between = weights[..., 1:, 1:]
    between = between / between.sum(-1, keepdim=True).clamp(min=torch.finfo(weights.dtype).tiny)
    return (between * patch_distances(grid, patch_size)).sum(-1).mean(-1)


def even_distance(grid: int, patch_size: int) -> float:
    """Measure the distance of a head that gives every patch the same weight."""
    return float(patch_distances(grid, patch_size).mean())


def similarity(codes: Float[Tensor, "positions d_model"]) -> Float[Tensor, "positions positions"]:
    """Cosine of every two codes (Dosovitskiy et al. 2021, fig. 7, centre)."""
    unit = functional.normalize(codes, dim=-1)
    return (unit @ unit.T).clamp(-1, 1)
