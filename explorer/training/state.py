"""A training run on disk: safetensors and JSON, written whole or not at all."""

import json
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

import torch
import torch.distributed as dist
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from explorer.training.process import rank, world


class ResumeError(ValueError):
    """A run cannot be continued; the message says why and what to do."""


M = TypeVar("M", bound=nn.Module)
T = TypeVar("T")
#: What describes a run: the model's configuration, its tokenizer, and what else its export asks for.
MODEL, TOKENIZER, RECIPE = "model.json", "tokenizer.json", "recipe.json"
MOMENTS = ("exp_avg", "exp_avg_sq", "step")


def running_statistics(model: nn.Module) -> dict[str, Tensor]:
    """Return what batch normalisation keeps beside the parameters, by name."""
    return {name: each for name, each in model.named_buffers() if name.endswith((".running_mean", ".running_var"))}


def begin(run: Path, *, seed: int, resume: bool) -> None:
    """Make the folder of a run.

    Raises:
        ResumeError: there is no run to resume, or one of another seed, or there is one and `resume` was not asked for.
    """
    if resume:
        before = _facts(run).get("training", {}).get("seed")
        if before != seed:
            raise ResumeError(f"{run} was begun with seed {before}, not {seed}: continue it with --seed {before}")
    elif (run / "state.json").exists():
        raise ResumeError(f"{run} already holds a run: continue it with --resume, or choose another --run-folder")
    run.mkdir(parents=True, exist_ok=True)


def trained_tokenizer(run: Path, train: Callable[[], Any], load: Callable[[Path], T], *, resume: bool) -> T:
    """Return a run's tokenizer, which the first process trains, unless the run goes on.

    Args:
        run: its folder.
        train: makes one; it has `save(path)`.
        load: reads it.
        resume: whether the run goes on; what one that was given up has left is not this one's.
    """
    path = run / TOKENIZER
    if rank() == 0 and not (resume and path.exists()):
        train().save(path)
    if world() > 1:
        dist.barrier()
    return load(path)


def describe(
    run: Path, config: Any, *, resume: bool, tokenizer: Any = None, about: Mapping[str, Any] | None = None
) -> None:
    """Write to a run's folder what it trains, by the first process; a run that goes on must train what it trained.

    Args:
        run: its folder.
        config: of the model.
        resume: whether the run goes on.
        tokenizer: that follows from the data; None if it lies in the folder already.
        about: is written to `recipe.json`; may be another one when the run goes on.

    Raises:
        ResumeError: model or tokenizer are not the run's; nothing was written.
    """
    if resume:
        _compare(run, config, tokenizer)
    if rank() > 0:
        return
    if not resume:
        (run / MODEL).write_text(json.dumps(asdict(config), indent=1))
        if tokenizer is not None:
            tokenizer.save(run / TOKENIZER)
    if about is not None:
        (run / RECIPE).write_text(json.dumps(about, indent=1))


def _compare(run: Path, config: Any, tokenizer: Any) -> None:
    """Raise a `ResumeError` unless a run's folder describes this model, and this tokenizer if one is given."""
    try:
        before = asdict(type(config)(**json.loads((run / MODEL).read_text())))
        vocabulary = json.loads((run / TOKENIZER).read_text(encoding="utf-8"))
    except (OSError, ValueError, TypeError) as error:
        raise _unusable(run, error) from error
    for name, value in asdict(config).items():
        if before[name] != value:
            raise ResumeError(
                f"{run} was begun with {name} {before[name]}, not {value}: keep that, or choose a new --run-folder"
            )
    if tokenizer is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        tokenizer.save(Path(folder) / TOKENIZER)
        now = json.loads((Path(folder) / TOKENIZER).read_text(encoding="utf-8"))
    if now != vocabulary:
        raise ResumeError(
            f"{run} was begun with data of another vocabulary: go on with that, or choose a new --run-folder"
        )


def _facts(run: Path) -> dict[str, Any]:
    """Read what a run's state says beside its tensors."""
    path = run / "state.json"
    if not path.is_file():
        raise ResumeError(f"{run} holds no run to resume (no state.json); start it without --resume")
    try:
        facts: dict[str, Any] = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise _unusable(run, error) from error
    return facts


def _unusable(run: Path, error: Exception) -> ResumeError:
    return ResumeError(
        f"{run} cannot be resumed ({error}); it is damaged or of another model: choose a new --run-folder"
    )


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
    facts = _facts(folder)
    try:
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
        raise _unusable(folder, error) from error
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
        model = module(config(**json.loads((run / MODEL).read_text())))
        averaged = {
            name.removeprefix("averaged."): tensor
            for name, tensor in load_file(run / facts["tensors"]).items()
            if name.startswith("averaged.")
        }
        model.load_state_dict(averaged)
    except (OSError, ValueError, KeyError, TypeError, RuntimeError, SafetensorError) as error:
        raise ResumeError(f"{run} holds no usable run: {error}") from error
    return model.eval()
