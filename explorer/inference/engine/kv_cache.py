"""Decoding with kept keys and values: encode the source, then read one token for every hypothesis at each step."""

import math
from collections.abc import Callable

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.nn import functional as F

from explorer.inference.engine.layout import Affine, Layout, PreparedEncoderLayer
from explorer.nn.blocks import ACTIVATIONS

#: Room for so many steps is made at first; it doubles where a translation is longer.
FIRST_STEPS = 32


class KVCache:
    """The keys and values of one batch between steps. Belongs to one call; never shared.

    Every hypothesis of a sentence writes its keys and values into a slot of its own: when the search drops some
    hypotheses and continues others twice, only `lineage` changes, which says for each hypothesis which slots are its
    own past. So a step of beam search is one attention of `beam` queries over all slots of their sentence, and the
    usual copying of the cache at every step disappears. Slots move only when there is no room for more: those that are
    in nobody's past are left behind then, so that long translations do not pay for what the search has dropped.

    Args:
        prepared: is only read.
        source_ids: padded tokens of each sentence.
        beam: hypotheses of each.
        max_steps: tokens that may be written.
        allowed: which source tokens may be seen, of each sentence one or more; all but padding if None.
    """

    def __init__(
        self,
        prepared: Layout,
        source_ids: Int[Tensor, "sentences source"],
        *,
        beam: int,
        max_steps: int,
        allowed: Bool[Tensor, "sentences source"] | None = None,
    ) -> None:
        config = prepared.config
        n_sentences, n_source = source_ids.shape
        self.prepared, self.beam, self.step = prepared, beam, 0
        self._n_slots, n_slots = 0, min(max_steps, FIRST_STEPS) * beam
        shape = (len(prepared.layers), 2, n_sentences, config.n_heads, n_slots, prepared.d_key)
        self._own = torch.empty(shape, device=prepared.device, dtype=prepared.dtype)
        self._lineage = self._own.new_empty(n_sentences, 1, beam, n_slots)
        self._fresh = _bias(torch.eye(beam, dtype=torch.bool, device=prepared.device), prepared.dtype)
        allowed = source_ids != config.pad_id if allowed is None else allowed
        self._source_bias = None if bool(allowed.all()) else _bias(allowed, prepared.dtype)[:, None, None]
        crossed = prepared.cross_in(encode(prepared, source_ids, self._source_bias))
        parts = (len(prepared.layers), 2, config.n_heads, prepared.d_key)
        crossed = crossed.view(n_sentences, n_source, *parts)  # [sentences, source, layers, 2, heads, d_key]
        self._cross = crossed.permute(2, 3, 0, 4, 1, 5).contiguous()  # [layers, 2, sentences, heads, source, d_key]
        self._lay_out()

    def _lay_out(self) -> None:
        """Take the views that every step needs, once."""
        # Keys and values: [sentences*heads, slots, d_key] of the target, [sentences*heads, source, d_key] of the source
        self._own_views = [(layer, *layer.flatten(1, 2).unbind(0)) for layer in self._own]
        self._cross_views = [layer.flatten(1, 2).unbind(0) for layer in self._cross]

    def advance(self, tokens: Int[Tensor, "sentences beam"]) -> Float[Tensor, "sentences beam vocab"]:
        """Read one token per hypothesis and score the next one."""
        return advance(self.prepared, self, tokens)

    def begin_step(self) -> None:
        """Make room for one token per hypothesis."""
        if self._n_slots + self.beam > self._own.shape[4]:
            self._make_room()
        if self.beam > 1:
            self._lineage[..., self._n_slots : self._n_slots + self.beam] = self._fresh
        self._n_slots += self.beam
        self.step += 1

    def _make_room(self) -> None:
        """Leave behind the slots that are in nobody's past, and give the others twice the room they take."""
        own, lineage = self._written()
        if self.beam > 1:
            used = (lineage == 0).any(2).squeeze(1)  # [sentences, slots]
            n_used = int(used.sum(1).max())
            kept = used.byte().argsort(dim=1, descending=True, stable=True)[:, :n_used]  # in their order
            own = own.gather(4, kept[None, None, :, None, :, None].expand(*own.shape[:4], -1, own.shape[5]))
            lineage = lineage.gather(3, kept[:, None, None].expand(*lineage.shape[:3], -1))
        self._n_slots = own.shape[4]
        self._settle(own, lineage, self._n_slots + max(self._n_slots, FIRST_STEPS * self.beam))

    def _settle(self, own: Tensor, lineage: Tensor, n_slots: int) -> None:
        """Go on with these keys and values, in tensors with room for `n_slots`."""
        self._own, self._lineage = _roomy(own, 4, n_slots), _roomy(lineage, 3, n_slots)
        self._lay_out()

    def _written(self) -> tuple[Tensor, Tensor]:
        """Return keys and values of all slots so far, and whose past they are."""
        return self._own.narrow(4, 0, self._n_slots), self._lineage.narrow(3, 0, self._n_slots)

    def attend_own(self, number: int, projected: Float[Tensor, "rows d_projected"]) -> Float[Tensor, "rows d_model"]:
        """Compute self-attention of one layer: write new keys and values, then look at the hypothesis's own past."""
        slots, key, value = self._own_views[number]
        n_sentences, n_heads, _, d_key = slots.shape[1:]
        end = self._n_slots
        parts = projected.view(n_sentences, self.beam, 3, n_heads, d_key)  # [sentences, beam, 3, heads, d_key]
        parts = parts.permute(2, 0, 3, 1, 4)  # [3, sentences, heads, beam, d_key]
        slots.narrow(3, end - self.beam, self.beam).copy_(parts[1:])
        query = parts[0].reshape(-1, self.beam, d_key)  # [sentences*heads, beam, d_key]
        bias = self._lineage[..., :end] if self.beam > 1 else None
        return self._by_row(attend(query, key.narrow(1, 0, end), value.narrow(1, 0, end), bias))

    def attend_source(self, number: int, projected: Float[Tensor, "rows d_model"]) -> Float[Tensor, "rows d_model"]:
        """Compute cross-attention of one layer; the hypotheses of a sentence share its keys and values."""
        key, value = self._cross_views[number]
        return self._by_row(attend(self._by_head(projected), key, value, self._source_bias))

    def _by_head(self, rows: Float[Tensor, "rows d_model"]) -> Float[Tensor, "sentences_heads beam d_key"]:
        """Split vectors into heads; nothing moves where a sentence has one hypothesis."""
        d_key = self.prepared.d_key
        if self.beam == 1:
            return rows.view(-1, 1, d_key)  # [sentences*heads, 1, d_key]
        heads = rows.view(-1, self.beam, rows.shape[1] // d_key, d_key)  # [sentences, beam, heads, d_key]
        return heads.transpose(1, 2).reshape(-1, self.beam, d_key)  # [sentences*heads, beam, d_key]

    def _by_row(self, heads: Float[Tensor, "sentences_heads beam d_key"]) -> Float[Tensor, "rows d_model"]:
        """Join heads into vectors, the inverse of `_by_head`."""
        d_model = self.prepared.config.d_model
        if self.beam == 1:
            return heads.view(-1, d_model)  # [sentences, d_model]
        split = heads.view(-1, d_model // heads.shape[2], *heads.shape[1:])  # [sentences, heads, beam, d_key]
        return split.transpose(1, 2).reshape(-1, d_model)  # [sentences*beam, d_model]

    def continue_from(self, parents: Int[Tensor, "sentences beam"]) -> None:
        """Give each hypothesis the past of its parent."""
        if self.beam > 1:
            written = self._written()[1]
            written.copy_(written.gather(2, parents[:, None, :, None].expand_as(written)))

    def keep(self, sentences: Int[Tensor, " kept"]) -> None:
        """Forget the sentences that are finished."""
        own, lineage = self._written()
        self._cross = self._cross.index_select(2, sentences)
        if self._source_bias is not None:
            self._source_bias = self._source_bias.index_select(0, sentences)
        self._settle(own.index_select(2, sentences), lineage.index_select(0, sentences), self._own.shape[4])


def advance(
    prepared: Layout, cache: KVCache, tokens: Int[Tensor, "sentences beam"]
) -> Float[Tensor, "sentences beam vocab"]:
    """Read one token per hypothesis and score the next one: `Translator.decode` for the last position alone.

    The vocabulary is rounded up to whole blocks, with logits of -inf.

    Args:
        cache: is advanced by one step.
        tokens: the newest token of each hypothesis.
    """
    table = prepared.searched.embedding
    position = prepared.searched.positional_encodings[cache.step]
    cache.begin_step()
    x = torch.add(position, torch.embedding(table.weight, tokens.flatten()), alpha=math.sqrt(len(position)))
    before, after = _norms(prepared)
    for number, layer in enumerate(prepared.layers):
        own = cache.attend_own(number, layer.self_in(before(x, layer.self_norm)))
        x = after(layer.self_out.onto(x, own), layer.self_norm)
        crossed = cache.attend_source(number, layer.cross_query(before(x, layer.cross_norm)))
        x = after(layer.cross_out.onto(x, crossed), layer.cross_norm)
        x = after(_with_net(prepared, layer, x, before(x, layer.feed_forward_norm)), layer.feed_forward_norm)
    return prepared.out(layer_norm(x, prepared.norm)).view(*tokens.shape, -1)  # [sentences, beam, vocab]


def encode(
    prepared: Layout, source_ids: Int[Tensor, "sentences source"], bias: Float[Tensor, "sentences 1 1 source"] | None
) -> Float[Tensor, "rows d_model"]:
    """Encode a batch as `Translator.encode` does: one row per token, sentence after sentence.

    Args:
        source_ids: padded tokens.
        bias: -inf where there is padding; None where there is none.
    """
    table = prepared.searched.embedding
    n_sentences, n_source = source_ids.shape
    positions = prepared.searched.positional_encodings[:n_source].repeat(n_sentences, 1)
    x = torch.add(positions, F.embedding(source_ids.flatten(), table.weight), alpha=math.sqrt(positions.shape[1]))
    before, after = _norms(prepared)
    for layer in prepared.encoder_layers:
        projected = layer.self_in(before(x, layer.self_norm))
        parts = projected.view(n_sentences, n_source, 3, -1, prepared.d_key)  # [sentences, source, 3, heads, d_key]
        query, key, value = parts.permute(2, 0, 3, 1, 4).flatten(1, 2)  # [sentences*heads, source, d_key] each
        heads = attend(query, key, value, bias)
        heads = heads.view(n_sentences, -1, n_source, prepared.d_key)  # [sentences, heads, source, d_key]
        x = layer.self_out.onto(x, heads.transpose(1, 2).reshape(len(x), -1))  # [sentences*source, d_model]
        x = after(x, layer.self_norm)
        x = after(_with_net(prepared, layer, x, before(x, layer.feed_forward_norm)), layer.feed_forward_norm)
    return layer_norm(x, prepared.encoder_norm)


def attend(
    query: Float[Tensor, "sentences_heads queries d_key"],
    key: Float[Tensor, "sentences_heads keys d_key"],
    value: Float[Tensor, "sentences_heads keys d_key"],
    bias: Float[Tensor, "sentences 1 #queries keys"] | None,
) -> Float[Tensor, "sentences_heads queries d_key"]:
    """Compute scaled dot-product attention; `bias` is -inf where a query may not look."""
    scores = torch.baddbmm(query.new_empty(()), query, key.mT, beta=0, alpha=query.shape[2] ** -0.5)
    if bias is not None:
        scores.view(len(bias), -1, *scores.shape[1:]).add_(bias)  # [sentences, heads, queries, keys]
    return torch.bmm(scores.softmax(-1), value)


def layer_norm(x: Float[Tensor, "rows d_model"], norm: Affine) -> Float[Tensor, "rows d_model"]:
    """Normalise vectors as `nn.LayerNorm` does, without the module around it; leave them where there is no norm."""
    return x if norm is None else torch.layer_norm(x, x.shape[-1:], *norm)


def _norms(prepared: Layout) -> tuple[Callable[[Tensor, Affine], Tensor], Callable[[Tensor, Affine], Tensor]]:
    """Return what is done before a step reads, and after its sum: one of the two normalises."""
    return (layer_norm, _left) if prepared.config.norm == "pre" else (_left, layer_norm)


def _left(x: Tensor, _norm: Affine) -> Tensor:
    return x


def _with_net(prepared: Layout, layer: PreparedEncoderLayer, x: Tensor, read: Tensor) -> Tensor:
    """Return `x` plus what the feed-forward net makes of `read`."""
    activation = prepared.config.activation
    units = layer.expand.relu(read) if activation == "relu" else ACTIVATIONS[activation](layer.expand(read))
    return layer.contract.onto(x, units)


def _roomy(x: Float[Tensor, "*shape"], dim: int, size: int) -> Float[Tensor, "*larger"]:
    """Copy a tensor to the beginning of one that has another size in one dimension."""
    larger = x.new_empty((*x.shape[:dim], size, *x.shape[dim + 1 :]))
    larger.narrow(dim, 0, x.shape[dim]).copy_(x)
    return larger


def _bias(allowed: Bool[Tensor, "*shape"], dtype: torch.dtype) -> Float[Tensor, "*shape"]:
    return torch.zeros(allowed.shape, dtype=dtype, device=allowed.device).masked_fill_(~allowed, -math.inf)
