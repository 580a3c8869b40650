"""Learning the width of a kernel by stochastic gradient descent."""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from explorer.attention.kernels import Kernel, all_but_itself, kernel_weights


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
    allowed = all_but_itself(len(key)) if fit.leave_one_out else None
    generator = torch.Generator().manual_seed(fit.seed)
    start = torch.rand((), generator=generator, dtype=key.dtype) if fit.drawn else torch.tensor(fit.start).to(key)
    w = start.requires_grad_()
    history = [_state(w, key, value, kernel, allowed)]
    for _ in range(fit.epochs):
        if history[-1].lost == len(key):
            break
        order = torch.randperm(len(key), generator=generator)
        for rows in torch.tensor_split(order, min(fit.steps, len(key))):
            loss, weights = loss_of_width(w, key, value, kernel=kernel, allowed=allowed, rows=rows)
            if loss.requires_grad and bool(loss.isfinite()):
                counted = int((weights.detach() > 0).any(-1).sum()) if fit.summed else 1
                (gradient,) = torch.autograd.grad(counted * loss, w)
                with torch.no_grad():  # no `torch.optim`: it imports torch's compiler, which takes two seconds
                    w -= fit.learning_rate * gradient
        history.append(_state(w, key, value, kernel, allowed))
    return history


def loss_of_width(
    w: Float[Tensor, ""],
    key: Float[Tensor, "keys"],
    value: Float[Tensor, "keys"],
    *,
    kernel: Kernel,
    allowed: Bool[Tensor, "keys keys"] | None,
    rows: Tensor | None = None,
) -> tuple[Float[Tensor, ""], Float[Tensor, "queries keys"]]:
    """Return the mean squared error of predicting some training points from the others, and the weights for it.

    Points without a key within reach have no prediction and do not count; NaN if there is no other.

    Args:
        w: 1/width; autograd follows it.
        key: positions of the points.
        value: what was observed there.
        kernel: one of `KERNELS`.
        allowed: which key may count for which point.
        rows: which points; None takes all.
    """
    picked = slice(None) if rows is None else rows
    some = None if allowed is None else allowed[picked]
    weights = kernel_weights(key[picked], key, kernel=kernel, width=1 / w, allowed=some)
    reached = (weights.detach() > 0).any(-1)
    residual = (weights @ value - value[picked])[reached]
    return residual.square().mean(), weights


def _state(w: Tensor, key: Tensor, value: Tensor, kernel: Kernel, allowed: Tensor | None) -> Epoch:
    with torch.no_grad():
        loss, weights = loss_of_width(w, key, value, kernel=kernel, allowed=allowed)
        lost = int((weights.sum(-1) == 0).sum())
        return Epoch(w=w.item(), loss=loss.item(), own_weight=weights.diagonal().mean().item(), lost=lost)
