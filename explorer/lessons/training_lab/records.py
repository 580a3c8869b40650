"""Records of trainings, to be drawn: their curves."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class SeededCurves:
    """Trainings of one recipe with several seeds, measured at the same steps.

    Attributes:
        name: what is different in it.
        number: its place among what it is compared with; decides its colour.
        courses: the points of each training.
    """

    name: str
    number: int
    courses: tuple[tuple[LabPoint, ...], ...]

    def along(self, axis: str) -> npt.NDArray[np.float64]:
        """Return the steps of its points; or the seconds, mean over the seeds."""
        mean: npt.NDArray[np.float64] = self.measured(axis).mean(0)
        return mean

    def measured(self, measure: str) -> npt.NDArray[np.float64]:
        """Return what a measure was, `[seeds, points]`."""
        return np.array([[getattr(point, measure) for point in points] for points in self.courses], np.float64)

    def ends(self, measure: str) -> npt.NDArray[np.float64]:
        """Return what a measure was at the end, by seed."""
        last: npt.NDArray[np.float64] = self.measured(measure)[:, -1]
        return last
