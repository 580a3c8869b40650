"""Kernel regression: the weighted average of Nadaraya (1964) and Watson (1964), attention before it had the name.

A kernel K says how much a key counts by its distance from the query, in widths. Numbers, not vectors, are compared.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from explorer.attention.masking import masked_softmax

#: A row of Gaussian closeness that sums to less is close to underflow, and computed in logarithms instead.
_UNDERFLOW = 1e-30
#: Rows are computed in blocks of this many cells: 1 MB in float64 stays in a core's cache.
_BLOCK_CELLS = 2**17


class WidthError(ValueError):
    """A width that is not a positive, finite number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernel:
    """A kernel K(u) = constant · profile(u), with u the distance in widths; its area is 1.

    Attributes:
        profile: the shape, at most 1. The constant cancels when weights are made to sum to 1.
        constant: makes the area 1.
        reach: beyond this many widths K is 0; infinite for the Gaussian.
    """

    profile: Callable[[Tensor], Tensor]
    constant: float
    reach: float = 1.0


#: By name. The *triangular* kernel is 1 − |u|; that of Epanechnikov (1969) is a parabola.
KERNELS = {
    "gaussian": Kernel(
        profile=lambda u: torch.exp(-0.5 * u.square()),
        constant=1 / math.sqrt(2 * math.pi),
        reach=math.inf,
    ),
    "boxcar": Kernel(
        profile=lambda u: (u.abs() <= 1).to(u.dtype),
        constant=0.5,
    ),
    "triangular": Kernel(
        profile=lambda u: (1 - u.abs()).clamp(min=0),
        constant=1.0,
    ),
    "epanechnikov": Kernel(
        profile=lambda u: (1 - u.square()).clamp(min=0),
        constant=0.75,
    ),
}


class Regressed(NamedTuple):
    """The result of kernel regression. `prediction == weights @ value`; NaN where no key is within reach."""

    prediction: Float[Tensor, "queries"]
    weights: Float[Tensor, "queries keys"]


def kernel_weights(
    query: Float[Tensor, "queries"],
    key: Float[Tensor, "keys"],
    *,
    kernel: Kernel,
    width: float | Float[Tensor, ""],
    allowed: Bool[Tensor, "queries keys"] | None = None,
) -> Float[Tensor, "queries keys"]:
    """Weigh keys by their closeness: w_ij = K((q_i − k_j)/h) / Σ_m K((q_i − k_m)/h).

    Rows sum to 1, or to 0 where no key is within reach. Differentiable in `width`. The Gaussian reaches everywhere:
    where all its values underflow, its weights come from the softmax of −u²/2, which is the same ratio.

    Args:
        query: positions asked about, in x-units.
        key: positions of the data, in x-units.
        kernel: one of `KERNELS`.
        width: h, in x-units: the Gaussian's standard deviation, half the base of the others.
        allowed: True = may count.
    """
    u = (query / width).unsqueeze(-1) - key / width
    closeness = kernel.profile(u)
    if allowed is not None:
        closeness = closeness * allowed
    total = closeness.sum(-1, keepdim=True)
    if kernel.reach == math.inf and bool((total < _UNDERFLOW).any()):
        return masked_softmax(-0.5 * u.square(), allowed)
    return closeness * total.masked_fill(total == 0, 1.0).reciprocal()


def regress(
    query: Float[Tensor, "queries"],
    key: Float[Tensor, "keys"],
    value: Float[Tensor, "keys"],
    *,
    kernel: Kernel,
    width: float,
) -> Regressed:
    """Predict the value at every query: ŷ(q_i) = Σ_j w_ij y_j (Nadaraya 1964, eq. 1; Watson 1964, §4).

    Raises:
        WidthError: if the width is not positive and finite.
    """
    prediction, weights = query.new_empty(len(query)), query.new_empty(len(query), len(key))
    for rows, block in regress_blocks(query, key, value, kernel=kernel, width=width, buffer=weights):
        prediction[rows] = block.prediction
    return Regressed(prediction, weights)


