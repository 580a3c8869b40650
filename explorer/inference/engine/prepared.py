"""A translator laid out for decoding: few, large operators, and nothing that is computed twice."""

import copy
import math
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import torch
from jaxtyping import Bool, Int
from torch import Tensor, nn
from torch.nn import functional as F

from explorer.inference.engine.kv_cache import KVCache
from explorer.inference.engine.layout import Affine, Layout, Precision, PreparedEncoderLayer, PreparedLayer
from explorer.inference.engine.linear import Linear, int8_works, linear
from explorer.inference.engine.uncached import WholePrefix
from explorer.inference.search.protocols import VOCAB_BLOCK, Steps
from explorer.models.translator import Translator
from explorer.nn.blocks import DecoderLayer, EncoderLayer

#: Arithmetics of sixteen bits.
HALVES = ("bfloat16", "float16")
#: Stands for the tag of a model without tags.
NO_TAG = -1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Prepared(Layout):
    """A layout that can start to decode.

    Attributes:
        barred: what is not written, by the tag that begins a source, or under `NO_TAG`
            (`explorer.inference.translator.scripts`).
        unheld: by the tag, from a source's tokens to what its translation is not written with, because they lack it.
    """

    barred: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    unheld: Mapping[int, Callable[[Sequence[int]], Collection[int]]] = field(default_factory=dict)

    def start(
        self,
        source_ids: Int[Tensor, "sentences source"],
        *,
        beam: int,
        max_steps: int,
        allowed: Bool[Tensor, "sentences source"] | None = None,
    ) -> Steps:
        """Read the padded sources and stand before the first token.

        Args:
            source_ids: padded tokens of each sentence.
            beam: hypotheses of each.
            max_steps: tokens that may be written.
            allowed: which source tokens may be seen, of each sentence one or more; all but padding if None.
        """
        if not self.config.is_standard:
            return WholePrefix(self.model, self.out, source_ids, beam=beam, allowed=allowed)
        return KVCache(self, source_ids, beam=beam, max_steps=max_steps, allowed=allowed)

    def writable(self, source_ids: Int[Tensor, "sentences source"]) -> Bool[Tensor, "sentences 1 vocab"] | None:
        """Return what may be written in the translation of each source; None if everything may."""
        if not self.unheld and not any(self.barred.values()):
            return None
        n_logits = -(-self.config.vocab_size // VOCAB_BLOCK) * VOCAB_BLOCK
        rows = torch.ones(len(source_ids), 1, n_logits, dtype=torch.bool)
        for row, source in zip(rows, source_ids.tolist(), strict=True):
            tag = source[0] if source[0] in self.barred else NO_TAG
            row[:, list(self.barred.get(tag, ()))] = False
            if tag in self.unheld:
                row[:, list(self.unheld[tag](source))] = False
        return rows.to(self.device)

    def allowing(self, tokens: Collection[int]) -> "Prepared":
        """Return the same, and these may be written too: somebody has written them already."""
        left = {tag: tuple(each for each in barred if each not in tokens) for tag, barred in self.barred.items()}
        unheld = {tag: partial(_but, find, frozenset(tokens)) for tag, find in self.unheld.items()}
        return replace(self, barred=left, unheld=unheld)

    def with_outputs(self, model: Translator) -> "Prepared":
        """Return the same for a model that differs in the output maps of its attentions alone (W^O)."""
        lay_out = partial(linear, int8=self.precision == "int8")
        given = model if self.searched is self.model else copy.deepcopy(model).to(self.dtype)
        encoder, decoder = given.encoder.layers, given.decoder.layers
        return replace(
            self,
            model=model,
            searched=given,
            encoder_layers=tuple(
                replace(laid_out, self_out=lay_out(layer.self_attention.output))
                for laid_out, layer in zip(self.encoder_layers, encoder, strict=True)
                if isinstance(layer, EncoderLayer)
            ),
            layers=tuple(
                replace(
                    laid_out,
                    self_out=lay_out(layer.self_attention.output),
                    cross_out=lay_out(layer.cross_attention.output),
                )
                for laid_out, layer in zip(self.layers, decoder, strict=True)
                if isinstance(layer, DecoderLayer)
            ),
        )

    def on_cpu(self) -> "Prepared":
        """Return the same model, prepared on the CPU."""
        return self.restricting(prepare(self.model, torch.device("cpu"), precision=self.precision))

    def restricting(self, other: "Prepared") -> "Prepared":
        """Return another that writes no more than this one may."""
        return replace(other, barred=self.barred, unheld=self.unheld)


def _but(
    find: Callable[[Sequence[int]], Collection[int]], tokens: frozenset[int], source: Sequence[int]
) -> Collection[int]:
    return [each for each in find(source) if each not in tokens]


def prepare(
    model: Translator,
    device: torch.device | None = None,
    dtype: torch.dtype = torch.float32,
    *,
    precision: Precision = "full",
) -> Prepared:
    """Lay out a translator's weights for decoding; the model is left as it is.

    Args:
        model: shares its weights with the result where device and dtype allow it.
        device: the CPU if not given.
        dtype: the arithmetic; scores rounded to bfloat16 would not be those that a pass in float32 finds.
        precision: `int8` rounds the linear maps to eight bits, on a CPU that can; elsewhere they stay as they are, with
            a warning, and the result's `precision` says so. `bfloat16` and `float16` search in that arithmetic and keep
            the model for what is drawn; a model that the fast cache does not know is searched as it is.
    """
    device = device or torch.device("cpu")
    if precision == "int8" and not (device.type == "cpu" and int8_works()):
        warnings.warn(f"{device} has no eight-bit arithmetic here: {dtype} is used", stacklevel=2)
        precision = "full"
    here = next(model.parameters())
    if here.device != device or here.dtype != dtype or model.training:
        model = copy.deepcopy(model).to(device=device, dtype=dtype).eval()
    searched = model
    if precision in HALVES and model.config.is_standard:
        dtype = getattr(torch, precision)
        searched = copy.deepcopy(model).to(dtype)
    lay_out = partial(linear, int8=precision == "int8")
    layers = [layer for layer in searched.decoder.layers if isinstance(layer, DecoderLayer)]
    crosses = [part for layer in layers for part in (layer.cross_attention.key, layer.cross_attention.value)]
    with torch.no_grad():
        return Prepared(
            model=model,
            searched=searched,
            encoder_layers=tuple(
                PreparedEncoderLayer(**_common(layer, lay_out))
                for layer in searched.encoder.layers
                if isinstance(layer, EncoderLayer)
            ),
            encoder_norm=_affine(searched.encoder.norm),
            layers=tuple(_layer(layer, lay_out) for layer in layers),
            cross_in=lay_out(*crosses),
            norm=_affine(searched.decoder.norm),
            out=lay_out(_scores(searched)),
            device=device,
            dtype=dtype,
            precision=precision,
        )


def _layer(layer: DecoderLayer, lay_out: Callable[..., Linear]) -> PreparedLayer:
    return PreparedLayer(
        **_common(layer, lay_out),
        cross_norm=_affine(layer.cross_norm),
        cross_query=lay_out(layer.cross_attention.query),
        cross_out=lay_out(layer.cross_attention.output),
    )


def _common(layer: EncoderLayer | DecoderLayer, lay_out: Callable[..., Linear]) -> dict[str, Any]:
    """Lay out what the layers of encoder and decoder share."""
    own, net = layer.self_attention, layer.feed_forward
    return {
        "self_norm": _affine(layer.self_norm),
        "self_in": lay_out(own.query, own.key, own.value),
        "self_out": lay_out(own.output),
        "feed_forward_norm": _affine(layer.feed_forward_norm),
        "expand": lay_out(net.expand),
        "contract": lay_out(net.contract),
    }


def _scores(model: Translator) -> tuple[Tensor, Tensor]:
    """Return weight and bias of the vocabulary's scores."""
    config = model.config
    weight = F.pad(model.embedding.weight.detach(), (0, 0, 0, -config.vocab_size % VOCAB_BLOCK))
    bias = torch.zeros_like(weight[:, 0])
    if model.score_bias is not None:
        bias[: config.vocab_size] = model.score_bias.detach()
    bias[[*config.never_written, *range(config.vocab_size, len(bias))]] = -math.inf
    return weight, bias


def _affine(module: nn.Module) -> Affine:
    return (module.weight.detach(), module.bias.detach()) if isinstance(module, nn.LayerNorm) else None
