"""Dropout on the weights: one draw of a row, and the mean over many."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch

from explorer.lessons.multi_head.state import Result, View
from explorer.records.heads import DropoutRecord
from explorer.records.provenance import Provenance

DRAWS = (1, 10, 100, 1000, 10_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropping:
    """Settings of the dropout; numbers are clamped.

    Attributes:
        share: p, of the weights, 0…0.9.
        draws: how many draws the mean is over, one of `DRAWS` (the nearest is taken).
        seed: of the draws.
    """

    share: float = 0.5
    draws: int = 100
    seed: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "share", min(max(self.share, 0.0), 0.9))
        object.__setattr__(self, "draws", min(DRAWS, key=lambda draws: abs(draws - self.draws)))


def drop(result: Result, view: View, how: Dropping) -> DropoutRecord:
    """Drop weights of the view's row, over and over."""
    record = result.trace.layers(view.site)[view.layer]
    row = record.weights[view.head, view.query]
    allowed = np.ones(len(row), bool) if record.allowed is None else record.allowed[view.query]
    row, labels = row[allowed], tuple(np.array(record.key_labels, object)[allowed])
    drawn = draw_dropout(row, how)
    return DropoutRecord(
        share=how.share,
        draws=how.draws,
        key_labels=labels,
        before=row,
        drawn=drawn[0],
        mean=drawn.mean(0),
        error=drawn.std(0) / np.sqrt(how.draws),
        sums=drawn.sum(-1),
        provenance=Provenance.of(
            draw_dropout, dtype="float64", seed=how.seed, detail=f"p = {how.share:g}, {how.draws} draws"
        ),
    )


def draw_dropout(row: npt.NDArray[np.float32], how: Dropping) -> npt.NDArray[np.float64]:
    """Return the row after each draw, `[draws, keys]`: 0 with probability p, else divided by 1 − p.

    Follows Srivastava et al. 2014, §10, inverted as `torch.nn.Dropout` does it; with random numbers of its own, since
    torch's are shared by all sessions.
    """
    generator = torch.Generator().manual_seed(how.seed)
    kept = torch.rand(how.draws, len(row), generator=generator, dtype=torch.float64) >= how.share
    made: npt.NDArray[np.float64] = (torch.tensor(row, dtype=torch.float64) * kept / (1 - how.share)).numpy()
    return made
