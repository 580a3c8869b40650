"""“Translator”: what is asked, what is shown of it, and what came out."""

from dataclasses import dataclass, replace
from typing import Literal

from explorer.inference.translator.request import Params
from explorer.records import token_views
from explorer.records.attention import AttentionRecord
from explorer.records.heads import Part
from explorer.records.sequence import TokenRow, Translated
from explorer.records.token_views import mean_over_heads
from explorer.records.wording import clamp

Head = int | Literal["mean", "all"]


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A choice of what is drawn, among what there is.

    Attributes:
        site: cross-attention, or self-attention of the encoder or the decoder.
        layer: from 0.
        head: from 0, or the mean over heads, or all of them side by side.
        merge: sub-words merged to words.
        hide: special tokens hidden and rows renormalised.
        token: the written token that is looked at, from 0.
    """

    site: Part = "cross"
    layer: int = 0
    head: Head = "mean"
    merge: bool = False
    hide: bool = False
    token: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Result(Translated):
    """A request, and its translation with everything that was attended to for it."""

    params: Params


def clamp_view(result: Result, view: View) -> View:
    """Return the same view, clamped to the layers, heads and tokens there are."""
    return replace(
        view,
        layer=clamp(view.layer, result.n_layers(view.site)),
        head=clamp(view.head, result.n_heads) if isinstance(view.head, int) else view.head,
        token=clamp(view.token, len(result.trace.steps)),
    )


def viewed_attention(result: Result, view: View) -> AttentionRecord:
    """Return the record to draw: words merged, special tokens hidden, one head, all of them or their mean."""
    record = result.trace.layers(view.site)[view.layer]
    return _heads(token_views.apply_view(record, result.trace.tokens(view.site), view), view.head)


def selected_row(result: Result, view: View) -> AttentionRecord:
    """Return the selected token's cross-attention: one row over the source, keys merged and hidden as the view asks.

    Its heads are one (the chosen, or the mean).
    """
    cross = result.trace.layers("cross")[view.layer]
    labels = cross.query_labels[view.token : view.token + 1]
    query = TokenRow(labels=labels, words=((0,),), word_labels=labels, special=(False,))
    record = replace(cross, weights=cross.weights[:, view.token : view.token + 1], query_labels=labels)
    record = token_views.apply_view(record, (query, result.trace.source), view)
    return _heads(record, "mean" if view.head == "all" else view.head)


def shown_row(result: Result, view: View) -> int | None:
    """Return the row of the shown map in which the selected token was written; None where there is none.

    Row i of the decoder's self-attention belongs to the step that wrote token i. The encoder's has no such row.
    """
    if view.site == "encoder":
        return None
    return token_views.place_in_view(result.trace.tokens(view.site)[0], view.token, view)


def _heads(record: AttentionRecord, head: Head) -> AttentionRecord:
    if head == "all":
        return record
    return mean_over_heads(record) if head == "mean" else token_views.one_head(record, head)
