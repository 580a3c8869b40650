"""“Multi-head and self-attention”: many heads in one map: mean, maximum, rollout, flow."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Float
from torch import Tensor

from explorer.attention import rollout_flow
from explorer.attention.rollout_flow import decoder_flow, decoder_rollout, flow, rollout
from explorer.lessons.multi_head.state import Result, View, viewed_attention
from explorer.records.attention import AttentionRecord
from explorer.records.heads import Part
from explorer.records.provenance import Provenance
from explorer.records.readonly import record
from explorer.records.token_views import apply_view, mean_over_heads
from explorer.service.kept import made_once


@record
class AggregateMap:
    """One map made of many heads.

    Attributes:
        weights: `[queries, keys]`; flow has the view's query alone.
        sums: of the rows; not 1 where the map is no distribution (maximum and flow).
        query_labels: one per row.
        key_labels: one per column.
        record: the same as an attention with one head; None where the map is no distribution.
        provenance: what computed it, and how.
    """

    weights: npt.NDArray[np.float32]
    sums: npt.NDArray[np.float32]
    query_labels: tuple[str, ...]
    key_labels: tuple[str, ...]
    record: AttentionRecord | None
    provenance: Provenance


def aggregate(result: Result, view: View) -> AggregateMap:
    """Return the summary the view asks for, over the view's site: `mean` and `max` over the heads of the view's layer.

    `layers` is the mean over all heads of all layers of the site. `rollout` and `flow` follow the site's layers down
    to its input (Abnar & Zuidema 2020); from cross-attention through decoder and encoder to the source tokens (by our
    extension, `explorer.attention.rollout_flow`; of that rollout a share of 2^−layers stays with the tokens read, and
    the rest is scaled to 1). Words are merged and special tokens hidden as the view asks, but not in flow.
    """
    if view.aggregate == "max":
        return _maximum(viewed_attention(result, view))
    if view.aggregate == "flow":
        return _flow(result, view)
    if view.aggregate == "mean":
        return _distribution(mean_over_heads(viewed_attention(result, view)))
    whole = mean_of_layers(result, view.site) if view.aggregate == "layers" else roll_out(result, view.site)
    return _distribution(apply_view(whole, result.trace.tokens(view.site), view))


def mean_of_layers(result: Result, site: Part) -> AttentionRecord:
    """Mean over all heads of all layers of a site."""
    records = result.trace.layers(site)
    weights = np.concatenate([record.weights for record in records]).mean(0, keepdims=True)
    return _of_site(records[0], weights, f"{site}, mean over {len(records)} layers of {records[0].n_heads} heads")


def roll_out(result: Result, site: Part) -> AttentionRecord:
    """Attention rollout down to the input of a site; from cross-attention down to the source."""
    first = result.trace.layers(site)[0]
    if site != "cross":
        rows = rollout(_stack(result, site))
        return _of_site(first, rows[None].numpy(), f"{site}, rollout through {result.n_layers(site)} layers")
    encoder = rollout(_stack(result, "encoder"))
    source = decoder_rollout(_stack(result, "decoder"), _stack(result, "cross"), encoder).source
    scaled = source / source.sum(-1, keepdim=True)
    return _of_site(first, scaled[None].numpy(), "decoder and encoder, rollout to the source, rows scaled to 1")


def _flow(result: Result, view: View) -> AggregateMap:
    record, row = result.trace.layers(view.site)[0], _flow_row(result, view.site, view.query)
    detail = f"{view.site}, maximum flow to each input token, scipy.sparse.csgraph.maximum_flow"
    return AggregateMap(
        weights=row[None].float().numpy(),
        sums=row.sum()[None].float().numpy(),
        query_labels=(record.query_labels[view.query],),
        key_labels=record.key_labels,
        record=None,
        provenance=_by(record.provenance, detail),
    )


@made_once
def _flow_row(result: Result, site: Part, query: int) -> Float[Tensor, " keys"]:
    """Keep one row of the flow, which figure and reading both ask for; at 128 tokens it takes a second."""
    stack = _stack(result, site)
    if site == "cross":
        return decoder_flow(_stack(result, "decoder"), stack, _stack(result, "encoder"), query)
    return flow(stack, query)


def _maximum(record: AttentionRecord) -> AggregateMap:
    weights = record.weights.max(0)
    return AggregateMap(
        weights=weights,
        sums=weights.sum(-1),
        query_labels=record.query_labels,
        key_labels=record.key_labels,
        record=None,
        provenance=replace(
            record.provenance, detail=f"{record.provenance.detail}, maximum over {record.n_heads} heads"
        ),
    )


def _distribution(record: AttentionRecord) -> AggregateMap:
    return AggregateMap(
        weights=record.weights[0],
        sums=record.weights[0].sum(-1),
        query_labels=record.query_labels,
        key_labels=record.key_labels,
        record=record,
        provenance=record.provenance,
    )


def _of_site(first: AttentionRecord, weights: npt.NDArray[np.floating], detail: str) -> AttentionRecord:
    return replace(
        first,
        layer=None,
        weights=np.minimum(weights, 1).astype(np.float32),
        provenance=_by(first.provenance, detail),
    )


def _by(provenance: Provenance, detail: str) -> Provenance:
    return provenance.by(rollout_flow, detail=detail)


def _stack(result: Result, site: Part) -> Float[Tensor, "layers queries keys"]:
    """Mean over heads of each layer, in float64."""
    return torch.stack([torch.from_numpy(record.weights.mean(0)).double() for record in result.trace.layers(site)])
