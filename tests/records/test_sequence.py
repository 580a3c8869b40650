"""Words of tokens, and views of weights that still are weights."""

import numpy as np
import pytest

from explorer.records.alignment import count_from_zero, pharaoh
from explorer.records.attention import AttentionRecord
from explorer.records.provenance import Provenance
from explorer.records.sequence import TokenRow, mark_cuts
from explorer.records.token_views import hide_special, mean_over_heads, merge_words

READ = TokenRow(
    labels=("<s>", "▁the", "▁ca", "t", "▁the"),
    words=((0,), (1,), (2, 3), (4,)),
    word_labels=("<s>", "the", "cat", "the"),
    special=(True, False, False, False, False),
)


def record(row: TokenRow = READ, *, causal: bool = True) -> AttentionRecord:
    n = len(row.labels)
    weights = np.random.default_rng(0).random((3, n, n)).astype(np.float32)
    allowed = np.tri(n, dtype=bool) if causal else None
    weights *= np.tri(n) if causal else 1
    weights /= weights.sum(-1, keepdims=True)
    return AttentionRecord(
        site="decoder.layers.0.self",
        kind="causal",
        weights=weights,
        query_labels=row.labels,
        key_labels=row.labels,
        query_role="read",
        provenance=Provenance(computed_by="test", detail="decoder.layers.0.self"),
        allowed=allowed,
    )


def test_pairs_are_counted_without_special_tokens() -> None:
    written = TokenRow(labels=("a", "</s>", "b"), words=((0,), (1,), (2,)), word_labels=("a", "</s>", "b"),
                       special=(False, True, False))  # fmt: skip
    assert count_from_zero(((1, 0), (4, 2)), READ, written) == ((0, 0), (3, 1))
    assert pharaoh(count_from_zero((), READ, written)) == ""


def test_merging_sums_over_keys_and_averages_over_queries() -> None:
    whole = record()
    merged = merge_words(whole, READ, READ)
    assert merged.query_labels == merged.key_labels == ("<s>", "the", "cat", "the")
    np.testing.assert_allclose(merged.weights.sum(-1), 1, atol=1e-6)
    w = whole.weights
    np.testing.assert_allclose(merged.weights[:, 3, 2], w[:, 4, 2] + w[:, 4, 3], rtol=1e-5)
    np.testing.assert_allclose(merged.weights[:, 2, 1], (w[:, 2, 1] + w[:, 3, 1]) / 2, rtol=1e-5)
    assert merged.allowed is not None
    assert np.array_equal(merged.allowed, np.tri(4, dtype=bool))
    assert "merged" in merged.provenance.detail


def test_merging_single_tokens_changes_no_weight() -> None:
    once = merge_words(record(), READ, READ)
    twice = merge_words(once, READ.merged(), READ.merged())
    np.testing.assert_allclose(once.weights, twice.weights, atol=1e-7)


def test_hiding_renormalises() -> None:
    whole = record()
    hidden = hide_special(whole, READ, READ)
    assert hidden.query_labels == ("▁the", "▁ca", "t", "▁the")
    np.testing.assert_allclose(hidden.weights.sum(-1), 1, atol=1e-6)
    expected = whole.weights[:, 3, 2] / (1 - whole.weights[:, 3, 0])
    np.testing.assert_allclose(hidden.weights[:, 2, 1], expected, rtol=1e-5)
    assert hidden.allowed is not None
    assert hidden.allowed.shape == (4, 4)
    assert "renormalised" in hidden.provenance.detail


def test_a_row_that_looked_only_at_special_tokens_becomes_zero() -> None:
    row = TokenRow(labels=("a", "</s>"), words=((0,), (1,)), word_labels=("a", "</s>"), special=(False, True))
    whole = record(row, causal=False)
    whole = AttentionRecord(
        site="x",
        kind="self",
        weights=np.array([[[0.0, 1.0], [0.5, 0.5]]], np.float32),
        query_labels=row.labels,
        key_labels=row.labels,
        query_role="read",
        provenance=whole.provenance,
    )
    assert hide_special(whole, row, row).weights.tolist() == [[[0.0]]]


def test_nothing_but_special_tokens() -> None:
    row = TokenRow(labels=("</s>",), words=((0,),), word_labels=("</s>",), special=(True,))
    hidden = hide_special(record(row), row, row)
    assert hidden.weights.shape == (3, 0, 0)


def test_words_of_a_row_without_special_tokens() -> None:
    plain = READ.without_special()
    one = merge_words(hide_special(record(), READ, READ), plain, plain)
    assert plain.word_labels == READ.merged().without_special().labels
    assert one.query_labels == ("the", "cat", "the")


def test_mean_over_heads() -> None:
    whole = record()
    mean = mean_over_heads(whole)
    np.testing.assert_allclose(mean.weights[0], whole.weights.mean(0))
    assert "mean over 3 heads" in mean.provenance.detail


def test_tokens_of_another_record_are_refused() -> None:
    other = TokenRow(labels=("a",), words=((0,),), word_labels=("a",), special=(False,))
    for view in (merge_words, hide_special):
        with pytest.raises(ValueError, match="not the tokens"):
            view(record(), other, other)


def test_words_must_be_the_tokens_in_order() -> None:
    for words in (((0,), (2, 1)), ((0,),), ((0, 1), (1, 2))):
        with pytest.raises(ValueError, match="in order"):
            TokenRow(labels=("a", "b", "c"), words=words, word_labels=("",) * len(words), special=(False,) * 3)


def test_word_of() -> None:
    assert [READ.word_of(position) for position in range(5)] == [0, 1, 2, 2, 3]


def test_a_cut_word_is_marked_on_both_sides_of_each_cut() -> None:
    assert mark_cuts(("Tu", "man", "‑q", "‑ues", "!", "</s>"), ((0,), (1, 2, 3), (4,), (5,))) == (
        "Tu",
        "man‑",
        "‑q‑",
        "‑ues",
        "!",
        "</s>",
    )
    assert mark_cuts(("‑t", "‑t"), ((0,), (1,))) == ("‑t", "‑t"), "no word goes on where there is none"


def test_what_pieces_hold_is_added_up_by_words() -> None:
    assert READ.add_pieces(np.arange(5, dtype=np.float32)).tolist() == [0, 1, 5, 4]
