"""What a model that sees looks at on a picture: one attention whole, and one token's row of every head."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from explorer.lessons.open_model import models
from explorer.opened import ask, sources
from explorer.opened.refused import ModelRefused
from explorer.records.arrays import Float32
from explorer.records.opened.card import ModelCard
from explorer.records.opened.look import ModelLook
from explorer.records.provenance import Provenance
from explorer.records.wording import clamp


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureParams:
    """A model and a square picture.

    Attributes:
        revision: a commit of the Hub; empty for every other model.
        pixels: red, green, blue of all pixels, row by row.
        side: pixels on each side.
    """

    model: str
    revision: str
    pixels: bytes
    side: int

    @property
    def picture(self) -> npt.NDArray[np.uint8]:
        """Return the pixels, `[rows, columns, 3]`."""
        return np.frombuffer(self.pixels, np.uint8).reshape(self.side, self.side, 3)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Seeing:
    """Attention of a model on a picture. Tokens are the class token, then the patches row by row.

    Attributes:
        asks: the token that asks.
        layer: of `weights`.
        weights: of one layer, `[heads, tokens, tokens]`. Registers are left out: a row may sum to less than 1.
        rows: of every layer and head, what the token that asks looks at, `[layers, heads, tokens]`.
    """

    card: ModelCard
    asks: int
    layer: int
    weights: Float32
    rows: Float32
    provenance: Provenance

    @property
    def grid(self) -> int:
        """Return how many patches stand on each side."""
        return math.isqrt(self.weights.shape[-1] - 1)

    def head(self, number: int | None) -> Float32:
        """Return the weights of a head, clamped, or of their mean: `[tokens, tokens]`."""
        found: Float32 = self.weights.mean(0) if number is None else self.weights[clamp(number, len(self.weights))]
        return found

    def maps(self) -> Float32:
        """Return what the token that asks looks at in every layer and head, without the class token."""
        return self.rows[..., 1:].reshape(*self.rows.shape[:2], self.grid, self.grid)


def compute(params: PictureParams, layer: int, asks: int, owner: str = "") -> Seeing:
    """Return what a model looks at; a layer and a token beyond what there is are moved to the nearest one.

    Args:
        owner: the reader, of whom many stand in line.

    Raises:
        ModelRefused: the model does not see, its patches form no square, or as `ask.look`.
    """
    found = models.find(params.model, params.revision)
    card = sources.card_of(found)
    if card.kind != "vision":
        raise ModelRefused("sees_nothing", model=card.name)
    look = ask.look(found, params.picture, owner=owner)
    kept = _kept(look)
    layer, asks = clamp(layer, len(look.sites)), clamp(asks, len(kept))
    maps = ask.attention(found, params.picture, layer, owner=owner)
    rows = ask.rows(found, params.picture, int(kept[asks]), owner=owner)
    return Seeing(
        card=card,
        asks=asks,
        layer=layer,
        weights=np.ascontiguousarray(maps.weights[:, kept][:, :, kept]),
        rows=np.stack(rows)[..., kept],
        provenance=maps.provenance,
    )


def _kept(look: ModelLook) -> npt.NDArray[np.intp]:
    """Return the places of the class token and of the patches."""
    rows, columns = look.keys.grid or (0, 1)
    if rows != columns:
        raise ModelRefused("picture", what=f"{rows} × {columns} patches are no square")
    patches = np.flatnonzero(~np.array(look.keys.row.special))
    return np.concatenate([[0], patches])
