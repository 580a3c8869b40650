"""Masks, which say what query may attend to what key, and a softmax that respects them.

A mask is boolean, is called `allowed`, and True means *may attend*.
"""

from typing import Literal

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

Side = Literal["left", "right"]


def masked_softmax(
    scores: Float[Tensor, "*batch queries keys"],
    allowed: Bool[Tensor, "..."] | None = None,
) -> Float[Tensor, "*batch queries keys"]:
    """Turn scores into weights that sum to 1 over the allowed keys.

    Forbidden scores are filled with the least finite number of their dtype before the softmax and the forbidden
    weights set to exactly 0 after it: a constant such as -1e6 would give padding weight in a row that is masked
    everywhere, and is -inf in float16. A row with no allowed key has weights 0.

    Args:
        scores: any floating dtype.
        allowed: broadcasts to `scores`; None allows everything.
    """
    if allowed is None:
        return torch.softmax(scores, dim=-1)
    filled = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min)
    return torch.softmax(filled, dim=-1).masked_fill(~allowed, 0.0)


def filled_softmax(
    scores: Float[Tensor, "*batch queries keys"],
    allowed: Bool[Tensor, "..."],
    fill: float,
    *,
    added: bool = False,
) -> Float[Tensor, "*batch queries keys"]:
    """Softmax after a fill value alone, as most code has it: nothing is set to 0 afterwards.

    With s the scores and c the fill: softmax(s where allowed, else c), or, with `added`, softmax(s + c·[forbidden]).
    This is what `masked_softmax` is measured against; a row with no allowed key is where they part. The fill is rounded
    to the dtype of the scores, as an assignment `scores[~allowed] = fill` does (Zhang et al., Dive into Deep Learning,
    §11.3); `Tensor.masked_fill` would refuse a number that overflows.

    Args:
        scores: any floating dtype.
        allowed: broadcasts to `scores`.
        fill: what stands for a forbidden score, such as -1e6 or -inf.
        added: add the fill to a forbidden score instead of replacing it.
    """
    rounded = round_to_dtype(fill, scores.dtype)
    filled = torch.where(allowed, scores, scores + rounded if added else rounded)
    return torch.softmax(filled, dim=-1)


def round_to_dtype(number: float, dtype: torch.dtype) -> Float[Tensor, ""]:
    """A number as this dtype keeps it: -1e6 is -999424 in bfloat16 and -inf in float16."""
    return torch.tensor(number, dtype=torch.float64).to(dtype)


def valid(lengths: Int[Tensor, "*rows"], keys: int, *, side: Side = "right") -> Bool[Tensor, "*rows keys"]:
    """Allow the valid keys of a padded sequence: the first (or last) `lengths` of them.

    Args:
        lengths: number of valid keys, 0…keys. One for each query, `[batch, queries]`; or one for each row of the batch,
            `[batch, 1]`, which broadcasts over its queries.
        keys: length of the padded sequence.
        side: where the padding stands; `left` is what decoder-only models generate with.
    """
    positions = torch.arange(keys, device=lengths.device)
    if side == "left":
        positions = positions.flip(0)
    return positions < lengths[..., None]


def causal(queries: int, keys: int) -> Bool[Tensor, "queries keys"]:
    """Allow the past and the present: query i sees the keys up to its own place (Vaswani et al. 2017, §3.2.3).

    The last query stands at the last key, so that a decoder with a cache may ask with its newest tokens alone.
    """
    return torch.ones(queries, keys, dtype=torch.bool).tril(keys - queries)


def window(queries: int, keys: int, width: int) -> Bool[Tensor, "queries keys"]:
    """Allow the neighbourhood: keys at a distance below `width` (Beltagy et al. 2020, Longformer, §3.1).

    Both sides are seen: at most 2·width - 1 keys, with `causal` at most `width`. A width of `keys` allows everything.

    Args:
        queries: number of queries; the last stands at the last key.
        width: in tokens, the query's own place included.

    Raises:
        ValueError: if the width is below 1: a query would not even see its own place.
    """
    if width < 1:
        raise ValueError(f"a window needs a width of at least 1, not {width}")
    near = torch.ones(queries, keys, dtype=torch.bool)
    own = keys - queries
    return near.tril(own + width - 1) & near.triu(own - width + 1)
