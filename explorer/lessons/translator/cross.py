"""The cross-attention of chosen heads, what it aligns, and which head aligns best."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import torch

from explorer.attention.alignment_measures import align
from explorer.lessons.translator.names import name
from explorer.lessons.translator.state import Result
from explorer.records.alignment import HeadAlignments, count_from_zero, hard_pairs
from explorer.records.attention import AttentionRecord
from explorer.records.heads import PARTS, HeadName
from explorer.records.language import t
from explorer.records.sequence import TokenRow
from explorer.records.token_views import apply_view, merge_words, place_in_view
from explorer.records.wording import head_title, said_strongest


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossOptions:
    """A choice of the cross-attention that is drawn.

    Attributes:
        heads: those averaged; all if empty. Heads the model does not have are ignored.
        merge: sub-words merged to words.
        hide: special tokens hidden and rows renormalised.
    """

    heads: tuple[HeadName, ...] = ()
    merge: bool = False
    hide: bool = False


def cross_heads(result: Result) -> tuple[HeadName, ...]:
    """Return every head of the cross-attention, layer by layer."""
    return tuple(head for head in heads_of(result) if head.part == "cross")


def heads_of(result: Result) -> tuple[HeadName, ...]:
    """Return every head of the model: encoder, decoder, cross; layer by layer."""
    return tuple(
        HeadName(part=part, layer=layer, head=head)
        for part in PARTS
        for layer in range(result.n_layers(part))
        for head in range(result.n_heads)
    )


def cross_mean(result: Result, chosen: CrossOptions) -> AttentionRecord:
    """Mean over the chosen heads, of whatever layers; merged and hidden as asked."""
    records, there = result.trace.layers("cross"), cross_heads(result)
    heads = [head for head in there if head in set(chosen.heads)] or list(there)
    weights = np.stack([records[head.layer].weights[head.head] for head in heads]).mean(0, keepdims=True)
    whose = heads_code(heads, there)
    record = replace(
        records[0],
        site="decoder.cross",
        layer=heads[0].layer if len({head.layer for head in heads}) == 1 else None,
        weights=weights,
        provenance=replace(result.trace.attentions[0].provenance, detail=f"cross-attention, mean of {whose}"),
    )
    return apply_view(record, result.trace.tokens("cross"), chosen)


def cross_overview(result: Result, chosen: CrossOptions) -> tuple[AttentionRecord, ...]:
    """Return the cross-attention of every layer with all its heads, merged and hidden as asked."""
    return tuple(apply_view(record, result.trace.tokens("cross"), chosen) for record in result.trace.layers("cross"))


def heads_code(heads: Collection[HeadName], there: Collection[HeadName]) -> str:
    """Return which heads, for provenance: `C1.0 C1.3`, or how many where it is all of them."""
    return f"all {len(heads)} heads" if len(heads) == len(there) else " ".join(head.code for head in heads)


def rows_of(result: Result, chosen: CrossOptions) -> tuple[TokenRow, TokenRow]:
    """Return what the rows and the columns of `cross_mean` are: written and source."""
    rows = result.trace.written, result.trace.source
    if chosen.merge:
        rows = rows[0].merged(), rows[1].merged()
    if chosen.hide:
        rows = rows[0].without_special(), rows[1].without_special()
    return rows


def cross_row(result: Result, chosen: CrossOptions, token: int) -> int | None:
    """Return the row of `cross_mean` in which a written token stands; None where it is hidden."""
    return place_in_view(result.trace.written, token, chosen)


def token_of_row(result: Result, chosen: CrossOptions, row: int) -> int:
    """Return the first written token of a row of `cross_mean`, clamped."""
    tokens = result.trace.written
    starts = [word[0] for word in tokens.words] if chosen.merge else list(range(len(tokens.labels)))
    if chosen.hide:
        starts = [position for position in starts if not tokens.special[position]] or starts
    return starts[min(max(row, 0), len(starts) - 1)]


def hard_alignment(result: Result, chosen: CrossOptions) -> tuple[tuple[int, int], ...]:
    """Pair each written token or word with the source it weighs most, as (source, written), no special tokens."""
    whole = replace(chosen, hide=False)
    written, source = rows_of(result, whole)
    return hard_pairs(cross_mean(result, whole), source, written)


def hard_places(result: Result, chosen: CrossOptions) -> tuple[tuple[int, int], ...]:
    """Return the same pairs as places in both texts, counted from 0 without special tokens."""
    written, source = rows_of(result, replace(chosen, hide=False))
    return count_from_zero(hard_alignment(result, chosen), source, written)


def head_alignments(result: Result) -> HeadAlignments:
    """Return every head of the cross-attention against all the others, over whole words."""
    written, source = result.trace.written, result.trace.source
    records = [merge_words(record, written, source) for record in result.trace.layers("cross")]
    weights = torch.from_numpy(np.concatenate([record.weights for record in records]))
    rows, columns = (torch.tensor([not special for special in row.merged().special]) for row in (written, source))
    found = align(weights, rows, columns)
    shape = (len(records), result.n_heads)
    detail = f"{weights.shape[0]} heads, over words, special tokens left out"
    return HeadAlignments(
        score=_grid(found.score, shape),
        agreement=_grid(found.agreement, shape),
        largest=_grid(found.largest, shape),
        entropy=_grid(found.entropy, shape),
        words=found.rows,
        provenance=records[0].provenance.by(align, detail=detail),
    )


def describe_cross(record: AttentionRecord, row: int | None) -> str:
    """Say where the chosen token looks most; of the whole map, which look is the strongest."""
    weights = record.weights[0]
    if record.strongest is None:
        return said_strongest(record)
    sharp = t("On average a row gives its first choice {share}.").format(share=f"{weights.max(-1).mean():.0%}")
    if row is None:
        return f"{said_strongest(record)} {sharp}"
    column = int(weights[row].argmax())
    said = t("Writing “{written}”, it looks most at “{read}” ({weight}).").format(
        written=name(record.query_labels[row]),
        read=name(record.key_labels[column]),
        weight=f"{weights[row, column]:.2f}",
    )
    return f"{said} {sharp}"


def describe_hard(result: Result, chosen: CrossOptions) -> str:
    """Say how many pairs, which source words stand with none, and how often the alignment goes back."""
    pairs = hard_alignment(result, chosen)
    _, source = rows_of(result, replace(chosen, hide=False))
    if not pairs:
        return t("No written word looks most at a word of the source: special tokens come first everywhere.")
    bare = [
        label
        for position, (label, special) in enumerate(zip(source.labels, source.special, strict=True))
        if not special and position not in {pair[0] for pair in pairs}
    ]
    back = sum(after[0] < before[0] for before, after in pairwise(pairs))
    said = t("Pairs: {n}; steps back in the source: {back}.").format(n=len(pairs), back=back)
    if not bare:
        return f"{said} " + t("Every source word has a partner.")
    named = t(", ").join(f"“{label}”" for label in bare[:4]) + (" …" if len(bare) > 4 else "")
    return f"{said} " + t("Without a partner: {words}.").format(words=named)


def describe_best_head(found: HeadAlignments) -> str:
    """Say which head aligns best by the stated measure, and that it is no error rate."""
    best = found.best
    if best is None:
        return t("There is nothing to compare: it takes two heads and a word on each side.")
    cell = best.layer, best.head
    said = t(
        "Best: {head}. It gives {score} of its weight to the source word that all other heads together weigh most,"
        " and chooses it for {agreement} of {words} words."
    )
    if found.words == 1 and found.agreement[cell]:
        said = t(
            "Best: {head}. It gives {score} of its weight to the source word that all other heads together weigh most,"
            " and chooses it for the one word."
        )
    elif found.words == 1:
        said = t(
            "Best: {head}. It gives {score} of its weight to the source word that all other heads together weigh most,"
            " but does not choose it for the one word."
        )
    return said.format(
        head=head_title(best),
        score=f"{found.score[cell]:.0%}",
        agreement=f"{found.agreement[cell]:.0%}",
        words=found.words,
    )


def describe_column(record: AttentionRecord, column: int) -> str:
    """Say who looks most at one source word."""
    weights = record.weights[0][:, column]
    if not weights.size:
        return t("Nothing is left to show: only special tokens were looked at.")
    return t(
        "“{read}” is looked at most when “{written}” is written ({weight}); these weights need not sum to 1."
    ).format(
        read=name(record.key_labels[column]),
        written=name(record.query_labels[int(weights.argmax())]),
        weight=f"{weights.max():.2f}",
    )


def _grid(values: torch.Tensor, shape: tuple[int, int]) -> npt.NDArray[np.float64]:
    grid: npt.NDArray[np.float64] = values.numpy().reshape(shape)
    return grid
