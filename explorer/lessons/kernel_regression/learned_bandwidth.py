"""Learning the width of a kernel by stochastic gradient descent."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from explorer.attention.kernels import Kernel, all_but_itself


@dataclass(frozen=True, slots=True, kw_only=True)
class WidthFit:
    """Settings of how w is learned.

    Attributes:
        start: w before the first epoch.
        learning_rate: of SGD on the *mean* squared error, or on the sum.
        epochs: passes over the points.
        steps: of every epoch, each on its share of the points; 1 takes them all at once, as d2l.ai does.
        leave_one_out: whether a point is left out of its own prediction.
        summed: whether the step follows the sum of the squares, as in d2l.ai; 0.5 there is 25 on the mean of 50.
        drawn: whether w starts at a draw from U(0, 1), as in d2l.ai, whatever `start` says.
        seed: of the points' order, and of that draw.
    """

    start: float = 0.5
    learning_rate: float = 10.0
    epochs: int = 60
    steps: int = 1
    leave_one_out: bool = True
    summed: bool = False
    drawn: bool = False
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Epoch:
    """State of w after an epoch.

    Attributes:
        w: 1/width.
        loss: mean squared error of the training points that have a prediction; NaN if none has.
        own_weight: weight of a point in its own prediction, mean over the points.
        lost: how many points have no key within reach, and so no prediction.
    """

    w: float
    loss: float
    own_weight: float
    lost: int


class TrainingPoints(NamedTuple):
    """Training points, and what of them does not depend on the width.

    Attributes:
        observed: at the points to predict.
        ones_and_value: 1 and what was observed, by key: what is weighted with K adds up to Σ K and Σ K y.
        apart: position of each point less that of each key.
        excess: its square less the smallest of the row's that may count.
        barred: which key may not count for which point; None if all may.
    """

    observed: Float[Tensor, "points"]
    ones_and_value: Float[Tensor, "keys 2"]
    apart: Float[Tensor, "points keys"]
    excess: Float[Tensor, "points keys"]
    barred: Bool[Tensor, "points keys"] | None

    @classmethod
    def of(cls, key: Float[Tensor, "keys"], value: Float[Tensor, "keys"], *, leave_one_out: bool) -> "TrainingPoints":
        """Return every point; if one is to be left out of its own prediction, its own key is barred."""
        apart, barred = key.unsqueeze(-1) - key, None
        square = nearest = apart.square()
        if leave_one_out:
            barred = ~all_but_itself(len(key))
            nearest = square.masked_fill(barred, math.inf)
        excess = square - nearest.amin(-1, keepdim=True).clamp(max=torch.finfo(key.dtype).max)  # one point has no other
        return cls(value, torch.stack([torch.ones_like(value), value], -1), apart, excess, barred)

    def of_rows(self, rows: Int[Tensor, "rows"] | slice) -> "TrainingPoints":
        """Return some of the points, with all keys."""
        barred = None if self.barred is None else self.barred[rows]
        return self._replace(
            observed=self.observed[rows], apart=self.apart[rows], excess=self.excess[rows], barred=barred
        )

    def split(self, batches: int) -> Iterator["TrainingPoints"]:
        """Return the points in so many batches, as nearly alike in size as can be, the larger ones first."""
        size, larger = divmod(len(self.observed), batches)
        for at in range(batches):
            first = at * size + min(at, larger)
            yield self.of_rows(slice(first, first + size + (at < larger)))


class WidthLoss(NamedTuple):
    """The loss at one width, over the points that have a prediction; NaN if none has.

    Attributes:
        gradient: of the loss by w.
        closeness: of each point to each key, up to a factor of its own.
        total: its sum over the keys, 1 where it is 0.
        reached: how many points have a key within reach.
    """

    loss: float
    gradient: float
    closeness: Float[Tensor, "rows keys"]
    total: Float[Tensor, "rows"]
    reached: int


def learn_width(
    key: Float[Tensor, "keys"], value: Float[Tensor, "keys"], *, kernel: Kernel, fit: WidthFit
) -> list[Epoch]:
    """Learn w = 1/width from the points' own predictions: minimise mean (y_i − Σ_j K((x_i − x_j) w) y_j / Σ K)².

    Follows d2l.ai, Chinese edition, §10.2.4 (where the keys of point i are all points but i). Stops early when no
    point has a key within reach: there is nothing to learn from any more.

    Args:
        key: positions of the points.
        value: what was observed there.
        kernel: any; the boxcar's gradient is 0 everywhere, so w stays where it is.

    Returns:
        The state before the first epoch and after each.
    """
    points = TrainingPoints.of(key, value, leave_one_out=fit.leave_one_out)
    generator = torch.Generator().manual_seed(fit.seed)
    w = float(torch.rand((), generator=generator, dtype=key.dtype)) if fit.drawn else fit.start
    history = list[Epoch]()
    while True:
        found = loss_of_width(w, points, kernel=kernel)
        history.append(_state(w, found))
        if len(history) > fit.epochs or history[-1].lost == len(key):
            return history
        if fit.steps == 1:
            w -= _step(found, fit)
            continue
        shuffled = points.of_rows(torch.randperm(len(key), generator=generator))
        for batch in shuffled.split(min(fit.steps, len(key))):
            w -= _step(loss_of_width(w, batch, kernel=kernel), fit)


def loss_of_width(w: float, points: TrainingPoints, *, kernel: Kernel) -> WidthLoss:
    """Return the mean squared error of predicting training points from their keys, and its derivative.

    Points without a key within reach have no prediction and do not count. The derivative is written out: one number
    is learned, and autograd over all weights takes about twice as long. With ŷ_i = Σ_j K_ij y_j / Σ_j K_ij,
    ∂ŷ_i/∂w = Σ_j (∂K_ij/∂w) (y_j − ŷ_i) / Σ_j K_ij.

    Args:
        w: 1/width.
        points: to predict, and their keys.
        kernel: one of `KERNELS`.
    """
    closeness, slope = _closeness(w, points, kernel)
    total, weighted = (closeness @ points.ones_and_value).unbind(-1)
    rises, weighted_rises = (slope @ points.ones_and_value).unbind(-1)
    reached, count = total > 0, len(total)
    if some_lost := not reached.all():
        total, count = total.masked_fill(~reached, 1.0), int(reached.sum())
    predicted = weighted / total
    falls = torch.addcmul(weighted_rises, predicted, rises, value=-1) / total
    residual = predicted - points.observed
    if some_lost:
        residual = residual * reached
    return WidthLoss(
        loss=float(residual @ residual) / count if count else math.nan,
        gradient=2 * float(residual @ falls) / count if count else math.nan,
        closeness=closeness,
        total=total,
        reached=count,
    )


def _closeness(w: float, points: TrainingPoints, kernel: Kernel) -> tuple[Tensor, Tensor]:
    """Return K_ij and a slope that stands for ∂K_ij/∂w.

    Of the Gaussian, whose derivative is −w (x_i − x_j)² K_ij, K is divided by the row's largest, which therefore never
    vanishes, and the slope lacks what is the same multiple of K_ij for the whole row: in ∂ŷ_i/∂w it sums to 0.
    """
    if kernel.reach == math.inf:
        close = (points.excess * (-0.5 * w * w)).exp_()
        if points.barred is not None:
            close.masked_fill_(points.barred, 0.0)
        return close, points.excess.mul(close).mul_(-w)
    u = (points.apart * w).requires_grad_()
    close = kernel.profile(u)
    if not close.requires_grad:  # the boxcar: flat wherever it is not steep
        slope = torch.zeros_like(u)
    else:
        (slope,) = torch.autograd.grad(close.sum(), u)
        slope, close = (slope * points.apart).masked_fill(points.apart == 0, 0.0), close.detach()
    return (close, slope) if points.barred is None else (close * ~points.barred, slope * ~points.barred)


def _step(found: WidthLoss, fit: WidthFit) -> float:
    """Return how far w goes down; it stays where no point has a prediction."""
    counted = found.reached if fit.summed else 1
    return fit.learning_rate * counted * found.gradient if math.isfinite(found.loss) else 0.0


def _state(w: float, found: WidthLoss) -> Epoch:
    own = float((found.closeness.diagonal() / found.total).mean())
    return Epoch(w=w, loss=found.loss, own_weight=own, lost=len(found.total) - found.reached)
