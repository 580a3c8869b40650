"""One multi-head attention taken apart: queries, keys and values of each head, and what each adds to the output."""

from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.nn.attention import MultiHeadAttention


class Projected(NamedTuple):
    """Queries, keys and values of every head."""

    query: Float[Tensor, "*batch heads queries d_key"]
    key: Float[Tensor, "*batch heads keys d_key"]
    value: Float[Tensor, "*batch heads keys d_key"]


def project(
    attention: MultiHeadAttention,
    query_input: Float[Tensor, "*batch queries d_model"],
    context: Float[Tensor, "*batch keys d_model"],
) -> Projected:
    """Project what the heads compare and average: x W_h^Q, y W_h^K, y W_h^V, with their biases.

    Args:
        attention: is only read.
        query_input: gives the queries.
        context: gives keys and values.
    """
    maps = ((attention.query, query_input), (attention.key, context), (attention.value, context))
    flat = [linear(x).unflatten(-1, (attention.n_heads, -1)) for linear, x in maps]  # [*batch, tokens, heads, d_key]
    return Projected(*(each.transpose(-3, -2) for each in flat))  # [*batch, heads, tokens, d_key]


def head_outputs(
    attention: MultiHeadAttention,
    context: Float[Tensor, "keys d_model"],
    weights: Float[Tensor, "heads queries keys"],
) -> Float[Tensor, "heads queries d_model"]:
    """Compute what each head adds to the output: o_h = weights_h V_h W_h^O. Their sum and the bias are the output.

    [head_1; …; head_n] W^O = Σ_h head_h W_h^O, W_h^O the rows of W^O that head h meets (Vaswani et al. 2017, §3.2.2,
    multiplied out; Elhage et al. 2021, “Attention heads are independent and additive”).
    """
    value = attention.value(context).unflatten(-1, (attention.n_heads, -1)).transpose(0, 1)  # [heads, keys, d_key]
    # nn.Linear keeps W^O as [d_out, d_in]; the heads are slices of d_in.
    output = attention.output.weight
    per_head = output.view(len(output), attention.n_heads, -1)  # [d_model, heads, d_key]
    per_head = per_head.permute(1, 2, 0)  # [heads, d_key, d_model]
    return torch.bmm(torch.bmm(weights, value), per_head)  # [heads, queries, d_model]
