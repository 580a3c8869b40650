"""Multi-head attention: attention in several learned subspaces at once."""

from dataclasses import dataclass
from typing import Literal

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from explorer.attention.attend import Attended, Score, attend
from explorer.attention.scoring import scaled_dot
from explorer.nn.dropout import Dropout
from explorer.nn.scorers import AdditiveHeads

#: How heads compare queries with keys.
Scoring = Literal["scaled_dot", "additive"]


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadOptions:
    """Variations of an attention's heads on those of Vaswani et al. 2017.

    Attributes:
        scoring: `additive` compares by v_hᵀ tanh(q_h + k_h), with a vector v_h for each head.
        dropout: share of the weights that are set to 0 while training.
    """

    scoring: Scoring = "scaled_dot"
    dropout: float = 0.0


PLAIN = HeadOptions()


class MultiHeadAttention(nn.Module):
    """Project into `n_heads` subspaces, attend in each, project the joined result back.

    head_h = attend(x W_h^Q, y W_h^K, y W_h^V), output = [head_1; …; head_n] W^O (Vaswani et al. 2017, §3.2.2). Heads
    are consecutive slices of length d_model / n_heads of `query`, `key` and `value`. The maps W_h^Q and W_h^K of
    additive scores are those of Bahdanau et al. 2015, appendix A.1.2.

    Args:
        d_model: length of a position's vector.
        n_heads: how many subspaces.
        options: what they do otherwise.
        generator: of the random numbers; torch's global one, shared by all sessions, if None.

    Raises:
        ValueError: if `n_heads` does not divide `d_model`.
    """

    def __init__(
        self, d_model: int, n_heads: int, options: HeadOptions = PLAIN, *, generator: torch.Generator | None = None
    ) -> None:
        super().__init__()
        if d_model % n_heads:
            raise ValueError(f"d_model {d_model} is no multiple of n_heads {n_heads}")
        self.n_heads = n_heads
        self.query = nn.Linear(d_model, d_model)
        self.key = nn.Linear(d_model, d_model)
        self.value = nn.Linear(d_model, d_model)
        self.output = nn.Linear(d_model, d_model)
        for projection in (self.query, self.key, self.value, self.output):
            nn.init.xavier_uniform_(projection.weight, generator=generator)
            nn.init.zeros_(projection.bias)
        self.dropout = Dropout(options.dropout)
        additive = options.scoring == "additive"
        self.scorer = AdditiveHeads(n_heads, d_model // n_heads, generator=generator) if additive else None

    def forward(
        self,
        query_input: Float[Tensor, "batch queries d_model"],
        context: Float[Tensor, "batch keys d_model"],
        allowed: Bool[Tensor, "..."] | None = None,
        *,
        score: Score | None = None,
    ) -> Attended:
        """Let each position of `query_input` look into `context`.

        Args:
            query_input: gives the queries.
            context: gives keys and values; the same tensor for self-attention.
            allowed: broadcasts to `[batch, heads, queries, keys]`, True = may attend.
            score: of queries and keys of all heads; rotary and ALiBi positions enter here (`explorer.nn.positions`).
                Its own if None.

        Returns:
            output `[batch, queries, d_model]`; weights before dropout and scores `[batch, heads, queries, keys]`.
        """
        heads = attend(
            self._split(self.query(query_input)),
            self._split(self.key(context)),
            self._split(self.value(context)),
            score=score or self.scorer or scaled_dot,
            allowed=allowed,
            drop=self.dropout,
        )
        joined = heads.output.transpose(1, 2).flatten(2)  # [batch, queries, d_model]
        return Attended(self.output(joined), heads.weights, heads.scores)

    def _split(
        self, projected: Float[Tensor, "batch positions d_model"]
    ) -> Float[Tensor, "batch heads positions d_key"]:
        split = projected.view(*projected.shape[:2], self.n_heads, -1)  # [batch, positions, heads, d_key]
        return split.transpose(1, 2)  # [batch, heads, positions, d_key]
