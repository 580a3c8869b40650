"""Tuples that the parts of a recurrent encoder-decoder hand to each other."""

from collections.abc import Mapping
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.attention.attend import Attended
from explorer.nn.recurrent import LayerState

SITE = "decoder.cross"
#: Weights that stand in for the model's own at chosen steps: `{step: [batch, source]}`.
Forced = Mapping[int, Tensor]
NOT_FORCED: Forced = {}


class Memory(NamedTuple):
    """The encoder's result, as the decoder reads it.

    Attributes:
        states: one for each source token, 0 at padding.
        offered: the states, mapped as far as the attention can without a query.
        summary: the whole source in one vector: where each direction ended. The context of a decoder that has no
            attention.
        initial: state of each decoder layer before its first step.
    """

    states: Float[Tensor, "batch source d_memory"]
    offered: Float[Tensor, "batch source d_offered"]
    summary: Float[Tensor, "batch d_memory"]
    initial: tuple[LayerState, ...]


class Stepped(NamedTuple):
    """One step of the decoder.

    Attributes:
        hidden: what `score` turns into logits of the next token.
        state: of every layer after the step.
        context: what the decoder saw of the source.
        attended: how it looked; None without attention.
    """

    hidden: Float[Tensor, "batch d_read"]
    state: tuple[LayerState, ...]
    context: Float[Tensor, "batch d_memory"]
    attended: Attended | None


class Unrolled(NamedTuple):
    """All steps of the decoder.

    Attributes:
        hidden: what `score` turns into logits.
        states: of the last layer before the first step and after each.
        contexts: what each step saw of the source.
        attended: how it looked, one row a step; None without attention.
    """

    hidden: Float[Tensor, "batch target d_read"]
    states: Float[Tensor, "batch target_plus_1 d_hidden"]
    contexts: Float[Tensor, "batch target d_memory"]
    attended: Attended | None


def join_steps(looks: list[Attended | None]) -> Attended | None:
    """Join the rows of several steps."""
    rows = [each for each in looks if each is not None]
    if not rows:
        return None
    outputs, weights, scores = (torch.cat(parts, 1) for parts in zip(*rows, strict=True))
    return Attended(outputs, weights, scores)
