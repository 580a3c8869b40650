"""Trained models ready to run, and where their numbers come from."""

from dataclasses import dataclass

from explorer.checkpoints.manifest import Manifest
from explorer.records.provenance import Computation, Provenance, name_of


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LoadedModel:
    """A model in float32 on the CPU; shared by all sessions, so nothing here is written to."""

    name: str
    manifest: Manifest

    def provenance(self, function: Computation, detail: str = "") -> Provenance:
        """Return the provenance of something this model computes."""
        return Provenance(
            computed_by=name_of(function), model=self.name, revision=self.manifest.revision, detail=detail
        )
