"""BigBird: a window, global tokens and a few random ones, all of them whole blocks."""

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.attention.efficient.block_sparse import BlockLayout, band_mask, block_sparse, n_blocks
from explorer.attention.efficient.partial import at_least, self_length


def bigbird(
    query: Float[Tensor, "*batch queries d_key"],
    key: Float[Tensor, "*batch keys d_key"],
    value: Float[Tensor, "*batch keys d_value"],
    *,
    causal: bool = False,
    block: int,
    n_global: int,
    n_random: int,
    seed: int = 0,
) -> Float[Tensor, "*batch queries d_value"]:
    """Attend to the blocks beside one's own, to the first blocks, and to random ones (Zaheer et al. 2020, §2).

    The paper's BigBird-ITC: global tokens are among the sequence's own. O(n · block · (3 + n_global + n_random)).

    The first `n_global` blocks are global; each block of queries sees `n_random` others, drawn once with `seed`.

    Raises:
        ValueError: if a number is too small, or queries and keys are not equally many.
    """
    n = self_length("BigBird", query, key)
    at_least("BigBird", 1, block=block)
    drawn = layout(n_blocks(n, block), n_global=n_global, n_random=n_random, seed=seed, causal=causal)
    return block_sparse(query, key, value, causal=causal, block=block, layout=drawn)


def layout(blocks: int, *, n_global: int, n_random: int, seed: int, causal: bool) -> BlockLayout:
    """Lay out which block sees which: a band of three, the first rows and columns, `n_random` others in each row.

    With `causal` random blocks are drawn among those before one's own: others would be lost to the mask.

    Raises:
        ValueError: if a number is below 0.
    """
    at_least("BigBird", 0, n_global=n_global, n_random=n_random)
    seen = band_mask(blocks, 1)
    seen[:n_global] = True
    seen[:, :n_global] = True
    generator = torch.Generator().manual_seed(seed)
    for row in range(blocks):
        free = (~seen[row]).nonzero().flatten()
        free = free[free < row] if causal else free
        seen[row, free[torch.randperm(len(free), generator=generator)[:n_random]]] = True
    return seen
