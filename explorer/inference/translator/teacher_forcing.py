"""Score texts that are there already: teacher forcing, many targets in one pass."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch

from explorer.inference.engine.prepared import Prepared
from explorer.inference.search.topk import pad_rows
from explorer.inference.translator.trace import log_probabilities


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredToken:
    """A token that could come next.

    Attributes:
        probability: given what was written before it.
    """

    id: int
    probability: float


def score_targets(
    prepared: Prepared, source: Sequence[int], targets: Sequence[Sequence[int]]
) -> list[npt.NDArray[np.float64]]:
    """Log-probability of every token of each target given those before it, in nats."""
    return score_target_pairs(prepared, [source] * len(targets), targets)


@torch.inference_mode()
def score_target_pairs(
    prepared: Prepared, sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]
) -> list[npt.NDArray[np.float64]]:
    """Score as `score_targets` does, each target with a source of its own."""
    config = prepared.config
    read = pad_rows([[config.bos_id, *target[:-1]] for target in targets], config.pad_id).to(prepared.device)
    given_to = pad_rows(sources, config.pad_id).to(prepared.device)
    rows = log_probabilities(prepared, prepared.model(given_to, read)).cpu().double()
    return [
        row[torch.arange(len(ids)), torch.tensor(list(ids))].numpy() for row, ids in zip(rows, targets, strict=True)
    ]


@torch.inference_mode()
def next_tokens(prepared: Prepared, source: Sequence[int], before: Sequence[int], n: int) -> list[ScoredToken]:
    """Return the `n` likeliest tokens after `before`, the best first."""
    read = torch.tensor([[prepared.config.bos_id, *before]], device=prepared.device)
    logits = prepared.model(torch.tensor([list(source)], device=prepared.device), read)[:, -1:]
    best, tokens = log_probabilities(prepared, logits)[0, 0].exp().topk(n)
    return [
        ScoredToken(id=token, probability=share) for token, share in zip(tokens.tolist(), best.tolist(), strict=True)
    ]
