"""Many attentions in one map: rollout and flow through the layers (Abnar & Zuidema 2020).

Both treat a layer as half residual connection, half attention, mean over heads: Â = (A + I) / 2. They follow weights
alone: values, norms and feed-forward nets are not in them.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Float
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_flow
from torch import Tensor

#: Capacities are rounded to whole multiples of one over this: `maximum_flow` counts in whole numbers.
FLOW_UNITS = 1_000_000


class Routed(NamedTuple):
    """The sources of a decoder's output; a row of both together sums to 1."""

    read: Float[Tensor, "target read"]
    source: Float[Tensor, "target source"]


def with_residual(weights: Float[Tensor, "*layers n n"]) -> Float[Tensor, "*layers n n"]:
    """Half attention, half residual connection: (A + I) / 2."""
    return (weights + torch.eye(weights.shape[-1], dtype=weights.dtype)) / 2


def rollout(weights: Float[Tensor, "layers n n"]) -> Float[Tensor, "n n"]:
    """Share of each input token in each output token: Â_L ⋯ Â_1, which still has rows that sum to 1 (§3, rollout).

    Args:
        weights: of self-attention, mean over heads, the first layer first.
    """
    n = weights.shape[-1]
    rolled = torch.eye(n, dtype=weights.dtype)
    for layer in with_residual(weights):
        rolled = layer @ rolled
    return rolled


def decoder_rollout(
    own: Float[Tensor, "layers target target"],
    crossed: Float[Tensor, "layers target source"],
    encoder: Float[Tensor, "source source"],
) -> Routed:
    """Rollout through a decoder into the source: our extension, since the paper has encoders only.

    Each of a layer's two additions is half the stream and half what was attended to: with R the share of the tokens
    read and S that of the source, self-attention makes R ← (R + A R) / 2, S ← (S + A S) / 2, cross-attention
    R ← R / 2, S ← (S + C E) / 2. (Chefer et al. 2021 add instead of halving, and weigh heads by gradients.)

    Args:
        own: self-attention of each layer, mean over heads.
        crossed: cross-attention of each layer, mean over heads.
        encoder: rollout of the encoder.
    """
    read = torch.eye(own.shape[-1], dtype=own.dtype)
    source = own.new_zeros(crossed.shape[1:])
    for mixing, looking in zip(with_residual(own), crossed, strict=True):
        read, source = mixing @ read, mixing @ source
        read, source = read / 2, (source + looking @ encoder) / 2
    return Routed(read, source)


def flow(weights: Float[Tensor, "layers n n"], query: int) -> Float[Tensor, " n"]:
    """Most that can flow from one output token to each input token, through edges as wide as Â (§3, flow).

    Unlike rollout it does not multiply along a path: a path carries as much as its narrowest edge. An edge's width is
    rounded to 1 / `FLOW_UNITS`. The flows do not sum to 1: each input token's is a problem of its own.

    Args:
        weights: of self-attention, mean over heads, the first layer first.
        query: place of the output token.
    """
    layers, n, _ = weights.shape
    return _flows(_stacked(with_residual(weights)), (layers + 1) * n, top=layers * n + query, n_sinks=n)


def decoder_flow(
    own: Float[Tensor, "layers target target"],
    crossed: Float[Tensor, "layers target source"],
    encoder: Float[Tensor, "encoder_layers source source"],
    query: int,
) -> Float[Tensor, " source"]:
    """Flow from one output token through the decoder and the encoder to each source token.

    The graph is that of `decoder_rollout`: cross-attention's edges into the encoder's output are as wide as half its
    weights, the residual connection beside them is ½ wide.

    Args:
        own: self-attention of each decoder layer, mean over heads.
        crossed: cross-attention of each decoder layer, mean over heads.
        encoder: self-attention of each encoder layer, mean over heads.
        query: place of the output token.
    """
    (layers, n, m), depth = crossed.shape, len(encoder)
    memory, bottom = depth * m, (depth + 1) * m
    edges = _stacked(with_residual(encoder))
    half = torch.eye(n, dtype=own.dtype) / 2
    for number, (mixing, looking) in enumerate(zip(with_residual(own), crossed, strict=True)):
        read, mixed, left = (bottom + (2 * number + step) * n for step in range(3))
        edges += [_Edges(mixed, read, mixing), _Edges(left, mixed, half), _Edges(left, memory, looking / 2)]
    top = bottom + 2 * layers * n + query
    return _flows(edges, bottom + (2 * layers + 1) * n, top=top, n_sinks=m)


class _Edges(NamedTuple):
    """Widths of the edges from nodes `above`, … to nodes `below`, …, numbered on from there."""

    above: int
    below: int
    widths: Float[Tensor, "above below"]


def _stacked(widths: Float[Tensor, "layers n n"]) -> list[_Edges]:
    """Layer upon layer; the input is at the bottom and numbered first."""
    n = widths.shape[-1]
    return [_Edges((layer + 1) * n, layer * n, each) for layer, each in enumerate(widths)]


def _flows(edges: list[_Edges], n_nodes: int, *, top: int, n_sinks: int) -> Float[Tensor, " sinks"]:
    units, above, below = [], [], []
    for each in edges:
        width: npt.NDArray[np.int32] = np.rint(each.widths.double().numpy() * FLOW_UNITS).astype(np.int32)
        high, low = np.nonzero(width)
        units.append(width[high, low])
        above.append(each.above + high)
        below.append(each.below + low)
    positions = np.concatenate(above), np.concatenate(below)
    graph = csr_array((np.concatenate(units), positions), shape=(n_nodes, n_nodes))
    found = [maximum_flow(graph, top, sink).flow_value for sink in range(n_sinks)]
    return torch.tensor(found, dtype=torch.float64) / FLOW_UNITS
