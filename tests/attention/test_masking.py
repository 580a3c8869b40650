"""Masks and the softmax that respects them."""

import math

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from explorer.attention import masking
from explorer.attention.attend import attend
from explorer.attention.masking import filled_softmax, masked_softmax, round_to_dtype

DTYPES = (torch.float32, torch.bfloat16, torch.float16)
LEAST = {torch.float32: 1e-6, torch.bfloat16: 1e-2, torch.float16: 1e-3}


def inputs(n: int = 6, d: int = 8, batch: int = 3) -> tuple[Tensor, Tensor, Tensor]:
    return torch.randn(batch, n, d), torch.randn(batch, n, d), torch.randn(batch, n, d)


def test_valid_lengths_of_the_book_by_row() -> None:
    """Dive into Deep Learning, §11.3.2.1: masked_softmax(rand(2, 2, 4), valid_lens=[2, 3])."""
    weights = masked_softmax(torch.rand(2, 2, 4), masking.valid(torch.tensor([[2], [3]]), 4))
    assert (weights[0, :, 2:] == 0).all()
    assert (weights[0, :, :2] > 0).all()
    assert (weights[1, :, 3:] == 0).all()
    assert (weights[1, :, :3] > 0).all()
    torch.testing.assert_close(weights.sum(-1), torch.ones(2, 2))


def test_valid_lengths_of_the_book_by_query() -> None:
    """The same section: valid_lens=[[1, 3], [2, 4]] forbids 3, 1, 2 and 0 keys."""
    weights = masked_softmax(torch.rand(2, 2, 4), masking.valid(torch.tensor([[1, 3], [2, 4]]), 4))
    assert (weights == 0).sum(-1).tolist() == [[3, 1], [2, 0]]
    assert weights[0, 0].tolist() == [1.0, 0.0, 0.0, 0.0]


def test_padding_on_the_left_leaves_the_last_keys() -> None:
    lengths = torch.tensor([[2], [4]])
    assert masking.valid(lengths, 4, side="left")[:, 0].int().tolist() == [[0, 0, 1, 1], [1, 1, 1, 1]]
    assert masking.valid(torch.tensor([[0]]), 4).sum() == 0


