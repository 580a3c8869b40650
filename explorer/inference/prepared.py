"""A translator laid out for decoding: few, large operators, and nothing that is computed twice."""

import copy
import math
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from explorer.inference.device import arithmetic
from explorer.models.translator import Translator, TranslatorConfig
from explorer.nn.attention import MultiHeadAttention
from explorer.nn.blocks import DecoderLayer

#: Logits are computed in whole blocks, so that the search can look for the largest block by block.
VOCAB_BLOCK = 128
#: With at most this many rows, the last map costs what it takes to read its weights.
FEW_ROWS = 8
#: Weight and bias of a linear map or a normalisation.
Affine = tuple[Tensor, Tensor]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PreparedLayer:
    """One decoder layer: the three self-attention projections are one map, and queries come scaled by 1/√d_key."""

    self_norm: Affine
    self_in: Affine
    self_out: Affine
    cross_norm: Affine
    cross_query: Affine
    cross_out: Affine
    feed_forward_norm: Affine
    expand: Affine
    contract: Affine


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Prepared:
    """Immutable, so that every session can decode with the same one.

    Attributes:
        model: the translator itself, in `eval()`, on `device` and in `dtype`; it encodes.
        layers: of the decoder.
        cross_in: keys and values of all layers' cross-attention in one map of the memory.
        norm: the decoder's last normalisation.
        out: from the last vectors to logits, the vocabulary rounded up to whole blocks. `<pad>`, `<s>` and what was
            added have a bias of -inf: they are never written.
        out_half: the same in half precision where that changes no weight (a stored checkpoint's are such) and this
            CPU can multiply it with float32: half the memory to read at each step. None elsewhere.
        device: where it decodes.
        dtype: in which arithmetic.
    """

    model: Translator
    layers: tuple[PreparedLayer, ...]
    cross_in: Affine
    norm: Affine
    out: Affine
    out_half: Any
    device: torch.device
    dtype: torch.dtype

    @property
    def config(self) -> TranslatorConfig:
        """Of the model."""
        return self.model.config

    @property
    def d_key(self) -> int:
        """Width of a head."""
        return self.config.d_model // self.config.n_heads


def prepare(model: Translator, device: torch.device | None = None, dtype: torch.dtype | None = None) -> Prepared:
    """Lay out a translator's weights for decoding; the model is left as it is.

    Args:
        model: shares its weights with the result where device and dtype allow it.
        device: the CPU if not given.
        dtype: `arithmetic(device)` if not given.
    """
    device = device or torch.device("cpu")
    dtype = dtype or arithmetic(device)
    here = next(model.parameters())
    if here.device != device or here.dtype != dtype or model.training:
        model = copy.deepcopy(model).to(device=device, dtype=dtype).eval()
    layers = [layer for layer in model.decoder.layers if isinstance(layer, DecoderLayer)]
    with torch.no_grad():
        out = _out(model)
        return Prepared(
            model=model,
            layers=tuple(_layer(layer) for layer in layers),
            cross_in=_joined(
                *(
                    _affine(part)
                    for layer in layers
                    for part in (layer.cross_attention.key, layer.cross_attention.value)
                )
            ),
            norm=_affine(model.decoder.norm),
            out=out,
            out_half=_in_half(out),
            device=device,
            dtype=dtype,
        )


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
        self.beam, self.step = beam, 0
        self._own = torch.empty(shape, device=prepared.device, dtype=prepared.dtype)
        self._lineage = self._own.new_empty(n_sentences, 1, beam, max_steps * beam)
        self._fresh = _bias(torch.eye(beam, dtype=torch.bool, device=prepared.device), prepared.dtype)
        source_allowed = source_ids != config.pad_id
        self._source_bias = None if bool(source_allowed.all()) else _bias(source_allowed, prepared.dtype)[:, None, None]
        memory = prepared.model.encode(source_ids, source_allowed)
        crossed = _mapped(memory.flatten(0, 1), prepared.cross_in)
        crossed = crossed.view(n_sentences, n_source, len(prepared.layers), 2, config.n_heads, prepared.d_key)
        self._cross = crossed.permute(2, 3, 0, 4, 1, 5).contiguous()  # [layers, 2, sentences, heads, source, d_key]
        self._lay_out()

    def _lay_out(self) -> None:
        """Take the views that every step needs, once."""
        self._own_flat = [layer.flatten(1, 2).unbind(0) for layer in self._own]  # [sentences*heads, slots, d_key]
        self._cross_flat = [layer.flatten(1, 2).unbind(0) for layer in self._cross]

    def begin_step(self) -> None:
        """Make room for one token per hypothesis."""
        if self.beam > 1:
            self._lineage[..., self.step * self.beam : (self.step + 1) * self.beam] = self._fresh
        self.step += 1

    def attend_own(self, number: int, projected: Float[Tensor, "rows d_projected"]) -> Float[Tensor, "rows d_model"]:
        """Self-attention of one layer: write the new keys and values, then look at the hypothesis's own past."""
        slots = self._own[number]
        n_sentences, n_heads, d_key = slots.shape[1], slots.shape[2], slots.shape[4]
        end = self.step * self.beam
        parts = projected.view(n_sentences, self.beam, 3, n_heads, d_key).permute(2, 0, 3, 1, 4)
        slots.narrow(3, end - self.beam, self.beam).copy_(parts[1:])
        key, value = self._own_flat[number]
        bias = self._lineage[..., :end] if self.beam > 1 else None
        return self._attend(parts[0], key.narrow(1, 0, end), value.narrow(1, 0, end), bias)

    def attend_source(self, number: int, projected: Float[Tensor, "rows d_model"]) -> Float[Tensor, "rows d_model"]:
        """Cross-attention of one layer; the hypotheses of a sentence share its keys and values."""
        n_sentences, n_heads = self._cross.shape[2:4]
        query = projected.view(n_sentences, self.beam, n_heads, -1).transpose(1, 2)
        key, value = self._cross_flat[number]
        return self._attend(query, key, value, self._source_bias)

    def _attend(
        self,
        query: Float[Tensor, "sentences heads beam d_key"],
        key: Float[Tensor, "sentences*heads keys d_key"],
        value: Float[Tensor, "sentences*heads keys d_key"],
        bias: Float[Tensor, "sentences 1 #beam keys"] | None,
    ) -> Float[Tensor, "rows d_model"]:
        """Attend with queries that are scaled already; `bias` is -inf where a query may not look."""
        n_sentences, n_heads = query.shape[:2]
        scores = torch.bmm(query.reshape(-1, self.beam, query.shape[3]), key.mT)
        if bias is not None:
            scores.view(n_sentences, n_heads, self.beam, -1).add_(bias)
        heads = torch.bmm(scores.softmax(-1), value).view(n_sentences, n_heads, self.beam, -1)
        return heads.transpose(1, 2).reshape(n_sentences * self.beam, -1)

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
    position = table.positions[cache.step]
    cache.begin_step()
    x = torch.add(position, F.embedding(tokens.flatten(), table.weight), alpha=math.sqrt(len(position)))
    for number, layer in enumerate(prepared.layers):
        x += _mapped(cache.attend_own(number, _mapped(_normed(x, layer.self_norm), layer.self_in)), layer.self_out)
        query = _mapped(_normed(x, layer.cross_norm), layer.cross_query)
        x += _mapped(cache.attend_source(number, query), layer.cross_out)
        expanded = _mapped(_normed(x, layer.feed_forward_norm), layer.expand)
        x += _mapped(expanded.relu_(), layer.contract)
    x = _normed(x, prepared.norm)
    if prepared.out_half is not None and len(x) <= FEW_ROWS:
        return _half_mapped(x, prepared.out_half).view(*tokens.shape, -1)
    return _mapped(x, prepared.out).view(*tokens.shape, -1)


