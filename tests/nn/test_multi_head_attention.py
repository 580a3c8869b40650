"""Our multi-head attention against PyTorch's, head by head."""

from functools import partial, reduce

import pytest
import torch
from torch import nn

from explorer.attention.attend import attend
from explorer.attention.scoring import additive, scaled_dot
from explorer.nn.attention import HeadOptions, MultiHeadAttention
from tests.peers import copy_attention


def pair(d_model: int, n_heads: int, dtype: torch.dtype) -> tuple[MultiHeadAttention, nn.MultiheadAttention]:
    ours = MultiHeadAttention(d_model, n_heads).to(dtype)
    theirs = nn.MultiheadAttention(d_model, n_heads, batch_first=True).to(dtype)
    with torch.no_grad():
        for bias in (ours.query.bias, ours.key.bias, ours.value.bias, ours.output.bias):
            bias.normal_()
        copy_attention(ours, theirs)
    return ours.eval(), theirs.eval()


PADDING = torch.tensor([[1, 1, 1, 1, 0], [1, 1, 1, 0, 0], [1, 1, 1, 1, 1]]).bool()
#: Key padding mask and attention mask, both True = may attend.
MASKS = {
    "none": (None, None),
    "padding": (PADDING, None),
    "causal": (None, torch.ones(5, 5).tril().bool()),
    "padding and causal": (PADDING, torch.ones(5, 5).tril().bool()),
    # Wide enough to leave every query a key: where there is none, PyTorch gives NaN.
    "padding and window": (PADDING, torch.ones(5, 5).tril(2).triu(-2).bool()),
}


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float32, 1e-5), (torch.float64, 1e-12)])
@pytest.mark.parametrize("n_heads", [1, 4])
def test_output_and_the_weights_of_every_head_equal_pytorch(
    mask: str, dtype: torch.dtype, tolerance: float, n_heads: int
) -> None:
    ours, theirs = pair(16, n_heads, dtype)
    padding, allowed = MASKS[mask]
    x = torch.randn(3, 5, 16, dtype=dtype)
    query_input = torch.randn(3, 4, 16, dtype=dtype) if allowed is None else x
    output, weights = theirs(
        query_input,
        x,
        x,
        key_padding_mask=None if padding is None else ~padding,
        attn_mask=None if allowed is None else ~allowed,
        average_attn_weights=False,
    )
    given = [each for each in (None if padding is None else padding[:, None, None, :], allowed) if each is not None]
    attended = ours(query_input, x, reduce(torch.logical_and, given) if given else None)
    assert attended.weights.dtype == attended.output.dtype == dtype
    assert attended.weights.shape == (3, n_heads, query_input.shape[1], 5)
    torch.testing.assert_close(attended.weights, weights, atol=tolerance, rtol=0)
    torch.testing.assert_close(attended.output, output, atol=tolerance, rtol=0)


def test_weights_are_the_softmax_of_the_scores() -> None:
    ours, _ = pair(16, 4, torch.float64)
    attended = ours(torch.randn(2, 3, 16).double(), torch.randn(2, 5, 16).double())
    torch.testing.assert_close(attended.weights, attended.scores.softmax(-1))
    assert attended.weights.shape == (2, 4, 3, 5)


def test_a_query_that_may_see_nothing_gets_the_output_bias_alone() -> None:
    ours, _ = pair(16, 4, torch.float32)
    attended = ours(torch.randn(1, 2, 16), torch.randn(1, 3, 16), torch.tensor([[False] * 3, [True] * 3]))
    assert (attended.weights[0, :, 0] == 0).all()
    torch.testing.assert_close(attended.output[0, 0], ours.output.bias)


def test_permuting_the_keys_permutes_the_columns() -> None:
    ours, _ = pair(16, 4, torch.float64)
    query_input, context, order = torch.randn(1, 3, 16).double(), torch.randn(1, 5, 16).double(), torch.randperm(5)
    straight, permuted = ours(query_input, context), ours(query_input, context[:, order])
    torch.testing.assert_close(permuted.weights, straight.weights[..., order])
    torch.testing.assert_close(permuted.output, straight.output)


def test_heads_must_divide_the_width() -> None:
    with pytest.raises(ValueError, match="no multiple of n_heads 3"):
        MultiHeadAttention(16, 3)


@torch.no_grad()
def test_additive_heads_are_bahdanaus_score_between_the_vectors_themselves() -> None:
    """The projections of a head are W_q and W_k of the paper, their biases together are b."""
    layer = MultiHeadAttention(12, 3, HeadOptions(scoring="additive")).double()
    for bias in (layer.query.bias, layer.key.bias):
        bias.normal_()
    x, y = torch.randn(2, 4, 12).double(), torch.randn(2, 5, 12).double()
    allowed = torch.tensor([[True] * 5, [True] * 3 + [False] * 2])[:, None, None, :]
    found = layer(x, y, allowed)
    values = layer.value(y)
    for head in range(3):
        part = slice(4 * head, 4 * head + 4)
        score = partial(
            additive,
            query_weight=layer.query.weight[part],
            key_weight=layer.key.weight[part],
            v=layer.scorer.v[head],
            bias=layer.query.bias[part] + layer.key.bias[part],
        )
        alone = attend(x, y, values[..., part], score=score, allowed=allowed[:, 0])
        torch.testing.assert_close(found.scores[:, head], alone.scores)
        torch.testing.assert_close(found.weights[:, head], alone.weights)
    torch.testing.assert_close(found.scores, layer(x, y, score=layer.scorer).scores)
    assert not torch.allclose(found.scores, layer(x, y, score=scaled_dot).scores)


@torch.no_grad()
def test_dropout_on_the_weights_leaves_a_share_out_and_keeps_the_mean() -> None:
    layer = MultiHeadAttention(8, 2, HeadOptions(dropout=0.5)).train()
    x = torch.randn(1, 6, 8).expand(4000, 6, 8)
    found, whole = layer(x, x), layer.eval()(x, x)
    assert torch.equal(found.weights, whole.weights), "what is returned is whole"
    assert not torch.allclose(found.output[0], found.output[1]), "each example is dropped by itself"
    torch.testing.assert_close(found.output.mean(0), whole.output[0], atol=0.05, rtol=0)
