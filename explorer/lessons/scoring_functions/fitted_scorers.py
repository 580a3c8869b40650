"""Fit scoring functions that learn to a retrieval task, and compare them with the dot product."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn import functional as F

from explorer.attention.attend import Score
from explorer.data.retrieval import Examples, Retrieval
from explorer.nn.scorers import Additive, General
from explorer.records.provenance import Provenance
from explorer.records.scoring import FittedScorersRecord

BATCH = 64
LEARNING_RATE = 0.02
#: Points of each curve, and unseen examples that each is measured on.
POINTS, UNSEEN = 30, 1024
#: Draws so many fresh examples.
Draw = Callable[[int, torch.Generator], Examples]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """Settings of the fit.

    Attributes:
        d_hidden: hidden units of the additive scorers.
        steps: of Adam, on fresh batches of 64, its rate falling linearly from 0.02 to 0.
        seed: of weights and examples.

    Raises:
        ValueError: if there is nothing to fit.
    """

    task: Retrieval = field(default_factory=Retrieval)
    d_hidden: int = 32
    steps: int = 300
    seed: int = 0

    def __post_init__(self) -> None:
        if self.d_hidden < 1 or self.steps < 1:
            raise ValueError(f"{self}: needs d_hidden ≥ 1 and steps ≥ 1")


class Curve(NamedTuple):
    """Course of one scorer on unseen examples while it was fitted."""

    steps: tuple[int, ...]
    loss: tuple[float, ...]
    accuracy: tuple[float, ...]


def fit(settings: Fit) -> FittedScorersRecord:
    """Fit a bilinear and two additive scorers (without and with bias) and compare each with the best possible score.

    Runs on one thread of the CPU; the same settings give the same numbers.
    """
    with torch.inference_mode(False), torch.enable_grad():
        unseen = settings.task.held_out(UNSEEN, torch.Generator().manual_seed(settings.seed + 1))
        scorers = _untrained(settings)
        draw, steps, seed = settings.task.draw, settings.steps, settings.seed
        curves = [train(scorer, draw, unseen, steps=steps, seed=seed) for scorer in scorers.values()]
    with torch.inference_mode():
        return _record(settings, scorers, curves, unseen)


def _untrained(settings: Fit) -> dict[str, torch.nn.Module]:
    d, generator = settings.task.d, torch.Generator().manual_seed(settings.seed)
    return {
        "general": General(d, d, generator=generator),
        "additive": Additive(d, d, settings.d_hidden, generator=generator),
        "additive_bias": Additive(d, d, settings.d_hidden, bias=True, generator=generator),
    }


def train(scorer: torch.nn.Module, draw: Draw, unseen: Examples, *, steps: int, seed: int) -> Curve:
    """Fit one scorer in place: −log of the weight it gives the right key, on fresh examples at every step."""
    generator = torch.Generator().manual_seed(seed + 2)
    optimiser = torch.optim.Adam(scorer.parameters(), lr=LEARNING_RATE, fused=True)
    measured = sorted({round(step) for step in np.linspace(0, steps, POINTS)})
    points = [(0, *measure(scorer, unseen))]
    for step in range(1, steps + 1):
        optimiser.param_groups[0]["lr"] = LEARNING_RATE * (1 - (step - 1) / steps)
        examples = draw(BATCH, generator)
        loss = F.cross_entropy(scorer(examples.query, examples.key).squeeze(-2), examples.target)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        if step in measured:
            points.append((step, *measure(scorer, unseen)))
    return Curve(*zip(*points, strict=True))


@torch.no_grad()
def measure(score: Score, examples: Examples) -> tuple[float, float]:
    """Return cross-entropy in nats, and the share of queries whose highest score is the right key's."""
    scores = score(examples.query, examples.key).squeeze(-2)
    right = (scores.argmax(-1) == examples.target).float().mean()
    return float(F.cross_entropy(scores, examples.target)), float(right)


def correlation(scores: Float[Tensor, "examples keys"], others: Float[Tensor, "examples keys"]) -> float:
    """Correlate two score matrices after centring each row, since a softmax does not see a row's mean."""
    a, b = (x - x.mean(-1, keepdim=True) for x in (scores, others))
    size = a.norm() * b.norm()
    return float((a * b).sum() / size) if size > 0 else 0.0


def _record(
    settings: Fit, scorers: Mapping[str, torch.nn.Module], curves: list[Curve], unseen: Examples
) -> FittedScorersRecord:
    task = settings.task
    every: list[Callable[[Tensor, Tensor], Tensor]] = [task.best_score, *scorers.values()]
    tables = [score(unseen.query, unseen.key).squeeze(-2) for score in every]
    final = [measure(score, unseen) for score in every]
    chosen = tables[0].argmax(-1)
    generator = torch.Generator().manual_seed(settings.seed + 3)
    key = task.draw(1, generator).key
    query = key + task.noise * torch.randn(key.shape, generator=generator)
    weights = torch.cat([torch.softmax(score(query, key), -1) for score in every])
    return FittedScorersRecord(
        scorers=tuple(scorers),
        steps=curves[0].steps,
        loss=np.array([curve.loss for curve in curves]),
        accuracy=np.array([curve.accuracy for curve in curves]),
        final_loss=np.array([loss for loss, _ in final]),
        final_accuracy=np.array([accuracy for _, accuracy in final]),
        correlation=np.array([correlation(table, tables[0]) for table in tables]),
        agreement=np.array([float((table.argmax(-1) == chosen).float().mean()) for table in tables]),
        example_weights=weights.numpy(),
        bilinear=scorers["general"].get_parameter("weight").detach().numpy(),
        chance=1 / task.keys,
        unseen=len(unseen.target),
        symmetric=task.offset == 0,
        provenance=Provenance.of(
            fit,
            seed=settings.seed,
            detail=f"d {task.d}, {task.keys} keys, noise {task.noise:g}, offset {task.offset:g}, "
            f"{settings.d_hidden} hidden units, {settings.steps} steps",
        ),
    )
