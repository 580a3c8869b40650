"""A translation before and after somebody interfered with the model; its n-grams beside those of a reference."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from explorer.records.ablation import Rescored
from explorer.records.arrays import Float32
from explorer.records.attention import AttentionRecord
from explorer.records.provenance import Provenance
from explorer.records.readonly import record
from explorer.records.sequence import Candidate


@record
class ChangeRecord(Rescored):
    """An interference and what it does to a translation.

    Attributes:
        done: tokens that were decoded anew so far; 1 once it is finished.
        total: most tokens there may be; 1, as `done`, once it is finished.
        before: the translation as the model wrote it.
        after: what it writes under the interference, as far as it is known.
        before_words: words of `before`, its end included.
        log_probability_before: of each of them, nats, `[words]`.
        log_probability_after: of the same words under the interference, nats, `[words]`.
        cross_before: where the decoder looked, mean over all heads and layers.
        cross_under: where it looks while it writes `before` under the interference.
        cross_after: the same for `after`; None until it is finished.
    """

    done: int
    total: int
    before: Candidate
    after: Candidate | None
    before_words: tuple[str, ...]
    log_probability_before: Float32
    log_probability_after: Float32
    cross_before: AttentionRecord
    cross_under: AttentionRecord
    cross_after: AttentionRecord | None
    provenance: Provenance


@dataclass(frozen=True, slots=True, kw_only=True)
class NgramRow:
    """The n-grams of one length, by where they begin, and whether the other side has one for each.

    Attributes:
        n: their length.
        written: of the text that is judged.
        reference: of what it is compared with.
    """

    n: int
    written: tuple[tuple[str, bool], ...]
    reference: tuple[tuple[str, bool], ...]

    @property
    def correct(self) -> int:
        """Number of written n-grams that match."""
        return sum(there for _, there in self.written)


@record
class AlignmentScores:
    """Alignment error rates of one translator and of what stands beside it, over the same sentences.

    Attributes:
        heads: of each head, `[layers, heads]`.
        layers: of the mean over the heads of each layer, `[layers]`.
        diagonal: of linking by place alone.
        recurrent: of recurrent models with attention, by name; those that cannot be read are left out.
        sentences: over how many sentences.
    """

    heads: npt.NDArray[np.float64]
    layers: npt.NDArray[np.float64]
    diagonal: float
    recurrent: dict[str, float]
    sentences: int
    provenance: Provenance

    @property
    def best_head(self) -> tuple[int, int]:
        """Layer and number of the head with the fewest errors."""
        layer, head = np.unravel_index(int(self.heads.argmin()), self.heads.shape)
        return int(layer), int(head)

    @property
    def best_layer(self) -> int:
        """Layer whose mean over heads makes the fewest errors."""
        return int(self.layers.argmin())
