"""Nadaraya–Watson kernel regression, its width chosen by hand, by a sweep, and by gradient descent."""

import math
import threading
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Float
from torch import Tensor

from explorer.attention.kernel_attention import attend_with_kernel
from explorer.attention.kernels import KERNELS, Kernel, regress, regress_widths
from explorer.lessons.kernel_regression import points as regression
from explorer.lessons.kernel_regression.learned_bandwidth import WidthFit, learn_width
from explorer.lessons.kernel_regression.own_kernel import kernel_of
from explorer.lessons.kernel_regression.records import (
    LearningRecord,
    Points,
    RegressionRecord,
    ShapesRecord,
    WidthSweepRecord,
)
from explorer.lessons.kernel_regression.state import OWN, Data, Params
from explorer.records import Provenance
from explorer.records.arrays import Float64
from explorer.records.provenance import Computation
from explorer.service.kept import made_once

#: Queries at equal distances over the whole range of x.
QUERIES = 101
SWEPT = 60
#: Sweeping and learning are thousands of small operations: a class that asks for them at once would wait for the
#: interpreter at each, two and a half times as long as one after the other.
_one_at_a_time = threading.Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """Everything the page shows. A part is computed when a scene first asks for it, and kept for equal settings."""

    params: Params

    @property
    def shapes(self) -> ShapesRecord:
        """Return the kernels as curves."""
        return _shapes()

    @property
    def fit(self) -> RegressionRecord:
        """Return the prediction at the chosen width, with all its weights."""
        return _fit(self.params.data, self.params.kernel, self.params.width)

    @property
    def sweep(self) -> WidthSweepRecord:
        """Return the errors by width."""
        return _sweep(self.params.data, self.params.kernel)

    @property
    def learning(self) -> LearningRecord:
        """Return the width as it is learned."""
        return _learn(self.params.data, self.params.kernel, self.params.learning)

    @property
    def contrast(self) -> LearningRecord:
        """Return the same with the switch the other way: each point kept in its own prediction, or left out."""
        learning = self.params.learning
        return _learn(self.params.data, self.params.kernel, replace(learning, leave_one_out=not learning.leave_one_out))

    @property
    def attention_gap(self) -> float:
        """Return the largest difference between the predictions of `fit` and of `explorer.attention.attend`."""
        return _attention_gap(self.fit)


def compute(params: Params) -> Result:
    """Return what the page shows with these settings."""
    return Result(params=params)


def learned_fit(data: Data, way: LearningRecord, *, epoch: int = -1) -> RegressionRecord:
    """Return the fit with the width that one way of learning had after an epoch; the last one if none is named."""
    return _fit(data, way.kernel, float(way.widths[epoch]))


def halves(data: Data, width: float) -> tuple[float, float]:
    """Return the mean squared error against the truth in the left and in the right half of the range, Gaussian kernel.

    Raises:
        ValueError: if nobody knows the truth.
    """
    fit = _fit(data, "gaussian", width)
    if fit.truth is None:
        raise ValueError("there is no truth to compare points of your own with")
    errors = (fit.prediction - fit.truth) ** 2
    middle = len(errors) // 2
    return float(errors[:middle].mean()), float(errors[middle:].mean())


def at_epoch(result: Result, epoch: int) -> RegressionRecord:
    """Return the fit with the width as it was after `epoch` epochs of learning (bounded to those there are)."""
    learning = result.learning
    width = float(learning.widths[min(max(epoch, 0), learning.epochs)])
    return _fit(result.params.data, learning.kernel, width)


def best_fit(data: Data, kernel: str) -> RegressionRecord:
    """Return the fit with the width that leave-one-out chooses; with the widest, if no width reaches every point."""
    sweep = _sweep(data, kernel)
    best = sweep.best_leave_one_out
    return _fit(data, kernel, float(sweep.widths[-1 if best is None else best]))


def shapes_of(kernels: tuple[str, ...]) -> ShapesRecord:
    """Return kernels as curves, each with area 1 over the distances drawn; they need no constants of their own."""
    distance = torch.linspace(-3, 3, 601, dtype=torch.float64)
    profiles = torch.stack([kernel_of(kernel).profile(distance) for kernel in kernels])
    areas = torch.trapezoid(profiles, distance).clamp(min=1e-12)
    return _as_shapes(kernels, distance, profiles / areas[:, None])


@lru_cache(maxsize=1)
def _shapes() -> ShapesRecord:
    distance = torch.linspace(-3, 3, 601, dtype=torch.float64)
    density = torch.stack([kernel.constant * kernel.profile(distance) for kernel in KERNELS.values()])
    return _as_shapes(tuple(KERNELS), distance, density)


def _as_shapes(
    kernels: tuple[str, ...], distance: Float[Tensor, "distance"], density: Float[Tensor, "kernels distance"]
) -> ShapesRecord:
    provenance = Provenance.of(Kernel, dtype="float64", detail=", ".join(kernels))
    return ShapesRecord(kernels=kernels, distance=distance.numpy(), density=density.numpy(), provenance=provenance)


@made_once
def points(data: Data) -> Points:
    """Return the training points."""
    positions, order = _places(data), numbers(data)
    return Points(x=positions[order, 0], y=positions[order, 1])


def numbers(data: Data) -> npt.NDArray[np.int64]:
    """Return the number that each of the points had before any was moved."""
    return np.argsort(_places(data)[:, 0], kind="stable")


def _places(data: Data) -> Float64:
    """Return x and y of every point in the order before any was moved, `[points, 2]`; none leaves the range by far."""
    if data.source == OWN:
        positions = np.array(data.own, dtype=np.float64)
    else:
        drawn = regression.draw(data.source, n=data.n, noise=data.noise, seed=data.seed)
        positions = np.stack([drawn.x, drawn.y], -1)
    (left, low), (right, high) = positions.min(0), positions.max(0)
    if data.source != OWN:
        left, right = 0.0, regression.DOMAIN
    for number, x, y in data.moved:
        if number < len(positions):
            positions[number] = min(max(x, left), right), min(max(y, 2 * low - high), 2 * high - low)
    return positions


