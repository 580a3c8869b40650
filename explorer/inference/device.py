"""The device that models run on, and the arithmetic that the fused kernels are measured in."""

import os
import re

import torch

VARIABLE = "EXPLORER_DEVICE"

# On CUDA, cuDNN would round the factors of convolutions and of GRUs to ten bits (TF32).
torch.backends.cudnn.allow_tf32 = False


class DeviceRefused(ValueError):
    """`EXPLORER_DEVICE` names no device, or one that is not there; the message says which are."""


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


def available() -> tuple[str, ...]:
    """Kinds of device there are, the best first."""
    return (
        *(["cuda"] if torch.cuda.is_available() else []),
        *(["mps"] if torch.backends.mps.is_available() else []),
        "cpu",
    )


def arithmetic(device: torch.device) -> torch.dtype:
    """Return the dtype that attention is measured in: bfloat16 on CUDA, for its fused kernels, float32 elsewhere.

    Models are loaded in float32 on every device: weights of eight bits would not add up to 1 on the page.
    """
    return torch.bfloat16 if device.type == "cuda" else torch.float32


def _is_there(device: torch.device, found: tuple[str, ...]) -> bool:
    return device.type in found and (device.index or 0) < (torch.cuda.device_count() if device.type == "cuda" else 1)
