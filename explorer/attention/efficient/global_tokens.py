"""Global tokens: a few positions that see everything and are seen by everything."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from explorer.attention import masking
from explorer.attention.efficient.partial import Partial, at_least, partial, self_length


def global_tokens(
    query: Float[Tensor, "*batch queries d_key"],
    key: Float[Tensor, "*batch keys d_key"],
    value: Float[Tensor, "*batch keys d_value"],
    *,
    causal: bool = False,
    n_global: int,
) -> Float[Tensor, "*batch queries d_value"]:
    """The first positions attend to all, all others to the first ones alone; O(n · n_global).

    By itself it is an ingredient: `longformer` and `bigbird` give the others a neighbourhood too.

    Raises:
        ValueError: if there is no global position, or queries and keys are not equally many.
    """
    self_length("global tokens", query, key)
    at_least("global tokens", 1, n_global=n_global)
    others = to_first(query, key, value, causal=causal, n_global=n_global).output
    return with_first(others, query, key, value, causal=causal, n_global=n_global)


def to_first(query: Tensor, key: Tensor, value: Tensor, *, causal: bool, n_global: int) -> Partial:
    """Every position's attention to the first ones."""
    n, first = query.shape[-2], min(n_global, key.shape[-2])
    allowed = torch.ones(n, first, dtype=torch.bool, device=query.device).tril() if causal else None
    return partial(query, key[..., :first, :], value[..., :first, :], allowed)


def with_first(others: Tensor, query: Tensor, key: Tensor, value: Tensor, *, causal: bool, n_global: int) -> Tensor:
    """The output with its first rows replaced by what these positions find when they attend to all."""
    first = min(n_global, query.shape[-2])
    reach = first if causal else key.shape[-2]  # the past of the first positions ends among them
    allowed = masking.causal(first, first).to(query.device) if causal else None
    rows = partial(query[..., :first, :], key[..., :reach, :], value[..., :reach, :], allowed).output
    return torch.cat([rows, others[..., first:, :]], -2)


def pattern(n: int, *, causal: bool = False, n_global: int) -> Bool[Tensor, "positions positions"]:
    """Return the pattern as a mask."""
    first = torch.arange(n) < n_global
    seen = first[:, None] | first
    return seen & masking.causal(n, n) if causal else seen
