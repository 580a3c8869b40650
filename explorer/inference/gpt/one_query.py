"""One head of a decoder-only model while it writes one token: its query past every key it may see."""

from collections.abc import Sequence

import torch

from explorer.attention.positions import rotary_angles, turn
from explorer.inference.gpt.generate import LoadedGPT
from explorer.inference.one_query import one_query
from explorer.nn.attention import MultiHeadAttention
from explorer.nn.head_parts import Projected, project
from explorer.nn.tape import Tape
from explorer.records.attention import AttentionRecord
from explorer.records.journey import JourneyRecord


@torch.inference_mode()
def journey(gpt: LoadedGPT, ids: Sequence[int], head: int, traced: AttentionRecord) -> JourneyRecord:
    """Return what the head met when the token after `ids` was written; the keys after the query do not exist.

    Rotary positions turn queries and keys before they are compared: the vectors are those that were turned.

    Args:
        ids: what was read.
        head: of the layer of `traced`, from 0.
        traced: that layer's attention over a stretch that begins as `ids` does.

    Raises:
        ValueError: the model's scores are not products of queries and keys alone (ALiBi).
    """
    model, config, tape = gpt.model, gpt.model.config, Tape()
    if config.position == "alibi":
        raise ValueError("ALiBi adds a bias to the products")
    for _ in model.states(torch.tensor([list(ids)], device=gpt.device), tape=tape):
        pass
    read = tape.read(traced.site).context[0]
    attention = model.get_submodule(traced.site.replace(".self", ".self_attention"))
    assert isinstance(attention, MultiHeadAttention)
    parts = project(attention, read[-1:], read)
    if config.position == "rotary":
        angles = rotary_angles(torch.arange(len(ids), device=gpt.device), config.d_key)
        parts = Projected(turn(parts.query, angles[-1:]), turn(parts.key, angles), parts.value)
    row = len(ids) - 1
    return one_query(parts, head, traced.query_labels[row], traced.key_labels[: row + 1], traced)
