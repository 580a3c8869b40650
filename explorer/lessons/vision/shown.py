"""“Vision”: the part of a result that a view asks for."""

from dataclasses import replace

import numpy as np

from explorer.lessons.vision.state import Result, View
from explorer.records.arrays import Float32
from explorer.records.image import ChannelGates
from explorer.records.wording import clamp

#: Channels whose maps are drawn, of those that a gate turned up and of those that it turned down.
N_EXTREMES = 8


def clamp_view(result: Result, view: View) -> View:
    """Return the same view, clamped to the layers, heads and patches there are."""
    attention = result.attention
    return replace(
        view,
        layer=clamp(view.layer, attention.n_layers),
        head=clamp(view.head, attention.n_heads),
        query=clamp(view.query, attention.grid**2 + 1),
    )


def shown_row(result: Result, view: View) -> Float32:
    """Return the weights of the view's query on every token: of one head, its layer's mean, or rolled out up to it."""
    row: Float32 = shown_rows(result, view)[clamp_view(result, view).query]
    return row


def shown_rows(result: Result, view: View) -> Float32:
    """Return the same for every query: `[tokens, tokens]`."""
    view, attention = clamp_view(result, view), result.attention
    if view.shown == "rollout":
        return np.asarray(attention.rollout[view.layer], np.float32)
    heads = attention.weights[view.layer]
    return np.asarray(heads.mean(0) if view.shown == "mean" else heads[view.head], np.float32)


def shown_map(result: Result, view: View) -> Float32:
    """Return the same on the picture, without the class token: `[grid, grid]`."""
    return result.attention.map(shown_row(result, view))


def head_maps(result: Result, view: View) -> Float32:
    """Return what the view's query looks at in every layer and head: `[layers, heads, grid, grid]`."""
    view = clamp_view(result, view)
    return result.attention.map(result.attention.weights[:, :, view.query])


def features(gates: ChannelGates) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the channels that a gate left most open and those that it closed most, each in order."""
    order = np.argsort(-gates.gate, kind="stable")
    n = min(N_EXTREMES, len(order) // 2)
    return tuple(map(int, order[:n])), tuple(map(int, order[::-1][:n]))