def _mapped(x: Float[Tensor, "rows d_in"], affine: Affine) -> Float[Tensor, "rows d_out"]:
    """A linear map whose weight lies `[d_in, d_out]`: up to twice as fast as `F.linear` on few rows."""
    weight, bias = affine
    return torch.addmm(bias, x, weight)


def _half_mapped(x: Float[Tensor, "rows d_in"], packed: Any) -> Float[Tensor, "rows d_out"]:
    """A linear map with float32 arithmetic and half-precision weights (FBGEMM)."""
    mapped: Tensor = torch.ops.quantized.linear_dynamic_fp16(x, packed)
    return mapped


def _in_half(affine: Affine) -> Any:
    """The map packed for `_half_mapped`; None where a weight would change or FBGEMM is missing."""
    weight, bias = affine
    cpu_float = weight.device.type == "cpu" and weight.dtype == torch.float32
    if not cpu_float or "fbgemm" not in torch.backends.quantized.supported_engines:
        return None
    if not torch.equal(weight.half().float(), weight):
        return None
    return torch.ops.quantized.linear_prepack_fp16(weight.t().contiguous(), bias)


def _normed(x: Float[Tensor, "rows d_model"], norm: Affine) -> Float[Tensor, "rows d_model"]:
    return F.layer_norm(x, x.shape[-1:], *norm)


def _bias(allowed: Bool[Tensor, "*shape"], dtype: torch.dtype) -> Float[Tensor, "*shape"]:
    return torch.zeros(allowed.shape, dtype=dtype, device=allowed.device).masked_fill_(~allowed, -math.inf)


def _layer(layer: DecoderLayer) -> PreparedLayer:
    own, cross, net = layer.self_attention, layer.cross_attention, layer.feed_forward
    return PreparedLayer(
        self_norm=_affine(layer.self_norm),
        self_in=_joined(_scaled_query(own), _affine(own.key), _affine(own.value)),
        self_out=_joined(_affine(own.output)),
        cross_norm=_affine(layer.cross_norm),
        cross_query=_joined(_scaled_query(cross)),
        cross_out=_joined(_affine(cross.output)),
        feed_forward_norm=_affine(layer.feed_forward_norm),
        expand=_joined(_affine(net.expand)),
        contract=_joined(_affine(net.contract)),
    )


def _out(model: Translator) -> Affine:
    config = model.config
    weight = F.pad(model.embedding.weight, (0, 0, 0, -config.vocab_size % VOCAB_BLOCK))
    bias = torch.zeros_like(weight[:, 0])
    bias[[config.pad_id, config.bos_id, *range(config.vocab_size, len(bias))]] = -math.inf
    return _joined((weight, bias))


def _affine(module: nn.Linear | nn.LayerNorm) -> Affine:
    return module.weight.detach(), module.bias.detach()


def _scaled_query(attention: MultiHeadAttention) -> Affine:
    weight, bias = _affine(attention.query)
    scale = (weight.shape[0] // attention.n_heads) ** -0.5
    return weight * scale, bias * scale


def _joined(*maps: Affine) -> Affine:
    """Several linear maps of one input as one, its weight turned to `[d_in, d_out]`."""
    return torch.cat([weight for weight, _ in maps]).t().contiguous(), torch.cat([bias for _, bias in maps])
