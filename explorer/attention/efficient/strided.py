"""Strided attention: the last few positions, and every so many-th before them."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from explorer.attention import masking
from explorer.attention.efficient import dilated, window
from explorer.attention.efficient.partial import Partial, at_least, merge, partial, self_length


def strided_mask(
    query: Float[Tensor, "*batch queries d_key"],
    key: Float[Tensor, "*batch keys d_key"],
    value: Float[Tensor, "*batch keys d_value"],
    *,
    causal: bool = False,
    stride: int,
) -> Float[Tensor, "*batch queries d_value"]:
    """Attend to distances below `stride` and to multiples of it (Child et al. 2019, Sparse Transformers, §4.3).

    Both parts in one head; the paper gives them to different heads, or to one. With a stride near √n it is
    O(n · √n), and every position can be reached in two steps.

    Raises:
        ValueError: if the stride is below 1, or queries and keys are not equally many.
    """
    n = self_length("strided", query, key)
    at_least("strided", 1, stride=stride)
    near = window.window_partial(query, key, value, causal=causal, width=stride)
    return merge(near, _far(query, key, value, causal=causal, stride=stride, n=n)).output


def _far(query: Tensor, key: Tensor, value: Tensor, *, causal: bool, stride: int, n: int) -> Partial:
    """Distances that are multiples of the stride, but for 0, which the window has seen."""
    parts = [dilated.by_remainder(each, stride) for each in (query, key, value)]
    there = dilated.by_remainder(query.new_ones(n, 1), stride)[..., 0] > 0  # [stride, places]
    length = there.shape[-1]
    allowed = there[:, None, :] & ~torch.eye(length, dtype=torch.bool, device=query.device)
    if causal:
        allowed = allowed & masking.causal(length, length).to(query.device)
    found = partial(parts[0], parts[1], parts[2], allowed)
    output = found.output.transpose(-3, -2).flatten(-3, -2)[..., :n, :]
    return Partial(output, found.log_sum.transpose(-2, -1).flatten(-2, -1)[..., :n])


def pattern(n: int, *, causal: bool = False, stride: int) -> Bool[Tensor, "positions positions"]:
    """Return the pattern as a mask."""
    positions = torch.arange(n)
    distance = (positions[:, None] - positions).abs()
    seen = (distance < stride) | (distance % stride == 0)
    return seen & masking.causal(n, n) if causal else seen
