"""“Recurrent attention”: what is computed from the numbers of a step before they are drawn."""

from dataclasses import replace
from itertools import pairwise

import numpy as np

from explorer.records import AttentionRecord
from explorer.records.arrays import Float32
from explorer.records.readonly import record
from explorer.records.recurrent import DecoderStep, RecurrentRecord, RecurrentTrace
from explorer.records.token_views import merge_words

#: Weighted states that are drawn one by one; the others are added up.
MOST_PARTS = 6
#: Numbers of a vector that are drawn, from its first.
DRAWN = 24


@record
class ContextParts:
    """The context of a step as a sum of weighted encoder states.

    Attributes:
        positions: source words drawn one by one, in the order of the source.
        parts: α_tj h_j of each, `[places, d]`.
        rest: the sum over all others, `[d]`; None if there are no others.
        context: c_t.
        shares: how much of the context each part makes up, see `contributions`; the rest last, if there is one.
    """

    positions: tuple[int, ...]
    parts: Float32
    rest: Float32 | None
    context: Float32
    shares: tuple[float, ...]


def by_words(found: RecurrentRecord) -> AttentionRecord | None:
    """Return the alignment of whole words; None without one."""
    trace = found.trace
    return None if trace.alignment is None else merge_words(trace.alignment, trace.written, trace.source)


def of_words(written: RecurrentRecord, step: DecoderStep) -> tuple[Float32, Float32]:
    """Return for each source word its weight, and its state: that of its tokens, weighted as the step weighs them."""
    trace = written.trace
    shares = np.zeros((len(trace.source.words), len(trace.states)), np.float32)  # of each token in its word
    for row, word in zip(shares, map(list, trace.source.words), strict=True):
        own = np.ones(len(word), np.float32) if step.weights is None else step.weights[word]
        row[word] = own / own.sum() if own.any() else 1 / len(word)
    return word_weights(trace, step), shares @ trace.states


def word_weights(trace: RecurrentTrace, step: DecoderStep) -> Float32:
    """Return the weight of each source word, that of its tokens together; 0 without attention."""
    if step.weights is None:
        return np.zeros(len(trace.source.words), np.float32)
    return np.array([step.weights[list(word)].sum() for word in trace.source.words], np.float32)


def word_scores(trace: RecurrentTrace, step: DecoderStep) -> Float32 | None:
    """Return the score of each source word: softmax of these gives the words' weights; None without scores.

    A word of several tokens scores the logarithm of the sum of their eˢᶜᵒʳᵉ.
    """
    if step.scores is None:
        return None
    return np.array([np.logaddexp.reduce(step.scores[list(word)]) for word in trace.source.words], np.float32)


def by_steps(found: RecurrentRecord) -> AttentionRecord | None:
    """Return the weights of whole source words at every step; None without attention."""
    alignment, trace = found.trace.alignment, found.trace
    if alignment is None:
        return None
    steps = replace(
        trace.written,
        words=tuple((position,) for position in range(len(trace.written.labels))),
        word_labels=trace.written.labels,
    )
    return merge_words(alignment, steps, trace.source)


def looks(record: RecurrentRecord, *, pieces: bool) -> tuple[tuple[str, ...], Float32, Float32]:
    """Return what was written, the weights of the source words `[written, words]` (0 without attention), and contexts.

    Args:
        pieces: whether tokens are meant, and not words, over whose tokens weights and contexts are averaged.
    """
    trace = record.trace
    weights = np.stack([word_weights(trace, step) for step in trace.steps])
    contexts = np.stack([step.context for step in trace.steps])
    if pieces:
        return trace.written.labels, weights, contexts
    words = [list(word) for word in trace.written.words]
    weights, contexts = (np.stack([each[word].mean(0) for word in words]) for each in (weights, contexts))
    return trace.written.word_labels, weights, contexts


def context_parts(written: RecurrentRecord, step: DecoderStep) -> ContextParts | None:
    """Return the strongest weighted states of a step and the sum of the others; None without attention."""
    if step.weights is None:
        return None
    weights, states = of_words(written, step)
    every = weights[:, None] * states
    strongest = np.argsort(-weights, kind="stable")[:MOST_PARTS]
    positions = tuple(sorted(strongest.tolist()))
    others = [position for position in range(len(every)) if position not in positions]
    rest = every[others].sum(0) if others else None
    rows = every[list(positions)] if rest is None else np.vstack([every[list(positions)], rest])
    return ContextParts(
        positions=positions,
        parts=every[list(positions)],
        rest=rest,
        context=step.context,
        shares=tuple(contributions(rows, step.context).tolist()),
    )


def contributions(parts: Float32, context: Float32) -> Float32:
    """Return the share of each part in a sum: its length along the sum over the sum's length. Shares add up to 1."""
    along = parts @ context
    whole = float(context @ context)
    return along / whole if whole else np.zeros_like(along)


def distances(step: DecoderStep) -> tuple[float, float]:
    """Return how the state moved: the cosine of before and after, and the length of the change over that of before."""
    before, after = step.before.astype(np.float64), step.after.astype(np.float64)
    lengths = float(np.linalg.norm(before) * np.linalg.norm(after))
    cosine = float(before @ after) / lengths if lengths else 0.0
    return cosine, float(np.linalg.norm(after - before)) / max(float(np.linalg.norm(before)), 1e-12)


def pharaoh_counts(trace: RecurrentTrace) -> tuple[int, int]:
    """Return how often the hard alignment steps back to an earlier source token, and how many steps it has."""
    positions = [int(pair.partition("-")[0]) for pair in trace.pharaoh().split()]
    return sum(after < before for before, after in pairwise(positions)), len(positions)
