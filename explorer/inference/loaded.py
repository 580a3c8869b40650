"""Trained models ready to run, and where their numbers come from."""

from dataclasses import dataclass
from typing import Any, TypeVar

from torch import nn

from explorer.checkpoints.hub import open_checkpoint
from explorer.checkpoints.manifest import CheckpointUnsupported, Manifest, said
from explorer.records.provenance import Computation, Provenance

M = TypeVar("M", bound=nn.Module)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LoadedModel:
    """A model in float32 on the CPU; shared by all sessions, so nothing here is written to."""

    name: str
    manifest: Manifest

    def provenance(self, function: Computation, detail: str = "") -> Provenance:
        """Return the provenance of something this model computes."""
        return Provenance.of(function, model=said(self.name), revision=self.manifest.revision, detail=detail)


def opened(checkpoint: str, kind: type[M], what: str) -> tuple[Manifest, M, Any]:
    """Open a checkpoint of one family.

    Args:
        checkpoint: a bundled name, a folder, or `org/name@revision` on the Hub.
        kind: class of its model.
        what: this family in words, for a refusal.

    Returns:
        Manifest, model, and what reads its tokens or names its classes.

    Raises:
        CheckpointError: it cannot be used.
    """
    manifest, model, words = open_checkpoint(checkpoint)
    if not isinstance(model, kind):
        raise CheckpointUnsupported(f"{said(checkpoint)} is a {manifest.family}, not {what}.")
    return manifest, model, words
