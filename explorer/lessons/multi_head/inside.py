"""Inside one head: how a score comes about, which shapes there are, and what each head adds to the output."""

from dataclasses import replace

import numpy as np
import torch

from explorer.inference.one_query import one_query
from explorer.inference.translator.ablation import attention_of
from explorer.inference.translator.translate import load
from explorer.lessons.multi_head.state import Result, View
from explorer.nn.attention import MultiHeadAttention
from explorer.nn.head_parts import head_outputs, project
from explorer.records.attention import AttentionRecord
from explorer.records.heads import AttentionInputs, ContributionRecord, InsideRecord, ShapeStep
from explorer.records.journey import JourneyRecord
from explorer.records.provenance import Provenance


def inside(result: Result, view: View) -> InsideRecord:
    """Return query and key of the view's pair of tokens in its head, their product, and the score it adds up to."""
    record, read = _attention(result, view)
    i, j = view.query, view.key
    with torch.inference_mode():
        parts = project(_module(result, view), *_tensors(result, read.query_input[i : i + 1], read.context))
    query, keys = (part[view.head].float().cpu().numpy() for part in (parts.query, parts.key))
    product = query[0] * keys[j]
    scores = read.scores[view.head, i]
    return InsideRecord(
        query_label=record.query_labels[i],
        key_label=record.key_labels[j],
        query=query[0],
        key=keys[j],
        product=product,
        score=float(product.sum(dtype=np.float64) / np.sqrt(len(product))),
        traced_score=float(scores[j]),
        weight=float(record.weights[view.head, i, j]),
        row_scores=scores if record.allowed is None else np.where(record.allowed[i], scores, np.float32(np.nan)),
        row_weights=record.weights[view.head, i],
        key_labels=record.key_labels,
        provenance=_provenance(result, record, f"head {view.head}"),
    )


def journey(result: Result, view: View) -> JourneyRecord:
    """Return what the view's query meets in its head: every key that it may ask, scores, weights, values and output."""
    record, read = _attention(result, view)
    i, free = view.query, slice(None) if record.allowed is None else record.allowed[view.query]
    with torch.inference_mode():
        parts = project(_module(result, view), *_tensors(result, read.query_input[i : i + 1], read.context[free]))
    traced = replace(record, provenance=_provenance(result, record, f"head {view.head}"))
    keys = tuple(np.array(record.key_labels, object)[free])
    return one_query(parts, view.head, record.query_labels[i], keys, traced)


def shapes(result: Result, view: View) -> tuple[ShapeStep, ...]:
    """Return every step from input to output of the view's attention, with its shape in the reader's numbers."""
    record, read = _attention(result, view)
    heads, n, m = record.weights.shape
    d_model = read.query_input.shape[1]
    d_key = d_model // heads
    square = (("d_model", "d_model"), (d_model, d_model))
    split = {"Q": ("queries", n), "K": ("keys", m), "V": ("keys", m)}
    return (
        ShapeStep(symbol="X", axes=("queries", "d_model"), sizes=(n, d_model)),
        ShapeStep(symbol="Y", axes=("keys", "d_model"), sizes=(m, d_model)),
        *(ShapeStep(symbol=f"W_{name}", axes=square[0], sizes=square[1], learned=True) for name in split),
        *(
            ShapeStep(symbol=name, axes=("heads", axis, "d_key"), sizes=(heads, size, d_key))
            for name, (axis, size) in split.items()
        ),
        ShapeStep(symbol="QKᵀ/√d_key", axes=("heads", "queries", "keys"), sizes=(heads, n, m)),
        ShapeStep(symbol="softmax", axes=("heads", "queries", "keys"), sizes=(heads, n, m)),
        ShapeStep(symbol="softmax·V", axes=("heads", "queries", "d_key"), sizes=(heads, n, d_key)),
        ShapeStep(symbol="concat", axes=("queries", "heads·d_key"), sizes=(n, heads * d_key)),
        ShapeStep(symbol="W_O", axes=square[0], sizes=square[1], learned=True),
        ShapeStep(symbol="output", axes=("queries", "d_model"), sizes=(n, d_model)),
    )


def contributions(result: Result, view: View) -> ContributionRecord:
    """Return what each head of the view's attention adds to its output, for every query token."""
    record, read = _attention(result, view)
    module = _module(result, view)
    with torch.inference_mode():
        asked, weights = _tensors(result, read.context, record.weights)
        added = head_outputs(module, asked, weights).cpu().double().numpy()  # [heads, queries, d_model]
    bias = module.output.bias.detach().cpu().double().numpy()
    whole = added.sum(0) + bias
    norm, length = np.linalg.norm(added, axis=-1), np.linalg.norm(whole, axis=-1)
    along = (added * whole).sum(-1)
    return ContributionRecord(
        norm=norm.astype(np.float32),
        cosine=_ratio(along, norm * length),
        share=_ratio(along, np.broadcast_to(length**2, along.shape)),
        bias_share=_ratio(whole @ bias, length**2),
        bias_norm=float(np.linalg.norm(bias)),
        query_labels=record.query_labels,
        provenance=_provenance(result, record, "W_O taken apart by head"),
    )


def _attention(result: Result, view: View) -> tuple[AttentionRecord, AttentionInputs]:
    record = result.trace.layers(view.site)[view.layer]
    return record, result.inputs[record.site]


def _module(result: Result, view: View) -> MultiHeadAttention:
    return attention_of(load(result.params.checkpoint).prepared.model, view.name)


def _tensors(result: Result, *arrays: np.ndarray[tuple[int, ...], np.dtype[np.float32]]) -> list[torch.Tensor]:
    device = load(result.params.checkpoint).prepared.device
    return [torch.from_numpy(array.copy()).to(device) for array in arrays]


def _provenance(result: Result, record: AttentionRecord, what: str) -> Provenance:
    return result.provenance.by(MultiHeadAttention, detail=f"{record.site}, {what}")


def _ratio(
    above: np.ndarray[tuple[int, ...], np.dtype[np.float64]], below: np.ndarray[tuple[int, ...], np.dtype[np.float64]]
) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """Return the quotient; 0 where it has none."""
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0).astype(np.float32)
