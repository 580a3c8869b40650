"""Scoring functions: how well a query fits a key."""

import math

from jaxtyping import Float
from torch import Tensor


def dot(
    query: Float[Tensor, "*batch queries d_key"], key: Float[Tensor, "*batch keys d_key"]
) -> Float[Tensor, "*batch queries keys"]:
    """Dot product, q·k (Luong et al. 2015, §3.1)."""
    return query @ key.mT


def scaled_dot(
    query: Float[Tensor, "*batch queries d_key"], key: Float[Tensor, "*batch keys d_key"]
) -> Float[Tensor, "*batch queries keys"]:
    """Dot product over the root of its length, q·k / √d_key (Vaswani et al. 2017, §3.2.1)."""
    return (query @ key.mT) / math.sqrt(query.shape[-1])
