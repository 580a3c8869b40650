"""A decoder-only model that reads on: keys and values of what it has read are kept, so only new tokens cost time."""

from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

from explorer.attention.attend import Score, attend
from explorer.attention.masking import causal
from explorer.attention.positions import alibi_bias, alibi_slopes, rotary_angles, turn
from explorer.attention.scoring import scaled_dot
from explorer.models.gpt import GPT
from explorer.nn.blocks import EncoderLayer
from explorer.nn.head_parts import project
from explorer.nn.positions import biased_score


class LayerCache(NamedTuple):
    """Keys (turned already, where positions are rotary) and values of one layer, of every token read so far."""

    key: Float[Tensor, "batch heads positions d_key"]
    value: Float[Tensor, "batch heads positions d_key"]


#: What a model keeps of a text: a pair for each layer; empty before the first token.
GPTCache = tuple[LayerCache, ...]


class ReadOn(NamedTuple):
    """The result of reading further tokens: logits after each of them, and the cache with them."""

    logits: Float[Tensor, "batch new vocab"]
    cache: GPTCache


def read_on(model: GPT, ids: Int[Tensor, "batch new"], cache: GPTCache = ()) -> ReadOn:
    """Read tokens that follow those of the cache; the logits are those of one pass over the whole text.

    A new query asks all keys before it and its own. Nothing that was computed for an old token changes with a new one,
    which is why it can be kept: a causal mask lets nobody look ahead.

    Args:
        model: in `eval()`.
        ids: at least one token for each row.
        cache: of the tokens before; it is left as it is, so that a text can go on in several ways.

    Raises:
        PositionOutOfRange: if positions are learned and the text is longer than their table.
    """
    config, before = model.config, cache[0].key.shape[2] if cache else 0
    n_new, n_keys = ids.shape[1], before + ids.shape[1]
    allowed = causal(n_new, n_keys).to(ids.device) if n_new > 1 else None  # a single one may ask all before it
    score: Score = scaled_dot
    angles = None
    if config.position == "alibi":
        score = biased_score(alibi_bias(n_new, n_keys, alibi_slopes(config.n_heads).to(ids.device)))
    if config.position == "rotary":
        angles = rotary_angles(torch.arange(before, n_keys, device=ids.device), config.d_key)
    x, kept = model.embed(ids, first=before), []
    for i, layer in enumerate(model.layers):
        assert isinstance(layer, EncoderLayer)
        asking = layer.self_norm(x)
        query, key, value = project(layer.self_attention, asking, asking)
        if angles is not None:
            query, key = turn(torch.stack([query, key]), angles)
        if cache:
            # [batch, heads, read before + new, d_key]
            key, value = torch.cat([cache[i].key, key], 2), torch.cat([cache[i].value, value], 2)
        heads = attend(query, key, value, score=score, allowed=allowed)
        x = x + layer.self_attention.output(heads.output.transpose(1, 2).flatten(2))  # [batch, new, d_model]
        x = x + layer.feed_forward(layer.feed_forward_norm(x))
        kept.append(LayerCache(key, value))
    return ReadOn(model.logits(model.norm(x)), tuple(kept))
