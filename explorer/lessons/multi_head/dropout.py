"""Dropout on the weights: one draw of a row, and the mean over many; and the textbook's layer, by its shapes."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import torch

from explorer.lessons.multi_head.state import Result, View, clamp_view
from explorer.nn.attention import MultiHeadAttention
from explorer.records.heads import DropoutRecord, ShapeStep
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
    view = clamp_view(result, view)
    record = result.trace.layers(view.site)[view.layer]
    row = record.weights[view.head, view.query]
    allowed = np.ones(len(row), bool) if record.allowed is None else record.allowed[view.query]
    row, labels = row[allowed], tuple(np.array(record.key_labels, object)[allowed])
    drawn = dropped(row, how)
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
            dropped, dtype="float64", seed=how.seed, detail=f"p = {how.share:g}, {how.draws} draws"
        ),
    )


def dropped(row: npt.NDArray[np.float32], how: Dropping) -> npt.NDArray[np.float64]:
    """Return the row after each draw, `[draws, keys]`: 0 with probability p, else divided by 1 − p.

    Follows Srivastava et al. 2014, §10, inverted as `torch.nn.Dropout` does it; with random numbers of its own, since
    torch's are shared by all sessions.
    """
    generator = torch.Generator().manual_seed(how.seed)
    kept = torch.rand(how.draws, len(row), generator=generator, dtype=torch.float64) >= how.share
    made: npt.NDArray[np.float64] = (torch.tensor(row, dtype=torch.float64) * kept / (1 - how.share)).numpy()
    return made


@lru_cache(maxsize=1)
def textbook_shapes() -> tuple[ShapeStep, ...]:
    """Return the shapes in the layer of d2l.ai, §10.5.2: 100 numbers, 5 heads, 2 sentences, 4 queries, 6 keys.

    They are read off tensors that run through our layer. d2l.ai folds the heads into the batch: (2, 4, 100) becomes
    (10, 4, 20).
    """
    batch, queries, keys, d_model, heads = 2, 4, 6, 100, 5
    layer = MultiHeadAttention(d_model, heads, generator=torch.Generator().manual_seed(0))
    x, y = torch.ones(batch, queries, d_model), torch.ones(batch, keys, d_model)
    with torch.inference_mode():
        attended = layer(x, y)
        split = [layer.query(x), layer.key(y), layer.value(y)]
        split = [each.view(batch, -1, heads, d_model // heads).transpose(1, 2).flatten(0, 1) for each in split]
        scores, weights = attended.scores.flatten(0, 1), attended.weights.flatten(0, 1)
        mixed = torch.bmm(weights, split[2])
        joined = mixed.view(batch, heads, queries, -1).transpose(1, 2).flatten(2)
    folded = "batch·heads"
    steps = (
        ("X", ("batch", "queries", "d_model"), x),
        ("Y", ("batch", "keys", "d_model"), y),
        ("Q", (folded, "queries", "d_key"), split[0]),
        ("K", (folded, "keys", "d_key"), split[1]),
        ("V", (folded, "keys", "d_key"), split[2]),
        ("QKᵀ/√d_key", (folded, "queries", "keys"), scores),
        ("softmax", (folded, "queries", "keys"), weights),
        ("softmax·V", (folded, "queries", "d_key"), mixed),
        ("concat", ("batch", "queries", "heads·d_key"), joined),
        ("output", ("batch", "queries", "d_model"), attended.output),
    )
    return tuple(ShapeStep(symbol=symbol, axes=axes, sizes=tuple(each.shape)) for symbol, axes, each in steps)
