"""Attention measured over the length of the sequence: plain, fused, and the mechanisms that scale."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from explorer.attention.efficient import fused
from explorer.attention.efficient.variants import Variant
from explorer.inference.benchmark.layers import Layer
from explorer.inference.benchmark.timing import ROUNDS, TOTAL_SECONDS
from explorer.inference.device import arithmetic, pick_device

#: What our own code is measured with.
OURS = {
    "plain": Variant(name="plain"),
    "flash": Variant(name="flash", tile_queries=256, tile_keys=256),
    "window": Variant(name="window", width=64),
    "bigbird": Variant(name="bigbird", block=64, n_global=1, n_random=2),
    "linear": Variant(name="linear"),
    "performer": Variant(name="performer", n_features=128),
}
#: Those whose work grows with the square of n.
QUADRATIC = ("plain", "flash")
HEADS, D = 4, 64
SIZES = tuple(2**power for power in range(7, 14))
#: Length of what is run to wake everything up.
SMALL = 16


class Calling(nn.Module):
    """A function as a module, which is what is measured."""

    def __init__(self, function: Callable[..., Tensor], *, causal: bool = False) -> None:
        super().__init__()
        self.function, self.causal = function, causal

    def forward(self, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        """Attend."""
        return self.function(query, key, value, causal=self.causal)


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthSweep:
    """Every way to attend, at every length; see `explorer.inference.benchmark.sweep`.

    Attributes:
        backends: of PyTorch's fused attention.
        values: n.
        rounds: how often each cell is timed.
        total_seconds: after this long no new round begins.
    """

    backends: tuple[str, ...]
    values: tuple[int, ...] = SIZES
    rounds: int = ROUNDS
    total_seconds: float = TOTAL_SECONDS

    @property
    def axis(self) -> str:
        """Return the length of the sequence."""
        return "n"

    @property
    def names(self) -> tuple[str, ...]:
        """Return plain attention, PyTorch's backends, and our own."""
        first, *others = OURS
        return (first, *(f"sdpa_{backend}" for backend in self.backends), *others)

    @property
    def detail(self) -> str:
        """Return what stays the same."""
        return f"{HEADS} heads, d {D}, both directions"

    def operations(self, name: str, column: int) -> float:
        """Return n² or n: how the work grows."""
        n = self.values[column]
        return float(n * n if self.quadratic(name) else n)

    def quadratic(self, name: str) -> bool:
        """Return whether the work grows with the square of n."""
        return name in QUADRATIC or name.startswith("sdpa_")

    def peak(self, name: str, column: int) -> float:
        """Estimate the numbers alive at once: scores and weights where they are formed, else some vectors per place."""
        n = self.values[column]
        if name in ("plain", "sdpa_math"):
            return float(2 * HEADS * n * n)
        window = OURS["window"].width
        each = {"window": 6 * window + 6 * D, "performer": 4 * OURS["performer"].n_features}.get(name, 4 * D)
        return float(HEADS * n * each)

    def build(self, name: str, column: int | None, device: torch.device, dtype: torch.dtype) -> Layer:
        """Return one way and its queries, keys and values: standard normal numbers."""
        n = SMALL if column is None else self.values[column]
        drawn = torch.randn(3, 1, HEADS, n, D, generator=torch.Generator().manual_seed(0)).to(device, dtype)
        query, key, value = drawn.unbind()
        return Layer(module=Calling(_function(name)), inputs=(query, key, value))


def _function(name: str) -> Callable[..., Tensor]:
    if not name.startswith("sdpa_"):
        return OURS[name].attend

    def attend(query: Tensor, key: Tensor, value: Tensor, *, causal: bool) -> Tensor:
        return fused.attend_fused(query, key, value, causal=causal, backend=name.removeprefix("sdpa_"))

    return attend


def sweep() -> LengthSweep:
    """Return the sweep over the backends that work on this device.

    Raises:
        DeviceRefused: `EXPLORER_DEVICE` asks for a device that is not there.
    """
    device = pick_device()
    return LengthSweep(backends=fused.backends(device, arithmetic(device)))
