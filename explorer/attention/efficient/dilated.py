"""Dilated window: neighbours with gaps between them."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.nn import functional as F

from explorer.attention.efficient import window
from explorer.attention.efficient.partial import at_least, self_length


def dilated_mask(
    query: Float[Tensor, "*batch queries d_key"],
    key: Float[Tensor, "*batch keys d_key"],
    value: Float[Tensor, "*batch keys d_value"],
    *,
    causal: bool = False,
    width: int,
    gap: int,
) -> Float[Tensor, "*batch queries d_value"]:
    """Attend to every `gap`-th position at a distance below `width · gap` (Beltagy et al. 2020, §3.1).

    Positions whose places leave the same remainder see only each other: among them it is a sliding window, and is
    computed as one, in O(n · width). The query's own position counts; a gap of 1 is the sliding window.

    Raises:
        ValueError: if width or gap is below 1, or queries and keys are not equally many.
    """
    n = self_length("dilated window", query, key)
    at_least("dilated window", 1, width=width, gap=gap)
    parts = [by_remainder(each, gap) for each in (query, key, value)]
    there = by_remainder(query.new_ones(n, 1), gap)[..., 0] > 0  # [gap, places]: the last may be filled up
    found = window.window_partial(*parts, causal=causal, width=width, there=there).output
    return found.transpose(-3, -2).flatten(-3, -2)[..., :n, :]


def by_remainder(x: Float[Tensor, "*batch positions d"], gap: int) -> Float[Tensor, "*batch gap places d"]:
    """Positions sorted by their place's remainder, filled up with zeros so that all have equally many."""
    return torch.unflatten(F.pad(x, (0, 0, 0, -x.shape[-2] % gap)), -2, (-1, gap)).transpose(-3, -2)


def pattern(n: int, *, causal: bool = False, width: int, gap: int) -> Bool[Tensor, "positions positions"]:
    """Return the pattern as a mask."""
    positions = torch.arange(n)
    return window.pattern(n, causal=causal, width=width * gap) & ((positions[:, None] - positions) % gap == 0)
