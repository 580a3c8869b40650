"""Look at what a recurrent model wrote: its steps once more, with every number kept."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from explorer.inference.seq2seq.steps import PreparedSeq2Seq
from explorer.inference.translator.trace import token_row
from explorer.models.seq2seq_parts import SITE, Unrolled
from explorer.records.attention import AttentionRecord
from explorer.records.provenance import Provenance
from explorer.records.recurrent import DecoderStep, RecurrentTrace
from explorer.records.sequence import Likely, TokenRow

#: How many alternatives are kept at each step.
N_LIKELIEST = 8


@torch.inference_mode()
def recurrent_trace(
    prepared: PreparedSeq2Seq,
    tokenizer: Any,
    source: Sequence[int],
    target: Sequence[int],
    provenance: Provenance,
    *,
    forced: Mapping[int, Tensor],
) -> RecurrentTrace:
    """Every number of a recurrent model while it wrote `target`.

    The finished target is read once more (teacher forcing): a state depends on what was read before it alone, so each
    step computes what it computed in the search.

    Args:
        source: ids, `</s>` included.
        target: ids that were written, without `<s>`.
        provenance: of the model.
        forced: weights that stand in for the model's own, `{step: [source]}`.
    """
    model, device = prepared.model, prepared.device
    source_ids = torch.tensor([list(source)], device=device)
    allowed = torch.ones_like(source_ids, dtype=torch.bool)
    read = torch.tensor([[prepared.config.bos_id, *target[:-1]]], device=device)
    memory = model.encode(source_ids, allowed)
    rows = {step: row[None].to(device) for step, row in forced.items()}
    unrolled = model.unroll(read, memory, allowed, forced=rows)
    logits = (unrolled.hidden[0] @ prepared.table + prepared.bias)[:, : prepared.config.vocab_size]
    written, read_row = token_row(tokenizer, target), token_row(tokenizer, source)
    alignment = None
    if unrolled.attended is not None:
        alignment = alignment_of(unrolled.attended.weights, written, read_row, provenance, prepared.config.mechanism)
    return RecurrentTrace(
        source=read_row,
        written=written,
        source_ids=tuple(source),
        written_ids=tuple(target),
        steps=_steps(unrolled, logits.float().log_softmax(-1).exp().cpu(), tokenizer, target, forced),
        alignment=alignment,
        states=_array(memory.states[0]),
        summary=_array(memory.summary[0]),
    )


def alignment_of(
    weights: Float[Tensor, "1 target source"],
    written: TokenRow,
    source: TokenRow,
    provenance: Provenance,
    mechanism: str,
) -> AttentionRecord:
    """Return the weights of a recurrent model as a record with one head."""
    return AttentionRecord(
        site=SITE,
        kind="cross",
        weights=_array(weights),
        query_labels=written.labels,
        key_labels=source.labels,
        query_role="produced",
        provenance=replace(provenance, detail=f"{SITE}, {mechanism}"),
    )


def _steps(
    unrolled: Unrolled,
    probabilities: Float[Tensor, "target vocab"],
    tokenizer: Any,
    target: Sequence[int],
    forced: Mapping[int, Tensor],
) -> tuple[DecoderStep, ...]:
    best, tokens = probabilities.topk(min(N_LIKELIEST, probabilities.shape[1]))
    attended, states = unrolled.attended, _array(unrolled.states[0])
    steps = []
    for number, (token, shares, ids) in enumerate(zip(target, best.tolist(), tokens.tolist(), strict=True)):
        labels = tokenizer.pieces([token, *ids])
        steps.append(
            DecoderStep(
                written=Likely(label=labels[0], probability=float(probabilities[number, token])),
                likeliest=tuple(
                    Likely(label=label, probability=share) for label, share in zip(labels[1:], shares, strict=True)
                ),
                chosen=ids.index(token) if token in ids else None,
                scores=None if attended is None else _array(attended.scores[0, number]),
                weights=None if attended is None else _array(attended.weights[0, number]),
                context=_array(unrolled.contexts[0, number]),
                before=states[number],
                after=states[number + 1],
                forced=number in forced,
            )
        )
    return tuple(steps)


def log_probability(trace: RecurrentTrace) -> float:
    """Sum the log-probabilities of the written tokens, in nats; -inf if one had no probability at all."""
    shares = [step.written.probability for step in trace.steps]
    return sum(math.log(share) for share in shares) if all(shares) else -math.inf


def _array(tensor: Tensor) -> "np.ndarray[Any, np.dtype[np.float32]]":
    array: np.ndarray[Any, np.dtype[np.float32]] = tensor.float().cpu().numpy()
    return array
