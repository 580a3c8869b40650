"""“Translator”: what is asked, what is shown of it, and what came out."""

from dataclasses import dataclass, replace
from typing import Literal

from explorer.inference.translator.request import Params
from explorer.records import token_views
from explorer.records.attention import AttentionRecord
from explorer.records.heads import Part
from explorer.records.sequence import Step, TokenRow, Translated
from explorer.records.token_views import mean_over_heads
from explorer.records.wording import clamp


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A choice of what is drawn. Numbers beyond what there is are clamped when the view is applied.

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
    head: int | Literal["mean", "all"] = "mean"
    merge: bool = False
    hide: bool = False
    token: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Result(Translated):
    """A request, and its translation with everything that was attended to for it."""

    params: Params


def attention(result: Result, view: View) -> AttentionRecord:
    """Return the attention of one site and layer, with all heads, as the model computed it."""
    layers = result.trace.layers(view.site)
    return layers[clamp(view.layer, len(layers))]


def apply_view(result: Result, view: View) -> AttentionRecord:
    """Return the record to draw: words merged, special tokens hidden, heads averaged as the view asks."""
    record = token_views.apply_view(attention(result, view), result.trace.tokens(view.site), view)
    return mean_over_heads(record) if view.head == "mean" else record


def select_row(result: Result, view: View) -> AttentionRecord:
    """Return the selected token's cross-attention: one row over the source, keys merged and hidden as the view asks.

    Its heads are one (the chosen, or the mean).
    """
    cross = attention(result, replace(view, site="cross"))
    place = selected_position(result, view)
    labels = cross.query_labels[place : place + 1]
    query = TokenRow(labels=labels, words=((0,),), word_labels=labels, special=(False,))
    record = replace(cross, weights=cross.weights[:, place : place + 1], query_labels=labels)
    record, head = token_views.apply_view(record, (query, result.trace.source), view), head_of(result, view)
    return mean_over_heads(record) if head is None else token_views.one_head(record, head)


def step(result: Result, view: View) -> Step:
    """Return the selected token with its alternatives."""
    return result.trace.steps[selected_position(result, view)]


def selected_position(result: Result, view: View) -> int:
    """Return the place of the selected token, clamped to the translation."""
    return clamp(view.token, len(result.trace.steps))


def row_of(result: Result, view: View) -> int | None:
    """Return the row of the shown map in which the selected token was written; None where there is none.

    Row i of the decoder's self-attention belongs to the step that wrote token i. The encoder's has no such row.
    """
    if view.site == "encoder":
        return None
    return token_views.place_in_view(result.trace.tokens(view.site)[0], selected_position(result, view), view)


def head_of(result: Result, view: View) -> int | None:
    """Return the one head to draw, clamped; None where the mean or all of them are asked for."""
    return clamp(view.head, result.n_heads) if isinstance(view.head, int) else None
