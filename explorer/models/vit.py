"""A vision Transformer (Dosovitskiy et al. 2021): a picture read as a sequence of patches."""

from dataclasses import dataclass
from typing import Literal, get_args

import torch
from jaxtyping import Float
from torch import Tensor, nn

from explorer.models.limits import check
from explorer.nn.blocks import ACTIVATIONS, Activation, EncoderLayer
from explorer.nn.channel_spatial import ConvolutionNorm, fast_layout
from explorer.nn.dropout import Dropout
from explorer.nn.embeddings import autocast
from explorer.nn.tape import Tape

#: How patches become vectors.
Stem = Literal["patch", "convolution"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ViTConfig:
    """The shape of a vision Transformer.

    Attributes:
        n_classes: what it tells apart.
        image_size: pixels on each side.
        patch_size: pixels on each side of a patch; divides `image_size`.
        d_model: length of a patch's vector.
        n_heads: divides `d_model`.
        n_layers: at least 1.
        d_ff: width inside a feed-forward net.
        dropout: while training, of what is read and of what each step adds; not of attention weights.
        stem: `patch`, one linear map of each patch's pixels, as in the paper; `convolution`, 3 × 3 convolutions that
            halve the sides until one place is one patch, and see a few pixels beyond it (Xiao et al. 2021).
        activation: inside the feed-forward nets.
        norm_eps: added to the variance in every layer norm.

    Raises:
        ValueError: naming the field that is out of range.
    """

    n_classes: int = 10
    image_size: int = 32
    patch_size: int = 4
    d_model: int = 128
    n_heads: int = 4
    n_layers: int = 6
    d_ff: int = 256
    dropout: float = 0.1
    stem: Stem = "convolution"
    activation: Activation = "gelu_exact"
    norm_eps: float = 1e-6

    def __post_init__(self) -> None:
        check(self, "n_classes", "image_size", "patch_size", "d_model", "n_heads", "n_layers", "d_ff")
        if self.image_size % self.patch_size:
            raise ValueError(f"image_size {self.image_size} is no multiple of patch_size {self.patch_size}")
        if not 0 < self.norm_eps < 1:
            raise ValueError(f"norm_eps {self.norm_eps} is not in (0, 1)")
        if self.stem not in get_args(Stem) or self.activation not in ACTIVATIONS:
            raise ValueError(f"stem {self.stem!r} or activation {self.activation!r} is not known")
        if self.stem == "convolution" and (self.patch_size & (self.patch_size - 1) or self.patch_size == 1):
            raise ValueError(f"convolutions that halve need a patch_size of 2, 4, 8 …, not {self.patch_size}")
        if self.stem == "convolution" and self.d_model % (self.patch_size // 2):
            raise ValueError(f"d_model {self.d_model} is no multiple of patch_size / 2")

    @property
    def grid(self) -> int:
        """Return the number of patches on each side."""
        return self.image_size // self.patch_size

    @property
    def n_tokens(self) -> int:
        """Return the number of patches and the class token before them."""
        return self.grid**2 + 1


class ViT(nn.Module):
    """A class token and patches, with learned positions, through layers of self-attention; the class token answers.

    Tape sites: `layers.{i}.self`; position 0 is the class token, then the patches row by row.
    """

    def __init__(self, config: ViTConfig) -> None:
        super().__init__()
        self.config = config
        self.patches = nn.Conv2d(3, config.d_model, config.patch_size, config.patch_size)
        if config.stem == "convolution":
            self.patches = _convolutions(config)  # type: ignore[assignment]
        self.class_token = nn.Parameter(torch.zeros(1, 1, config.d_model))
        self.positions = nn.Parameter(torch.empty(1, config.n_tokens, config.d_model))
        if not self.positions.is_meta:
            nn.init.trunc_normal_(self.positions, std=0.02)
        self.dropout = Dropout(config.dropout)
        shape = (config.d_model, config.n_heads, config.d_ff, config.dropout)
        self.layers = nn.ModuleList(
            EncoderLayer(*shape, activation=config.activation, norm_eps=config.norm_eps) for _ in range(config.n_layers)
        )
        self.norm = nn.LayerNorm(config.d_model, eps=config.norm_eps)
        self.head = nn.Linear(config.d_model, config.n_classes)

    def embed(self, pixels: Float[Tensor, "batch 3 rows columns"]) -> Float[Tensor, "batch tokens d_model"]:
        """Embed a picture for the first layer: class token and patches, each with the code of its place."""
        patches = self.patches(fast_layout(pixels)).flatten(2).transpose(1, 2)  # [batch, patches, d_model]
        first = self.class_token.expand(len(patches), -1, -1).to(patches.dtype)
        return autocast(torch.cat((first, patches), 1) + self.positions)  # [batch, 1 + patches, d_model]

    def forward(
        self, pixels: Float[Tensor, "batch 3 rows columns"], *, tape: Tape | None = None
    ) -> Float[Tensor, "batch classes"]:
        """Return the logits of the classes from pixels as `explorer.data.images.normalised` makes them."""
        x = self.dropout(self.embed(pixels))
        for i, layer in enumerate(self.layers):
            x = layer(x, tape=tape, site=f"layers.{i}")
        logits: Tensor = self.head(self.norm(x[:, 0]))  # [batch, classes]
        return logits


def _convolutions(config: ViTConfig) -> nn.Sequential:
    """3 × 3 convolutions with stride 2, ever wider, and one of 1 × 1 (Xiao et al. 2021, §4)."""
    n_halvings, made = config.patch_size.bit_length() - 1, nn.Sequential()
    width = 3
    for i in range(n_halvings):
        wider = config.d_model >> (n_halvings - 1 - i)
        made.extend([ConvolutionNorm(width, wider, stride=2), nn.ReLU(inplace=True)])
        width = wider
    return made.append(nn.Conv2d(width, config.d_model, 1))
