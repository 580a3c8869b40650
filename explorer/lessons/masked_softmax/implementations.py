"""Masked attention as different code does it, on the same queries and keys."""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn import functional

from explorer.attention.attend import attend
from explorer.attention.masking import filled_softmax, masked_softmax, round_to_dtype
from explorer.attention.scoring import scaled_dot

Way = Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]
DTYPES = (torch.float32, torch.bfloat16, torch.float16)
#: Fill values by name; None stands for the least finite number of the dtype.
FILLS: dict[str, float | None] = {"-1e6": -1e6, "-1e9": -1e9, "finfo.min": None, "-inf": -math.inf}
OURS = "masked_softmax"


class Blind(NamedTuple):
    """Results of each way for a query that may see nothing, for each query in turn.

    The values are one-hot, so that an output row is the weights row: fused attention does not return its weights.
    """

    weights: Float[np.ndarray, "ways batch query keys"]
    spoilt: Int[np.ndarray, "ways batch query"]
    finite_gradient: Bool[np.ndarray, "ways batch query"]


class Filled(NamedTuple):
    """Weights in float32 after each fill and in each dtype; rows named by `names`."""

    names: tuple[str, ...]
    stored: tuple[float, ...]
    under_mask: Float[np.ndarray, "ways batch queries keys"]
    under_nothing: Float[np.ndarray, "ways batch queries keys"]


def fill_values(
    scores: Float[Tensor, "batch queries keys"], allowed: Bool[Tensor, "batch queries keys"], *, added: bool
) -> Filled:
    """Return softmax after every fill value in every dtype, under the mask and under a mask that allows nothing.

    The last row of each dtype is `masked_softmax`, which fills and then sets the forbidden weights to 0.
    """
    names, fills, masked, blind = [], [], [], []
    nothing = torch.zeros_like(allowed)
    for dtype in DTYPES:
        rounded = scores.to(dtype)
        least = torch.finfo(dtype).min
        for name, fill in FILLS.items():
            number = least if fill is None else fill
            names.append(f"{_name(dtype)} {name}")
            fills.append(round_to_dtype(number, dtype).item())
            masked.append(filled_softmax(rounded, allowed, number, added=added).float())
            blind.append(filled_softmax(rounded, nothing, number, added=added).float())
        names.append(f"{_name(dtype)} ours")
        fills.append(least)
        masked.append(masked_softmax(rounded, allowed).float())
        blind.append(masked_softmax(rounded, nothing).float())
    return Filled(tuple(names), tuple(fills), torch.stack(masked).numpy(), torch.stack(blind).numpy())


def _name(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def ways() -> dict[str, Way]:
    """Return masked attention by this app, by torch and by fill values: `(query, key, value, allowed) -> output`."""
    return {
        OURS: lambda q, k, v, allowed: attend(q, k, v, allowed=allowed).output,
        "SDPA": lambda q, k, v, allowed: functional.scaled_dot_product_attention(q, k, v, attn_mask=allowed),
        "MHA": lambda q, k, v, allowed: multi_head(q, k, v, ~allowed, need_weights=True),
        "MHA no weights": lambda q, k, v, allowed: multi_head(q, k, v, ~allowed, need_weights=False),
        "fill -1e6": lambda q, k, v, allowed: filled_softmax(scaled_dot(q, k), allowed, -1e6) @ v,
        "fill finfo.min": lambda q, k, v, allowed: (
            filled_softmax(scaled_dot(q, k), allowed, torch.finfo(q.dtype).min) @ v
        ),
        "fill -inf": lambda q, k, v, allowed: filled_softmax(scaled_dot(q, k), allowed, -math.inf) @ v,
    }


def multi_head(
    query: Float[Tensor, "batch queries d"],
    key: Float[Tensor, "batch keys d"],
    value: Float[Tensor, "batch keys d"],
    attn_mask: Bool[Tensor, "batch queries keys"],
    *,
    need_weights: bool,
) -> Float[Tensor, "batch queries d"]:
    """Return `nn.MultiheadAttention` with one head and identity projections, so that it sees these very numbers.

    Its `attn_mask` is the other way round: True = forbidden.
    """
    layer = nn.MultiheadAttention(query.shape[-1], 1, bias=False, batch_first=True)
    identity = torch.eye(query.shape[-1])
    with torch.no_grad():
        assert layer.in_proj_weight is not None
        layer.in_proj_weight.copy_(identity.repeat(3, 1))
        layer.out_proj.weight.copy_(identity)
    output: Tensor = layer(query, key, value, attn_mask=attn_mask, need_weights=need_weights)[0]
    return output


def one_hot_values(like: Float[Tensor, "batch keys d"]) -> Float[Tensor, "batch keys d"]:
    """Return values that make an output row spell out the weights: key j answers with the unit vector j."""
    keys, d = like.shape[-2:]
    return torch.eye(keys, d).expand_as(like).contiguous()


def fully_masked_rows(
    query: Float[Tensor, "batch n d"], key: Float[Tensor, "batch n d"], allowed: Bool[Tensor, "batch n n"]
) -> Blind:
    """Take everything from each query in turn, and follow the result into one more layer.

    In the second layer the blind position is forbidden to everyone, as padding is; its weight there is 0, and yet
    0 · NaN = NaN. `spoilt` counts the rows that are NaN after it.
    """
    batch, n, _ = query.shape
    blinded = allowed.unsqueeze(1) & ~torch.eye(n, dtype=torch.bool)[:, :, None]  # [batch, blind query, n, n]
    blinded = blinded.flatten(0, 1)
    hidden = blinded & ~torch.eye(n, dtype=torch.bool).repeat(batch, 1)[:, None, :]
    q, k = (x.repeat_interleave(n, 0) for x in (query, key))
    found = [_one_way(way, q, k, blinded, hidden) for way in ways().values()]
    weights, spoilt, finite = (torch.stack(each) for each in zip(*found, strict=True))
    return Blind(
        weights.reshape(-1, batch, n, n, n).diagonal(dim1=2, dim2=3).mT.numpy(),
        spoilt.reshape(-1, batch, n).numpy(),
        finite.reshape(-1, batch, n).numpy(),
    )


def _one_way(way: Way, q: Tensor, k: Tensor, blinded: Tensor, hidden: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return weights `[cases, n, n]`; rows spoilt after another layer and whether gradients are finite, `[cases]`."""
    n = q.shape[1]
    asked = k.clone().requires_grad_()
    with torch.enable_grad():
        first = way(q, asked, one_hot_values(k), blinded)
        (gradient,) = torch.autograd.grad((first * q).sum(), asked)
    first = first.detach()
    with torch.no_grad():
        second = way(q, k, first, hidden)
    return first[..., :n], second.isnan().any(-1).sum(-1), gradient.isfinite().all(-1).all(-1)


def conventions(
    query: Float[Tensor, "batch n d"], key: Float[Tensor, "batch n d"], allowed: Bool[Tensor, "batch n n"]
) -> dict[str, Float[np.ndarray, "batch n n"]]:
    """Return the same mask handed to three implementations, and to the last one without turning it round."""
    value = one_hot_values(key)
    with torch.no_grad():
        made = {
            "ours(allowed)": attend(query, key, value, allowed=allowed).output,
            "SDPA(allowed)": functional.scaled_dot_product_attention(query, key, value, attn_mask=allowed),
            "MHA(~allowed)": multi_head(query, key, value, ~allowed, need_weights=True),
            "MHA(allowed)": multi_head(query, key, value, allowed, need_weights=True),
        }
    return {name: output[..., : key.shape[-2]].numpy() for name, output in made.items()}
