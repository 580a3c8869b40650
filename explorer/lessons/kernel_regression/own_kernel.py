"""A kernel of the reader's own: a family with two bounded parameters, named in one string; nothing is evaluated."""

from collections.abc import Callable

import torch
from torch import Tensor

from explorer.attention.kernels import KERNELS, Kernel
from explorer.scenes.kernel_regression import P

#: A tensor where it is learned.
Parameter = float | Tensor
#: Each parameter's bounds.
LOW, HIGH = P.low, P.high
#: A profile in |u|, the distance in widths; p shapes it, q sharpens it.
FAMILIES: dict[str, Callable[[Tensor, Parameter, Parameter], Tensor]] = {
    "ends": lambda u, p, q: (1 - u**p).clamp(min=0) ** q,
    "fades": lambda u, p, q: torch.exp(-q * u**p),
    "tails": lambda u, p, q: (1 + u**p) ** -q,
    "ring": lambda u, p, q: torch.exp(-0.5 * (4 * q * (u - p)).square()),
}
#: Where every family but the first is cut: far enough, and finite, since only the Gaussian may reach for ever.
_FAR = 1e6


def name_of_own(family: str, p: float, q: float) -> str:
    """Return the name of a kernel of one's own; parameters are clamped, an unknown family is the first."""
    known = family if family in FAMILIES else next(iter(FAMILIES))
    p, q = (min(max(each, LOW), HIGH) for each in (p, q))
    return f"{known} {p:.2f} {q:.2f}"


def kernel_of(name: str) -> Kernel:
    """Return the kernel of a name: of `KERNELS`, or one that `name_of_own` gave.

    The constant of one's own is 1: it cancels when weights are made to sum to 1.

    Raises:
        ValueError: if there is no such kernel.
    """
    if name in KERNELS:
        return KERNELS[name]
    parts = name.split()
    if len(parts) != 3 or parts[0] not in FAMILIES:
        raise ValueError(f"kernel {name!r} is none of {', '.join([*KERNELS, *FAMILIES])}")
    profile, p, q = FAMILIES[parts[0]], float(parts[1]), float(parts[2])
    if not (LOW <= p <= HIGH and LOW <= q <= HIGH):
        raise ValueError(f"the parameters {p} and {q} must be {LOW}…{HIGH}")
    reach = 1.0 if parts[0] == "ends" else _FAR
    return Kernel(profile=lambda u: profile(u.abs(), p, q), constant=1.0, reach=reach)