def regress_blocks(
    query: Float[Tensor, "queries"],
    key: Float[Tensor, "keys"],
    value: Float[Tensor, "keys"],
    *,
    kernel: Kernel,
    width: float,
    buffer: Float[Tensor, "queries keys"] | None = None,
) -> Iterator[tuple[slice, Regressed]]:
    """Regress some rows at a time: 5,000 × 5,000 weights fill 200 MB, which cost more to allocate than to compute.

    Args:
        buffer: where the weights go; if None, each block's weights overwrite the last block's.

    Yields:
        Which rows, and their prediction and weights.

    Raises:
        WidthError: if the width is not positive and finite.
    """
    if not (math.isfinite(width) and width > 0):
        raise WidthError(f"the width is {width}; it must be a positive number")
    query, key, value = query.detach(), key.detach(), value.detach()
    step = max(1, _BLOCK_CELLS // max(1, len(key)))
    reused = query.new_empty(min(step, len(query)), len(key)) if buffer is None else None
    for start in range(0, len(query), step):
        rows = slice(start, min(start + step, len(query)))
        weights = reused[: rows.stop - start] if reused is not None else buffer[rows]  # type: ignore[index]
        _weigh_into(weights, query[rows], key, kernel=kernel, width=width)
        prediction = weights @ value
        if kernel.reach < math.inf:
            prediction = prediction.masked_fill(weights.sum(-1) == 0, math.nan)
        yield rows, Regressed(prediction, weights)


def regress_widths(
    query: Float[Tensor, "queries"],
    key: Float[Tensor, "keys"],
    value: Float[Tensor, "keys"],
    *,
    kernel: Kernel,
    widths: Float[Tensor, "widths"],
    leave_out: bool = False,
) -> Float[Tensor, "widths queries"]:
    """Predict the value at every query as `regress` does, with each of many widths; keeps no weights.

    A point is left out of its own prediction by an infinite distance. Of the Gaussian every row is divided by its
    largest value, which cancels in Σ_j K_ij y_j / Σ_j K_ij, so that none underflows.

    Args:
        leave_out: whether the queries are the keys, and each of them does not count for itself.

    Returns:
        Predictions; NaN where no key is within reach.
    """
    apart = query.unsqueeze(-1) - key  # [queries, keys]
    unit = apart.abs().amax().clamp(min=torch.finfo(apart.dtype).tiny)  # so that squares stay in range
    apart, each = apart / unit, (widths / unit)[:, None, None]
    if leave_out:
        apart.fill_diagonal_(math.inf)
    if kernel.reach == math.inf:
        apart = apart.square_().sub_(apart.amin(-1, keepdim=True))
    ones_and_value = torch.stack([torch.ones_like(value), value], -1)
    predicted = list[Tensor]()
    for rows in torch.split(apart, max(1, _BLOCK_CELLS // (len(widths) * len(key)))):  # [rows, keys]
        close = torch.exp(rows * (-0.5 / each.square())) if kernel.reach == math.inf else kernel.profile(rows / each)
        total, weighted = (close @ ones_and_value).unbind(-1)  # [widths, rows]
        predicted.append(weighted / total)
    return torch.cat(predicted, -1)


def _weigh_into(
    weights: Float[Tensor, "queries keys"],
    query: Float[Tensor, "queries"],
    key: Float[Tensor, "keys"],
    *,
    kernel: Kernel,
    width: float,
) -> None:
    """`kernel_weights` over `weights`; in place for the Gaussian, where new memory would cost most of the time."""
    if kernel.reach == math.inf:
        u = torch.sub((query / width).unsqueeze(-1), key / width, out=weights)
        closeness = torch.addcmul(u.new_zeros(()), u, u, value=-0.5, out=weights).exp_()
        total = closeness.sum(-1, keepdim=True)
        if float(total.min()) >= _UNDERFLOW:
            closeness.mul_(total.reciprocal_())
            return
    weights.copy_(kernel_weights(query, key, kernel=kernel, width=width))


def all_but_itself(n: int) -> Bool[Tensor, "n n"]:
    """Allow each training point every key but its own, for a prediction that leaves it out."""
    return ~torch.eye(n, dtype=torch.bool)
