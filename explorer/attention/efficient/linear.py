"""Linear attention: a kernel whose features can be summed once for all queries."""

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn import functional as F

from explorer.attention.efficient.partial import at_least, self_length
from explorer.attention.masking import causal as past

#: Positions that causal linear attention takes at a time.
CHUNK = 64


def elu_plus_one(x: Float[Tensor, "*shape"]) -> Float[Tensor, "*shape"]:
    """elu(x) + 1: above 0 everywhere (Katharopoulos et al. 2020, eq. 7)."""
    return F.elu(x) + 1


def linear(
    query: Float[Tensor, "*batch queries d_key"],
    key: Float[Tensor, "*batch keys d_key"],
    value: Float[Tensor, "*batch keys d_value"],
    *,
    causal: bool = False,
    chunk: int = CHUNK,
) -> Float[Tensor, "*batch queries d_value"]:
    """Replace exp(q·k / √d) by φ(q)·φ(k) with φ = elu + 1 (Katharopoulos et al. 2020, §3.2).

    It is another attention, not an approximation of softmax: a model would have to be trained with it.

    Raises:
        ValueError: if the chunk is below 1; with `causal`, if queries and keys are not equally many.
    """
    return over_features(elu_plus_one(query), elu_plus_one(key), value, causal=causal, chunk=chunk)


def over_features(
    asking: Float[Tensor, "*batch queries features"],
    asked: Float[Tensor, "*batch keys features"],
    value: Float[Tensor, "*batch keys d_value"],
    *,
    causal: bool = False,
    chunk: int = CHUNK,
) -> Float[Tensor, "*batch queries d_value"]:
    """φ(q_i)ᵀ Σ_j φ(k_j) v_jᵀ / φ(q_i)ᵀ Σ_j φ(k_j), the sums computed once: O(n · features · d).

    With `causal` the sums run on from position to position: a recurrent net whose state is a matrix (§3.4). They are
    taken `chunk` positions at a time: 1 is the recurrent form, n the parallel one with its n × n matrix; all are equal.

    Raises:
        ValueError: if the chunk is below 1; with `causal`, if queries and keys are not equally many.
    """
    at_least("linear", 1, chunk=chunk)
    if not causal:
        return _divided(asking, asked.mT @ value, asked.sum(-2))
    self_length("causal linear", asking, asked)
    state = asking.new_zeros(*value.shape[:-2], asked.shape[-1], value.shape[-1])
    total = asking.new_zeros(*value.shape[:-2], asked.shape[-1])
    parts = []
    for q, k, v in zip(*(torch.split(each, chunk, -2) for each in (asking, asked, value)), strict=True):
        near = (q @ k.mT).tril()  # within the chunk
        above, below = near @ v + q @ state, near.sum(-1) + (q @ total[..., None])[..., 0]
        parts.append(above / _positive(below)[..., None])
        state, total = state + k.mT @ v, total + k.sum(-2)
    return torch.cat(parts, -2)


def _divided(asking: Tensor, state: Tensor, total: Tensor) -> Tensor:
    below = (asking @ total[..., None])[..., 0]
    return (asking @ state) / _positive(below)[..., None]


def _positive(total: Tensor) -> Tensor:
    """Features that have all run out to 0 give output 0, not no number."""
    return total.clamp(min=torch.finfo(total.dtype).tiny)


def weights(
    asking: Float[Tensor, "*batch queries features"],
    asked: Float[Tensor, "*batch keys features"],
    *,
    causal: bool = False,
) -> Float[Tensor, "*batch queries keys"]:
    """The weights that linear attention implies and never forms; to look at, in O(n²)."""
    fit = asking @ asked.mT
    if causal:
        fit = fit * past(*fit.shape[-2:]).to(fit.device)
    return fit / _positive(fit.sum(-1, keepdim=True))
