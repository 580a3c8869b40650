"""A translation before and after somebody interfered with the model; its n-grams beside those of a reference."""

from dataclasses import dataclass

from explorer.records.ablation import Floats, Rescored
from explorer.records.attention import AttentionRecord
from explorer.records.provenance import Provenance
from explorer.records.readonly import record
from explorer.records.sequence import Candidate


@record
class ChangeRecord(Rescored):
    """An interference and what it does to a translation.

    Attributes:
        done: tokens that were decoded anew so far.
        total: most tokens there may be; the same as `done` once it is finished.
        before: the translation as the model wrote it.
        after: what it writes under the interference, as far as it is known.
        log_probability_before: of each token of `before`, nats.
        log_probability_after: of the same tokens under the interference, nats.
        cross_before: where the decoder looked, mean over all heads and layers.
        cross_after: the same for `after` under the interference; None until it is finished.
    """

    done: int
    total: int
    before: Candidate
    after: Candidate | None
    log_probability_before: Floats
    log_probability_after: Floats
    cross_before: AttentionRecord
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
