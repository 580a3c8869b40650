"""The residual stream of a decoder: one vector for each token, to which every sub-layer adds."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from explorer.records.arrays import Float32
from explorer.records.provenance import Provenance
from explorer.records.readonly import record
from explorer.records.sequence import Likely

SubLayer = Literal["read", "self", "cross", "net"]
SUB_LAYERS: tuple[SubLayer, ...] = ("self", "cross", "net")


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A place on the way through a decoder.

    Attributes:
        what: `read`, the vector before the first layer; or the sub-layer that has just added to the stream.
        layer: from 0; None before the first.
    """

    what: SubLayer
    layer: int | None = None

    @property
    def ends_layer(self) -> bool:
        """Say whether a layer is finished here, or none has begun."""
        return self.what in ("read", "net")


@record
class StreamRecord:
    """The way of every written token through the decoder, and what would be written if it ended at each point.

    Attributes:
        points: before the first layer, then after each sub-layer.
        read_labels: the token that was read at each place, `<s>` first.
        written_labels: the token that was written there.
        norm: length of the vector at each point, `[points, target]`.
        added: length of what was added last, `[points, target]`; at the first point the same as `norm`.
        token_norm: length of the scaled embedding of the token that was read, `[target]`.
        position_norm: length of the code of its place, `[target]`; None where the model adds none.
        likeliest: for each point and place the likeliest next tokens, the best first, as the logit lens reads them.
        share: probability of the token that was written, `[points, target]`.
        rank: how many tokens are likelier than the one that was written, `[points, target]`.

    Raises:
        ValueError: if shapes disagree.
    """

    points: tuple[Point, ...]
    read_labels: tuple[str, ...]
    written_labels: tuple[str, ...]
    norm: Float32
    added: Float32
    token_norm: Float32
    position_norm: Float32 | None
    likeliest: tuple[tuple[tuple[Likely, ...], ...], ...]
    share: Float32
    rank: npt.NDArray[np.int64]
    provenance: Provenance

    def __post_init__(self) -> None:
        shape = (len(self.points), len(self.written_labels))
        if any(each.shape != shape for each in (self.norm, self.added, self.share, self.rank)):
            raise ValueError(f"the stream's numbers are not {shape[0]} points by {shape[1]} tokens")

    @property
    def layer_ends(self) -> tuple[int, ...]:
        """Numbers of the points before the first layer and after each."""
        return tuple(number for number, point in enumerate(self.points) if point.ends_layer)
