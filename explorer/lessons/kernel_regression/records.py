"""Records of kernel regression: points, a fit, a sweep over widths, a width as it is learned."""

import numpy as np
import numpy.typing as npt

from explorer.records.arrays import Float64
from explorer.records.attention import AttentionRecord
from explorer.records.provenance import Provenance
from explorer.records.readonly import check, record


@record
class Points:
    """Training points, in the order of x.

    Attributes:
        x: positions, ascending.
        y: what was observed there.

    Raises:
        ValueError: if there are fewer than two, the lengths differ, x descends or a number is not finite.
    """

    x: Float64
    y: Float64

    def __post_init__(self) -> None:
        check(self.x.ndim == 1 and self.x.shape == self.y.shape, "x and y must be equally long")
        check(len(self.x) >= 2, "at least two points are needed")
        check(bool(np.isfinite(self.x).all() and np.isfinite(self.y).all()), "every number must be finite")
        check(bool((np.diff(self.x) >= 0).all()), "x must ascend")


@record
class RegressionRecord:
    """A fit: what is predicted at every query, and by which weights over the keys.

    Attributes:
        kernel: name in `explorer.attention.kernels.KERNELS`.
        width: of the kernel, in x-units.
        points: keys (x) and values (y).
        queries: positions asked about, ascending.
        weights: float32, `[queries, keys]`; rows sum to 1, or to 0 where no key is within reach.
        prediction: at every query; NaN where no key is within reach.
        truth: what the noise was added to, at every query; None where nobody knows it.

    Raises:
        ValueError: if the shapes disagree.
    """

    kernel: str
    width: float
    points: Points
    queries: Float64
    weights: npt.NDArray[np.float32]
    prediction: Float64
    truth: Float64 | None
    provenance: Provenance

    def __post_init__(self) -> None:
        n = len(self.queries)
        check(self.weights.shape == (n, len(self.points.x)), "weights must be [queries, keys]")
        check(self.prediction.shape == (n,), "there must be one prediction for each query")
        check(self.truth is None or self.truth.shape == (n,), "there must be one true value for each query")

    @property
    def average(self) -> float:
        """Return average pooling, the baseline: the mean of all values, whatever the query."""
        return float(self.points.y.mean())

    @property
    def undefined(self) -> int:
        """Return how many queries have no key within reach."""
        return int(np.isnan(self.prediction).sum())

    def row(self, query: float) -> int:
        """Return the query nearest to a position."""
        return int(np.abs(self.queries - query).argmin())

    def attention(self) -> AttentionRecord:
        """Return the weights as attention, one head, labelled by the positions."""
        return AttentionRecord(
            site=f"kernel_regression.{self.kernel}",
            kind="kernel",
            weights=self.weights[None],
            query_labels=tuple(f"{q:.4g}" for q in self.queries),
            key_labels=tuple(f"{k:.4g}" for k in self.points.x),
            query_role="read",
            provenance=self.provenance,
        )


@record
class ShapesRecord:
    """Kernels as curves.

    Attributes:
        kernels: names in `explorer.attention.kernels.KERNELS`.
        distance: from the query, in widths.
        density: K(u), `[kernels, distance]`; each has area 1.

    Raises:
        ValueError: if the shapes disagree.
    """

    kernels: tuple[str, ...]
    distance: Float64
    density: Float64
    provenance: Provenance

    def __post_init__(self) -> None:
        shape = (len(self.kernels), len(self.distance))
        check(self.density.shape == shape, "density must be [kernels, distance]")


@record
class WidthSweepRecord:
    """Errors of the fit at each of many widths.

    Attributes:
        widths: in x-units, ascending.
        against_truth: mean squared error against the truth; NaN where a query has no prediction; None without a truth.
        leave_one_out: mean squared error of each training point predicted by the others; NaN likewise.
        average_against_truth: of average pooling; None without a truth.
        average_leave_one_out: of average pooling.

    Raises:
        ValueError: if the shapes disagree.
    """

    widths: Float64
    against_truth: Float64 | None
    leave_one_out: Float64
    average_against_truth: float | None
    average_leave_one_out: float
    provenance: Provenance

    def __post_init__(self) -> None:
        for curve in (self.against_truth, self.leave_one_out):
            check(curve is None or curve.shape == self.widths.shape, "there must be one error for each width")

    @property
    def best_against_truth(self) -> int | None:
        """Return the number of the width with the least error against the truth."""
        return _least(self.against_truth)

    @property
    def best_leave_one_out(self) -> int | None:
        """Return the number of the width that leave-one-out chooses."""
        return _least(self.leave_one_out)


@record
class LearningRecord:
    """A width as it is learned: w = 1/width by epoch, from the start (epoch 0).

    Attributes:
        kernel: name in `explorer.attention.kernels.KERNELS`.
        leave_one_out: whether each point was left out of its own prediction.
        unit: x-units for which w counts: width = unit / |w|.
        w: by epoch.
        loss: mean squared error of the training points by epoch; NaN where none has a prediction.
        against_truth: mean squared error of the fit by epoch; NaN where a query has no prediction; None if unknown.
        own_weight: by epoch, the weight that a training point has in its own prediction, mean over the points.
        lost: by epoch, how many training points have no key within reach, and so no prediction.

    Raises:
        ValueError: if the shapes disagree.
    """

    kernel: str
    leave_one_out: bool
    unit: float
    w: Float64
    loss: Float64
    against_truth: Float64 | None
    own_weight: Float64
    lost: npt.NDArray[np.int64]
    provenance: Provenance

    def __post_init__(self) -> None:
        for curve in (self.loss, self.against_truth, self.own_weight, self.lost):
            check(curve is None or curve.shape == self.w.shape, "there must be one number for each epoch")

    @property
    def epochs(self) -> int:
        """Return how many epochs were done; fewer than asked for if no point had a prediction any more."""
        return len(self.w) - 1

    @property
    def widths(self) -> Float64:
        """Return the width by epoch, in x-units."""
        widths: Float64 = self.unit / np.abs(self.w)
        return widths


@record
class ShapeLearningRecord:
    """A kernel of one's own as it is learned: p, q and its width by step, from the start (step 0).

    Attributes:
        family: name in `explorer.lessons.kernel_regression.own_kernel.FAMILIES`.
        p: by step; shapes the kernel.
        q: by step; sharpens it.
        widths: by step, in x-units.
        loss: by step, mean squared error of the training points, each predicted from the others.

    Raises:
        ValueError: if the shapes disagree or a number is not finite.
    """

    family: str
    p: Float64
    q: Float64
    widths: Float64
    loss: Float64
    provenance: Provenance

    def __post_init__(self) -> None:
        for curve in (self.p, self.q, self.widths, self.loss):
            check(curve.shape == self.p.shape, "there must be one number for each step")
            check(bool(np.isfinite(curve).all()), "every number must be finite")

    @property
    def steps(self) -> int:
        """Return how many steps were made."""
        return len(self.p) - 1


def _least(curve: Float64 | None) -> int | None:
    """Return the place of the least; of the last, where several are alike but for rounding: the widest of widths."""
    if curve is None or np.isnan(curve).all():
        return None
    return int(np.flatnonzero(curve <= np.nanmin(curve) * (1 + 1e-9))[-1])
