"""The fused kernels that PyTorch brings, each called by its own name."""

from functools import cache

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.attention.efficient.partial import self_length

#: Backends of `torch.nn.functional.scaled_dot_product_attention`. `math` is no kernel but the formula.
BACKENDS = ("math", "flash", "efficient", "cudnn")


def attend_fused(
    query: Float[Tensor, "batch heads queries d_key"],
    key: Float[Tensor, "batch heads keys d_key"],
    value: Float[Tensor, "batch heads keys d_value"],
    *,
    causal: bool = False,
    backend: str,
) -> Float[Tensor, "batch heads queries d_value"]:
    """Attention by one backend of PyTorch.

    The operators behind `scaled_dot_product_attention` are called directly: `torch.nn.attention.sdpa_kernel` would
    choose for the whole process, and other sessions attend at the same time.

    Raises:
        ValueError: if there is no such backend, it does not work on this device and dtype, or `causal` is asked of
            unequally many queries and keys: the kernels would count from the first key, all else here from the last.
    """
    if causal:
        self_length("fused", query, key)
    aten = torch.ops.aten
    output: Tensor
    try:
        if backend == "math":
            output = aten._scaled_dot_product_attention_math(query, key, value, None, 0.0, causal)[0]
        elif backend == "flash" and query.device.type == "cpu":
            output = aten._scaled_dot_product_flash_attention_for_cpu(query, key, value, 0.0, causal)[0]
        elif backend == "flash":
            output = aten._scaled_dot_product_flash_attention(query, key, value, 0.0, causal)[0]
        elif backend == "efficient":
            output = aten._scaled_dot_product_efficient_attention(query, key, value, None, False, 0.0, causal)[0]
        elif backend == "cudnn":
            output = aten._scaled_dot_product_cudnn_attention(query, key, value, None, False, 0.0, causal)[0]
        else:
            raise ValueError(f"fused: there is no backend {backend!r}; choose one of {', '.join(BACKENDS)}")
    except torch.OutOfMemoryError:
        raise  # the backend works; there are too many numbers
    except RuntimeError as error:
        reason = str(error).splitlines()[0]
        raise ValueError(f"fused: {backend} does not work on {query.device.type} in {query.dtype}: {reason}") from error
    return output


@cache
def backends(device: torch.device, dtype: torch.dtype) -> tuple[str, ...]:
    """Those that work here, tried on a few numbers."""
    tried = torch.zeros(1, 1, 16, 64, device=device, dtype=dtype)
    return tuple(name for name in BACKENDS if _works(tried, name))


def _works(tried: Tensor, backend: str) -> bool:
    try:
        attend_fused(tried, tried, tried, backend=backend)
    except ValueError:
        return False
    return True
