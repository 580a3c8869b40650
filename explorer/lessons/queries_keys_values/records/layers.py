"""Record of the weights that several layers give the same words."""

import numpy as np
import numpy.typing as npt

from explorer.records import Provenance
from explorer.records.readonly import record

#: In the order of the figure: on a phone those that are compared stand in sight.
LAYERS = ("full", "attention", "convolution", "mean", "max")


@record
class LayersRecord:
    """Weights of every layer over the same words, as written and in a new order.

    Attributes:
        words: as they were written.
        order: old place of the word that stands at each new place.
        before: `[layers, out, in]`, the share of each word in each place's output, the words as written.
        after: the same in the new order; no layer was changed.

    Raises:
        ValueError: if the shapes disagree.
    """

    words: tuple[str, ...]
    order: npt.NDArray[np.int64]
    before: npt.NDArray[np.float32]
    after: npt.NDArray[np.float32]
    provenance: Provenance

    def __post_init__(self) -> None:
        n = len(self.order)
        if not self.before.shape == self.after.shape == (len(LAYERS), n, n):
            raise ValueError("the maps must be [layers, out, in]")

    @property
    def moved(self) -> bool:
        """Return whether any word stands elsewhere than it was written."""
        return bool((self.order != np.arange(len(self.order))).any())

    @property
    def strayed(self) -> npt.NDArray[np.float32]:
        """Return by layer the share of its weight that did not go along with its word, mean over the rows."""
        carried = self.before[:, self.order][:, :, self.order]
        share: npt.NDArray[np.float32] = (
            np.abs(self.after - carried).sum(-1).mean(-1) / self.before.sum(-1).mean(-1) / 2
        )
        return share

    @property
    def alike(self) -> npt.NDArray[np.bool_]:
        """Return by layer whether every place weighs the words alike: nobody asks a question of their own."""
        same: npt.NDArray[np.bool_] = (np.abs(self.before - self.before[:, :1]) < 1e-6).all((-2, -1))
        return same
