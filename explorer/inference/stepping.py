"""One step of decoding: read a token for every hypothesis, and score the next."""

import math

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from explorer.inference.encoding import attend, encode, normed
from explorer.inference.prepared import Prepared


class Cache:
    """What one batch remembers between steps. Belongs to one call; never shared.

    Every hypothesis of a sentence writes its keys and values into a slot of its own, and slots are never moved: when
    the search drops some hypotheses and continues others twice, only `lineage` changes, which says for each hypothesis
    which slots are its own past. So a step of beam search is one attention of `beam` queries over all slots of their
    sentence, and the usual copying of the cache at every step disappears.
    """

    def __init__(
        self, prepared: Prepared, source_ids: Int[Tensor, "sentences source"], *, beam: int, max_steps: int
    ) -> None:
        config = prepared.config
        n_sentences, n_source = source_ids.shape
        shape = (len(prepared.layers), 2, n_sentences, config.n_heads, max_steps * beam, prepared.d_key)
        self.prepared, self.beam, self.step = prepared, beam, 0
        self._own = torch.empty(shape, device=prepared.device, dtype=prepared.dtype)
        self._lineage = self._own.new_empty(n_sentences, 1, beam, max_steps * beam)
        self._fresh = _bias(torch.eye(beam, dtype=torch.bool, device=prepared.device), prepared.dtype)
        source_allowed = source_ids != config.pad_id
        self._source_bias = None if bool(source_allowed.all()) else _bias(source_allowed, prepared.dtype)[:, None, None]
        crossed = prepared.cross_in(encode(prepared, source_ids, self._source_bias))
        crossed = crossed.view(n_sentences, n_source, len(prepared.layers), 2, config.n_heads, prepared.d_key)
        self._cross = crossed.permute(2, 3, 0, 4, 1, 5).contiguous()  # [layers, 2, sentences, heads, source, d_key]
        self._lay_out()

    def _lay_out(self) -> None:
        """Take the views that every step needs, once."""
        # Keys and values have the shape [sentences*heads, slots, d_key].
        self._own_views = [(layer, *layer.flatten(1, 2).unbind(0)) for layer in self._own]
        self._cross_views = [layer.flatten(1, 2).unbind(0) for layer in self._cross]

    def advance(self, tokens: Int[Tensor, "sentences beam"]) -> Float[Tensor, "sentences beam vocab"]:
        """Read one token per hypothesis and score the next one."""
        return advance(self.prepared, self, tokens)

    def begin_step(self) -> None:
        """Make room for one token per hypothesis."""
        if self.beam > 1:
            self._lineage[..., self.step * self.beam : (self.step + 1) * self.beam] = self._fresh
        self.step += 1

    def attend_own(self, number: int, projected: Float[Tensor, "rows d_projected"]) -> Float[Tensor, "rows d_model"]:
        """Self-attention of one layer: write the new keys and values, then look at the hypothesis's own past."""
        slots, key, value = self._own_views[number]
        n_sentences, n_heads, _, d_key = slots.shape[1:]
        end = self.step * self.beam
        parts = projected.view(n_sentences, self.beam, 3, n_heads, d_key).permute(2, 0, 3, 1, 4)
        slots.narrow(3, end - self.beam, self.beam).copy_(parts[1:])
        query = parts[0].reshape(-1, self.beam, d_key)
        bias = self._lineage[..., :end] if self.beam > 1 else None
        return self._by_row(attend(query, key.narrow(1, 0, end), value.narrow(1, 0, end), bias))

    def attend_source(self, number: int, projected: Float[Tensor, "rows d_model"]) -> Float[Tensor, "rows d_model"]:
        """Cross-attention of one layer; the hypotheses of a sentence share its keys and values."""
        key, value = self._cross_views[number]
        return self._by_row(attend(self._by_head(projected), key, value, self._source_bias))

    def _by_head(self, rows: Float[Tensor, "rows d_model"]) -> Float[Tensor, "sentences_heads beam d_key"]:
        """Split vectors into heads; nothing moves where a sentence has one hypothesis."""
        d_key = self.prepared.d_key
        if self.beam == 1:
            return rows.view(-1, 1, d_key)
        return rows.view(-1, self.beam, rows.shape[1] // d_key, d_key).transpose(1, 2).reshape(-1, self.beam, d_key)

    def _by_row(self, heads: Float[Tensor, "sentences_heads beam d_key"]) -> Float[Tensor, "rows d_model"]:
        """The way back."""
        d_model = self.prepared.config.d_model
        if self.beam == 1:
            return heads.view(-1, d_model)
        return heads.view(-1, d_model // heads.shape[2], *heads.shape[1:]).transpose(1, 2).reshape(-1, d_model)

    def continue_from(self, parents: Int[Tensor, "sentences beam"]) -> None:
        """Give each hypothesis the past of its parent."""
        if self.beam > 1:
            written = self._lineage[..., : self.step * self.beam]
            written.copy_(written.gather(2, parents[:, None, :, None].expand_as(written)))

    def keep(self, sentences: Int[Tensor, " kept"]) -> None:
        """Forget the sentences that are finished."""
        self._own, self._cross = self._own.index_select(2, sentences), self._cross.index_select(2, sentences)
        self._lineage = self._lineage.index_select(0, sentences)
        if self._source_bias is not None:
            self._source_bias = self._source_bias.index_select(0, sentences)
        self._lay_out()


def advance(
    prepared: Prepared, cache: Cache, tokens: Int[Tensor, "sentences beam"]
) -> Float[Tensor, "sentences beam vocab"]:
    """Read one token per hypothesis and score the next one: `Translator.decode` for the last position alone.

    The vocabulary is rounded up to whole blocks, with logits of -inf.

    Args:
        prepared: the model.
        cache: is advanced by one step.
        tokens: the newest token of each hypothesis.
    """
    table = prepared.model.embedding
    position = prepared.model.codes[cache.step]
    cache.begin_step()
    x = torch.add(position, torch.embedding(table.weight, tokens.flatten()), alpha=math.sqrt(len(position)))
    for number, layer in enumerate(prepared.layers):
        own = cache.attend_own(number, layer.self_in(normed(x, layer.self_norm)))
        x = layer.self_out.onto(x, own)
        crossed = cache.attend_source(number, layer.cross_query(normed(x, layer.cross_norm)))
        x = layer.cross_out.onto(x, crossed)
        x = layer.contract.onto(x, layer.expand.relu(normed(x, layer.feed_forward_norm)))
    return prepared.out(normed(x, prepared.norm)).view(*tokens.shape, -1)


def _bias(allowed: Bool[Tensor, "*shape"], dtype: torch.dtype) -> Float[Tensor, "*shape"]:
    return torch.zeros(allowed.shape, dtype=dtype, device=allowed.device).masked_fill_(~allowed, -math.inf)
