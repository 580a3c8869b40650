"""Scoring functions that have parameters. A module is a `Score`: `attend(q, k, v, score=module)`."""

import math

import torch
from jaxtyping import Float
from torch import Tensor, nn

from explorer.attention import scoring


class General(nn.Module):
    """Luong's bilinear score, qᵀ W k."""

    def __init__(self, d_query: int, d_key: int, *, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.weight = nn.Parameter(xavier(d_query, d_key, generator))

    def forward(
        self, query: Float[Tensor, "*#batch queries d_query"], key: Float[Tensor, "*#batch keys d_key"]
    ) -> Float[Tensor, "*#batch queries keys"]:
        """Score every query against every key."""
        return scoring.general(query, key, weight=self.weight)


class Additive(nn.Module):
    """Bahdanau's score, vᵀ tanh(W_q q + W_k k + b); as in the paper's formulas, b is left out unless asked for."""

    bias: nn.Parameter | None

    def __init__(
        self,
        d_query: int,
        d_key: int,
        d_hidden: int,
        *,
        bias: bool = False,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        self.query_weight = nn.Parameter(xavier(d_hidden, d_query, generator))
        self.key_weight = nn.Parameter(xavier(d_hidden, d_key, generator))
        self.v = nn.Parameter(xavier(1, d_hidden, generator)[0])
        self.bias = nn.Parameter(torch.zeros(d_hidden)) if bias else None

    def forward(
        self, query: Float[Tensor, "*#batch queries d_query"], key: Float[Tensor, "*#batch keys d_key"]
    ) -> Float[Tensor, "*#batch queries keys"]:
        """Score every query against every key."""
        return scoring.additive(
            query, key, query_weight=self.query_weight, key_weight=self.key_weight, v=self.v, bias=self.bias
        )


class AdditiveHeads(nn.Module):
    """Bahdanau's score in heads whose queries and keys are mapped already: v_hᵀ tanh(q_h + k_h)."""

    def __init__(self, n_heads: int, d_key: int, *, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.v = nn.Parameter(torch.cat([xavier(1, d_key, generator) for _ in range(n_heads)]))  # [heads, d_key]

    def forward(
        self, query: Float[Tensor, "*batch heads queries d_key"], key: Float[Tensor, "*batch heads keys d_key"]
    ) -> Float[Tensor, "*batch heads queries keys"]:
        """Score every query of a head against every key."""
        hidden = torch.tanh(query.unsqueeze(-2) + key.unsqueeze(-3))  # [..., heads, queries, keys, d_key]
        scores: Tensor = (hidden @ self.v[:, None, :, None]).squeeze(-1)
        return scores


class Concat(nn.Module):
    """Luong's concatenated score, vᵀ tanh(W [q; k] + b); as in the paper's formulas, b is left out unless asked for."""

    bias: nn.Parameter | None

    def __init__(
        self,
        d_query: int,
        d_key: int,
        d_hidden: int,
        *,
        bias: bool = False,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        self.weight = nn.Parameter(xavier(d_hidden, d_query + d_key, generator))
        self.v = nn.Parameter(xavier(1, d_hidden, generator)[0])
        self.bias = nn.Parameter(torch.zeros(d_hidden)) if bias else None

    def forward(
        self, query: Float[Tensor, "*#batch queries d_query"], key: Float[Tensor, "*#batch keys d_key"]
    ) -> Float[Tensor, "*#batch queries keys"]:
        """Score every query against every key."""
        return scoring.concat(query, key, weight=self.weight, v=self.v, bias=self.bias)


def xavier(d_out: int, d_in: int, generator: torch.Generator | None = None) -> Float[Tensor, "d_out d_in"]:
    """Draw a weight matrix uniform within ±√(6 / (d_out + d_in)) (Glorot and Bengio 2010, eq. 16).

    Args:
        generator: of the random numbers; torch's global one, shared by all sessions, if None.
    """
    bound = math.sqrt(6 / (d_out + d_in))
    weight = torch.rand(d_out, d_in, generator=generator)
    # Where there is nothing to fill, torch would import its compiler for it: seconds.
    return weight if weight.is_meta else (2 * weight - 1) * bound
