"""Results that models that see have on a picture."""

import numpy as np
import numpy.typing as npt

from explorer.records.arrays import Float32
from explorer.records.language import t
from explorer.records.provenance import Provenance
from explorer.records.readonly import record


@record
class Picture:
    """A square picture as the reader sees it.

    Attributes:
        name: of the picture, for its readers.
        side: pixels on each side.
        uri: the picture itself, as a `data:` address.
        seen: `[rows, columns, 3]`, as the models see it.
        seen_uri: the same as a `data:` address.
    """

    name: str
    side: int
    uri: str
    thumbnail: str
    seen: npt.NDArray[np.uint8]
    seen_uri: str


@record
class PatchAttention:
    """Self-attention of a vision Transformer, every layer and head.

    Attributes:
        weights: `[layers, heads, tokens, tokens]`; token 0 is the class token, then the patches row by row.
        rollout: `[layers, tokens, tokens]`, what has reached each token after each layer (Abnar & Zuidema 2020).
        distances: `[layers, heads]`, how far a patch looks, in pixels of the model (Dosovitskiy et al. 2021).
        even_distance: the same for a head that looks everywhere alike.
        grid: patches on each side.
        patch_size: pixels of the model on each side of a patch.

    Raises:
        ValueError: if the weights do not fit the grid.
    """

    weights: Float32
    rollout: Float32
    distances: Float32
    even_distance: float
    grid: int
    patch_size: int
    provenance: Provenance

    def __post_init__(self) -> None:
        tokens = self.grid**2 + 1
        if self.weights.ndim != 4 or self.weights.shape[2:] != (tokens, tokens):
            raise ValueError(f"weights {self.weights.shape} do not fit a grid of {self.grid} x {self.grid} patches")

    @property
    def n_layers(self) -> int:
        """Number of layers."""
        return int(self.weights.shape[0])

    @property
    def n_heads(self) -> int:
        """Number of heads in each."""
        return int(self.weights.shape[1])

    def map(self, row: npt.NDArray[np.floating]) -> Float32:
        """A row of weights, without the class token's, as it lies on the picture: `[grid, grid]`."""
        return np.asarray(row[..., 1:], np.float32).reshape(*row.shape[:-1], self.grid, self.grid)


@record
class PositionCodes:
    """The similarity of the learned position codes of a grid.

    Attributes:
        cosine: `[patches, patches]`.
        grid: patches on each side.
    """

    cosine: Float32
    grid: int
    provenance: Provenance


@record
class Classification:
    """The probabilities that a model gives the classes of a picture.

    Attributes:
        classes: their English names.
    """

    classes: tuple[str, ...]
    probabilities: Float32
    provenance: Provenance

    @property
    def order(self) -> tuple[int, ...]:
        """Numbers of the classes, the likeliest first."""
        return tuple(int(each) for each in np.argsort(-self.probabilities, kind="stable"))

    @property
    def likeliest(self) -> str:
        """Name of the likeliest class."""
        return self.classes[self.order[0]]


@record
class ChannelGates:
    """The gates by which a block turned the channels of a layer up or down.

    Attributes:
        site: such as `stages.0.channel`.
        gate: of each channel, 0…1.
        usual: the same, mean over other pictures; NaN where there are none.
        read: `[channels, rows, columns]`, before the gate; times the gate is what goes on.
    """

    site: str
    gate: Float32
    usual: Float32
    read: Float32
    provenance: Provenance


@record
class SpatialGate:
    """The gates by which a block turned the places of a layer up or down.

    Attributes:
        site: such as `stages.1.spatial`.
        gate: `[rows, columns]`, 0…1.
        mean: over the channels of each place: what the block read.
        strongest: the largest channel of each place: the other half of what it read.
    """

    site: str
    gate: Float32
    mean: Float32
    strongest: Float32
    provenance: Provenance


@record
class Hidden:
    """The change of one class's probability when one thing is taken away: one patch, or one head.

    Attributes:
        of: English name of the class.
        before: its probability with everything there.
        patches: `[grid, grid]`, its probability without each patch, minus `before`.
        heads: `[layers, heads]`, the same without each head.
    """

    of: str
    before: float
    patches: Float32
    heads: Float32
    provenance: Provenance


@record
class PatchVectors:
    """The vectors of a picture's patches: from a model's own convolutions, and from one linear map of the pixels.

    Attributes:
        numbers: `[patches, numbers]`, as the model reads them: pixel by pixel, red, green and blue of each.
        linear: `[patches, d_model]`, of the linear map that comes nearest to the convolutions on other pictures.
        stem: `[patches, d_model]`, of the model's convolutions.
        shapes: channels, rows and columns of the picture, and after every convolution.
        fitted_on: how many patches of other pictures the linear map was found on.
        fit: share of the convolutions' output that it explains there, R².
        held_out: the same on this picture; 0 is no better than always saying the mean of the others.
        n_parameters: of the linear map with its bias, and of the convolutions.
    """

    numbers: Float32
    linear: Float32
    stem: Float32
    shapes: tuple[tuple[int, ...], ...]
    fitted_on: int
    fit: float
    held_out: float
    n_parameters: tuple[int, int]
    provenance: Provenance


def position(patch: int, grid: int) -> tuple[int, int]:
    """Return the row and column of a patch, from 1."""
    row, column = divmod(patch, grid)
    return row + 1, column + 1


def patch_name(query: int, grid: int) -> str:
    """Say the class token, or a patch by row and column."""
    if query == 0:
        return t("the class token")
    row, column = position(query - 1, grid)
    return t("patch {number} (row {row}, column {column})").format(number=query, row=row, column=column)
