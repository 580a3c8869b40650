"""The weights of a translator as decoding reads them."""

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from explorer.inference.engine.linear import Linear
from explorer.models.translator import Translator, TranslatorConfig

#: Of the linear maps: that of the model's dtype, or eight bits.
Precision = Literal["full", "int8"]
#: Weight and bias of a normalisation.
Affine = tuple[Tensor, Tensor]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PreparedEncoderLayer:
    """One layer: the three self-attention projections are one map."""

    self_norm: Affine
    self_in: Linear
    self_out: Linear
    feed_forward_norm: Affine
    expand: Linear
    contract: Linear


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PreparedLayer(PreparedEncoderLayer):
    """One decoder layer; its keys and values of the source are in `Layout.cross_in`."""

    cross_norm: Affine
    cross_query: Linear
    cross_out: Linear


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Layout:
    """A translator laid out for decoding. Immutable, so that every session can decode with the same one.

    Attributes:
        model: the translator itself, in `eval()`, on `device` and in `dtype`.
        encoder_norm: the encoder's last normalisation.
        layers: of the decoder.
        cross_in: keys and values of all layers' cross-attention in one map of the memory.
        norm: the decoder's last normalisation.
        out: from the last vectors to logits, the vocabulary rounded up to whole blocks. `<pad>`, `<s>` and what was
            added have a bias of -inf: they are never written.
        device: where it decodes.
        dtype: in which arithmetic.
        precision: of the linear maps: `int8`, or that of `dtype`.
    """

    model: Translator
    encoder_layers: tuple[PreparedEncoderLayer, ...]
    encoder_norm: Affine
    layers: tuple[PreparedLayer, ...]
    cross_in: Linear
    norm: Affine
    out: Linear
    device: torch.device
    dtype: torch.dtype
    precision: Precision

    @property
    def config(self) -> TranslatorConfig:
        """Return the model's configuration."""
        return self.model.config

    @property
    def d_key(self) -> int:
        """Return the width of a head."""
        return self.config.d_model // self.config.n_heads

    @property
    def arithmetic(self) -> str:
        """Name the arithmetic in words."""
        dtype = str(self.dtype).removeprefix("torch.")
        return dtype if self.precision == "full" else f"{dtype}, linear maps in int8 (dynamic)"
