"""Exact attention as it is written down: all scores, all weights."""

from jaxtyping import Float
from torch import Tensor

from explorer.attention.attend import attend
from explorer.attention.masking import causal as past


def plain(
    query: Float[Tensor, "*batch queries d_key"],
    key: Float[Tensor, "*batch keys d_key"],
    value: Float[Tensor, "*batch keys d_value"],
    *,
    causal: bool = False,
) -> Float[Tensor, "*batch queries d_value"]:
    """softmax(q kᵀ / √d) v (Vaswani et al. 2017, eq. 1): what every other file here is compared with."""
    allowed = past(query.shape[-2], key.shape[-2]).to(query.device) if causal else None
    return attend(query, key, value, allowed=allowed).output
