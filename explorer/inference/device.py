"""The device that models run on, the arithmetic that translations are searched in, and that of the fused kernels."""

import os
import re
from typing import Literal, get_args

import torch
from torch import nn

from explorer.inference.refused import DeviceRefused as DeviceRefused

VARIABLE = "EXPLORER_DEVICE"
PRECISION = "EXPLORER_PRECISION"
#: Arithmetics of a search: that of the stored weights (float32), or half as many bits.
Arithmetic = Literal["float32", "bfloat16", "float16"]

# On CUDA, cuDNN would round the factors of convolutions and of GRUs to ten bits (TF32).
torch.backends.cudnn.allow_tf32 = False


def pick_device() -> torch.device:
    """The best device there is: CUDA, then MPS, then the CPU. `EXPLORER_DEVICE` overrides.

    Raises:
        DeviceRefused: the variable asks for something that is not there.
    """
    asked = os.environ.get(VARIABLE, "").strip().lower()
    found = available()
    if not asked:
        return torch.device(found[0])
    if not re.fullmatch(r"cpu|mps|cuda(:\d{1,2})?", asked) or not _is_there(torch.device(asked), found):
        raise DeviceRefused(f"{VARIABLE}={asked!r} is not there: choose one of {', '.join(found)}, or leave it unset.")
    return torch.device(asked)


def pick_lab_device() -> torch.device:
    """Return what the lab's models run on: what `EXPLORER_DEVICE` asks for, and the CPU if it asks for nothing.

    Runs are recorded, and their memory is bounded, on a CPU; whether a GPU makes steps this small faster, nobody has
    measured.

    Raises:
        DeviceRefused: the variable asks for something that is not there.
    """
    return pick_device() if os.environ.get(VARIABLE, "").strip() else torch.device("cpu")


def device_of(model: nn.Module) -> torch.device:
    """Return where a model's weights are."""
    return next(model.parameters()).device


def available() -> tuple[str, ...]:
    """Kinds of device there are, the best first."""
    return (
        *(["cuda"] if torch.cuda.is_available() else []),
        *(["mps"] if torch.backends.mps.is_available() else []),
        "cpu",
    )


def pick_arithmetic() -> Arithmetic:
    """Return what readers' translations are searched in: float32, unless `EXPLORER_PRECISION` says another.

    On CUDA, too: bfloat16 becomes the default there once `tests/benchmarks/test_gpu_speed.py` has run on a card and the
    translations are no worse. What is drawn (weights, probabilities) is computed in float32 whatever is chosen.

    Raises:
        DeviceRefused: the variable names no arithmetic.
    """
    asked = os.environ.get(PRECISION, "").strip().lower() or "float32"
    for each in get_args(Arithmetic):
        if asked == each:
            return each  # type: ignore[no-any-return]
    known = ", ".join(get_args(Arithmetic))
    raise DeviceRefused(f"{PRECISION}={asked!r} is no arithmetic: choose one of {known}, or leave it unset.")


def arithmetic(device: torch.device) -> torch.dtype:
    """Return the dtype that attention is measured in: bfloat16 on CUDA, for its fused kernels, float32 elsewhere.

    Models are loaded in float32 on every device: weights of eight bits would not add up to 1 on the page.
    """
    return torch.bfloat16 if device.type == "cuda" else torch.float32


def _is_there(device: torch.device, found: tuple[str, ...]) -> bool:
    return device.type in found and (device.index or 0) < (torch.cuda.device_count() if device.type == "cuda" else 1)
