"""Kernel regression in the words of attention: the logarithm of a kernel is a score, the end of its reach a mask."""

import math
from functools import partial

from jaxtyping import Float
from torch import Tensor

from explorer.attention.attend import Attended, attend
from explorer.attention.kernels import Kernel
from explorer.attention.scoring import gaussian


def attend_with_kernel(
    query: Float[Tensor, "queries"],
    key: Float[Tensor, "keys"],
    value: Float[Tensor, "keys"],
    *,
    kernel: Kernel,
    width: float,
) -> Attended:
    """Attend from positions to positions: softmax(log K(u)) = K(u) / Σ K(u), masked where K(u) = 0.

    For the Gaussian the score is −(q − k)² / 2h². A boxcar scores every key within reach alike: it averages a window.
    Arguments are those of `explorer.attention.kernels.kernel_weights`.
    """
    columns = query.unsqueeze(-1), key.unsqueeze(-1), value.unsqueeze(-1)
    if kernel.reach == math.inf:
        return attend(*columns, score=partial(gaussian, bandwidth=width))
    closeness = kernel.profile((query / width).unsqueeze(-1) - key / width)
    return attend(*columns, score=lambda _q, _k: closeness.log(), allowed=closeness > 0)
