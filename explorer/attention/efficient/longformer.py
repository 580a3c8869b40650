"""Longformer: a sliding window, and global tokens."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from explorer.attention.efficient import global_tokens, window
from explorer.attention.efficient.partial import at_least, merge, self_length


def longformer(
    query: Float[Tensor, "*batch queries d_key"],
    key: Float[Tensor, "*batch keys d_key"],
    value: Float[Tensor, "*batch keys d_value"],
    *,
    causal: bool = False,
    width: int,
    n_global: int,
) -> Float[Tensor, "*batch queries d_value"]:
    """Attend to distances below `width` and to the first positions, which attend to all (Beltagy et al. 2020, §3.1).

    The paper gives global tokens projections of their own; here they share those of the others, since the queries,
    keys and values are given. O(n · (width + n_global)).

    Raises:
        ValueError: if the width is below 1 or `n_global` below 0, or queries and keys are not equally many.
    """
    n = self_length("Longformer", query, key)
    at_least("Longformer", 0, n_global=n_global)
    if n_global == 0:
        return window.sliding_window(query, key, value, causal=causal, width=width)
    local = torch.arange(n, device=query.device) >= n_global  # the others are seen from everywhere, and once
    near = window.window_partial(query, key, value, causal=causal, width=width, there=local)
    far = global_tokens.to_first(query, key, value, causal=causal, n_global=n_global)
    others = merge(near, far).output
    return global_tokens.with_first(others, query, key, value, causal=causal, n_global=n_global)


def pattern(n: int, *, causal: bool = False, width: int, n_global: int) -> Bool[Tensor, "positions positions"]:
    """Return the pattern as a mask."""
    near = window.pattern(n, causal=causal, width=width)
    return near | global_tokens.pattern(n, causal=causal, n_global=n_global)
