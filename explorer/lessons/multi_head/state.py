"""“Multi-head and self-attention”: what is asked, what is shown of it, and what came out."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from explorer.inference.translator.request import Params
from explorer.records import token_views
from explorer.records.attention import AttentionRecord
from explorer.records.heads import PARTS, AttentionInputs, HeadMeasures, HeadName, Part
from explorer.records.sequence import Translated
from explorer.records.wording import clamp

Aggregate = Literal["mean", "max", "layers", "rollout", "flow"]
AGGREGATES: tuple[Aggregate, ...] = ("mean", "max", "layers", "rollout", "flow")


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Choices of what is drawn, among what there is: `clamp_view` sees to it, once, before anything else has the view.

    Attributes:
        site: self-attention of the encoder or the decoder, or cross-attention.
        layer: from 0.
        head: from 0.
        merge: sub-words merged to words (maps only; measures and the inside of a head are of tokens).
        hide: special tokens hidden and rows renormalised (maps only).
        query: place of the token that asks, from 0, among the tokens as the model has them: not merged, none hidden.
        key: place of the token that is asked, likewise.
        aggregate: which summary of many heads.
    """

    site: Part = "encoder"
    layer: int = 0
    head: int = 0
    merge: bool = False
    hide: bool = False
    query: int = 0
    key: int = 0
    aggregate: Aggregate = "mean"

    @property
    def name(self) -> HeadName:
        """Return which head it shows."""
        return HeadName(part=self.site, layer=self.layer, head=self.head)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Result(Translated):
    """A translation, every attention that made it, and what every head measures.

    Attributes:
        source_ids: tokens of the source as numbers, `</s>` last.
        target_ids: tokens of the translation, without `<s>`.
        inputs: of every attention, by its site.
        measures: of every head: encoder, decoder, cross; layer by layer, head by head.
    """

    params: Params
    source_ids: tuple[int, ...]
    target_ids: tuple[int, ...]
    inputs: Mapping[str, AttentionInputs]
    measures: tuple[HeadMeasures, ...]


def overview(result: Result, view: View, *, sites: tuple[Part, ...] = PARTS) -> tuple[AttentionRecord, ...]:
    """Return every attention of the sites with all its heads, merged and hidden as the view asks."""
    trace = result.trace
    return tuple(
        token_views.apply_view(record, trace.tokens(site), view) for site in sites for record in trace.layers(site)
    )


def viewed_attention(result: Result, view: View) -> AttentionRecord:
    """Return the attention of the view's site and layer with all its heads, merged and hidden as the view asks."""
    trace = result.trace
    return token_views.apply_view(trace.layers(view.site)[view.layer], trace.tokens(view.site), view)


def one_head(result: Result, view: View) -> AttentionRecord:
    """Return the same with the view's head alone; its provenance names the head."""
    return token_views.one_head(viewed_attention(result, view), view.head)


def clamp_view(result: Result, view: View) -> View:
    """Return the same view, clamped to the layers, heads and tokens there are."""
    queries, keys = result.trace.tokens(view.site)
    return replace(
        view,
        layer=clamp(view.layer, result.n_layers(view.site)),
        head=clamp(view.head, result.n_heads),
        query=clamp(view.query, len(queries.labels)),
        key=clamp(view.key, len(keys.labels)),
    )


def measure_head(result: Result, name: HeadName) -> HeadMeasures:
    """Return the measures of one head.

    Raises:
        KeyError: if there is no such head.
    """
    return {row.head: row for row in result.measures}[name]


def shown_row(result: Result, view: View) -> int | None:
    """Return the row of the drawn map in which the view's query stands; None where it is hidden."""
    return token_views.place_in_view(result.trace.tokens(view.site)[0], view.query, view)


def shown_column(result: Result, view: View) -> int | None:
    """Column of the drawn map in which the view's key stands; None where it is hidden."""
    return token_views.place_in_view(result.trace.tokens(view.site)[1], view.key, view)
