"""Positions in the scores: rotary turns queries and keys, ALiBi subtracts a multiple of the distance."""

from dataclasses import dataclass

import numpy as np
import torch

from explorer.attention import positions
from explorer.lessons.positional_encoding.records.relative import BiasRecord, PhaseRecord
from explorer.records import Provenance

#: Positions of both matrices.
SHOWN = 32
MOST_HEADS = 16
#: Length of a head's queries and keys in the figure of the phases, as in the trained models.
D_KEY = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """The pair of components that is looked at, counted from 0 and clamped."""

    pair: int = 2

    def __post_init__(self) -> None:
        object.__setattr__(self, "pair", min(max(self.pair, 0), D_KEY // 2 - 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Bias:
    """The number of heads that ALiBi has, and the one whose bias is drawn; both clamped.

    Attributes:
        n_heads: 1…`MOST_HEADS`.
        head: from 0.
    """

    n_heads: int = 4
    head: int = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "n_heads", min(max(self.n_heads, 1), MOST_HEADS))
        object.__setattr__(self, "head", min(max(self.head, 0), self.n_heads - 1))


def phase(asked: Phase) -> PhaseRecord:
    """Return the angle between query and key at every two positions, and how exactly products depend on distance."""
    indices = torch.arange(SHOWN)
    angles = positions.rotary_angles(indices, D_KEY)[:, asked.pair]
    degrees = torch.rad2deg(angles[:, None] - angles[None, :])
    return PhaseRecord(
        pair=asked.pair,
        wavelengths=positions.wavelengths(D_KEY).numpy(),
        degrees=((degrees + 180) % 360 - 180).numpy(),
        cosine=(angles[:, None] - angles[None, :]).cos().float().numpy(),
        residual=_residual(),
        provenance=Provenance.of(
            positions.rotary_angles, dtype="float64", seed=0, detail=f"d_key {D_KEY}, base {positions.BASE:g}"
        ),
    )


def _residual() -> float:
    """Turn a random query and key at all pairs of positions; compare with the turn by their distance."""
    drawn = torch.randn(2, D_KEY, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    query, key = (drawn / drawn.norm(dim=-1, keepdim=True)).unbind()
    indices = torch.arange(SHOWN)
    queries, keys = (positions.rotate(vector.expand(SHOWN, -1), indices) for vector in (query, key))
    far = torch.arange(-(SHOWN - 1), SHOWN)
    by_distance = positions.rotate(query.expand(len(far), -1), far) @ key
    distance = indices[:, None] - indices[None, :]
    return float((queries @ keys.T - by_distance[distance + SHOWN - 1]).abs().max())


def bias(asked: Bias) -> BiasRecord:
    """Return slopes of all heads and the bias of one."""
    slopes = positions.alibi_slopes(asked.n_heads)
    return BiasRecord(
        slopes=slopes.numpy().astype(np.float64),
        head=asked.head,
        bias=positions.alibi_bias(SHOWN, SHOWN, slopes, causal=True)[asked.head].numpy(),
        provenance=Provenance.of(positions.alibi_bias, detail=f"{asked.n_heads} heads, head {asked.head}"),
    )