def domain(data: Data) -> tuple[float, float]:
    """Return where queries are asked: the functions' domain, or the range of the reader's own x."""
    if data.source == OWN:
        return data.own[0][0], data.own[-1][0]
    return 0.0, regression.DOMAIN


def _tensors(data: Data) -> tuple[Float[Tensor, "queries"], Float[Tensor, "keys"], Float[Tensor, "keys"]]:
    """Return queries, keys and values."""
    sample = points(data)
    queries = torch.linspace(*domain(data), QUERIES, dtype=torch.float64)
    return queries, torch.from_numpy(sample.x.copy()), torch.from_numpy(sample.y.copy())


def _truth(data: Data, x: Float[Tensor, "queries"]) -> Float[Tensor, "queries"] | None:
    return None if data.source == OWN else regression.truth(data.source, x)


@made_once
def _fit(data: Data, kernel: str, width: float) -> RegressionRecord:
    queries, keys, values = _tensors(data)
    prediction, weights = regress(queries, keys, values, kernel=kernel_of(kernel), width=width)
    truth = _truth(data, queries)
    return RegressionRecord(
        kernel=kernel,
        width=width,
        points=points(data),
        queries=queries.numpy(),
        weights=weights.float().numpy(),
        prediction=prediction.numpy(),
        truth=None if truth is None else truth.numpy(),
        provenance=_provenance(data, regress, f"{kernel} kernel, width {width:.4g}"),
    )


def _attention_gap(fit: RegressionRecord) -> float:
    query, key, value = (torch.from_numpy(a.copy()) for a in (fit.queries, fit.points.x, fit.points.y))
    with torch.inference_mode():
        attended = attend_with_kernel(query, key, value, kernel=kernel_of(fit.kernel), width=fit.width)
    defined = ~np.isnan(fit.prediction)
    gap = np.abs(attended.output[:, 0].numpy() - fit.prediction)[defined]
    return float(gap.max()) if gap.size else 0.0


@made_once
def _sweep(data: Data, kernel: str) -> WidthSweepRecord:
    queries, keys, values = _tensors(data)
    low, high = domain(data)
    widths = np.geomspace((high - low) / 200, 2 * (high - low), SWEPT)
    truth, shape, each = _truth(data, queries), kernel_of(kernel), torch.from_numpy(widths)
    with _one_at_a_time:
        against_truth = _against(truth, queries, keys, values, shape, each)
        left_out = regress_widths(keys, keys, values, kernel=shape, widths=each, leave_out=True)
    others = (values.sum() - values) / (len(values) - 1)
    return WidthSweepRecord(
        widths=widths,
        against_truth=against_truth,
        leave_one_out=(left_out - values).square().mean(-1).numpy(),
        average_against_truth=None if truth is None else float((values.mean() - truth).square().mean()),
        average_leave_one_out=float((others - values).square().mean()),
        provenance=_provenance(data, regress_widths, f"{kernel} kernel, {SWEPT} widths"),
    )


@made_once
def _learn(data: Data, kernel: str, fit: WidthFit) -> LearningRecord:
    """Learn on [0, 5]: the reader's own x are measured in fifths of their range, own y in standard deviations."""
    queries, keys, values = _tensors(data)
    truth = _truth(data, queries)
    low, high = domain(data)
    unit = (high - low) / regression.DOMAIN
    spread = 1.0 if truth is not None else float(values.std()) or 1.0
    shape = kernel_of(kernel)
    with _one_at_a_time, torch.inference_mode(shape.reach == math.inf):  # others ask autograd for their slope
        history = learn_width(keys / unit, values / spread, kernel=shape, fit=fit)
        widths = unit / torch.tensor([epoch.w for epoch in history], dtype=torch.float64).abs()
        against_truth = _against(truth, queries, keys, values, shape, widths)
    return LearningRecord(
        kernel=kernel,
        leave_one_out=fit.leave_one_out,
        unit=unit,
        w=np.array([epoch.w for epoch in history]),
        loss=np.array([epoch.loss for epoch in history]) * spread**2,
        against_truth=against_truth,
        own_weight=np.array([epoch.own_weight for epoch in history]),
        lost=np.array([epoch.lost for epoch in history]),
        provenance=_provenance(
            data,
            learn_width,
            f"{kernel} kernel, SGD, learning rate {fit.learning_rate:g} on the {'sum' if fit.summed else 'mean'}, "
            f"start w = {history[0].w:.4g}, " + ("each point left out" if fit.leave_one_out else "each point kept in"),
        ),
    )


def _against(
    truth: Float[Tensor, "queries"] | None,
    queries: Float[Tensor, "queries"],
    keys: Float[Tensor, "keys"],
    values: Float[Tensor, "keys"],
    kernel: Kernel,
    widths: Float[Tensor, "widths"],
) -> Float64 | None:
    """Return the mean squared error against the truth at each width; NaN where a query has no prediction."""
    if truth is None:
        return None
    predicted = regress_widths(queries, keys, values, kernel=kernel, widths=widths)
    return (predicted - truth).square().mean(-1).numpy()


def _provenance(data: Data, function: Computation, detail: str) -> Provenance:
    own = data.source == OWN
    drawn = f"{len(data.own)} points of your own" if own else f"{data.source}, n = {data.n}, noise {data.noise:g}"
    return Provenance.of(function, dtype="float64", seed=None if own else data.seed, detail=f"{drawn}, {detail}")
