"""Block-sparse attention: a coarse mask of whole blocks, of which only the allowed ones are computed."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from explorer.attention import masking
from explorer.attention.efficient.partial import at_least, no_keys, partial, self_length

BlockLayout = Bool[Tensor, "query_blocks key_blocks"]


def block_sparse(
    query: Float[Tensor, "*batch queries d_key"],
    key: Float[Tensor, "*batch keys d_key"],
    value: Float[Tensor, "*batch keys d_value"],
    *,
    causal: bool = False,
    block: int,
    layout: BlockLayout,
) -> Float[Tensor, "*batch queries d_value"]:
    """Attend where the layout allows it (Child et al. 2019, §5.5, compute sparse attention by blocks).

    For every block of queries the allowed blocks of keys are gathered and the others never touched: the cost is that
    of the allowed blocks. A query that may look nowhere gets output 0.

    The last block may be shorter; in the `layout` True means: this block of queries may attend to that block of keys.

    Raises:
        ValueError: if the block is below 1, the layout of another size, or queries and keys are not equally many.
    """
    n = self_length("block-sparse", query, key)
    at_least("block-sparse", 1, block=block)
    if layout.shape != (n_blocks(n, block),) * 2:
        raise ValueError(f"block-sparse: {n} positions are {n_blocks(n, block)} blocks of {block}, not {layout.shape}")
    if not n:
        return no_keys(query, value.shape[-1]).output
    blocks = list(torch.split(torch.arange(n, device=query.device), block))
    return torch.cat([_row(query, key, value, causal, blocks, row, layout) for row in range(len(blocks))], -2)


def _row(
    query: Tensor, key: Tensor, value: Tensor, causal: bool, blocks: list[Tensor], row: int, layout: BlockLayout
) -> Tensor:
    """Attend with one block of queries to the blocks that it may see."""
    asking = query[..., blocks[row], :]
    seen = [each for column, each in enumerate(blocks) if layout[row, column] and not (causal and column > row)]
    if not seen:
        return no_keys(asking, value.shape[-1]).output
    positions = torch.cat(seen)
    allowed = positions <= blocks[row][:, None] if causal else None
    return partial(asking, key[..., positions, :], value[..., positions, :], allowed).output


def n_blocks(n: int, block: int) -> int:
    """Count the blocks of a sequence."""
    return -(-n // block)


def band_mask(blocks: int, reach: int) -> BlockLayout:
    """Every block with itself and `reach` blocks to each side (0: the diagonal, as in Qiu et al. 2020)."""
    return masking.window(blocks, blocks, reach + 1)


def pattern(n: int, *, causal: bool = False, block: int, layout: BlockLayout) -> Bool[Tensor, "positions positions"]:
    """Return the pattern as a mask."""
    cells = layout.repeat_interleave(block, 0).repeat_interleave(block, 1)[:n, :n]
    return cells & masking.causal(n, n) if causal else cells
