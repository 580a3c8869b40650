"""One attention over a long text: its heads, or their mean, of words or of tokens."""

from dataclasses import dataclass

import numpy as np

from explorer.lessons.open_model.joined import join, join_tokens
from explorer.lessons.open_model.resting import leave_out
from explorer.records.arrays import Float32
from explorer.records.attention import AttentionRecord
from explorer.records.opened.look import OpenedTokens
from explorer.records.provenance import Provenance
from explorer.records.sequence import TokenRow


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LongText:
    """One attention as it is shown.

    Attributes:
        weights: of its heads, then of their mean, `[heads + 1, queries, keys]`.
        queries: words or tokens that ask.
        keys: those that are asked.
        of: number in `queries` of each token that asks.
        causal: whether what comes later is hidden.
    """

    weights: Float32
    queries: OpenedTokens
    keys: OpenedTokens
    of: tuple[int, ...]
    causal: bool
    provenance: Provenance

    def head(self, number: int | None) -> Float32:
        """Return the weights of a head; of their mean, if it is None."""
        found: Float32 = self.weights[-1 if number is None else number]
        return found


def show(record: AttentionRecord, tokens: tuple[OpenedTokens, OpenedTokens], *, joined: bool) -> LongText:
    """Return an attention as it is shown.

    Args:
        tokens: that ask, and that are asked.
        joined: whether the pieces of a word are one.
    """
    queries, keys = tokens
    weights = record.weights
    of = tuple(range(len(queries)))
    if joined:
        weights = join(weights, queries.row, keys.row).astype(np.float32)
        of = _places(queries.row)
        queries, keys = join_tokens(queries), join_tokens(keys)
    every = np.concatenate([weights, weights.mean(0, keepdims=True)])
    return LongText(
        weights=every, queries=queries, keys=keys, of=of, causal=record.kind == "causal", provenance=record.provenance
    )


def _places(row: TokenRow) -> tuple[int, ...]:
    return tuple(number for number, word in enumerate(row.words) for _ in word)


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """One row in numbers.

    Attributes:
        rests: share of the weight on the resting place.
        key: what gets most of what is left; None where the row only rests.
        share: of what is left, that it gets.
    """

    rests: float
    key: int | None
    share: float


def look(shown: LongText, number: int | None, query: int) -> Looked:
    """Return what a word that asks looks at, beside where it rests."""
    row = shown.head(number)[query]
    rests = float(row[np.array(shown.keys.rest)].sum())
    left = leave_out(row, shown.keys)
    if np.isnan(left).all():
        return Looked(rests=rests, key=None, share=0.0)
    key = int(np.nanargmax(left))
    return Looked(rests=rests, key=key, share=min(float(left[key]), 1.0))  # of a byte a weight, it may be more


def distance(shown: LongText, number: int | None) -> float:
    """Return how far away, in words, the weight lies that does not rest, in the mean over the text."""
    weights = np.nan_to_num(leave_out(shown.head(number), shown.keys))
    n, m = weights.shape
    away = np.abs(np.arange(m) - np.arange(n)[:, None])
    rows = weights.sum(-1) > 0
    return float((weights * away).sum(-1)[rows].mean()) if rows.any() else 0.0


def rests(shown: LongText, number: int | None) -> float:
    """Return the share of the weight that rests, in the mean over the words that could look elsewhere."""
    rows = ~np.array(shown.queries.rest) if len(shown.queries) == len(shown.keys) else np.ones(len(shown.queries), bool)
    return float(shown.head(number)[rows][:, np.array(shown.keys.rest)].sum(-1).mean())
