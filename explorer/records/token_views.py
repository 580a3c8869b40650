"""Other views of the same weights: words for sub-words, no special tokens, mean over heads. Each says what it did."""

from dataclasses import replace
from typing import Protocol

import numpy as np
import numpy.typing as npt

from explorer.records.attention import AttentionRecord
from explorer.records.provenance import Provenance
from explorer.records.sequence import TokenRow, word_matrix


class TokenView(Protocol):
    """View of a map: how its tokens are drawn."""

    @property
    def merge(self) -> bool:
        """Return whether sub-words are merged to words."""

    @property
    def hide(self) -> bool:
        """Return whether special tokens are hidden and rows renormalised."""


def apply_view(record: AttentionRecord, tokens: tuple[TokenRow, TokenRow], view: TokenView) -> AttentionRecord:
    """Merge words and hide special tokens as the view asks.

    Args:
        record: over the tokens as the model has them.
        tokens: of its rows and of its columns.
    """
    queries, keys = tokens
    if view.merge:
        record, queries, keys = merge_words(record, queries, keys), queries.merged(), keys.merged()
    return hide_special(record, queries, keys) if view.hide else record


def place_in_view(tokens: TokenRow, position: int, view: TokenView) -> int | None:
    """Return where a token stands among those that are drawn; None where it is hidden."""
    if view.merge:
        position, tokens = tokens.word_of(position), tokens.merged()
    if view.hide:
        return None if tokens.special[position] else position - sum(tokens.special[:position])
    return position


def one_head(record: AttentionRecord, head: int) -> AttentionRecord:
    """Return one head alone; its provenance names the head."""
    return replace(
        record, weights=record.weights[head : head + 1], provenance=_noting(record.provenance, f"head {head}")
    )


def merge_words(record: AttentionRecord, queries: TokenRow, keys: TokenRow) -> AttentionRecord:
    """Words for sub-words: what the tokens of a word *receive* is summed, what they *give* is averaged.

    So a row still sums to 1, and its entries are the shares of whole words.

    Raises:
        ValueError: if the tokens are not those of the record.
    """
    _check(record, queries, keys)
    rows = word_matrix(queries.words, len(queries.labels))
    columns = word_matrix(keys.words, len(keys.labels))
    weights = (rows / rows.sum(-1, keepdims=True)) @ record.weights @ columns.T
    allowed = None if record.allowed is None else (rows @ record.allowed.astype(np.float32) @ columns.T) > 0
    return replace(
        record,
        weights=np.minimum(weights, 1.0).astype(np.float32),
        query_labels=queries.word_labels,
        key_labels=keys.word_labels,
        allowed=allowed,
        provenance=_noting(record.provenance, "sub-words merged to words (sum over keys, mean over queries)"),
    )


def hide_special(record: AttentionRecord, queries: TokenRow, keys: TokenRow) -> AttentionRecord:
    """Leave out special tokens and scale each row up to 1 again; a row that looked at nothing else becomes 0.

    Raises:
        ValueError: if the tokens are not those of the record.
    """
    _check(record, queries, keys)
    rows, columns = ~np.array(queries.special, bool), ~np.array(keys.special, bool)
    kept = record.weights[:, rows][:, :, columns].astype(np.float64)
    sums = kept.sum(-1, keepdims=True)
    weights = np.divide(kept, sums, out=np.zeros_like(kept), where=sums > np.finfo(np.float32).tiny)
    return replace(
        record,
        weights=weights.astype(np.float32),
        query_labels=_chosen(record.query_labels, rows),
        key_labels=_chosen(record.key_labels, columns),
        allowed=None if record.allowed is None else record.allowed[rows][:, columns],
        provenance=_noting(record.provenance, "special tokens hidden, rows renormalised"),
    )


def mean_over_heads(record: AttentionRecord) -> AttentionRecord:
    """One head that is the mean of all."""
    return replace(
        record,
        weights=record.weights.mean(0, keepdims=True),
        provenance=_noting(record.provenance, f"mean over {record.n_heads} heads"),
    )


def _check(record: AttentionRecord, queries: TokenRow, keys: TokenRow) -> None:
    if (record.query_labels, record.key_labels) != (queries.labels, keys.labels):
        raise ValueError(f"{record.site}: these are not the tokens of its rows and columns")


def _chosen(labels: tuple[str, ...], which: npt.NDArray[np.bool_]) -> tuple[str, ...]:
    return tuple(label for label, chosen in zip(labels, which, strict=True) if chosen)


def _noting(provenance: Provenance, what: str) -> Provenance:
    return replace(provenance, detail=f"{provenance.detail}, {what}" if provenance.detail else what)
