"""Provenance: where a number comes from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

#: A function, a class or a module.
Computation = Callable[..., object] | ModuleType


def name_of(computation: Computation) -> str:
    """Return the dotted name under which a function, a class or a module can be imported."""
    if isinstance(computation, ModuleType):
        return computation.__name__
    return f"{computation.__module__}.{computation.__qualname__}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """The origin of a figure's numbers; shown under the figure and written into every export.

    Attributes:
        computed_by: `name_of` the function; in a stored file, its name when the file was written.
        device: where it ran: `cpu`, `cuda`, `mps`.
        dtype: the arithmetic: `float32`, `bfloat16`, …
        seed: of the random numbers that entered; None where none did.
        model: name of the checkpoint; empty where no model was used.
        revision: of the checkpoint (a prefix of its weights' sha256, or a Hub revision).
        detail: what else a reader needs to compute it again: layer, head, kernel, width.
    """

    computed_by: str
    device: str = "cpu"
    dtype: str = "float32"
    seed: int | None = None
    model: str = ""
    revision: str = ""
    detail: str = ""

    @classmethod
    def of(cls, computation: Computation, **known: Any) -> "Provenance":
        """Return the provenance of what a function, a class or a module computes."""
        return cls(computed_by=name_of(computation), **known)

    def by(self, computation: Computation, **known: Any) -> "Provenance":
        """Return the provenance of what another function makes of it, with other fields where they are given."""
        return replace(self, computed_by=name_of(computation), **known)

    def __str__(self) -> str:
        """One line: the parts that are there, separated by middle dots."""
        model = f"{self.model}@{self.revision}" if self.revision else self.model
        seed = "" if self.seed is None else f"seed {self.seed}"
        return " · ".join(
            part for part in (self.computed_by, model, self.detail, self.device, self.dtype, seed) if part
        )


def joint(parts: Sequence[Provenance]) -> Provenance:
    """Return the provenance of numbers of several models: what they share, and every model with its revision."""
    named = ", ".join(f"{each.model}@{each.revision}" for each in parts)
    return replace(parts[0], model=named, revision="")
