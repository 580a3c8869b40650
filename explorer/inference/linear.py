"""A linear map laid out for inference: the fastest kernel this machine has for its number of rows."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

#: With at most this many rows, a wide map costs what it takes to read its weights.
FEW_ROWS = 8
#: From this many rows on a packed weight can pay.
MANY_ROWS = 4


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Linear:
    """y = x W + b, immutable.

    Attributes:
        weight: `[d_in, d_out]`: with few rows up to twice as fast as the layout of `nn.Linear`.
        bias: `[d_out]`.
        packed: the weight in oneDNN's own layout, for `MANY_ROWS` rows or more; None where that is not faster.
        half: the map in half precision (FBGEMM: half the memory to read, float32 arithmetic), for at most `FEW_ROWS`
            rows; None where it was not asked for or would change a weight.
    """

    weight: Tensor
    bias: Tensor
    packed: Any = None
    half: Any = None

    def __call__(self, x: Float[Tensor, "rows d_in"]) -> Float[Tensor, "rows d_out"]:
        """X W + b."""
        if self.half is not None and len(x) <= FEW_ROWS:
            mapped: Tensor = torch.ops.quantized.linear_dynamic_fp16(x, self.half)
            return mapped
        return self._packed(x, "none") if self._pays(x) else torch.addmm(self.bias, x, self.weight)

    def relu(self, x: Float[Tensor, "rows d_in"]) -> Float[Tensor, "rows d_out"]:
        """max(0, X W + b)."""
        return self._packed(x, "relu") if self._pays(x) else torch.addmm(self.bias, x, self.weight).relu_()

    def onto(self, sum_: Float[Tensor, "rows d_out"], x: Float[Tensor, "rows d_in"]) -> Float[Tensor, "rows d_out"]:
        """`sum_` + X W + b; `sum_` may be overwritten."""
        if self._pays(x):
            added: Tensor = torch.ops.mkldnn._linear_pointwise.binary(x, sum_, self.packed, self.bias, "add")
            return added
        return sum_.add_(torch.addmm(self.bias, x, self.weight))

    def _pays(self, x: Tensor) -> bool:
        return self.packed is not None and len(x) >= MANY_ROWS

    def _packed(self, x: Tensor, then: str) -> Tensor:
        mapped: Tensor = torch.ops.mkldnn._linear_pointwise(x, self.packed, self.bias, then, [], "")
        return mapped


def linear(*modules: nn.Linear | tuple[Tensor, Tensor], half: bool = False) -> Linear:
    """Several maps of one input as one.

    Args:
        modules: `nn.Linear`, or weight `[d_out, d_in]` with bias.
        half: use half precision for few rows where no weight changes by it (a stored checkpoint's are such).
    """
    parts = [(each.weight.detach(), each.bias.detach()) if isinstance(each, nn.Linear) else each for each in modules]
    rows = torch.cat([weight for weight, _ in parts])
    weight, bias = rows.t().contiguous(), torch.cat([bias for _, bias in parts])
    on_cpu = weight.device.type == "cpu" and weight.dtype == torch.float32
    return Linear(
        weight=weight,
        bias=bias,
        packed=_reordered(rows) if on_cpu and packing_pays() else None,
        half=torch.ops.quantized.linear_prepack_fp16(rows, bias) if half and on_cpu and _is_half(rows) else None,
    )


def _is_half(weight: Tensor) -> bool:
    return "fbgemm" in torch.backends.quantized.supported_engines and torch.equal(weight.half().float(), weight)


def _reordered(rows: Tensor) -> Any:
    return torch.ops.mkldnn._reorder_linear_weight(rows.contiguous(), 32)


@lru_cache(maxsize=1)
def packing_pays() -> bool:
    """Whether oneDNN's packed float32 product is faster on this CPU than the BLAS PyTorch was built with.

    On AMD it is, up to twice: MKL does not use all of the CPU there. On Intel both are near. So it is measured, once
    for the process (some 20 ms). The operators are PyTorch's own but private: without them the answer is no, and a
    test holds that both ways compute the same.
    """
    if not (torch.backends.mkldnn.is_available() and hasattr(torch.ops.mkldnn, "_linear_pointwise")):  # type: ignore[no-untyped-call]
        return False
    with torch.inference_mode():
        x, weight, bias = torch.zeros(32, 256), torch.zeros(256, 4096), torch.zeros(4096)
        plain = Linear(weight=weight, bias=bias)
        packed = Linear(weight=weight, bias=bias, packed=_reordered(weight.t()))
        slow, fast = _medians([lambda: plain(x), lambda: packed(x)], rounds=7)
    return fast < slow


def _medians(ways: list[Callable[[], object]], rounds: int) -> list[float]:
    """Median seconds of each, taken in turns."""
    times: list[list[float]] = [[] for _ in ways]
    for _ in range(rounds):
        for way, taken in zip(ways, times, strict=True):
            start = time.perf_counter()
            way()
            taken.append(time.perf_counter() - start)
    return [statistics.median(taken) for taken in times]
