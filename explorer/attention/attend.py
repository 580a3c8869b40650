"""Attention itself: score, mask and normalise, average."""

from collections.abc import Callable
from typing import NamedTuple

from jaxtyping import Bool, Float
from torch import Tensor

from explorer.attention.masking import masked_softmax
from explorer.attention.scoring import scaled_dot

#: Scores every query against every key: `[..., queries, d_query], [..., keys, d_key] -> [..., queries, keys]`.
Score = Callable[[Tensor, Tensor], Tensor]


class Attended(NamedTuple):
    """The result of an attention. `output == weights @ value`, but for weights that are dropped while training."""

    output: Float[Tensor, "*batch queries d_value"]
    weights: Float[Tensor, "*batch queries keys"]
    scores: Float[Tensor, "*batch queries keys"]


def attend(
    query: Float[Tensor, "*batch queries d_query"],
    key: Float[Tensor, "*batch keys d_key"],
    value: Float[Tensor, "*batch keys d_value"],
    *,
    score: Score = scaled_dot,
    allowed: Bool[Tensor, "..."] | None = None,
    temperature: float = 1.0,
    drop: Callable[[Tensor], Tensor] | None = None,
) -> Attended:
    """Average the values, weighted by how well each query fits each key.

    weights = softmax(score(query, key) / temperature), output = weights @ value (Vaswani et al. 2017, eq. 1, for
    the default `score`).

    Args:
        query: what is asked.
        key: what is asked for.
        value: what is answered.
        allowed: True = may attend, broadcasts to `[*batch, queries, keys]`. A query with no allowed key gets output 0.
        temperature: > 0; towards 0 a hard look-up, towards infinity average pooling.
        drop: while training, sets some weights to 0 before they average; those that are returned are whole.
    """
    scores = score(query, key)
    if temperature != 1.0:
        scores = scores / temperature
    weights = masked_softmax(scores, allowed)
    kept = weights if drop is None else drop(weights)
    return Attended(kept @ value, weights, scores)
