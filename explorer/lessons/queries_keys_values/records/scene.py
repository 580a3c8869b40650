"""A scene of objects that are looked at, without and with a query."""

import numpy as np
import numpy.typing as npt

from explorer.records.arrays import Floats
from explorer.records.attention import AttentionRecord
from explorer.records.readonly import record

#: The rows of a scene's queries: nobody asks, somebody asks.
WITHOUT, WITH = 0, 1


@record
class SceneRecord:
    """Weights of the objects of a scene: row 0 without a query, row 1 with one. Read-only.

    Attributes:
        features: names (ids) of the columns of keys and queries; the first is the salience.
        keys: what each object offers, `[objects, features]`.
        queries: what is asked, `[2, features]`.
        positions: where each object stands, `[objects, 2]`; these are the values.
        scores: `[2, objects]`.
        attention: the weights, with the objects' ids as key labels.
        gaze: the weighted mean of the places, `[2, 2]`.
        temperature: what the scores were divided by.

    Raises:
        ValueError: if the shapes disagree, or a score is not the sum of its parts.
    """

    features: tuple[str, ...]
    keys: Floats
    queries: Floats
    positions: Floats
    scores: Floats
    attention: AttentionRecord
    gaze: Floats
    temperature: float

    def __post_init__(self) -> None:
        n, d = len(self.attention.key_labels), len(self.features)
        shapes = (self.keys.shape, self.queries.shape, self.positions.shape, self.scores.shape, self.gaze.shape)
        if shapes != ((n, d), (2, d), (n, 2), (2, n), (2, 2)):
            raise ValueError(f"{shapes} do not fit {n} objects with {d} features")
        if not np.allclose(self.parts.sum(-1), self.scores, atol=1e-6):
            raise ValueError("a score is not the sum of its parts")

    @property
    def objects(self) -> tuple[str, ...]:
        """Return ids of the objects."""
        return self.attention.key_labels

    @property
    def weights(self) -> npt.NDArray[np.float32]:
        """Return the weights, `[2, objects]`."""
        weights: npt.NDArray[np.float32] = self.attention.weights[0]
        return weights

    @property
    def parts(self) -> Floats:
        """Return what each feature adds to each score, `[2, objects, features]`."""
        parts: Floats = self.queries[:, None, :] * self.keys[None, :, :]
        return parts
