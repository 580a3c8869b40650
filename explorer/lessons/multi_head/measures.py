"""“Multi-head and self-attention”: every head of a translation in numbers, with the labels it earns."""

import math

import torch

from explorer.attention.head_measures import labels, measure
from explorer.records.attention import AttentionRecord
from explorer.records.heads import MEASURES, PARTS, HeadMeasures, HeadName, Part, punctuation
from explorer.records.sequence import TokenRow, Trace


def measure_all(trace: Trace) -> tuple[HeadMeasures, ...]:
    """Measure every head of every attention: encoder, decoder, cross; layer by layer."""
    return tuple(
        row
        for part in PARTS
        for record in trace.layers(part)
        for row in measure_record(record, trace.tokens(part)[1], part=part)
    )


def measure_record(record: AttentionRecord, keys: TokenRow, *, part: Part) -> tuple[HeadMeasures, ...]:
    """Return every head of one attention.

    Args:
        record: over tokens, neither merged nor hidden.
        part: what the heads are called after; `cross` has no previous, same and next token.
    """
    measured = measure(
        torch.from_numpy(record.weights.copy()),
        crossed=part == "cross",
        special=torch.tensor(keys.special),
        punctuation=torch.tensor(punctuation(keys.labels)),
        allowed=None if record.allowed is None else torch.from_numpy(record.allowed.copy()),
    )
    rows = []
    for head in range(record.n_heads):
        values = {name: float(measured[name].values[head]) if name in measured else math.nan for name in MEASURES}
        name = HeadName(part=part, layer=record.layer or 0, head=head)
        rows.append(HeadMeasures(head=name, labels=labels(measured, head), **values))
    return tuple(rows)
