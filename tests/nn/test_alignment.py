"""Attention in two parts, what the keys offer and what a query asks, against the whole formulas in float64."""

import math

import pytest
import torch
from torch import Tensor

from explorer.attention.masking import masked_softmax
from explorer.attention.scoring import LengthMismatchError
from explorer.nn.alignment import ATTENTIONS, Alignment, Mechanism, align_fixed

LENGTHS = (5, 1, 3, 4, 2)


def expected_score(alignment: Alignment, mechanism: Mechanism, query: Tensor, key: Tensor) -> Tensor:
    """One number for one query and one key, as the papers write it."""
    scorer = alignment.scorer
    if mechanism == "dot":
        return query @ key
    if mechanism == "scaled_dot":
        return query @ key / math.sqrt(len(key))
    if mechanism == "general":
        return query @ (scorer.weight / math.sqrt(len(query))) @ key
    if mechanism == "concat":
        return scorer.v @ torch.tanh(scorer.weight @ torch.cat([query, key]))
    return scorer.v @ torch.tanh(scorer.query_weight @ query + scorer.key_weight @ key)


@pytest.mark.parametrize("mechanism", ATTENTIONS)
@torch.no_grad()
def test_scores_are_the_formulas(mechanism: Mechanism) -> None:
    alignment = Alignment(mechanism, 6, 6, 7).double()
    query, key = torch.randn(2, 3, 6).double(), torch.randn(2, 5, 6).double()
    scores = alignment.score(query, alignment.offer(key))
    for b in range(2):
        for i in range(3):
            for j in range(5):
                wanted = expected_score(alignment, mechanism, query[b, i], key[b, j])
                torch.testing.assert_close(scores[b, i, j], wanted, atol=1e-12, rtol=0)
    if alignment.scorer is not None:
        scale = math.sqrt(6) if mechanism == "general" else 1.0
        torch.testing.assert_close(scores * scale, alignment.scorer(query, key), atol=1e-12, rtol=0)


@pytest.mark.parametrize("mechanism", ATTENTIONS)
@torch.no_grad()
def test_masks_hold_for_every_length_of_a_batch(mechanism: Mechanism) -> None:
    alignment = Alignment(mechanism, 6, 6, 7).double()
    query, key = torch.randn(5, 3, 6).double(), torch.randn(5, 5, 6).double()
    allowed = torch.arange(5) < torch.tensor(LENGTHS)[:, None]
    offered = alignment.offer(key)
    found = alignment(query, offered, key, allowed[:, None])
    assert torch.equal(found.output, found.weights @ key)
    assert torch.equal(found.weights, masked_softmax(found.scores, allowed[:, None]))
    for row, n in enumerate(LENGTHS):
        some = torch.ones(1, 1, n, dtype=torch.bool)
        alone = alignment(query[row : row + 1], offered[row : row + 1, :n], key[row : row + 1, :n], some)
        torch.testing.assert_close(found.weights[row, :, :n], alone.weights[0])
        torch.testing.assert_close(found.output[row], alone.output[0])
        assert not found.weights[row, :, n:].any()


@pytest.mark.parametrize("mechanism", ["general", "additive", "concat"])
@torch.no_grad()
def test_some_mechanisms_take_any_lengths(mechanism: Mechanism) -> None:
    alignment = Alignment(mechanism, 4, 6, 7)
    assert alignment.score(torch.randn(1, 2, 4), alignment.offer(torch.randn(1, 3, 6))).shape == (1, 2, 3)


def test_the_others_do_not() -> None:
    with pytest.raises(LengthMismatchError, match="length 4"):
        Alignment("dot", 4, 6, 7)
    with pytest.raises(ValueError, match="compares nothing"):
        Alignment("fixed", 6, 6, 7)


def test_a_fixed_alignment_looks_at_its_own_place_and_stays_at_the_end() -> None:
    values = torch.randn(2, 4, 3)
    allowed = torch.tensor([[True] * 4, [True, True, False, False]])
    found = align_fixed(values, allowed, first=1, steps=4)
    assert found.weights.argmax(-1).tolist() == [[1, 2, 3, 3], [1, 1, 1, 1]]
    assert torch.equal(found.weights.sum(-1), torch.ones(2, 4))
    assert torch.equal(found.output[0, 0], values[0, 1])
    assert torch.equal(found.output[1, 3], values[1, 1])
