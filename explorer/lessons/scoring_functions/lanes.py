"""Dot products as they are and divided by √d: scores, weights, and what is left of the gradient."""

import math
from dataclasses import dataclass, field

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from explorer.attention import scoring, softmax_measures
from explorer.attention.masking import masked_softmax
from explorer.lessons.scoring_functions.records import LanesRecord
from explorer.lessons.scoring_functions.saturation import Draws, vectors
from explorer.records.provenance import Provenance
from explorer.scenes.scoring_functions import MEASURED as LENGTHS, WHICH
from explorer.service.kept import made_once

#: Above this weight on one key a query counts as frozen.
FROZEN = 0.99
#: How many queries can be shown: those whose mean largest weight over all d is nearest to that of all queries.
EXAMPLES = int(WHICH.high)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lanes:
    """Choice of what is shown.

    Attributes:
        d: length of the vectors, one of `LENGTHS`.
        which: number of the query shown, from 0.
        draws: keys, temperature and seed.

    Raises:
        ValueError: if there is no such length or query.
    """

    d: int = 32
    which: int = 0
    draws: Draws = field(default_factory=Draws)

    def __post_init__(self) -> None:
        if self.d not in LENGTHS or not 0 <= self.which < EXAMPLES:
            raise ValueError(f"{self}: d must be one of {LENGTHS}, and which in 0…{EXAMPLES - 1}")


@dataclass(frozen=True, slots=True)
class _Drawn:
    """Scores of the same draws at every length, `[lengths, queries, keys]`, and measures of both lanes."""

    plain: Float[Tensor, "lengths queries keys"]
    weights: Float[Tensor, "lanes lengths queries keys"]
    left: Float[Tensor, "lanes lengths"]
    frozen: Float[Tensor, "lanes lengths"]
    typical: Int[Tensor, "queries"]


def compute(params: Lanes) -> LanesRecord:
    """Score all pairs at every length, and keep those of d."""
    drawn = _drawn(params.draws)
    position, chosen = LENGTHS.index(params.d), int(drawn.typical[params.which])
    plain = drawn.plain[position].double()
    return LanesRecord(
        d=params.d,
        scores=torch.stack([plain, plain / math.sqrt(params.d)]).numpy(),
        chosen=chosen,
        weights=drawn.weights[:, position, chosen].numpy(),
        course=drawn.weights[:, :, chosen].numpy(),
        lengths=LENGTHS,
        left=drawn.left.numpy(),
        frozen=drawn.frozen.numpy(),
        every=drawn.plain.numpy(),
        temperature=params.draws.temperature,
        provenance=Provenance.of(
            compute,
            seed=params.draws.seed,
            detail=f"{params.draws.count} queries for each d, {params.draws.n_keys} keys each, temperature "
            f"{params.draws.temperature:g}; the query shown is one of the {EXAMPLES} whose largest weight is nearest "
            "to the mean",
        ),
    )


@made_once
def _drawn(draws: Draws) -> _Drawn:
    with torch.inference_mode():
        query, key = vectors(draws)
        plain = torch.stack([scoring.dot(query[..., :d], key[..., :d]).squeeze(-2) for d in LENGTHS])
        roots = torch.tensor(LENGTHS, dtype=torch.float64).sqrt()[:, None, None]
        weights = masked_softmax(torch.stack([plain.double(), plain.double() / roots]) / draws.temperature)
        gradient = softmax_measures.gradient_size(weights).mean(-1)
        largest = weights.amax(-1)
        return _Drawn(
            plain=plain,
            weights=weights,
            left=gradient / gradient.max(),
            frozen=(largest > FROZEN).double().mean(-1),
            typical=(largest[0].mean(0) - largest[0].mean()).abs().argsort(stable=True),
        )


def spread(record: LanesRecord, lane: int) -> float:
    """Standard deviation of the scores of a lane."""
    return float(np.std(record.scores[lane]))
