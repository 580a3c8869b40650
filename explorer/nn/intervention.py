"""Attentions of one pass that score otherwise than they were trained to: an argument, so that a shared model stays."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.attention.attend import Score


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Steering:
    """A change of some attentions of a pass, by site (such as `decoder.layers.1.cross`).

    Attributes:
        temperatures: scores are divided by this: towards 0 a hard look-up, towards infinity average pooling.
        rows: weights that all heads put in place of their own, by row: one weight for each key, adding up to 1.

    Raises:
        ValueError: a temperature is not above 0.
    """

    temperatures: Mapping[str, float] = field(default_factory=dict)
    rows: Mapping[str, Mapping[int, tuple[float, ...]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if any(not value > 0 for value in self.temperatures.values()):
            raise ValueError(f"temperatures {dict(self.temperatures)} must be above 0")

    @property
    def does_nothing(self) -> bool:
        """Return whether every attention scores as usual."""
        return not any(self.rows.values()) and all(value == 1.0 for value in self.temperatures.values())

    def score(self, site: str, usual: Score) -> Score:
        """Return the score of a site under the steering; the usual one where nothing was asked of it."""
        temperature, rows = self.temperatures.get(site, 1.0), self.rows.get(site, {})
        if temperature == 1.0 and not rows:
            return usual

        def scored(
            query: Float[Tensor, "*batch queries d_query"], key: Float[Tensor, "*batch keys d_key"]
        ) -> Float[Tensor, "*batch queries keys"]:
            scores = usual(query, key) / temperature
            for row, weights in rows.items():
                if row < scores.shape[-2]:  # a prefix may end before it
                    scores[..., row, :] = _scores_of(weights, scores)
            return scores

        return scored


def steer(steering: Steering | None, site: str, usual: Score) -> Score:
    """Return the score of a site; the usual one without steering."""
    return usual if steering is None else steering.score(site, usual)


def _scores_of(weights: tuple[float, ...], like: Tensor) -> Float[Tensor, " keys"]:
    """Return scores whose softmax is the weights: their logarithms; for 0 so low a number that nothing is left."""
    wanted = torch.tensor(weights, dtype=like.dtype, device=like.device)
    return wanted.log().clamp(min=torch.finfo(like.dtype).min / 2)
