"""Look at a lab run's model as it was after some step: what it writes, and where it looks."""

from pathlib import Path
from typing import Literal

from explorer.data.digits import is_drawn
from explorer.data.task_tokenizer import tidy
from explorer.inference.lab.snapshots import GREEDY, Snapshot, snapshot
from explorer.inference.search.batching import decode_all
from explorer.inference.seq2seq.steps import PreparedSeq2Seq
from explorer.inference.seq2seq.trace import recurrent_trace
from explorer.inference.translator.trace import trace
from explorer.inference.translator.translate import InputRefused
from explorer.records.attention import AttentionRecord
from explorer.records.language import t
from explorer.records.sequence import Likely
from explorer.records.training_run import LabTrace

#: Which target the model reads: its own, as it writes it, or the expected one, so that rows stay the same over steps.
Reading = Literal["own", "expected"]
#: Longest text that is looked at; a picture of shades may be longer, for no map has a column for each of them.
MOST_TOKENS = 40
#: What follows is not even looked at.
MOST_CHARACTERS = 1_000


class TextRefused(InputRefused):
    """A text cannot be shown to a model of the lab; `explain` says why and what to do."""

    def explain(self) -> str:
        """The message, in the reader's language."""
        if self.reason == "empty":
            return t("There is nothing to read yet: type an example.")
        message = t("The example has {length:,} tokens, and at most {limit:,} are drawn: shorten it.")
        return message.format(length=self.length, limit=self.limit)


def alignment(folder: Path, step: int, text: str, *, expected: str | None = None, reading: Reading = "own") -> LabTrace:
    """Trace what the model of a step makes of a text, and where it looks while it writes.

    Args:
        folder: of the run.
        step: one of its snapshots.
        text: a held-out example or anything else.
        expected: the right answer, where it is known.
        reading: `expected` shows where it looks while it reads the right answer; without one it reads its own.

    Raises:
        SnapshotMissing: there are no weights of this step.
        TextRefused: nothing visible was typed, or too much.
    """
    return trace_text(snapshot(folder, step), step, text, expected=expected, reading=reading)


def trace_text(
    kept: Snapshot, step: int, text: str, *, expected: str | None = None, reading: Reading = "own"
) -> LabTrace:
    """Trace what a model makes of a text, and where it looks while it writes: as `alignment`.

    Raises:
        TextRefused: nothing visible was typed, or too much.
    """
    text = tidy(text[:MOST_CHARACTERS])
    source = kept.tokenizer.encode(text)
    if not source:
        raise TextRefused("empty")
    limit = kept.prepared.config.max_length - 1
    if not is_drawn(text):
        limit = min(limit, MOST_TOKENS)
    if len(source) > limit:
        raise TextRefused("too_long", length=len(source), limit=limit)
    source = [*source, kept.tokenizer.eos_id]
    ((best,),) = decode_all(kept.prepared, [source], GREEDY)
    target = list(best.ids)
    if reading == "expected" and expected is not None:
        most = kept.prepared.config.max_length - 1
        target = [*kept.tokenizer.encode(expected)[:most], kept.tokenizer.eos_id]
    written, attentions = _looked(kept, source, target)
    return LabTrace(
        step=step,
        source=text,
        output=kept.tokenizer.decode(best.ids),
        expected=expected,
        written=written,
        attentions=attentions,
    )


def _looked(
    kept: Snapshot, source: list[int], target: list[int]
) -> tuple[tuple[Likely, ...], tuple[AttentionRecord, ...]]:
    """The target's tokens with their probabilities, and every attention while they were read."""
    provenance = kept.provenance.by(alignment)
    if isinstance(kept.prepared, PreparedSeq2Seq):
        found = recurrent_trace(kept.prepared, kept.tokenizer, source, target, provenance, forced={})
        attentions = () if found.alignment is None else (found.alignment,)
        return tuple(step.written for step in found.steps), attentions
    traced = trace(kept.prepared, kept.tokenizer, source, target, provenance)
    return tuple(step.written for step in traced.steps), traced.attentions
