"""Noisy points of a known function: the classic experiment of kernel regression, and some that are harder."""

from collections.abc import Callable, Mapping

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.lessons.kernel_regression.records import Points
from explorer.scenes.kernel_regression import N

#: The functions live on [0, DOMAIN].
DOMAIN = 5.0
MOST_POINTS = N.high


#: `classic` is the experiment of d2l.ai (Zhang et al. 2023, §11.2; its Chinese edition). The others each show a limit:
#: a line (bias at both ends), a step (smoothed away), waves that quicken (no single width suits both sides).
TRUTHS: Mapping[str, Callable[[Tensor], Tensor]] = {
    "classic": lambda x: 2 * torch.sin(x) + x**0.8,
    "line": lambda x: x,
    "step": lambda x: 3.0 * (x >= DOMAIN / 2),
    "waves": lambda x: 2 * torch.sin(x**2 / 2),
}


def truth(name: str, x: Float[Tensor, "points"]) -> Float[Tensor, "points"]:
    """Return the noiseless value at every x.

    Raises:
        KeyError: if there is no such function.
    """
    return TRUTHS[name](x).to(x.dtype)


def draw(name: str, *, n: int, noise: float, seed: int) -> Points:
    """Draw y = truth(x) + ε at n uniform places, ε normal with standard deviation `noise` (in y-units).

    The places depend on n and the seed alone, so that noise moves points only up and down.

    Raises:
        KeyError: if there is no such function.
    """
    generator = torch.Generator().manual_seed(seed)
    x = (torch.rand(n, generator=generator, dtype=torch.float64) * DOMAIN).sort().values
    y = truth(name, x) + noise * torch.randn(n, generator=generator, dtype=torch.float64)
    return Points(x=x.numpy(), y=y.numpy())
