"""Fully connected, convolution, pooling and attention on the same words: whose weights follow the content."""

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional as F

from explorer.attention.attend import attend
from explorer.lessons.queries_keys_values.journey import TOY
from explorer.lessons.queries_keys_values.records.layers import LayersRecord
from explorer.records import Provenance
from explorer.service.kept import made_once

WORDS = tuple(TOY)
#: Places that a convolution's filter sees.
FILTER = 3


def order(kind: str, first: int, second: int) -> tuple[int, ...]:
    """Return the old place of each word: as written, with two words swapped, or backwards."""
    positions = list(range(len(WORDS)))
    if kind == "swapped":
        positions[first], positions[second] = second, first
    return tuple(reversed(positions)) if kind == "reversed" else tuple(positions)


@made_once
def weigh(order: tuple[int, ...]) -> LayersRecord:
    """Weigh the words by five layers, then once more in another order, by the same layers."""
    written = tuple(range(len(order)))
    with torch.inference_mode():
        full, convolution = fixed_layers()
        before, after = (torch.stack(_maps(each, full, convolution)).numpy() for each in (written, order))
    return LayersRecord(
        words=WORDS,
        order=np.array(order),
        before=before,
        after=after,
        provenance=Provenance.of(
            fixed_layers, detail=f"nn.Linear, nn.Conv1d, adaptive pooling, attend; order {' '.join(map(str, order))}"
        ),
    )


def fixed_layers() -> tuple[nn.Linear, nn.Conv1d]:
    """Make the layers whose weights belong to places, as near to attention as they can be for the words as written.

    The fully connected layer copies attention's weights. The filter of a convolution has one weight for each distance:
    the mean over all places is nearest to attention in least squares.
    """
    query, key, value = _vectors(tuple(range(len(WORDS))))
    weights = attend(query, key, value).weights
    full = nn.Linear(len(WORDS), len(WORDS), bias=False)
    convolution = nn.Conv1d(1, 1, FILTER, padding="same", bias=False)
    with torch.no_grad():
        full.weight.copy_(weights)
        reach = FILTER // 2
        convolution.weight[0, 0] = torch.stack([weights.diagonal(far).mean() for far in range(-reach, reach + 1)])
    return full, convolution


def _maps(order: tuple[int, ...], full: nn.Linear, convolution: nn.Conv1d) -> list[Float[Tensor, "out in"]]:
    """Return what each layer makes of one-hot values: the weights themselves; of a maximum, the share it takes."""
    query, key, value = _vectors(order)
    n, each = len(order), torch.eye(len(order))
    _, best = F.adaptive_max_pool1d(value.T[:, None], 1, return_indices=True)  # [features, 1, 1]
    return [
        full(each).T,
        attend(query, key, each).output,
        convolution(each[:, None])[:, 0].T,
        F.adaptive_avg_pool1d(each, 1).T.expand(n, n),
        F.one_hot(best.flatten(), n).float().mean(0).expand(n, n),
    ]


def _vectors(order: tuple[int, ...]) -> tuple[Tensor, Tensor, Tensor]:
    """Return query, key and value of the words in an order, `[words, d]` each."""
    query, key, value = torch.tensor(list(zip(*TOY.values(), strict=True)), dtype=torch.float32)[:, list(order)]
    return query, key, value
