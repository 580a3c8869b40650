"""Samplers of the next token: what they make of the model's probabilities, and the draw."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from explorer.data.text import UNKNOWN_ID

#: Why a token cannot be drawn: 0 it can; the others in the order in which they act.
KEPT, BY_TOP_K, BY_TOP_P, BY_MIN_P = range(4)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextSampler:
    """A sampler of the next token. The steps act in the order of the fields, as in `transformers`.

    Attributes:
        repetition_penalty: logits of tokens that stand in the window already are divided by it where they are above 0,
            multiplied where below (Keskar et al. 2019, §4.1); 1 does nothing.
        temperature: logits are divided by it; at 0 the likeliest token is taken.
        top_k: only so many likeliest tokens can be drawn (Fan et al. 2018); 0 lets all.
        top_p: of those, only the likeliest that together have this probability (Holtzman et al. 2020); 1 lets all.
        min_p: of those, only tokens at least this share as likely as the likeliest (Nguyen et al. 2024); 0 lets all.
        seed: of the dice. Every place of a text has a die of its own.

    Raises:
        ValueError: naming the field that is out of range.
    """

    repetition_penalty: float = 1.0
    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    min_p: float = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.repetition_penalty < math.inf:
            raise ValueError(f"repetition_penalty {self.repetition_penalty} is not above 0")
        if not 0 <= self.temperature < math.inf:
            raise ValueError(f"temperature {self.temperature} is below 0")
        if self.top_k < 0:
            raise ValueError(f"top_k {self.top_k} is below 0")
        if not 0 < self.top_p <= 1:
            raise ValueError(f"top_p {self.top_p} is not in 0…1")
        if not 0 <= self.min_p <= 1:
            raise ValueError(f"min_p {self.min_p} is not in 0…1")

    def die(self, position: int) -> float:
        """A number in [0, 1) for a place: the same for the same seed, whatever was written before."""
        return float(np.random.default_rng((self.seed, position)).random())


class NextTokens(NamedTuple):
    """The next token: what the model says, and what can be drawn.

    Attributes:
        model: the model's own probabilities. The unknown character is never written and has none.
        drawn: probabilities after the sampler; 0 where it cut.
        cut: why, for each token.
    """

    model: Float[Tensor, " vocab"]
    drawn: Float[Tensor, " vocab"]
    cut: Int[Tensor, " vocab"]


def next_tokens(logits: Float[Tensor, " vocab"], window: Sequence[int], sampler: TextSampler) -> NextTokens:
    """Apply the sampler to the logits of one place.

    Args:
        logits: of the next token.
        window: the tokens that the model sees.
    """
    logits = logits.float().clone()
    logits[UNKNOWN_ID] = -math.inf
    model = logits.softmax(-1)
    if sampler.repetition_penalty != 1:
        seen = torch.tensor(sorted(set(window) - {UNKNOWN_ID}), dtype=torch.long, device=logits.device)
        mine = logits[seen]
        logits[seen] = torch.where(mine > 0, mine / sampler.repetition_penalty, mine * sampler.repetition_penalty)
    if sampler.temperature > 0:
        logits = logits / max(sampler.temperature, 1e-4)
    cut = _cut(logits, sampler)
    drawn = logits.masked_fill(cut != KEPT, -math.inf).softmax(-1)
    return NextTokens(model, drawn, cut)


def draw(offered: NextTokens, die: float) -> int:
    """The token on which a die falls: the likeliest tokens have the lowest numbers, so equal dice give equal ranks."""
    shares, tokens = offered.drawn.cpu().double().sort(descending=True, stable=True)
    position = int(torch.searchsorted(shares.cumsum(0), torch.tensor(die, dtype=torch.float64)))
    return int(tokens[min(position, int((shares > 0).sum()) - 1)])


def _cut(logits: Float[Tensor, " vocab"], sampler: TextSampler) -> Int[Tensor, " vocab"]:
    """For each token, what takes it away."""
    cut = torch.zeros_like(logits, dtype=torch.long)
    n_kept = 1 if sampler.temperature == 0 else sampler.top_k
    if 0 < n_kept < len(logits):
        cut[logits.sort(descending=True, stable=True).indices[n_kept:]] = BY_TOP_K
    if sampler.top_p < 1:
        shares, order = logits.masked_fill(cut != KEPT, -math.inf).softmax(-1).sort(descending=True, stable=True)
        before = shares.cumsum(0) - shares
        beyond = order[before >= sampler.top_p]
        cut[beyond[cut[beyond] == KEPT]] = BY_TOP_P
    if sampler.min_p > 0:
        shares = logits.masked_fill(cut != KEPT, -math.inf).softmax(-1)
        cut[(shares < sampler.min_p * shares.max()) & (cut == KEPT)] = BY_MIN_P
    return cut
