"""Learning the shape of a kernel with its width: gradient descent on p, q and h."""

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from explorer.lessons.kernel_regression.compute import domain, points
from explorer.lessons.kernel_regression.own_kernel import FAMILIES, HIGH, LOW, name_of_own
from explorer.lessons.kernel_regression.points import DOMAIN
from explorer.lessons.kernel_regression.records import ShapeLearningRecord
from explorer.lessons.kernel_regression.state import OWN, Params
from explorer.records import Provenance
from explorer.service.kept import made_once

STEPS = 60
LEARNING_RATE = 0.1
#: More points are not asked about: a class would wait for seconds.
MOST_ASKED = 120
#: Distances in widths: |u|^p has no slope in p at 0, and (1 − |u|^p)^q none at 1.
_NEAREST, _EDGE = 1e-6, 1 - 1e-9
#: A smaller sum of closeness is nobody within reach: its slope would leave the range of numbers.
_NOBODY = 1e-100


def learn_shape(
    key: Float[Tensor, "keys"],
    value: Float[Tensor, "keys"],
    *,
    family: str,
    start: tuple[float, float, float],
    steps: int = STEPS,
) -> Float[Tensor, "states 4"]:
    """Learn p, q and the width: minimise the mean squared error of each point predicted from all the others.

    Of more than `MOST_ASKED` points only so many, at equal distances in their order, are predicted, each from all the
    others. Adam steps in the logarithms of the three, so that none changes its sign; p and q stay within `LOW` and
    `HIGH`. A point with no other within reach is guessed as the mean of the others: the kernel would learn to reach
    nobody otherwise.

    Args:
        family: name in `FAMILIES`.
        start: p, q and the width, in x-units, before the first step.

    Returns:
        p, q, the width and the error, before the first step and after each.
    """
    asked = torch.linspace(0, len(key) - 1, min(len(key), MOST_ASKED)).round().long()
    apart, barred = (key[asked, None] - key).abs(), asked[:, None] == torch.arange(len(key))
    wanted = value[asked]
    others = (value.sum() - wanted) / (len(value) - 1)
    logs = torch.tensor(start, dtype=key.dtype).log().requires_grad_()
    optimiser = torch.optim.Adam([logs], lr=LEARNING_RATE)
    bounds = torch.tensor([LOW, HIGH], dtype=key.dtype).log().tolist()
    states = []
    for step in range(steps + 1):
        p, q, width = logs.exp().unbind()
        u = apart / width
        close = FAMILIES[family](u.clamp(_NEAREST, _EDGE if family == "ends" else None), p, q)
        close = close.masked_fill(barred | (u >= 1) if family == "ends" else barred, 0.0)
        total = close.sum(-1)
        reached = total > _NOBODY
        guessed = torch.where(reached, (close @ value) / total.where(reached, 1.0), others)
        loss = (guessed - wanted).square().mean()
        states.append(torch.stack([p, q, width, loss]).detach())
        if step < steps and loss.requires_grad:
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            with torch.no_grad():
                logs[:2].clamp_(*bounds)
    return torch.stack(states)


@made_once
def shape_learning(params: Params) -> ShapeLearningRecord:
    """Return how a kernel of one's own learns from its data, on [0, 5] as the width does.

    Raises:
        ValueError: if the kernel is none of one's own.
    """
    family, p, q = params.kernel.split()
    sample, (low, high) = points(params.data), domain(params.data)
    unit = (high - low) / DOMAIN
    spread = (float(sample.y.std()) or 1.0) if params.data.source == OWN else 1.0
    key, value = torch.from_numpy(sample.x / unit), torch.from_numpy(sample.y / spread)
    with torch.enable_grad():
        states = learn_shape(key, value, family=family, start=(float(p), float(q), params.width / unit)).numpy()
    detail = f"{params.kernel}, {len(key)} points, each left out; Adam on ln p, ln q, ln h, rate {LEARNING_RATE:g}"
    return ShapeLearningRecord(
        family=family,
        p=states[:, 0],
        q=states[:, 1],
        widths=states[:, 2] * unit,
        loss=states[:, 3] * np.float64(spread**2),
        provenance=Provenance.of(learn_shape, dtype="float64", detail=detail),
    )


def learned_kernel(record: ShapeLearningRecord, step: int) -> tuple[str, float]:
    """Return the name of the kernel after a step, and its width."""
    return name_of_own(record.family, float(record.p[step]), float(record.q[step])), float(record.widths[step])
