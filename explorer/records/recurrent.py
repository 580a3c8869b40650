"""Run of a recurrent encoder-decoder while it wrote: every step with its numbers, and the alignment."""

from dataclasses import dataclass

from explorer.records.alignment import count_from_zero, hard_pairs, pharaoh
from explorer.records.arrays import Float32
from explorer.records.attention import AttentionRecord
from explorer.records.provenance import Provenance
from explorer.records.readonly import record
from explorer.records.sequence import Candidate, Likely, TokenRow


@record
class DecoderStep:
    """One step of a recurrent decoder. Read-only.

    Attributes:
        written: the token that was written, with its probability given all before it.
        likeliest: the likeliest tokens at this step, the best first.
        chosen: rank of the written token among them, from 0; None if it is not among them.
        scores: e_tj, how well each source token fits, before the softmax; None without attention. Those of a fixed
            alignment are its weights.
        weights: α_tj, what the context was averaged with; None without attention.
        context: c_t, what the step saw of the source.
        before: state of the last decoder layer before the step.
        after: the same after the step.
        forced: whether the weights were put there in place of the model's own.
    """

    written: Likely
    likeliest: tuple[Likely, ...]
    chosen: int | None
    scores: Float32 | None
    weights: Float32 | None
    context: Float32
    before: Float32
    after: Float32
    forced: bool


@record
class RecurrentTrace:
    """Everything computed while one target was written. Read-only.

    Attributes:
        source: tokens of the source, `</s>` last.
        written: tokens of the target, `</s>` last.
        source_ids: numbers of the source tokens in the vocabulary.
        written_ids: numbers of the target tokens.
        steps: one for each written token.
        alignment: one row for each written token, one column for each source token; None without attention.
        states: of the encoder, one for each source token, `[source, d_memory]`; the context averages them.
        summary: the source as one vector: the context of a decoder without attention.
    """

    source: TokenRow
    written: TokenRow
    source_ids: tuple[int, ...]
    written_ids: tuple[int, ...]
    steps: tuple[DecoderStep, ...]
    alignment: AttentionRecord | None
    states: Float32
    summary: Float32

    def pharaoh(self) -> str:
        """The hard alignment as `source-target` pairs, `0-0 1-2 …`: each target token with the source it weighs most.

        Special tokens are left out, on both sides; a target token that weighs `</s>` most stands with none.
        """
        if self.alignment is None:
            return ""
        pairs = hard_pairs(self.alignment, self.source, self.written)
        return pharaoh(count_from_zero(pairs, self.source, self.written))


@dataclass(frozen=True, slots=True, kw_only=True)
class RecurrentRecord:
    """A text, what a recurrent model made of it, and the trace of the best.

    Attributes:
        source: the text as it was read, after cleaning.
        mechanism: how the decoder looks at the source: a name from `explorer.nn.alignment.MECHANISMS`.
        candidates: no two with the same text, the best first.
    """

    source: str
    mechanism: str
    candidates: tuple[Candidate, ...]
    trace: RecurrentTrace
    provenance: Provenance

    @property
    def best(self) -> Candidate:
        """The candidate that is shown."""
        return self.candidates[0]
