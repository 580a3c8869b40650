"""Tokens as vectors with a position, and vectors as tokens again."""

import math

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from explorer.attention.positions import SineOrder, sinusoidal


class TokenTable(nn.Module):
    """One table that reads tokens and, turned round, scores them (Press & Wolf 2017).

    read: √d_model · E[token] (Vaswani et al. 2017, §3.4); score: h Eᵀ.
    """

    def __init__(self, vocab_size: int, d_model: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(vocab_size, d_model))
        if not self.weight.is_meta:  # where there is nothing to fill, torch would import its compiler for it: seconds
            nn.init.normal_(self.weight, std=d_model**-0.5)

    def forward(self, ids: Int[Tensor, "*batch"]) -> Float[Tensor, "*batch d_model"]:
        """Read tokens."""
        return F.embedding(ids, self.weight) * math.sqrt(self.weight.shape[1])

    def logits(self, hidden: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch vocab"]:
        """Return the logits of every token."""
        return F.linear(hidden, self.weight)


class TokenEmbedding(TokenTable):
    """A table for source and target whose tokens know their place.

    read: √d_model · E[token] + P[position] (Vaswani et al. 2017, §3.4 and §3.5).
    """

    positions: Tensor

    def __init__(self, vocab_size: int, d_model: int, max_length: int, order: SineOrder = "pairs") -> None:
        super().__init__(vocab_size, d_model)
        shape = (max_length, d_model)
        codes = torch.empty(shape) if self.weight.is_meta else sinusoidal(*shape, order=order)
        self.register_buffer("positions", codes, persistent=False)

    def forward(self, ids: Int[Tensor, "batch positions"]) -> Float[Tensor, "batch positions d_model"]:
        """Read tokens. Under autocast the result has the autocast dtype, so that what is added to it stays small."""
        return autocast(super().forward(ids) + self.positions[: ids.shape[1]])


def autocast(x: Float[Tensor, "*shape"]) -> Float[Tensor, "*shape"]:
    """Convert to the autocast dtype of its device, where autocast is on."""
    device = x.device.type
    return x.to(torch.get_autocast_dtype(device)) if torch.is_autocast_enabled(device) else x
