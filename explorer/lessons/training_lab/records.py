"""Record of a training, to be drawn: its curve."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from explorer.records.provenance import Provenance
from explorer.records.training_run import LabPoint


@dataclass(frozen=True, slots=True, kw_only=True)
class LabCurve:
    """One training among others.

    Attributes:
        name: what its reader calls it; no two are equal.
        number: its place among the reader's trainings; decides its colour.
    """

    name: str
    number: int
    points: tuple[LabPoint, ...]
    provenance: Provenance

    def along(self, axis: str) -> npt.NDArray[np.float64]:
        """Return steps, or seconds of training, of its points."""
        return np.array([getattr(point, axis) for point in self.points], np.float64)
