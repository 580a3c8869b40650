"""A training run on disk: safetensors and JSON, written whole or not at all."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn


class ResumeError(ValueError):
    """A run cannot be continued; the message says why and what to do."""


M = TypeVar("M", bound=nn.Module)
MOMENTS = ("exp_avg", "exp_avg_sq", "step")


def running_statistics(model: nn.Module) -> dict[str, Tensor]:
    """Return what batch normalisation keeps beside the parameters, by name."""
    return {name: each for name, each in model.named_buffers() if name.endswith((".running_mean", ".running_var"))}


def begin(run: Path, *, resume: bool) -> None:
    """Make the folder of a run.

    Raises:
        ResumeError: there is no run to resume, or there is one and `resume` was not asked for.
    """
    if resume and not (run / "state.json").exists():
        raise ResumeError(f"{run} holds no run to resume (no state.json); start it without --resume")
    if (run / "state.json").exists() and not resume:
        raise ResumeError(f"{run} already holds a run: continue it with --resume, or choose another --run-folder")
    run.mkdir(parents=True, exist_ok=True)


def save_state(
    folder: Path, model: nn.Module, averaged: nn.Module, optimizer: torch.optim.Optimizer, facts: dict[str, Any]
) -> None:
    """Write weights, their average, Adam's moments and `facts`.

    The tensors go to a file named by the step and the JSON that points at it is replaced last, so that a run killed
    at any moment finds either the old state or the new one.
    """
    folder.mkdir(parents=True, exist_ok=True)
    tensors: dict[str, Tensor] = {}
    for name, parameter in model.named_parameters():
        tensors[f"model.{name}"] = parameter.detach()
        for moment in MOMENTS:
            tensors[f"adam.{moment}.{name}"] = optimizer.state[parameter][moment]
    for name, parameter in averaged.named_parameters():
        tensors[f"averaged.{name}"] = parameter.detach()
    for which, each in (("model", model), ("averaged", averaged)):
        tensors |= {f"{which}.{name}": running for name, running in running_statistics(each).items()}
    fresh = folder / f"state-{facts['step']}.safetensors"
    partial = fresh.with_suffix(".partial")
    save_file({name: tensor.contiguous() for name, tensor in tensors.items()}, partial)
    partial.replace(fresh)
    pointer = folder / "state.json.partial"
    pointer.write_text(json.dumps({**facts, "tensors": fresh.name}, indent=1))
    pointer.replace(folder / "state.json")
    for old in folder.glob("state-*.safetensors"):
        if old != fresh:
            old.unlink()


def load_state(folder: Path, model: nn.Module, averaged: nn.Module, optimizer: torch.optim.Optimizer) -> dict[str, Any]:
    """Put a saved run back into model, average and optimiser, and return its facts.

    Raises:
        ResumeError: if there is no run, it is damaged, or the model has another shape.
    """
    pointer = folder / "state.json"
    if not pointer.is_file():
        raise ResumeError(f"{folder} holds no run to resume (no state.json); start it without --resume")
    try:
        facts: dict[str, Any] = json.loads(pointer.read_text())
        tensors = load_file(folder / facts["tensors"])
        with torch.no_grad():
            for name, parameter in model.named_parameters():
                parameter.copy_(tensors[f"model.{name}"])
                optimizer.state[parameter] = {m: tensors[f"adam.{m}.{name}"].to(parameter.device) for m in MOMENTS}
            for name, parameter in averaged.named_parameters():
                parameter.copy_(tensors[f"averaged.{name}"])
            for which, each in (("model", model), ("averaged", averaged)):
                for name, running in running_statistics(each).items():
                    running.copy_(tensors[f"{which}.{name}"])
    except Exception as error:
        raise ResumeError(
            f"{folder} cannot be resumed ({error}); it is damaged or of another model: choose a new --run-folder"
        ) from error
    return facts


def load_averaged(run: Path, module: Callable[[Any], M], config: Callable[..., Any]) -> M:
    """Return the averaged weights of a run's last saved state, in `eval()`, on the CPU.

    Args:
        run: folder of the run, which holds `model.json` as well.
        config: its configuration, of which `model.json` has the fields.

    Raises:
        ResumeError: there is no usable state.
    """
    try:
        facts = json.loads((run / "state.json").read_text())
        model = module(config(**json.loads((run / "model.json").read_text())))
        averaged = {
            name.removeprefix("averaged."): tensor
            for name, tensor in load_file(run / facts["tensors"]).items()
            if name.startswith("averaged.")
        }
        model.load_state_dict(averaged)
    except (OSError, ValueError, KeyError, TypeError, RuntimeError, SafetensorError) as error:
        raise ResumeError(f"{run} holds no usable run: {error}") from error
    return model.eval()
