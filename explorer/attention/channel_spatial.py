"""Attention without queries: a gate for each channel, a gate for each place (Hu et al. 2018; Woo et al. 2018)."""

from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor


class Gated(NamedTuple):
    """The result of a gate. `output == read * gate`, the gate repeated where it has one row, column or channel."""

    output: Float[Tensor, "batch channels rows columns"]
    gate: Float[Tensor, "batch gated_channels gated_rows gated_columns"]
    read: Float[Tensor, "batch channels rows columns"]


def apply_gate(
    features: Float[Tensor, "batch channels rows columns"],
    scores: Float[Tensor, "batch gated_channels gated_rows gated_columns"],
) -> Gated:
    """Multiply features by σ(scores): each gate is between 0 and 1 of its own, unlike weights that share a sum of 1.

    Args:
        features: what is turned up or down.
        scores: `[batch, channels, 1, 1]` for channel attention, `[batch, 1, rows, columns]` for spatial attention.
    """
    gate = torch.sigmoid(scores)
    return Gated(features * gate, gate, features)


def squeeze_channels(features: Float[Tensor, "batch channels rows columns"]) -> Float[Tensor, "batch channels"]:
    """Mean of each channel over all places: the “squeeze” (Hu et al. 2018, eq. 2)."""
    return features.mean((2, 3))


def strongest(features: Float[Tensor, "batch channels rows columns"]) -> Float[Tensor, "batch channels"]:
    """Largest value of each channel over all places, which CBAM looks at too (Woo et al. 2018, eq. 2)."""
    return features.amax((2, 3))


def over_channels(
    features: Float[Tensor, "batch channels rows columns"],
) -> Float[Tensor, "batch 2 rows columns"]:
    """Mean and largest value of each place over all channels: what spatial attention reads (Woo et al. 2018, eq. 3)."""
    return torch.cat((features.mean(1, keepdim=True), features.amax(1, keepdim=True)), 1)
