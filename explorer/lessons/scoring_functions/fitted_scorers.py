"""Fit scoring functions that learn to a retrieval task, and compare them with the dot product while they learn."""

import math
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from explorer.attention.attend import Score
from explorer.data.retrieval import Examples, Retrieval
from explorer.nn.scorers import Additive, General
from explorer.records.provenance import Provenance
from explorer.records.scoring import FittedScorersRecord

#: Examples of a step, and Adam's rate at the first one for vectors of length 1.
BATCH, LEARNING_RATE = 320, 0.3
#: Of Adam's averages; its usual 0.9 and 0.999 remember too long for so few steps.
BETAS = (0.8, 0.97)
#: Hidden units of the additive scorers, and how far from 0 their biases may begin.
HIDDEN, SPREAD = 32, 2.0
#: Steps of Adam; what the scorers make of unseen examples is recorded before the first and after every so many.
STEPS, EVERY, UNSEEN = 60, 5, 1024
#: Beside one another trainings would only wait for one another.
_one_learner = threading.Lock()
#: Draws so many fresh examples.
Draw = Callable[[int, torch.Generator], Examples]
#: What is recorded of a moment, by the record's field.
Moment = dict[str, np.ndarray]
Queries = Float[Tensor, "1 keys d"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """Settings of the fit; the seed is that of weights and examples."""

    task: Retrieval = field(default_factory=Retrieval)
    seed: int = 0


def fit(settings: Fit) -> FittedScorersRecord:
    """Fit a bilinear and two additive scorers (without and with bias) and compare each with the best possible score.

    Runs on one thread of the CPU; the same settings give the same numbers.
    """
    task, seed, moments = settings.task, settings.seed, list[Moment]()
    unseen = task.held_out(UNSEEN, torch.Generator().manual_seed(seed + 1))
    generator = torch.Generator().manual_seed(seed + 3)
    key = task.draw(1, generator).key
    query = key + task.noise * torch.randn(key.shape, generator=generator)
    with torch.inference_mode(False), torch.enable_grad():
        scorers = _untrained(settings)

        def seen(step: int) -> None:
            if step % EVERY == 0:
                moments.append(_moment(task, scorers, unseen, query, key))

        train(list(scorers.values()), task.draw, steps=STEPS, seed=seed, seen=seen)
    return FittedScorersRecord(
        scorers=tuple(scorers),
        steps=tuple(range(0, STEPS + 1, EVERY)),
        **{name: np.stack([moment[name] for moment in moments]) for name in moments[0]},
        chance=1 / task.keys,
        unseen=UNSEEN,
        symmetric=task.offset == 0,
        provenance=Provenance.of(
            fit,
            seed=seed,
            detail=f"d {task.d}, {task.keys} keys, noise {task.noise:g}, offset {task.offset:g}, "
            f"{HIDDEN} hidden units, {STEPS} steps",
        ),
    )


def _untrained(settings: Fit) -> dict[str, nn.Module]:
    """Return the scorers as they begin. With biases of 0 additive would begin odd, and take long to leave that."""
    d, generator = settings.task.d, torch.Generator().manual_seed(settings.seed)
    scorers = {
        "general": General(d, d, generator=generator),
        "additive": Additive(d, d, HIDDEN, generator=generator),
        "additive_bias": Additive(d, d, HIDDEN, bias=True, generator=generator),
    }
    nn.init.uniform_(scorers["additive_bias"].get_parameter("bias"), -SPREAD, SPREAD, generator=generator)
    return scorers


def train(
    scorers: Sequence[nn.Module], draw: Draw, *, steps: int, seed: int, seen: Callable[[int], None] = lambda _: None
) -> None:
    """Fit scorers in place: −log of the weight each gives the right key, on fresh examples at every step.

    Adam's rate falls linearly from 0.3/√d to 0: the longer the vectors, the more a step of one size changes a score.
    All scorers meet the same examples, and none sees the others: for each scorer's parameters, the gradient of the sum
    of losses is that of its own loss.

    Args:
        seen: called with the number of steps done: before the first, and after every one.
    """
    generator = torch.Generator().manual_seed(seed + 2)
    optimiser = torch.optim.Adam([each for scorer in scorers for each in scorer.parameters()], betas=BETAS, fused=True)
    with _one_learner:
        seen(0)
        for step in range(1, steps + 1):
            query, key, target = draw(BATCH, generator)
            optimiser.param_groups[0]["lr"] = LEARNING_RATE / math.sqrt(key.shape[-1]) * (1 - (step - 1) / steps)
            scores = torch.stack([scorer(query, key).squeeze(-2) for scorer in scorers])
            optimiser.zero_grad()
            _cross_entropy(scores, target).mean(-1).sum().backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            seen(step)


@torch.no_grad()
def measure(score: Score, examples: Examples) -> tuple[float, float]:
    """Return cross-entropy in nats, and the share of queries whose highest score is the right key's."""
    scores = score(examples.query, examples.key).squeeze(-2)
    right = scores.argmax(-1) == examples.target
    return float(_cross_entropy(scores, examples.target).mean()), float(right.float().mean())


def _cross_entropy(
    scores: Float[Tensor, "*scorers examples keys"], target: Int[Tensor, "examples"]
) -> Float[Tensor, "*scorers examples"]:
    """Return −log of the weight on the right key; with so few keys faster than torch's cross-entropy."""
    right = scores.gather(-1, target.expand(scores.shape[:-1]).unsqueeze(-1))
    return scores.logsumexp(-1) - right.squeeze(-1)


def correlation(
    scores: Float[Tensor, "*scorers examples keys"], others: Float[Tensor, "examples keys"]
) -> Float[Tensor, "*scorers"]:
    """Correlate score matrices with another, each row centred, since a softmax does not see its mean; 0 if constant."""
    a, b = (x - x.mean(-1, keepdim=True) for x in (scores, others))
    size = a.norm(dim=(-2, -1)) * b.norm()
    return (a * b).sum((-2, -1)).div(size.where(size > 0, 1))


@torch.no_grad()
def _moment(
    task: Retrieval, scorers: Mapping[str, nn.Module], unseen: Examples, query: Queries, key: Queries
) -> Moment:
    """Return what the reference and the scorers make of unseen examples, and of noisy copies of keys, by field."""
    every: list[Score] = [task.best_score, *scorers.values()]
    scores = torch.stack([score(unseen.query, unseen.key).squeeze(-2) for score in every])
    chosen = scores.argmax(-1)
    found = {
        "loss": _cross_entropy(scores, unseen.target).mean(-1),
        "accuracy": (chosen == unseen.target).float().mean(-1),
        "correlation": correlation(scores, scores[0]),
        "agreement": (chosen == chosen[0]).float().mean(-1),
        "weights": torch.cat([score(query, key) for score in every]).softmax(-1),
        "bilinear": scorers["general"].get_parameter("weight").clone(),
    }
    return {name: part.numpy(force=True) for name, part in found.items()}
