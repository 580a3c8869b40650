"""Scoring functions: how well a query fits a key.

A score is any number: the softmax that follows makes weights of a row of them. Weight matrices stand as in
`nn.Linear`, `[out, in]`, and are arguments: what holds parameters lives in `explorer.nn.scorers`.
"""

import math

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import normalize

#: Every scoring function of this module, in the order in which the lesson shows them.
NAMES = ("dot", "scaled_dot", "general", "additive", "concat", "cosine", "gaussian")
#: Those that have weights between query and key, and so allow the two to differ in length.
ANY_LENGTH = ("general", "additive", "concat")


class LengthMismatchError(ValueError):
    """A query and a key of different lengths met a scoring function that compares them number by number."""

    def __init__(self, function: str, d_query: int, d_key: int) -> None:
        self.function, self.d_query, self.d_key = function, d_query, d_key
        super().__init__(
            f"{function}: a query of length {d_query} has no number to meet each of the {d_key} of a key; "
            f"make them equally long, or use one of {', '.join(ANY_LENGTH)}"
        )


def dot(
    query: Float[Tensor, "*#batch queries d_query"], key: Float[Tensor, "*#batch keys d_key"]
) -> Float[Tensor, "*#batch queries keys"]:
    """Dot product, q·k (Luong et al. 2015, §3.1).

    Raises:
        LengthMismatchError: if queries and keys differ in length.
    """
    _require_equal_lengths("dot", query, key)
    return query @ key.mT


def scaled_dot(
    query: Float[Tensor, "*#batch queries d_query"], key: Float[Tensor, "*#batch keys d_key"]
) -> Float[Tensor, "*#batch queries keys"]:
    """Dot product over the root of its length, q·k / √d_key (Vaswani et al. 2017, §3.2.1).

    Raises:
        LengthMismatchError: if queries and keys differ in length.
    """
    _require_equal_lengths("scaled_dot", query, key)
    return (query @ key.mT) / math.sqrt(query.shape[-1])


def general(
    query: Float[Tensor, "*#batch queries d_query"],
    key: Float[Tensor, "*#batch keys d_key"],
    *,
    weight: Float[Tensor, "d_query d_key"],
) -> Float[Tensor, "*#batch queries keys"]:
    """Bilinear form, qᵀ W k: a dot product after a learned map (Luong et al. 2015, §3.1, “general”)."""
    return (query @ weight) @ key.mT


def additive(
    query: Float[Tensor, "*#batch queries d_query"],
    key: Float[Tensor, "*#batch keys d_key"],
    *,
    query_weight: Float[Tensor, "d_hidden d_query"],
    key_weight: Float[Tensor, "d_hidden d_key"],
    v: Float[Tensor, "d_hidden"],
    bias: Float[Tensor, "d_hidden"] | None = None,
) -> Float[Tensor, "*#batch queries keys"]:
    """A network with one hidden layer, vᵀ tanh(W_q q + W_k k + b) (Bahdanau et al. 2015, appendix A.1.2).

    The paper writes its formulas without b. Without it the score is odd, a(−q, −k) = −a(q, k), while a dot product is
    even: no choice of weights makes the one into the other.
    """
    return score_projected(query @ query_weight.mT, key @ key_weight.mT, v=v, bias=bias)


def score_projected(
    asked: Float[Tensor, "*#batch queries d_hidden"],
    offered: Float[Tensor, "*#batch keys d_hidden"],
    *,
    v: Float[Tensor, "d_hidden"],
    bias: Float[Tensor, "d_hidden"] | None = None,
) -> Float[Tensor, "*#batch queries keys"]:
    """The rest of `additive`, vᵀ tanh(a + o + b), for a = W_q q and o = W_k k that are computed already.

    A decoder asks many times about the same keys: their map is computed once.
    """
    asked = asked if bias is None else asked + bias  # before every key meets it
    hidden = torch.tanh(asked.unsqueeze(-2) + offered.unsqueeze(-3))  # [..., queries, keys, d_hidden]
    return hidden @ v


def concat(
    query: Float[Tensor, "*#batch queries d_query"],
    key: Float[Tensor, "*#batch keys d_key"],
    *,
    weight: Float[Tensor, "d_hidden d_query_plus_d_key"],
    v: Float[Tensor, "d_hidden"],
    bias: Float[Tensor, "d_hidden"] | None = None,
) -> Float[Tensor, "*#batch queries keys"]:
    """Score by a network that reads query and key laid end to end, vᵀ tanh(W [q; k] + b) (Luong et al. 2015, §3.1).

    The paper writes its formula without b. With W = [W_q | W_k] this *is* `additive`; only the cost differs, since W
    meets every pair, not every vector.
    """
    batch = torch.broadcast_shapes(query.shape[:-2], key.shape[:-2])  # type: ignore[no-untyped-call]
    queries, keys = query.shape[-2], key.shape[-2]
    asked = query.unsqueeze(-2).expand(*batch, queries, keys, -1)
    offered = key.unsqueeze(-3).expand(*batch, queries, keys, -1)
    pairs = torch.cat([asked, offered], dim=-1)  # [..., queries, keys, d_query + d_key]
    hidden = pairs @ weight.mT
    return torch.tanh(hidden if bias is None else hidden + bias) @ v


def cosine(
    query: Float[Tensor, "*#batch queries d_query"], key: Float[Tensor, "*#batch keys d_key"]
) -> Float[Tensor, "*#batch queries keys"]:
    """Cosine of the angle, q·k / (‖q‖ ‖k‖), within [−1, 1] (Graves et al. 2014, §3.3.1); 0 for a zero vector.

    Raises:
        LengthMismatchError: if queries and keys differ in length.
    """
    _require_equal_lengths("cosine", query, key)
    return normalize(query, dim=-1) @ normalize(key, dim=-1).mT


def gaussian(
    query: Float[Tensor, "*#batch queries d_query"],
    key: Float[Tensor, "*#batch keys d_key"],
    *,
    bandwidth: float = 1.0,
) -> Float[Tensor, "*#batch queries keys"]:
    """Negative squared distance, −‖q − k‖² / (2 bandwidth²): the exponent of the Gaussian kernel.

    Its softmax is Nadaraya–Watson regression. It is a dot product that also looks at the key's length,
    q·k − ½‖k‖², up to ½‖q‖², which the softmax cancels: with keys of equal length the two weigh alike.

    Args:
        query: where the kernel is centred.
        key: where the data lie.
        bandwidth: > 0, in units of the vectors; a softmax temperature T acts as a bandwidth √T.

    Raises:
        LengthMismatchError: if queries and keys differ in length.
    """
    _require_equal_lengths("gaussian", query, key)
    return (query.unsqueeze(-2) - key.unsqueeze(-3)).square().sum(-1) / (-2 * bandwidth**2)


def _require_equal_lengths(function: str, query: Tensor, key: Tensor) -> None:
    if query.shape[-1] != key.shape[-1]:
        raise LengthMismatchError(function, query.shape[-1], key.shape[-1])
