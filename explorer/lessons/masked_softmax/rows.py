"""One query's weights, taken out of the result for the figures that compare ways of masking."""

from collections.abc import Callable

import numpy as np
import torch

from explorer.attention import masking
from explorer.lessons.masked_softmax import implementations as ways
from explorer.lessons.masked_softmax.records import HeadRecord, RowsRecord
from explorer.lessons.masked_softmax.state import D_KEY, Result, View
from explorer.records import Provenance


def provenance(function: Callable[..., object], seed: int, dtype: str = "float32") -> Provenance:
    """Return what computed a figure of this page."""
    return Provenance.of(
        function, dtype=dtype, seed=seed, detail=f"random word vectors, d_key {D_KEY}, torch {torch.__version__}"
    )


def head(result: Result, view: View) -> HeadRecord:
    """Return one sentence of the batch without its mask and with it."""
    record, scores = result.records[view.batch], result.scores[view.batch]
    return HeadRecord(
        scores=scores,
        before=torch.from_numpy(scores.copy()).softmax(-1).numpy(),
        after=record.weights[0],
        allowed=result.masks[view.batch].allowed,
        labels=record.query_labels,
        n_words=len(record.query_labels),
        provenance=record.provenance,
    )


def fill_rows(result: Result, view: View, *, nothing: bool) -> RowsRecord:
    """Return one query's weights after every fill in every dtype, under its mask or with nothing allowed."""
    filled = result.fills[view.added]
    mask = result.masks[view.batch]
    allowed = np.zeros_like(mask.allowed[view.query]) if nothing else mask.allowed[view.query]
    found = filled.under_nothing if nothing else filled.under_mask
    return RowsRecord(
        ways=filled.names,
        weights=found[:, view.batch, view.query],
        query_label=mask.query_labels[view.query],
        key_labels=mask.key_labels,
        allowed=allowed,
        facts={"stored as": filled.stored},
        provenance=provenance(masking.filled_softmax, result.seed, "float32, bfloat16, float16"),
    )


def fully_masked_rows(result: Result, view: View) -> RowsRecord:
    """Return what different code makes of one query if it may see nothing."""
    mask, blind = result.masks[view.batch], result.blind
    position = (slice(None), view.batch, view.query)
    return RowsRecord(
        ways=tuple(ways.ways()),
        weights=blind.weights[position],
        query_label=mask.query_labels[view.query],
        key_labels=mask.key_labels,
        allowed=np.zeros(len(mask.key_labels), dtype=bool),
        facts={
            "NaN rows after one more layer": tuple(map(int, blind.spoilt[position])),
            "finite gradient": tuple(map(bool, blind.finite_gradient[position])),
        },
        provenance=provenance(ways.fully_masked_rows, result.seed),
    )


def convention_rows(result: Result, view: View) -> RowsRecord:
    """Return one query's weights from the same mask in the hands of three implementations."""
    mask = result.masks[view.batch]
    found = {name: weights[view.batch] for name, weights in result.conventions.items()}
    seeing = mask.allowed.any(-1)
    ours = result.records[view.batch].weights[0]
    apart = [np.abs(weights[seeing] - ours[seeing]).max(initial=0.0) for weights in found.values()]
    return RowsRecord(
        ways=tuple(found),
        weights=np.stack([weights[view.query] for weights in found.values()]),
        query_label=mask.query_labels[view.query],
        key_labels=mask.key_labels,
        allowed=mask.allowed[view.query],
        facts={"largest difference": tuple(map(float, apart))},
        provenance=provenance(ways.conventions, result.seed),
    )
