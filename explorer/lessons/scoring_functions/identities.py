"""“Scoring functions”: scoring functions that turn out to be one another, measured."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.attention import scoring
from explorer.attention.masking import masked_softmax
from explorer.nn.scorers import xavier


@dataclass(frozen=True, slots=True, kw_only=True)
class Identities:
    """Largest difference between two ways to compute one thing, in float64; None where the lengths do not allow it.

    Attributes:
        concat_is_additive: scores, with W = [W_q | W_k].
        projecting_is_general: scores of (W_q q)·(W_k k) and qᵀ W k, with W = W_qᵀ W_k.
        gaussian_is_dot: weights of −½‖q − k‖² and of q·k − ½‖k‖².
        equal_norms: weights of −½‖q − k‖² and of q·k, with every key scaled to length √d.
    """

    concat_is_additive: float
    projecting_is_general: float
    gaussian_is_dot: float | None
    equal_norms: float | None


#: The identities, fields of `Identities`.
SAME = ("concat_is_additive", "projecting_is_general", "gaussian_is_dot", "equal_norms")
#: Two pairs of functions that are not one another.
DIFFERENT = ("gaussian_and_dot", "cosine_and_dot")
PAIRS = (*SAME, *DIFFERENT)
#: Pairs whose two sides are scores; the others compare weights.
OF_SCORES = SAME[:2]
Sides = tuple[Float[Tensor, "queries keys"], Float[Tensor, "queries keys"]]


def identities(
    query: Float[Tensor, "queries d_query"],
    key: Float[Tensor, "keys d_key"],
    *,
    seed: int,
    temperature: float = 1.0,
) -> Identities:
    """Measure the four identities on given queries and keys, with weights drawn from `seed`."""
    found = {name: sides(name, query, key, seed=seed, temperature=temperature) for name in SAME}
    apart = {name: None if each is None else float((each[0] - each[1]).abs().max()) for name, each in found.items()}
    return Identities(**apart)  # type: ignore[arg-type]


def sides(
    pair: str,
    query: Float[Tensor, "queries d_query"],
    key: Float[Tensor, "keys d_key"],
    *,
    seed: int,
    temperature: float = 1.0,
) -> Sides | None:
    """Compute both sides of a pair in float64; None where queries and keys must be equally long and are not.

    Raises:
        KeyError: if there is no such pair.
    """
    q, k = query.double(), key.double()
    if pair in OF_SCORES:
        return _of_scores(pair, q, k, seed)
    if q.shape[-1] != k.shape[-1]:
        return None
    one, other = _COMPARED[pair](q, k)
    return masked_softmax(one / temperature), masked_softmax(other / temperature)


def _of_scores(pair: str, q: Float[Tensor, "queries d_query"], k: Float[Tensor, "keys d_key"], seed: int) -> Sides:
    generator = torch.Generator().manual_seed(seed)
    d_hidden = q.shape[-1]
    query_weight = xavier(d_hidden, q.shape[-1], generator).double()
    key_weight = xavier(d_hidden, k.shape[-1], generator).double()
    v = xavier(1, d_hidden, generator)[0].double()
    if pair == "projecting_is_general":
        projected = scoring.dot(q @ query_weight.mT, k @ key_weight.mT)
        return projected, scoring.general(q, k, weight=query_weight.mT @ key_weight)
    joined = scoring.concat(q, k, weight=torch.cat([query_weight, key_weight], dim=-1), v=v)
    return joined, scoring.additive(q, k, query_weight=query_weight, key_weight=key_weight, v=v)


def _equal_norms(q: Float[Tensor, "queries d"], k: Float[Tensor, "keys d"]) -> Sides:
    k = torch.nn.functional.normalize(k, dim=-1) * math.sqrt(k.shape[-1])
    return scoring.gaussian(q, k), scoring.dot(q, k)


_COMPARED: dict[str, Callable[[Tensor, Tensor], Sides]] = {
    "gaussian_is_dot": lambda q, k: (scoring.gaussian(q, k), scoring.dot(q, k) - k.square().sum(-1) / 2),
    "equal_norms": _equal_norms,
    "gaussian_and_dot": lambda q, k: (scoring.gaussian(q, k), scoring.dot(q, k)),
    "cosine_and_dot": lambda q, k: (scoring.cosine(q, k), scoring.dot(q, k)),
}
