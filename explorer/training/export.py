"""From a run to a checkpoint: what all families that train into a run's folder write alike."""

import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from explorer.checkpoints.manifest import MANIFEST, Manifest, Probe, read_manifest
from explorer.checkpoints.package import CARD
from explorer.checkpoints.store import save
from explorer.training.model_card import model_card


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """Statements about a checkpoint that cannot be computed.

    Attributes:
        credit: what the data is, with the attribution its licence asks for.
        licence: of the data, and so of the weights.
        hardware: a sentence about the machine.
    """

    credit: str
    licence: str
    command: str
    hardware: str = ""


def refuse_other(out: Path, family: str) -> None:
    """Leave a folder alone that holds something else than a checkpoint of a family.

    Raises:
        CheckpointError: its manifest cannot be read.
        ValueError: it holds a checkpoint of another family.
    """
    if (out / MANIFEST).exists() and (there := read_manifest(out).family) != family:
        raise ValueError(f"{out} holds a checkpoint of the family {there}, not {family}: choose another --out")


def export(
    run: Path,
    out: Path,
    model: Any,
    stated: Stated,
    *,
    kind: str,
    family: str,
    metrics: Mapping[str, float],
    probe: Callable[[Any, Any], Probe],
    **more: Any,
) -> Manifest:
    """Write the model of a run as a checkpoint, with the run's history and a card.

    Args:
        run: folder of the run.
        out: folder of the checkpoint.
        model: is stored in half precision.
        stated: of the checkpoint.
        kind: of training: the folder beside this file that has the card's template.
        metrics: measured on the model as stored; steps and minutes are added.
        probe: as `explorer.checkpoints.store.save` asks for it.
        more: what the template asks for beside all this.

    Raises:
        CheckpointError: `out` has a manifest that cannot be read.
        ValueError: `out` holds a checkpoint of another family, or a weight is not finite in half precision.
    """
    refuse_other(out, family)
    facts = json.loads((run / "state.json").read_text())
    manifest = save(
        out,
        family=family,
        config=model.config,
        model=model,
        tokenizer_file=run / "tokenizer.json",
        data=stated.credit,
        licence=stated.licence,
        command=stated.command,
        seed=facts["training"]["seed"],
        metrics={"steps": float(facts["step"]), "minutes": round(facts["minutes"], 1), **metrics},
        probe=probe,
    )
    shutil.copyfile(run / "history.csv", out / "history.csv")
    n_parameters = sum(parameter.numel() for parameter in model.parameters())
    more = {**more, "n_parameters": n_parameters, "hardware": stated.hardware}
    (out / CARD).write_text(model_card(kind, out.name, manifest, facts, **more), encoding="utf-8")
    return manifest
