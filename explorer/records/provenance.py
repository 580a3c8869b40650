"""Where a number comes from."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """What computed a figure's numbers; shown under the figure and written into every export.

    Attributes:
        computed_by: dotted name of the function or module, such as `explorer.attention.attend`.
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

    def __str__(self) -> str:
        """One line: the parts that are there, separated by middle dots."""
        model = f"{self.model}@{self.revision}" if self.revision else self.model
        seed = "" if self.seed is None else f"seed {self.seed}"
        return " · ".join(
            part for part in (self.computed_by, model, self.detail, self.device, self.dtype, seed) if part
        )
