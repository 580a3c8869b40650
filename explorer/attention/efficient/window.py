"""Sliding window: every position attends to its neighbours."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.nn import functional as F

from explorer.attention import masking
from explorer.attention.efficient.partial import Partial, at_least, no_keys, partial, self_length


def sliding_window(
    query: Float[Tensor, "*batch queries d_key"],
    key: Float[Tensor, "*batch keys d_key"],
    value: Float[Tensor, "*batch keys d_value"],
    *,
    causal: bool = False,
    width: int,
) -> Float[Tensor, "*batch queries d_value"]:
    """Attend to positions at a distance below `width` (Beltagy et al. 2020, Longformer, §3.1).

    The query's own position counts: `width` of them are seen in each direction.

    Raises:
        ValueError: if the width is below 1, or queries and keys are not equally many.
    """
    return window_partial(query, key, value, causal=causal, width=width).output


def window_partial(
    query: Float[Tensor, "*batch queries d_key"],
    key: Float[Tensor, "*batch keys d_key"],
    value: Float[Tensor, "*batch keys d_value"],
    *,
    causal: bool,
    width: int,
    there: Bool[Tensor, "..."] | None = None,
) -> Partial:
    """Attend within the window as a part, in O(n · width): chunks of queries, each against its own and those beside it.

    Of the 3 · width keys that a chunk scores (2 · width with `causal`), each query may use at most 2 · width − 1
    (`width`): the rest is masked. No matrix of n × n is made.

    `there` says which positions may be asked and broadcasts to `[*batch, positions]`; None stands for all.
    """
    n = self_length("sliding window", query, key)
    at_least("sliding window", 1, width=width)
    if not n:
        return no_keys(query, value.shape[-1])
    width = min(width, n)
    n_chunks = -(-n // width)
    over = n_chunks * width - n  # the last chunk is filled up
    after = over if causal else over + width
    asking = torch.unflatten(F.pad(query, (0, 0, 0, over)), -2, (n_chunks, width))
    asked, answered = (_around(each, width, after, causal=causal) for each in (key, value))
    positions = torch.arange(n_chunks * width, device=query.device).view(n_chunks, width, 1)
    first = torch.arange(n_chunks, device=query.device).view(n_chunks, 1, 1) * width - width
    beside = first + torch.arange(asked.shape[-2], device=query.device)  # place of each key that a chunk scores
    allowed = ((positions - beside).abs() < width) & (beside >= 0) & (beside < n)
    if causal:
        allowed = allowed & (beside <= positions)
    if there is not None:
        allowed = allowed & there[..., beside.clamp(0, n - 1)]
    found = partial(asking, asked, answered, allowed)  # [*batch, chunks, width, …]
    return Partial(found.output.flatten(-3, -2)[..., :n, :], found.log_sum.flatten(-2, -1)[..., :n])


def _around(
    x: Float[Tensor, "*batch positions d"], width: int, after: int, *, causal: bool
) -> Float[Tensor, "*batch chunks keys d"]:
    """For each chunk of `width` positions, it and the chunks beside it."""
    return F.pad(x, (0, 0, width, after)).unfold(-2, (2 if causal else 3) * width, width).transpose(-2, -1)


def pattern(n: int, *, causal: bool = False, width: int) -> Bool[Tensor, "positions positions"]:
    """Return the pattern as a mask."""
    near = masking.window(n, n, width)
    return near & masking.causal(n, n) if causal else near
