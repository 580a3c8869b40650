"""The weights of a translator as decoding reads them."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import torch
from torch import Tensor

from explorer.inference.device import pick_arithmetic
from explorer.inference.engine.linear import Linear
from explorer.models.translator import Translator, TranslatorConfig

#: Arithmetics of a search: the model's dtype, eight bits in the linear maps, or sixteen in everything.
Precision = Literal["full", "int8", "bfloat16", "float16"]
#: Weight and bias of a normalisation; None where there is none.
Affine = tuple[Tensor, Tensor] | None


def pick_precision() -> Precision:
    """Return how readers' translations are searched where nobody asks for eight bits: as `EXPLORER_PRECISION` says.

    Raises:
        DeviceRefused: the variable names no arithmetic.
    """
    asked = pick_arithmetic()
    return "full" if asked == "float32" else asked


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
        model: the translator itself, in `eval()`, on `device`.
        searched: the same in `dtype`: a copy where a search has an arithmetic of its own.
        encoder_norm: the encoder's last normalisation.
        layers: of the decoder.
        cross_in: keys and values of all layers' cross-attention in one map of the memory.
        norm: the decoder's last normalisation.
        out: from the last vectors to logits, the vocabulary rounded up to whole blocks. `<pad>`, `<s>` and what was
            added have a bias of -inf: they are never written.
        device: where it decodes.
        dtype: in which arithmetic.
        precision: `int8` for the linear maps, or that of `dtype`.
    """

    SHARED: ClassVar[bool] = True

    model: Translator
    searched: Translator
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
        return f"{dtype}, linear maps in int8 (dynamic)" if self.precision == "int8" else dtype
