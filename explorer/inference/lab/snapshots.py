"""The models of the training lab, from a run's folder or from a checkpoint, and whether they do what they promise."""

import json
import math
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import nn

from explorer.checkpoints.manifest import UNUSABLE, CheckpointDamaged, CheckpointUnsupported, Probe, display_name
from explorer.checkpoints.store import Loaded, load
from explorer.data.task_tokenizer import TaskTokenizer
from explorer.inference.device import pick_lab_device
from explorer.inference.engine.prepared import Prepared, prepare
from explorer.inference.search.batching import decode_all
from explorer.inference.search.decode import DecodingOptions
from explorer.inference.seq2seq.steps import PreparedSeq2Seq, prepare_seq2seq
from explorer.models.families import FAMILIES
from explorer.models.seq2seq import Seq2Seq
from explorer.models.translator import Translator
from explorer.records.provenance import Provenance

DESCRIPTION, VOCABULARY = "model.json", "tokenizer.json"
GREEDY = DecodingOptions(beam=1)
#: How far the score of a probe may be off on another machine.
PROBE_TOLERANCE = 0.02
#: Longest probe that is tried.
MOST_CHARACTERS = 1_000


class SnapshotMissing(ValueError):
    """There are no weights of this step: the run has not come so far, or its folder is gone."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Snapshot:
    """A model as it was after some step, ready to run; shared, so nothing here is ever written to."""

    tokenizer: TaskTokenizer
    prepared: PreparedSeq2Seq | Prepared
    provenance: Provenance


def snapshot_path(folder: Path, step: int) -> Path:
    """Return the path of the weights of a step."""
    return folder / f"step-{step:06d}.safetensors"


@lru_cache(maxsize=8)
def snapshot(folder: Path, step: int) -> Snapshot:
    """The model of a run after a step, in float32.

    Raises:
        SnapshotMissing: there are no such weights.
        DeviceRefused: `EXPLORER_DEVICE` names a device that is not there.
    """
    model = load_snapshot(folder, step)
    try:
        tokenizer = TaskTokenizer.load(folder / VOCABULARY)
    except (OSError, ValueError) as error:
        raise SnapshotMissing(f"There are no weights of step {step}.") from error
    return _ready(model, tokenizer, Provenance.of(snapshot, detail=f"step {step}"))


def load_snapshot(folder: Path, step: int) -> Seq2Seq | Translator:
    """The bare model of a run after a step, in `eval()`.

    Raises:
        SnapshotMissing: there are no such weights.
    """
    try:
        content = json.loads((folder / DESCRIPTION).read_text(encoding="utf-8"))
        family = FAMILIES[content["family"]]
        with torch.random.fork_rng(devices=[]):
            model = family.module(family.config(**content["config"]))
        model.load_state_dict(load_file(snapshot_path(folder, step)))
    except (OSError, SafetensorError, ValueError, KeyError) as error:
        raise SnapshotMissing(f"There are no weights of step {step}.") from error
    assert isinstance(model, Seq2Seq | Translator)
    if not finite(model):
        raise SnapshotMissing(f"The weights of step {step} are no finite numbers: the training diverged.")
    return model.float().eval()


def finite(model: nn.Module) -> bool:
    """Tell whether every weight is a finite number."""
    return all(bool(parameter.isfinite().all()) for parameter in model.parameters())


@lru_cache(maxsize=4)
def open_snapshot(folder: Path) -> Snapshot:
    """The model of a checkpoint of the lab.

    Raises:
        CheckpointError: it cannot be used, or was not trained in the lab.
        DeviceRefused: `EXPLORER_DEVICE` names a device that is not there.
    """
    manifest, model, tokenizer = load(folder)
    if not isinstance(tokenizer, TaskTokenizer):
        raise CheckpointUnsupported(
            f"{display_name(folder)} is a {manifest.family}; this page opens what the lab trained."
        )
    return _ready(model, tokenizer, Provenance.of(open_snapshot, model=folder.name, revision=manifest.revision))


def probe(model: nn.Module, tokenizer: TaskTokenizer, text: str) -> Probe:
    """Compute what the manifest of a lab's model promises: the greedy output for a text, float32 on the CPU."""
    prepared = _prepared(model, torch.device("cpu"))
    ((best,),) = decode_all(prepared, [[*tokenizer.encode(text), tokenizer.eos_id]], GREEDY)
    return Probe(given=text, expected=tokenizer.decode(best.ids), score=best.log_probability)


def verify(loaded: Loaded) -> None:
    """See whether a lab's checkpoint still does what its manifest promises: for files that came from outside.

    Raises:
        CheckpointDamaged: it does something else, or nothing that can be computed.
        CheckpointUnsupported: it was not trained in the lab.
    """
    promised = loaded.manifest.probe
    if not isinstance(loaded.tokenizer, TaskTokenizer):
        raise CheckpointUnsupported(f"This is a {loaded.manifest.family}, not a model of the lab.")
    if not finite(loaded.model):
        raise CheckpointDamaged("A weight is no finite number.")
    if not loaded.tokenizer.encode(promised.given) or len(promised.given) > MOST_CHARACTERS:
        raise CheckpointDamaged("The example in the manifest cannot be read.")
    try:
        found = probe(loaded.model, loaded.tokenizer, promised.given)
    except UNUSABLE as error:  # a model of somebody else's making may do anything
        raise CheckpointDamaged(f"The example in the manifest cannot be computed ({error}).") from error
    if not math.isclose(found.score, promised.score, rel_tol=PROBE_TOLERANCE, abs_tol=PROBE_TOLERANCE):
        raise CheckpointDamaged(
            f"The weights do not do what the manifest says: the example scores {found.score:.4g}, not"
            f" {promised.score:.4g}."
        )


def _ready(model: nn.Module, tokenizer: TaskTokenizer, provenance: Provenance) -> Snapshot:
    device = pick_lab_device()
    provenance = replace(provenance, device=device.type)
    return Snapshot(tokenizer=tokenizer, prepared=_prepared(model, device), provenance=provenance)


def _prepared(model: nn.Module, device: torch.device) -> PreparedSeq2Seq | Prepared:
    if isinstance(model, Seq2Seq):
        return prepare_seq2seq(model, device, torch.float32)
    if isinstance(model, Translator):
        return prepare(model, device, torch.float32)
    raise TypeError(f"{type(model).__name__} is no model of the lab")
