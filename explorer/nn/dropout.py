"""Dropout that costs less than the matrix products around it."""

import torch
from jaxtyping import Float
from torch import Tensor, nn


class Dropout(nn.Module):
    """Set a share of the elements to 0 while training and scale the rest up.

    `torch.dropout` draws one random number per element on a single CPU thread, which costs more than the matrix
    products around it. Here each element takes one byte of a 64-bit draw, so the rate is rounded to 1/256 (and the
    scale fits the rounded rate).

    Args:
        rate: share of elements to drop, 0 ≤ rate < 1.
    """

    def __init__(self, rate: float) -> None:
        super().__init__()
        if not 0 <= rate < 1:
            raise ValueError(f"dropout rate {rate} is not in [0, 1)")
        self.dropped_bytes = min(round(rate * 256), 255)

    def forward(self, x: Float[Tensor, "*shape"]) -> Float[Tensor, "*shape"]:
        """Drop while training; leave alone in evaluation."""
        if not self.training or self.dropped_bytes == 0:
            return x
        draws = torch.empty(-(-x.numel() // 8), dtype=torch.int64, device=x.device).random_(-(2**63), None)
        keep = draws.view(torch.uint8)[: x.numel()].view(x.shape) >= self.dropped_bytes  # [*shape], as x
        # A bool converts to a float at a third of the speed of the byte it is stored in.
        return x * keep.view(torch.int8).to(x.dtype).mul_(256 / (256 - self.dropped_bytes))  # [*shape]
