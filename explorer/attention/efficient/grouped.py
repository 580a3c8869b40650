"""Grouped-query attention: several heads of queries share one head of keys and values."""

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.attention.efficient.plain import plain


def grouped_query(
    query: Float[Tensor, "*batch heads queries d_key"],
    key: Float[Tensor, "*batch groups keys d_key"],
    value: Float[Tensor, "*batch groups keys d_value"],
    *,
    causal: bool = False,
) -> Float[Tensor, "*batch heads queries d_value"]:
    """Attend with `heads / groups` consecutive heads of queries to each head of keys (Ainslie et al. 2023, §2.2).

    With as many groups as heads it is multi-head attention, with one group multi-query attention (Shazeer 2019). It
    saves no score; it saves keys and values, which a decoder has to keep for every token it has read.

    Raises:
        ValueError: if the number of groups does not divide that of heads, or keys and values differ in it.
    """
    n_heads, n_groups = query.shape[-3], key.shape[-3]
    if value.shape[-3] != n_groups or n_heads % n_groups:
        raise ValueError(
            f"grouped query: {n_heads} heads of queries cannot share {n_groups} heads of keys and {value.shape[-3]} of "
            "values equally"
        )
    asking = torch.unflatten(query, -3, (n_groups, n_heads // n_groups))
    shared = (each.unsqueeze(-3).expand(*asking.shape[:-2], *each.shape[-2:]) for each in (key, value))
    return plain(asking, *shared, causal=causal).flatten(-4, -3)


def pool_heads(heads: Float[Tensor, "*batch heads keys d"], n_groups: int) -> Float[Tensor, "*batch groups keys d"]:
    """The mean of each group's heads: what a multi-head model begins with when it becomes a grouped one (§2.1).

    Raises:
        ValueError: if the number of groups does not divide that of heads.
    """
    if n_groups < 1 or heads.shape[-3] % n_groups:
        raise ValueError(f"grouped query: {heads.shape[-3]} heads cannot be divided into {n_groups} groups")
    return torch.unflatten(heads, -3, (n_groups, -1)).mean(-3)
