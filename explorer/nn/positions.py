"""Positions: the ways in which a model can know where a token stands.

Two add a code to what is read (sinusoidal, learned), two change how queries and keys are scored (rotary, ALiBi), and
one leaves it to the causal mask (none; Haviv et al. 2022, "Transformer Language Models without Positional Encodings
Still Learn Positional Information").
"""

import math
from typing import Literal, get_args

import torch
from jaxtyping import Float
from torch import Tensor, nn

from explorer.attention.attend import Score
from explorer.attention.positions import alibi_bias, alibi_slopes, rotary_angles, sinusoidal, turn
from explorer.attention.scoring import scaled_dot

PositionKind = Literal["none", "sinusoidal", "learned", "rotary", "alibi"]
POSITION_KINDS: tuple[PositionKind, ...] = get_args(PositionKind)
#: Those that act where a query meets a key: in a scaled dot product.
IN_SCORE: tuple[PositionKind, ...] = ("rotary", "alibi")
#: Spread of an untrained learned code, before the factor √d_model; as in GPT-2.
LEARNED_STD = 0.02


class PositionOutOfRange(ValueError):
    """A learned position code was asked for a place that has none.

    Attributes:
        length: that was asked for.
        table: how many positions have a code.
    """

    def __init__(self, length: int, table: int) -> None:
        self.length, self.table = length, table
        super().__init__(
            f"{length:,} positions were asked for and only {table:,} were learned: shorten the text, or use a model"
            " whose positions are computed (sinusoidal, rotary, alibi)."
        )


class LearnedPositions(nn.Module):
    """A table with one learned code for each place (Gehring et al. 2017, §3.1).

    read: √d_model · P[position], scaled as tokens are.
    """

    def __init__(self, max_length: int, d_model: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(max_length, d_model))
        if not self.weight.is_meta:  # where there is nothing to fill, torch would import its compiler for it: seconds
            nn.init.normal_(self.weight, std=LEARNED_STD)

    def forward(self, n_positions: int) -> Float[Tensor, "positions d_model"]:
        """Return the codes of the first positions.

        Raises:
            PositionOutOfRange: if there are fewer.
        """
        table, d_model = self.weight.shape
        if n_positions > table:
            raise PositionOutOfRange(n_positions, table)
        return self.weight[:n_positions] * math.sqrt(d_model)


class SinusoidalPositions(nn.Module):
    """Computed codes, `explorer.attention.positions.sinusoidal`: kept for `max_length`, made anew beyond it."""

    codes: Tensor

    def __init__(self, max_length: int, d_model: int) -> None:
        super().__init__()
        codes = torch.empty(max_length, d_model)
        if not codes.is_meta:  # where there is nothing to fill, torch would import its compiler for it: seconds
            codes = sinusoidal(max_length, d_model)
        self.register_buffer("codes", codes, persistent=False)

    def forward(self, n_positions: int) -> Float[Tensor, "positions d_model"]:
        """Return the codes of the first positions, however many."""
        kept, d_model = self.codes.shape
        if n_positions <= kept:
            return self.codes[:n_positions]
        return sinusoidal(n_positions, d_model).to(self.codes)


def position_score(
    kind: PositionKind, n_positions: int, *, d_key: int, n_heads: int, device: torch.device | None = None
) -> Score:
    """Return the score of queries and keys for a pass over `n_positions`; made once for all layers.

    rotary: rotate(q, i) · rotate(k, j) / √d (Su et al. 2021, eq. 16). alibi: q · k / √d − slope · |i − j| (Press et
    al. 2022, §3). The others: q · k / √d.
    """
    if kind == "rotary":
        return rotary_score(rotary_angles(torch.arange(n_positions, device=device), d_key))
    if kind == "alibi":
        return biased_score(alibi_bias(n_positions, n_positions, alibi_slopes(n_heads).to(device)))
    return scaled_dot


def rotary_score(angles: Float[Tensor, "positions pairs"]) -> Score:
    """Return the scaled dot product of queries and keys that are turned by the angles of their places."""

    def score(
        query: Float[Tensor, "*batch positions d_key"], key: Float[Tensor, "*batch positions d_key"]
    ) -> Float[Tensor, "*batch positions positions"]:
        return scaled_dot(turn(query, angles), turn(key, angles))

    return score


def biased_score(bias: Float[Tensor, "heads queries keys"]) -> Score:
    """Return the scaled dot product plus a bias for each head and pair of places."""

    def score(
        query: Float[Tensor, "*batch heads queries d_key"], key: Float[Tensor, "*batch heads keys d_key"]
    ) -> Float[Tensor, "*batch heads queries keys"]:
        return scaled_dot(query, key) + bias.to(query.dtype)

    return score
