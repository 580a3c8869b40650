"""A translation before and after somebody interfered with the model."""

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
