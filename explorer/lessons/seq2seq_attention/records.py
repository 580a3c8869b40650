"""BLEU against the length of the source, where one vector falls behind; the course and the cost of a training."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from explorer.records.provenance import Provenance
from explorer.records.readonly import record


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthGroup:
    """The sources of one range of lengths.

    Attributes:
        first: fewest words.
        last: most words; None if there is no bound.
        sentences: how many there are.
        bleu: of their translations, 0…100.
    """

    first: int
    last: int | None
    sentences: int
    bleu: float

    @property
    def name(self) -> str:
        """Return the range as it stands on an axis."""
        return f"≥ {self.first}" if self.last is None else f"{self.first}–{self.last}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthCurve:
    """BLEU of one model, by the length of the source.

    Attributes:
        model: name of the checkpoint.
        mechanism: how it looks at the source.
        groups: the ranges, the shortest first; those without a sentence are left out.
    """

    model: str
    mechanism: str
    groups: tuple[LengthGroup, ...]
    provenance: Provenance


@record
class TrainingCost:
    """The course of one training, report by report, and what came of it.

    Attributes:
        model: name of the checkpoint.
        step: of each report.
        seconds: of the processor, up to each report.
        dev_loss: cross-entropy of a target token in nats, of held-out pairs, the right words given.
        bleu: of the whole test part, beam 5, as the manifest has it.
        minutes: of the processor, in all.

    Raises:
        ValueError: if there is no report.
    """

    model: str
    step: npt.NDArray[np.int64]
    seconds: npt.NDArray[np.float32]
    dev_loss: npt.NDArray[np.float32]
    bleu: float
    minutes: float
    provenance: Provenance

    def __post_init__(self) -> None:
        if not self.step.size:
            raise ValueError(f"{self.model} has no report")
