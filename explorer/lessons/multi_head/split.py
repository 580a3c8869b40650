"""The textbook's layer of five heads, really run: where every number goes when heads are folded into the batch."""

import numpy as np
import torch
from jaxtyping import Float, Int, Shaped
from torch import Tensor

from explorer.attention.attend import attend
from explorer.attention.masking import valid
from explorer.lessons.multi_head.records import (
    BATCH,
    DROPOUT,
    HEADS,
    KEYS,
    LENGTHS,
    NUMBERS,
    QUERIES,
    WIDTH,
    Layout,
    SplitParams,
    SplitRecord,
)
from explorer.nn.attention import HeadOptions, MultiHeadAttention
from explorer.records.provenance import Provenance


def transpose_qkv(x: Shaped[Tensor, "batch positions width"], heads: int, *, swap: bool = True) -> tuple[Tensor, ...]:
    """Return every array on the way to `[batch · heads, positions, width / heads]`, the given one first."""
    batch, positions, width = x.shape
    cut = x.reshape(batch, positions, heads, width // heads)
    swapped = (cut.permute(0, 2, 1, 3),) if swap else ()
    folded = (*swapped, cut)[0].reshape(batch * heads, positions, -1)
    return x, cut, *swapped, folded


def transpose_output(
    x: Shaped[Tensor, "blocks positions numbers"], heads: int, *, swap: bool = True
) -> tuple[Tensor, ...]:
    """Return every array on the way back to `[batch, positions, heads · numbers]`, the given one first."""
    blocks, positions, numbers = x.shape
    batch = blocks // heads
    if not swap:
        return x, x.reshape(batch, positions, heads, numbers), x.reshape(batch, positions, -1)
    unfolded = x.reshape(batch, heads, positions, numbers)
    back = unfolded.permute(0, 2, 1, 3)
    return x, unfolded, back, back.reshape(batch, positions, -1)


@torch.inference_mode()
def split(params: SplitParams) -> SplitRecord:
    """Run the layer with its heads folded into the batch, and beside it as it is."""
    generator = torch.Generator().manual_seed(params.seed)
    layer = MultiHeadAttention(WIDTH, HEADS, HeadOptions(dropout=DROPOUT), generator=generator).eval()
    x, y = (_inputs(params, length, generator) for length in (QUERIES, KEYS))
    lengths = torch.tensor(LENGTHS)
    repeated = torch.repeat_interleave(lengths, HEADS)
    there = transpose_qkv(layer.query(x), HEADS, swap=params.swap)
    key, value = (transpose_qkv(made, HEADS, swap=params.swap)[-1] for made in (layer.key(y), layer.value(y)))
    attended = attend(there[-1], key, value, allowed=valid(repeated, KEYS)[:, None])
    back = transpose_output(attended.output, HEADS, swap=params.swap)
    whole = layer(x, y, valid(lengths, KEYS)[:, None, None])
    positions = _places(params)
    return SplitRecord(
        params=params,
        layouts=_layouts(params),
        shapes=tuple(tuple(each.shape) for each in (*there, attended.weights, *back)),
        positions=positions.numpy().astype(np.int16),
        before=there[0].reshape(-1, NUMBERS).numpy(),
        after=back[0].reshape(-1, NUMBERS)[positions[len(there)]].numpy(),
        weights=attended.weights.numpy(),
        lengths=tuple(repeated.tolist()),
        off=float((layer.output(back[-1]) - whole.output).abs().max()),
        provenance=Provenance.of(
            split,
            seed=params.seed,
            detail=f"untrained, {WIDTH} numbers, {HEADS} heads, inputs: {params.inputs}, valid lengths {list(LENGTHS)}",
        ),
    )


def _inputs(params: SplitParams, length: int, generator: torch.Generator) -> Float[Tensor, "batch positions width"]:
    if params.inputs == "ones":
        return torch.ones(BATCH, length, WIDTH)
    return torch.randn(BATCH, length, WIDTH, generator=generator)


def _layouts(params: SplitParams) -> tuple[Layout, ...]:
    between: tuple[Layout, ...] = ("heads",) if params.swap else ()
    return "rows", "parts", *between, "blocks", "weights", "blocks", *between, "parts", "rows"


def _places(params: SplitParams) -> Int[Tensor, "steps strips"]:
    """Send the numbers of the strips themselves through the reshapes; weights stand where their queries are."""
    strips = torch.arange(BATCH * QUERIES * HEADS).repeat_interleave(NUMBERS).reshape(BATCH, QUERIES, WIDTH)
    there = transpose_qkv(strips, HEADS, swap=params.swap)
    way = (*there, there[-1], *transpose_output(there[-1], HEADS, swap=params.swap))
    return torch.stack([each.reshape(-1, NUMBERS)[:, 0].argsort() for each in way])
