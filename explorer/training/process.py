"""Settings that a training process makes once: its memory, its threads, its place among other processes."""

import os

import torch
import torch.distributed as dist

from explorer.inference.device import VARIABLE, pick_device
from explorer.inference.engine.allocator import keep_memory


def join(threads: int | None = None) -> torch.device:
    """Join the other processes when `torchrun` started this one (NCCL on GPUs, gloo on CPUs); say where to compute.

    Args:
        threads: of each process on the CPU; torch's own choice if not given.

    Returns:
        what `EXPLORER_DEVICE` asks for, else CUDA or the CPU; each process has its own of several GPUs.

    Raises:
        DeviceRefused: the variable asks for something that is not there.
        ValueError: there are fewer threads than one.
    """
    keep_memory()
    use_threads(threads)
    usual = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    device = pick_device() if os.environ.get(VARIABLE, "").strip() else usual
    if device.type == "cuda":
        if device.index is None:
            device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))
        torch.cuda.set_device(device)
    if int(os.environ.get("WORLD_SIZE", "1")) > 1 and not dist.is_initialized():
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
    return device


def use_threads(threads: int | None) -> None:
    """Compute with so many threads on the CPU; with torch's own choice if None.

    Raises:
        ValueError: there are fewer than one.
    """
    if threads is None:
        return
    if threads < 1:
        raise ValueError(f"threads is {threads}; it must be at least 1")
    torch.set_num_threads(threads)


def leave() -> None:
    """Leave the group of processes, if there is one."""
    if dist.is_initialized():
        dist.destroy_process_group()


def rank() -> int:
    """Return the number of this process, from 0."""
    return dist.get_rank() if dist.is_initialized() else 0


def world() -> int:
    """Return how many processes train together."""
    return dist.get_world_size() if dist.is_initialized() else 1
