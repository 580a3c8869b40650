"""Translate with a recurrent model, see every step, and decode on from a step whose weights were changed."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor, nn

from explorer.checkpoints.manifest import Manifest, Probe, display_source
from explorer.data.parallel.multi30k import lower
from explorer.data.task_tokenizer import TaskTokenizer, tidy
from explorer.inference.device import pick_device
from explorer.inference.loaded import loaded_once, open_family
from explorer.inference.search.batching import decode_all
from explorer.inference.search.constrained import Constrained, Prefix, Rule
from explorer.inference.search.decode import DecodingOptions, Hypothesis, length_factor
from explorer.inference.search.protocols import Engine
from explorer.inference.seq2seq.steps import PreparedSeq2Seq, prepare_seq2seq
from explorer.inference.seq2seq.trace import log_probability, recurrent_trace
from explorer.inference.translator.subwords import candidates
from explorer.inference.translator.translate import MAX_CHARACTERS, MAX_SOURCE_TOKENS, InputRefused, clean
from explorer.models.seq2seq import Seq2Seq
from explorer.records.provenance import Provenance
from explorer.records.recurrent import RecurrentRecord, RecurrentTrace

#: Weights that stand in for the model's own, by number of the step; one weight for each source token.
Weights = Mapping[int, Sequence[float]]
NO_WEIGHTS: Weights = {}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LoadedSeq2Seq:
    """A recurrent model ready to run; shared by all sessions, so nothing here is ever written to."""

    name: str
    manifest: Manifest
    tokenizer: Any
    prepared: PreparedSeq2Seq

    @property
    def mechanism(self) -> str:
        """Return the mechanism by which it looks at the source."""
        return self.prepared.config.mechanism

    @property
    def provenance(self) -> Provenance:
        """Return the provenance of everything this model computes."""
        return Provenance.of(
            translate,
            device=str(self.prepared.device),
            dtype="float32",
            model=display_source(self.name),
            revision=self.manifest.revision,
        )


@loaded_once(8)
def load(checkpoint: str) -> LoadedSeq2Seq:
    """Load a recurrent model once for the whole process, on the best device there is.

    Args:
        checkpoint: a bundled name, a folder, or `org/name@revision` on the Hub.

    Raises:
        CheckpointError: it cannot be used.
        DeviceRefused: `EXPLORER_DEVICE` names a device that is not there.
    """
    manifest, model, tokenizer = open_family(checkpoint, Seq2Seq, "a recurrent model")
    prepared = prepare_seq2seq(model, pick_device(), torch.float32)
    return LoadedSeq2Seq(name=checkpoint, manifest=manifest, tokenizer=tokenizer, prepared=prepared)


def translate(seq2seq: LoadedSeq2Seq, text: str, options: DecodingOptions) -> RecurrentRecord:
    """Translate a text and keep every number of it.

    Args:
        text: anything; it is brought into the form of the training data first.
        options: how to search. The target's length is bounded by the source's as well.

    Raises:
        InputRefused: nothing visible was typed, or too much.
    """
    text = as_trained(seq2seq, text)
    return write(seq2seq, text, encode_source(seq2seq, text), options)


def as_trained(seq2seq: LoadedSeq2Seq, text: str) -> str:
    """A text in the form of what the model was trained on: captions are in lower case, tasks of the lab as they stand.

    Raises:
        InputRefused: nothing visible was typed, or far too much.
    """
    if not isinstance(seq2seq.tokenizer, TaskTokenizer):
        return lower(clean(text))
    if len(text) > MAX_CHARACTERS:
        raise InputRefused("too_long", length=len(text), limit=MAX_CHARACTERS, unit="characters")
    return tidy(text)


def force(
    seq2seq: LoadedSeq2Seq, record: RecurrentRecord, options: DecodingOptions, weights: Weights
) -> RecurrentRecord:
    """Keep what was written up to a step, put other weights there, and decode on.

    Args:
        record: is left as it is.
        weights: by number of the step; what was written before the first of them is kept.

    Raises:
        ValueError: a step was not written, the weights do not fit, or the model has none.
    """
    kept = written_before(record, weights)
    return write(seq2seq, record.source, record.trace.source_ids, options, weights=weights, kept=kept)


def written_before(record: RecurrentRecord, weights: Weights) -> tuple[int, ...]:
    """Return the ids that were written before the first step that gets other weights.

    Raises:
        ValueError: a step was not written.
    """
    n_steps = len(record.trace.steps)
    if any(not 0 <= step < n_steps for step in weights):
        raise ValueError(f"steps {sorted(weights)} are not all among the {n_steps} that were written")
    return record.trace.written_ids[: min(weights, default=n_steps)]


def write(
    seq2seq: LoadedSeq2Seq,
    text: str,
    source: Sequence[int],
    options: DecodingOptions,
    *,
    weights: Weights = NO_WEIGHTS,
    kept: Sequence[int] = (),
    rule: Rule | None = None,
) -> RecurrentRecord:
    """Search for the best target of some source ids, and trace it.

    Args:
        source: ids, `</s>` included.
        weights: stand in for the model's own.
        kept: ids that the target begins with.
        rule: what may be written; any token if not given.
    """
    forced = {step: scaled_row(seq2seq, row, len(source)) for step, row in weights.items()}
    prepared = replace(seq2seq.prepared, forced=forced)
    engine: Engine = prepared
    if rule is not None or kept:
        engine = Constrained(engine=prepared, rules={tuple(source): rule or Prefix(tuple(kept))})
    (found,) = decode_all(engine, [list(source)], options)
    ruled = engine is not prepared  # the search saw the probabilities among the allowed tokens
    traces = [
        recurrent_trace(prepared, seq2seq.tokenizer, source, each.ids, seq2seq.provenance, forced=forced)
        for each in (found if ruled else found[:1])
    ]
    if ruled:
        found = [_unruled(each, trace, options) for each, trace in zip(found, traces, strict=True)]
    return RecurrentRecord(
        source=text,
        mechanism=seq2seq.mechanism,
        candidates=candidates(seq2seq.tokenizer, found),
        trace=traces[0],
        provenance=replace(
            seq2seq.provenance, detail=f"beam {options.beam}, length penalty {options.length_penalty:g}"
        ),
    )


def _unruled(found: Hypothesis, trace: RecurrentTrace, options: DecodingOptions) -> Hypothesis:
    """A hypothesis with the probability that it has where any token is allowed."""
    total = log_probability(trace)
    return replace(found, log_probability=total, score=total / length_factor(len(found.ids), options.length_penalty))


def scaled_row(seq2seq: LoadedSeq2Seq, row: Sequence[float], n_source: int) -> Tensor:
    """Weights that stand in for the model's own, scaled to sum to 1.

    Raises:
        ValueError: the model has no weights, or these are not one finite number ≥ 0 for each source token, not all 0.
    """
    if seq2seq.mechanism == "none":
        raise ValueError(f"{seq2seq.name} has no attention: there are no weights to put others in place of")
    if len(row) != n_source:
        raise ValueError(f"{len(row)} weights do not fit {n_source} source tokens")
    if not all(math.isfinite(weight) and weight >= 0 for weight in row) or not sum(row) > 0:
        raise ValueError("weights must be finite numbers of at least 0, and not all 0")
    largest = max(row)  # so that a sum cannot overflow
    weights = torch.tensor([weight / largest for weight in row], dtype=torch.float64)
    return (weights / weights.sum()).to(seq2seq.prepared.table.dtype).to(seq2seq.prepared.device)


def encode_source(seq2seq: LoadedSeq2Seq, text: str) -> list[int]:
    """Ids of a cleaned text, `</s>` last.

    Raises:
        InputRefused: the text has more tokens than the model reads.
    """
    ids = seq2seq.tokenizer.encode(text)
    limit = min(MAX_SOURCE_TOKENS, seq2seq.prepared.config.max_length - 1)
    if not ids:
        raise InputRefused("empty")
    if len(ids) > limit:
        raise InputRefused("too_long", length=len(ids), limit=limit)
    return [*ids, seq2seq.prepared.config.eos_id]


def probe(model: nn.Module, tokenizer: Any, text: str) -> Probe:
    """Compute what a recurrent model's manifest promises: the greedy output for a text, float32 on the CPU.

    Raises:
        TypeError: the model is not recurrent.
    """
    if not isinstance(model, Seq2Seq):
        raise TypeError(f"{type(model).__name__} is no recurrent model")
    prepared = prepare_seq2seq(model, torch.device("cpu"), torch.float32)
    source = [*tokenizer.encode(lower(clean(text))), model.config.eos_id]
    ((best,),) = decode_all(prepared, [source], DecodingOptions(beam=1))
    return Probe(given=text, expected=tokenizer.decode(best.ids), score=best.log_probability)
