"""Flash attention: exact attention in tiles, with a softmax that never sees a whole row."""

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from explorer.attention.efficient.partial import Partial, at_least, no_keys
from explorer.attention.scoring import scaled_dot


class OnlineSoftmax(NamedTuple):
    """The running softmax of some queries after a few tiles of keys; all of it fits into fast memory.

    Attributes:
        output: Σ exp(score − maximum) · value, not yet divided.
        maximum: the largest score so far; -inf before any.
        total: Σ exp(score − maximum).
    """

    output: Float[Tensor, "*batch queries d_value"]
    maximum: Float[Tensor, "*batch queries"]
    total: Float[Tensor, "*batch queries"]


class Tile(NamedTuple):
    """One step: which queries met which keys, and what was known before and after."""

    queries: range
    keys: range
    scores: Float[Tensor, "*batch queries keys"]
    before: OnlineSoftmax
    after: OnlineSoftmax


def flash(
    query: Float[Tensor, "*batch queries d_key"],
    key: Float[Tensor, "*batch keys d_key"],
    value: Float[Tensor, "*batch keys d_value"],
    *,
    causal: bool = False,
    tile_queries: int = 128,
    tile_keys: int = 128,
) -> Float[Tensor, "*batch queries d_value"]:
    """Exact attention without an n × n matrix (Dao et al. 2022, algorithm 1; loops as in Dao 2023, algorithm 1).

    Tiles that lie wholly in the future are skipped.

    Raises:
        ValueError: if a tile is below 1.
    """
    return flash_partial(query, key, value, causal=causal, tile_queries=tile_queries, tile_keys=tile_keys).output


def flash_partial(
    query: Float[Tensor, "*batch queries d_key"],
    key: Float[Tensor, "*batch keys d_key"],
    value: Float[Tensor, "*batch keys d_value"],
    *,
    causal: bool = False,
    tile_queries: int = 128,
    tile_keys: int = 128,
) -> Partial:
    """Attend, and keep what a kernel keeps for the way back: one log-sum-exp a query, from which any weight follows.

    Raises:
        ValueError: if a tile is below 1.
    """
    at_least("flash", 1, tile_queries=tile_queries, tile_keys=tile_keys)
    if not query.shape[-2] or not key.shape[-2]:
        return no_keys(query, value.shape[-1])
    found = []
    steps = tiles(query, key, value, causal=causal, tile_queries=tile_queries, tile_keys=tile_keys)
    for _, row in groupby(steps, lambda tile: tile.queries.start):
        *_, last = row
        found.append(finalize(last.after))
    outputs, log_sums = zip(*found, strict=True)
    return Partial(torch.cat(outputs, -2).to(value.dtype), torch.cat(log_sums, -1))


def tiles(
    query: Float[Tensor, "*batch queries d_key"],
    key: Float[Tensor, "*batch keys d_key"],
    value: Float[Tensor, "*batch keys d_value"],
    *,
    causal: bool,
    tile_queries: int,
    tile_keys: int,
) -> Iterator[Tile]:
    """Every tile in turn: for each few queries, the keys from left to right. Nothing outlives its tile but `Running`.

    Raises:
        ValueError: if a tile is below 1.
    """
    at_least("flash", 1, tile_queries=tile_queries, tile_keys=tile_keys)
    n_queries, n_keys = query.shape[-2], key.shape[-2]
    exact = torch.promote_types(query.dtype, torch.float32)  # kernels too keep their sums in float32 at least
    for rows in _ranges(n_queries, tile_queries):
        asking = query[..., rows.start : rows.stop, :].to(exact)
        running = start(asking, value.shape[-1])
        last = rows.stop + n_keys - n_queries if causal else n_keys  # the last query stands at the last key
        for columns in _ranges(max(min(n_keys, last), 1), tile_keys):
            part = slice(columns.start, columns.stop)
            scores = scaled_dot(asking, key[..., part, :].to(exact))
            if causal:
                scores = scores.masked_fill(_future(rows, columns, n_keys - n_queries, scores.device), -torch.inf)
            before, running = running, update(running, scores, value[..., part, :].to(exact))
            yield Tile(rows, columns, scores, before, running)


def start(query: Float[Tensor, "*batch queries d_key"], d_value: int) -> OnlineSoftmax:
    """Begin the running softmax, before the first tile."""
    shape = query.shape[:-1]
    return OnlineSoftmax(query.new_zeros(*shape, d_value), query.new_full(shape, -torch.inf), query.new_zeros(shape))


def update(
    running: OnlineSoftmax, scores: Float[Tensor, "*batch queries keys"], value: Float[Tensor, "*batch keys d_value"]
) -> OnlineSoftmax:
    """The online softmax (Milakov & Gimelshein 2018, algorithm 3): take in some more scores and their values.

    Where a larger score turns up, all that was summed before is too large by exp(new maximum − old): it is scaled down.
    """
    maximum = torch.maximum(running.maximum, scores.amax(-1))
    base = maximum.clamp(min=torch.finfo(maximum.dtype).min)  # a query that has seen nothing yet
    rescale = (running.maximum - base).exp()
    exponentials = (scores - base[..., None]).exp()
    total = rescale * running.total + exponentials.sum(-1)
    return OnlineSoftmax(rescale[..., None] * running.output + exponentials @ value, maximum, total)


def finalize(running: OnlineSoftmax) -> Partial:
    """Divide once, at the end."""
    total = running.total.clamp(min=torch.finfo(running.total.dtype).tiny)
    return Partial(running.output / total[..., None], running.maximum + running.total.log())


def _future(rows: range, columns: range, offset: int, device: torch.device) -> Bool[Tensor, "queries keys"]:
    """Mark the keys of a tile that lie after its queries; the last query stands at the last key."""
    positions = torch.arange(rows.start, rows.stop, device=device) + offset
    return torch.arange(columns.start, columns.stop, device=device) > positions[:, None]


def _ranges(n: int, size: int) -> list[range]:
    return [range(start, min(start + size, n)) for start in range(0, n, size)]
