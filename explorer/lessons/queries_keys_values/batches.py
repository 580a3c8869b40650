"""Batch matrix multiplication: every batch's weights times its own values, all at once."""

from dataclasses import dataclass

import torch

from explorer.lessons.queries_keys_values.records.batches import BatchesRecord
from explorer.records import Provenance
from explorer.scenes.queries_keys_values import BATCHES
from explorer.service.kept import made_once

#: Most batches, queries, keys and numbers of a value that a screen has room for.
MOST = tuple(BATCHES.controls[f"qb_{name}"].high for name in ("batch", "queries", "keys", "length"))
NUMBERS = ("ones", "mean", "softmax")


@dataclass(frozen=True, slots=True, kw_only=True)
class Batches:
    """Shapes and numbers; each is clamped to what a screen has room for.

    Attributes:
        sizes: batch, queries, keys, d_value.
        numbers: `ones` on both sides; `mean`: weights 1/keys, values 0, 1, 2, …; `softmax`: of scores drawn by a seed.
        seed: of the scores.
    """

    sizes: tuple[int, int, int, int] = (2, 1, 4, 6)
    numbers: str = "ones"
    seed: int = 0

    def __post_init__(self) -> None:
        b, q, k, d = (min(max(size, 1), most) for size, most in zip(self.sizes, MOST, strict=True))
        object.__setattr__(self, "sizes", (b, q, k, d))
        if self.numbers not in NUMBERS:
            raise ValueError(f"{self.numbers!r} is none of {', '.join(NUMBERS)}")


@made_once
def multiply(asked: Batches) -> BatchesRecord:
    """Multiply each batch's weights by its values."""
    b, q, k, d = asked.sizes
    counted = torch.arange(b * k * d, dtype=torch.float32).reshape(b, k, d)
    scores = torch.randn(b, q, k, generator=torch.Generator().manual_seed(asked.seed))
    weights, values = {
        "ones": (torch.ones(b, q, k), torch.ones(b, k, d)),
        "mean": (torch.full((b, q, k), 1 / k), counted),
        "softmax": (scores.softmax(-1), counted),
    }[asked.numbers]
    return BatchesRecord(
        weights=weights.numpy(),
        values=values.numpy(),
        output=torch.bmm(weights, values).numpy(),
        provenance=Provenance.of(
            multiply,
            seed=asked.seed if asked.numbers == "softmax" else None,
            detail=f"torch.bmm, ({b}, {q}, {k}) · ({b}, {k}, {d})",
        ),
    )
