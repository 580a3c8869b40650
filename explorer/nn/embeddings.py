"""Tokens as vectors with a position, and vectors as tokens again."""

import math

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from explorer.attention.positions import sinusoidal


class TokenEmbedding(nn.Module):
    """One table that reads tokens (source and target) and, turned round, scores them (Press & Wolf 2017).

    read: √d_model · E[token] + P[position] (Vaswani et al. 2017, §3.4 and §3.5); score: h Eᵀ.
    """

    positions: Tensor

    def __init__(self, vocab_size: int, d_model: int, max_length: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(vocab_size, d_model))
        nn.init.normal_(self.weight, std=d_model**-0.5)
        self.register_buffer("positions", sinusoidal(max_length, d_model), persistent=False)

    def forward(self, ids: Int[Tensor, "batch positions"]) -> Float[Tensor, "batch positions d_model"]:
        """Read tokens. Under autocast the result has the autocast dtype, so that what is added to it stays small."""
        vectors = F.embedding(ids, self.weight) * math.sqrt(self.weight.shape[1]) + self.positions[: ids.shape[1]]
        device = ids.device.type
        return vectors.to(torch.get_autocast_dtype(device)) if torch.is_autocast_enabled(device) else vectors

    def score(self, hidden: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch vocab"]:
        """Logits of every token."""
        return F.linear(hidden, self.weight)


class OrderlessEmbedding(nn.Module):
    """One table that reads tokens and, turned round, scores them, without positions: a recurrent net counts itself.

    read: √d · E[token], elements of variance 1 at the start; score: h Eᵀ (Press & Wolf 2017).
    """

    def __init__(self, vocab_size: int, d_embedding: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(vocab_size, d_embedding))
        nn.init.normal_(self.weight, std=d_embedding**-0.5)

    def forward(self, ids: Int[Tensor, "*batch"]) -> Float[Tensor, "*batch d_embedding"]:
        """Read tokens."""
        return F.embedding(ids, self.weight) * math.sqrt(self.weight.shape[1])

    def score(self, hidden: Float[Tensor, "*batch d_embedding"]) -> Float[Tensor, "*batch vocab"]:
        """Logits of every token."""
        return F.linear(hidden, self.weight)
