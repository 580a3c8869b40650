"""Performer: softmax attention through random features, FAVOR+."""

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.attention.efficient.linear import CHUNK, over_features
from explorer.attention.efficient.partial import at_least


def performer(
    query: Float[Tensor, "*batch queries d_key"],
    key: Float[Tensor, "*batch keys d_key"],
    value: Float[Tensor, "*batch keys d_value"],
    *,
    causal: bool = False,
    n_features: int,
    seed: int = 0,
    chunk: int = CHUNK,
) -> Float[Tensor, "*batch queries d_value"]:
    """Approximate exp(q·k / √d) by the mean of positive random features (Choromanski et al. 2021, §2.3–2.4).

    exp(x·y) = E[exp(ω·x − |x|²/2) · exp(ω·y − |y|²/2)] for ω ~ N(0, I): unbiased, and its error falls as
    1/√n_features. The directions ω are orthogonal, which makes the error smaller still. O(n · n_features · d).

    All keys share one factor: of a key whose features are e⁸⁷ times smaller than the largest of all, nothing is left in
    float32. With `causal`, a query that may see no other gets output 0.

    Raises:
        ValueError: if there is no feature; with `causal`, if queries and keys are not equally many.
    """
    asking, asked = features(query, key, n_features=n_features, seed=seed)
    return over_features(asking, asked, value, causal=causal, chunk=chunk)


def features(
    query: Float[Tensor, "*batch queries d_key"],
    key: Float[Tensor, "*batch keys d_key"],
    *,
    n_features: int,
    seed: int,
) -> tuple[Float[Tensor, "*batch queries features"], Float[Tensor, "*batch keys features"]]:
    """Positive random features of queries and keys, each times a number that the division takes out again.

    Before exp, every query's largest exponent and that of all keys together are subtracted, so that nothing overflows.

    Raises:
        ValueError: if there is no feature.
    """
    at_least("Performer", 1, n_features=n_features)
    width = query.shape[-1]
    across = directions(width, n_features, seed).to(query)
    asking, asked = (
        scaled @ across.mT - scaled.square().sum(-1, keepdim=True) / 2
        for scaled in (each * width**-0.25 for each in (query, key))  # q·k / √d = (q / ⁴√d) · (k / ⁴√d)
    )
    largest = asked.amax((-2, -1), keepdim=True) if asked.shape[-2] else 0.0
    return (asking - asking.amax(-1, keepdim=True)).exp(), (asked - largest).exp()


def directions(width: int, n_features: int, seed: int) -> Float[Tensor, "features d_key"]:
    """Random directions, orthogonal in groups of `width`, each as long as a standard normal vector would be."""
    generator = torch.Generator().manual_seed(seed)
    groups = []
    for start in range(0, n_features, width):
        drawn = torch.randn(width, width, generator=generator)
        lengths = torch.randn(width, width, generator=generator).norm(dim=-1, keepdim=True)
        across, signs = torch.linalg.qr(drawn)
        across = across * signs.diagonal().sign()  # or the signs that LAPACK likes would bias them (Mezzadri 2007)
        groups.append((lengths * across.T)[: n_features - start])
    return torch.cat(groups)
