"""“Scoring functions”: why divide by √d, measured."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from explorer.attention import scoring, softmax_measures
from explorer.attention.attend import Score
from explorer.attention.masking import masked_softmax
from explorer.records.provenance import Provenance
from explorer.records.scoring import SaturationRecord
from explorer.scenes.scoring_functions import MEASURED as LENGTHS

#: Pairs of a query and a key that are scored for each length.
PAIRS = 4096
#: Variance of each score for independent standard normal components.
EXPECTED_VARIANCE: dict[str, Callable[[int], float]] = {
    "dot": lambda d: d,
    "scaled_dot": lambda _: 1.0,
    "cosine": lambda d: 1 / d,
    "gaussian": lambda d: 2 * d,
}
_FUNCTIONS: dict[str, Score] = {
    "dot": scoring.dot,
    "scaled_dot": scoring.scaled_dot,
    "cosine": scoring.cosine,
    "gaussian": scoring.gaussian,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Draws:
    """Settings of what is drawn for each length.

    Attributes:
        n_keys: keys that each query meets.
        temperature: what scores are divided by before the softmax.

    Raises:
        ValueError: if there is nothing to measure.
    """

    n_keys: int = 8
    temperature: float = 1.0
    seed: int = 0

    def __post_init__(self) -> None:
        if not 2 <= self.n_keys <= PAIRS or not self.temperature > 0:
            raise ValueError(f"{self}: needs 2 to {PAIRS} keys and a temperature above 0")

    @property
    def count(self) -> int:
        """Return how many queries are drawn, each with keys of its own."""
        return PAIRS // self.n_keys


def vectors(draws: Draws) -> tuple[Float[Tensor, "draws 1 d"], Float[Tensor, "draws keys d"]]:
    """Draw queries, and keys for each, as long as the longest."""
    generator = torch.Generator().manual_seed(draws.seed)
    query = torch.randn(draws.count, 1, LENGTHS[-1], generator=generator)
    return query, torch.randn(draws.count, draws.n_keys, LENGTHS[-1], generator=generator)


def saturation(draws: Draws) -> SaturationRecord:
    """Measure scores and weights of the functions without parameters at d = 2, 4, …, 512.

    A sum of d products of independent standard normal numbers has variance d, so dot products grow like √d, the
    softmax picks one key, and its Jacobian vanishes (Vaswani et al. 2017, §3.2.1). Shorter vectors are the beginnings
    of the longer ones: the curves share their draws.
    """
    shape = (len(_FUNCTIONS), len(LENGTHS))
    found = {name: np.empty(shape) for name in ("variance", "entropy", "largest", "gradient")}
    with torch.inference_mode():
        query, key = vectors(draws)
        for column, d in enumerate(LENGTHS):
            for row, score in enumerate(_FUNCTIONS.values()):
                scores = score(query[..., :d], key[..., :d]).double()
                weights = masked_softmax(scores / draws.temperature)
                found["variance"][row, column] = softmax_measures.score_variance(scores)
                found["entropy"][row, column] = softmax_measures.entropy(weights).mean()
                found["largest"][row, column] = weights.amax(-1).mean()
                found["gradient"][row, column] = softmax_measures.gradient_size(weights).mean()
    return SaturationRecord(
        scorers=tuple(_FUNCTIONS),
        lengths=LENGTHS,
        expected_variance=np.array([[EXPECTED_VARIANCE[name](d) for d in LENGTHS] for name in _FUNCTIONS]),
        provenance=Provenance.of(
            saturation,
            seed=draws.seed,
            detail=f"{draws.count} queries for each d, {draws.n_keys} keys each, temperature {draws.temperature:g}",
        ),
        **found,
    )