def test_causal_is_the_lower_triangle_aligned_with_the_last_key() -> None:
    assert masking.causal(3, 3).int().tolist() == [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    assert masking.causal(2, 4).int().tolist() == [[1, 1, 1, 0], [1, 1, 1, 1]]
    assert torch.equal(masking.causal(2, 5), masking.causal(5, 5)[-2:])


def test_causal_is_a_valid_length_for_each_query() -> None:
    assert torch.equal(masking.valid(torch.arange(1, 7), 6), masking.causal(6, 6))


@pytest.mark.parametrize("width", [1, 2, 3, 6, 9])
def test_window_is_a_distance(width: int) -> None:
    position = torch.arange(6)
    assert torch.equal(masking.window(6, 6, width), (position[:, None] - position).abs() < width)
    assert torch.equal(masking.window(2, 6, width), masking.window(6, 6, width)[-2:])


def test_a_window_as_wide_as_the_keys_is_none() -> None:
    assert masking.window(5, 5, 5).all()
    assert not masking.window(5, 5, 4).all()
    with pytest.raises(ValueError, match="at least 1"):
        masking.window(5, 5, 0)


def test_causal_and_window_look_back_at_most_width_keys() -> None:
    both = masking.causal(7, 7) & masking.window(7, 7, 3)
    assert both.sum(-1).tolist() == [1, 2, 3, 3, 3, 3, 3]


@pytest.mark.parametrize("dtype", DTYPES)
def test_forbidden_cells_weigh_exactly_0_in_every_dtype(dtype: torch.dtype) -> None:
    allowed = torch.rand(4, 7, 7) < 0.5
    weights = masked_softmax((torch.randn(4, 7, 7) * 20).to(dtype), allowed)
    assert (weights[~allowed] == 0).all()
    seeing = allowed.any(-1)
    assert seeing.any()
    torch.testing.assert_close(
        weights.float().sum(-1)[seeing], torch.ones(int(seeing.sum())), atol=4 * LEAST[dtype], rtol=0
    )


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_query_without_keys_gets_0_and_a_finite_gradient(dtype: torch.dtype) -> None:
    q, k, v = (x.to(dtype).requires_grad_() for x in inputs())
    allowed = torch.ones(6, 6, dtype=torch.bool)
    allowed[2] = False
    output, weights, _ = attend(q, k, v, allowed=allowed)
    assert (weights[:, 2] == 0).all()
    assert (output[:, 2] == 0).all()
    (output.float() * torch.randn(3, 6, 8)).sum().backward()
    for x in (q, k, v):
        assert x.grad is not None
        assert x.grad.isfinite().all()
    assert q.grad is not None
    assert (q.grad[:, 2] == 0).all()


def test_a_future_token_cannot_change_a_past_row() -> None:
    q, k, v = inputs()
    before = attend(q, k, v, allowed=masking.causal(6, 6))
    k2, v2 = k.clone(), v.clone()
    k2[:, 4:], v2[:, 4:] = 1e3, math.pi
    after = attend(q, k2, v2, allowed=masking.causal(6, 6))
    assert torch.equal(before.output[:, :4], after.output[:, :4])
    assert torch.equal(before.weights[:, :4], after.weights[:, :4])
    assert not torch.equal(before.output[:, 4:], after.output[:, 4:])


@pytest.mark.parametrize("side", ["left", "right"])
def test_what_stands_in_the_padding_cannot_change_the_output(side: masking.Side) -> None:
    q, k, v = inputs()
    allowed = masking.valid(torch.tensor([[3], [6], [1]]), 6, side=side)
    before = attend(q, k, v, allowed=allowed).output
    hidden = ~allowed[:, 0, :, None]
    after = attend(q, k.masked_fill(hidden, 77.0), v.masked_fill(hidden, -5.0), allowed=allowed).output
    assert torch.equal(before, after)
    assert hidden.any()


def test_parity_with_fused_attention_where_a_key_is_allowed() -> None:
    q, k, v = inputs()
    allowed = torch.rand(3, 6, 6) < 0.6
    allowed[..., 0] = True
    fused = F.scaled_dot_product_attention(q, k, v, attn_mask=allowed)
    torch.testing.assert_close(attend(q, k, v, allowed=allowed).output, fused, atol=2e-6, rtol=0)


def test_a_mask_that_allows_everything_changes_nothing() -> None:
    scores = torch.randn(2, 5, 5)
    torch.testing.assert_close(masked_softmax(scores, torch.ones(5, 5, dtype=torch.bool)), torch.softmax(scores, -1))
    assert torch.equal(masked_softmax(scores), torch.softmax(scores, -1))


def test_what_each_dtype_stores() -> None:
    assert round_to_dtype(-1e6, torch.float32) == -1e6
    assert round_to_dtype(-1e6, torch.bfloat16) == -999424
    assert round_to_dtype(-1e6, torch.float16) == -math.inf


@pytest.mark.parametrize("added", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("fill", [-1e6, None, -math.inf])
def test_every_fill_works_while_one_key_is_allowed(dtype: torch.dtype, fill: float | None, added: bool) -> None:
    scores = torch.randn(5, 4).to(dtype)
    allowed = torch.tensor([True, False, True, False])
    number = torch.finfo(dtype).min if fill is None else fill
    weights = filled_softmax(scores, allowed, number, added=added)
    assert torch.equal(weights, masked_softmax(scores, allowed))


@pytest.mark.parametrize(
    ("dtype", "fill", "uniform"),
    [
        (torch.float32, -1e6, True),
        (torch.bfloat16, -1e6, True),
        (torch.float16, -1e6, False),
        (torch.float32, torch.finfo(torch.float32).min, True),
        (torch.bfloat16, torch.finfo(torch.bfloat16).min, True),
        (torch.float16, torch.finfo(torch.float16).min, True),
        (torch.float32, -math.inf, False),
        (torch.bfloat16, -math.inf, False),
        (torch.float16, -math.inf, False),
    ],
)
def test_a_fill_alone_gives_padding_weight_or_nan_where_nothing_is_allowed(
    dtype: torch.dtype, fill: float, uniform: bool
) -> None:
    weights = filled_softmax(torch.randn(3, 4).to(dtype), torch.zeros(4, dtype=torch.bool), fill)
    assert (weights == 0.25).all() if uniform else weights.isnan().all()


def test_a_small_number_added_masks_nothing_where_nothing_is_allowed() -> None:
    scores = torch.randn(3, 4)
    weights = filled_softmax(scores, torch.zeros(4, dtype=torch.bool), -1e6, added=True)
    torch.testing.assert_close(weights, torch.softmax(scores, -1), atol=0.05, rtol=0)
    assert not torch.allclose(weights, torch.full_like(weights, 0.25), atol=0.05)
