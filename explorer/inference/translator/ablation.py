"""Take heads away from a private copy of a translator, by writing zeros into its weights.

No hook and no switch in the forward pass: an edited copy is a translator like any other, so it is traced, and decoded
with the fast cache, by the code that runs the whole one.
"""

import copy
import math
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from explorer.models.translator import Translator
from explorer.nn.attention import MultiHeadAttention
from explorer.nn.intervention import Steering
from explorer.nn.tape import Tape
from explorer.records.ablation import How
from explorer.records.heads import PARTS, HeadName, Part


def head_sites(model: Translator) -> tuple[HeadName, ...]:
    """Return every head of a translator: encoder, decoder, cross; layer by layer."""
    config = model.config
    layers: dict[Part, int] = {
        "encoder": config.n_encoder_layers,
        "decoder": config.n_decoder_layers,
        "cross": config.n_decoder_layers,
    }
    return tuple(
        HeadName(part=part, layer=layer, head=head)
        for part in PARTS
        for layer in range(layers[part])
        for head in range(config.n_heads)
    )


def attention_of(model: Translator, name: HeadName) -> MultiHeadAttention:
    """Return the attention that a head belongs to.

    Raises:
        KeyError: if the model has no such head.
    """
    if name not in head_sites(model):
        raise KeyError(f"there is no head {name.code}")
    stack = model.encoder if name.part == "encoder" else model.decoder
    found = stack.layers[name.layer].get_submodule("cross_attention" if name.part == "cross" else "self_attention")
    assert isinstance(found, MultiHeadAttention)
    return found


def remove_heads(model: Translator, heads: Collection[HeadName], how: How) -> Translator:
    """Return a copy of a translator without some heads; the original is not touched, and lends all other weights.

    Args:
        model: any; usually shared.
        how: `off` sets the columns of W^O that the head meets to 0, so that it adds nothing; `uniform` sets its part of
            W^Q and b^Q to 0, so that every score is 0 and all allowed keys weigh the same.

    Raises:
        KeyError: if the model has no such head.
    """
    own = {id(part) for head in heads for part in _weights(model, head, how)}
    lent = {id(part): part for part in (*model.parameters(), *model.buffers()) if id(part) not in own}
    private = copy.deepcopy(model, lent)
    for head in heads:
        _erase(private, head, how)
    return private


@contextmanager
def without(private: Translator, head: HeadName, how: How) -> Iterator[None]:
    """Take one head away from a model of one's own for a while; afterwards every bit is as before."""
    parts = _part(private, head, how)
    kept = [part.clone() for part in parts]
    _erase(private, head, how)
    try:
        yield
    finally:
        with torch.no_grad():
            for part, before in zip(parts, kept, strict=True):
                part.copy_(before)


@torch.inference_mode()
def next_token_logs(
    model: Translator,
    source: Sequence[int],
    target: Sequence[int],
    *,
    source_allowed: Bool[Tensor, "batch source"] | None = None,
    memory: Float[Tensor, "batch source d_model"] | None = None,
    steering: Steering | None = None,
    tape: Tape | None = None,
) -> Float[Tensor, "batch target vocab"]:
    """Log-probability of every token after each prefix of `target`, in nats, over the tokens decoding may write.

    Args:
        source: ids, `</s>` included.
        target: ids that were written, without `<s>`.
        source_allowed: which source tokens may be seen, one row for each reading; one reading that sees all if None.
        memory: what the encoder makes of it, where that is known already.
        steering: what some attentions do differently.
        tape: records every attention of the pass.
    """
    config, device = model.config, next(model.parameters()).device
    allowed = torch.ones(1, len(source), dtype=torch.bool) if source_allowed is None else source_allowed
    allowed = allowed.to(device)
    rows = [torch.tensor([list(ids)], device=device) for ids in (source, [config.bos_id, *target[:-1]])]
    source_ids, target_ids = (ids.expand(len(allowed), -1) for ids in rows)
    if memory is None:
        memory = model.encode(source_ids, allowed, tape=tape, steering=steering)
    logits = model.decode(target_ids, memory, allowed, tape=tape, steering=steering).float()
    logits[..., list(config.never_written)] = -math.inf
    return logits.log_softmax(-1)


@torch.inference_mode()
def memory_of(model: Translator, source: Sequence[int]) -> Float[Tensor, "1 source d_model"]:
    """Return what the encoder makes of a source; heads of the decoder change nothing of it."""
    ids = torch.tensor([list(source)], device=next(model.parameters()).device)
    return model.encode(ids, torch.ones_like(ids, dtype=torch.bool))


def score_written(logs: Float[Tensor, "batch target vocab"], target: Sequence[int]) -> Float[Tensor, "batch target"]:
    """Log-probabilities of the tokens that were written."""
    ids = torch.tensor(list(target), device=logs.device)
    return logs.gather(-1, ids.expand(len(logs), -1)[..., None])[..., 0]


def _erase(model: Translator, head: HeadName, how: How) -> None:
    with torch.no_grad():
        for part in _part(model, head, how):
            part.zero_()


def _weights(model: Translator, name: HeadName, how: How) -> list[Tensor]:
    """Return the weights of which `how` sets a part to 0."""
    attention = attention_of(model, name)
    return [attention.output.weight] if how == "off" else [attention.query.weight, attention.query.bias]


def _part(model: Translator, name: HeadName, how: How) -> list[Tensor]:
    """Return the part of the weights that `how` sets to 0, as views."""
    output = attention_of(model, name).output
    d_key = output.in_features // model.config.n_heads
    own = slice(name.head * d_key, (name.head + 1) * d_key)
    return [each.detach()[:, own] if how == "off" else each.detach()[own] for each in _weights(model, name, how)]
