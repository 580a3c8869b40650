"""A translator laid out for decoding: few, large operators, and nothing that is computed twice."""

import copy
import math
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Int
from torch import Tensor, nn
from torch.nn import functional as F

from explorer.inference.device import arithmetic
from explorer.inference.engine import VOCAB_BLOCK, Steps
from explorer.models.translator import Translator, TranslatorConfig
from explorer.nn.attention import MultiHeadAttention
from explorer.nn.blocks import DecoderLayer

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

    def start(self, source_ids: Int[Tensor, "sentences source"], *, beam: int, max_steps: int) -> Steps:
        """Read the padded sources and stand before the first token."""
        from explorer.inference.stepping import Cache  # which is built on this module

        return Cache(self, source_ids, beam=beam, max_steps=max_steps)

    def on_cpu(self) -> "Prepared":
        """The same on the CPU."""
        return prepare(self.model, torch.device("cpu"))


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


def _in_half(affine: Affine) -> Any:
    """The map packed for `_half_mapped`; None where a weight would change or FBGEMM is missing."""
    weight, bias = affine
    cpu_float = weight.device.type == "cpu" and weight.dtype == torch.float32
    if not cpu_float or "fbgemm" not in torch.backends.quantized.supported_engines:
        return None
    if not torch.equal(weight.half().float(), weight):
        return None
    return torch.ops.quantized.linear_prepack_fp16(weight.t().contiguous(), bias)


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
