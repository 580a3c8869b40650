"""The three layers that the page “Architectures compared” measures, each with an input of its own layout."""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from explorer.nn.attention import MultiHeadAttention
from explorer.records.architectures import LayerSizes


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """A module and what it is called with."""

    module: nn.Module
    inputs: tuple[Tensor, ...]

    def __call__(self) -> Any:
        """One forward pass."""
        return self.module(*self.inputs)


def module(name: str, sizes: LayerSizes) -> nn.Module:
    """An untrained layer from d to d; n plays no part in it.

    Raises:
        KeyError: if there is no such architecture.
    """
    if name == "convolution":
        return nn.Conv1d(sizes.d, sizes.d, sizes.kernel, padding=sizes.kernel // 2).eval()
    if name == "recurrence":
        return nn.GRU(sizes.d, sizes.d, batch_first=True).eval()
    return {"attention": MultiHeadAttention}[name](sizes.d, sizes.heads).eval()


def layer(name: str, built: nn.Module, sizes: LayerSizes) -> Layer:
    """A module with one sequence of standard normal numbers: `[1, n, d]`, for the convolution `[1, d, n]`."""
    generator = torch.Generator().manual_seed(0)
    like = next(built.parameters())
    drawn = torch.randn(1, sizes.n, sizes.d, generator=generator).to(like)
    if name == "convolution":
        return Layer(module=built, inputs=(drawn.transpose(1, 2).contiguous(),))
    return Layer(module=built, inputs=(drawn, drawn) if name == "attention" else (drawn,))
