"""What is exact equals what PyTorch computes: flash, fused, grouped."""

import pytest
import torch
from torch.nn import functional as F

from explorer.attention.attend import attend
from explorer.attention.efficient import flash, fused, grouped
from explorer.attention.efficient.plain import plain
from explorer.attention.masking import causal as past
from explorer.attention.scoring import scaled_dot
from tests.attention.efficient.test_sparse import qkv

CPU = torch.device("cpu")


@pytest.mark.parametrize("causal", [False, True], ids=["both", "causal"])
@pytest.mark.parametrize("tiles", [(16, 16), (5, 9), (1, 1), (64, 64)])
def test_flash_plain_and_sdpa_agree_in_float32(tiles: tuple[int, int], causal: bool) -> None:
    given = qkv(37, 16)
    expected = F.scaled_dot_product_attention(*given, is_causal=causal)
    found = flash.flash(*given, causal=causal, tile_queries=tiles[0], tile_keys=tiles[1])
    torch.testing.assert_close(found, expected, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(plain(*given, causal=causal), expected, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("causal", [False, True], ids=["both", "causal"])
def test_in_bfloat16_they_agree_to_its_eight_bits(causal: bool) -> None:
    given = [each.bfloat16() for each in qkv(64, 16)]
    exact = plain(*(each.double() for each in given), causal=causal)
    tolerance = 2**-8 * 4  # of numbers around 1: a few units in the last of 8 bits
    for found in (
        flash.flash(*given, causal=causal, tile_queries=16, tile_keys=16),
        F.scaled_dot_product_attention(*given, is_causal=causal),
    ):
        assert found.dtype == torch.bfloat16
        torch.testing.assert_close(found.double(), exact, atol=tolerance, rtol=tolerance)


def test_large_scores_do_not_overflow() -> None:
    query, key, value = qkv(16, 8)
    found = flash.flash(60 * query, 60 * key, value, tile_queries=4, tile_keys=4)
    torch.testing.assert_close(found, plain(60 * query, 60 * key, value), atol=1e-5, rtol=1e-5)


def test_the_kernel_keeps_the_same_log_sum_exp_and_the_weights_follow_from_it() -> None:
    query, key, value = qkv(32, 16)
    _, log_sum = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(query, key, value, 0.0, False)
    kept = flash.flash_partial(query, key, value, tile_queries=8, tile_keys=8)
    torch.testing.assert_close(kept.log_sum, log_sum, atol=1e-5, rtol=1e-5)
    rows, columns = slice(8, 16), slice(24, 32)
    scores = scaled_dot(query[..., rows, :], key[..., columns, :])
    tile = (scores - kept.log_sum[..., rows, None]).exp()
    torch.testing.assert_close(tile, attend(query, key, value).weights[..., rows, columns])


def test_each_step_knows_the_largest_score_and_the_sum_so_far() -> None:
    query, key, value = qkv(12, 8, 1)
    steps = list(flash.tiles(query, key, value, causal=True, tile_queries=4, tile_keys=3))
    scores = attend(query, key, value).scores.masked_fill(~past(12, 12), -torch.inf)
    assert [(step.queries.start, step.keys.start) for step in steps][:3] == [(0, 0), (0, 3), (4, 0)]  # no future tile
    for step in steps:
        seen = scores[..., step.queries.start : step.queries.stop, : step.keys.stop]
        torch.testing.assert_close(step.after.maximum, seen.amax(-1))
        torch.testing.assert_close(step.after.total, (seen - seen.amax(-1, keepdim=True)).exp().sum(-1))
        new_row = step.keys.start == 0
        assert torch.isinf(step.before.maximum).all() == new_row
    with pytest.raises(ValueError, match="tile_keys is 0"):
        flash.flash(query, key, value, tile_keys=0)


@pytest.mark.parametrize("causal", [False, True], ids=["both", "causal"])
def test_every_backend_that_is_there_agrees(causal: bool) -> None:
    given = qkv(32, 64, 2, 2)
    there = fused.backends(CPU, torch.float32)
    assert there == ("math", "flash")
    for backend in there:
        found = fused.attend_fused(*given, causal=causal, backend=backend)
        torch.testing.assert_close(found, plain(*given, causal=causal), atol=1e-5, rtol=1e-5)


def test_a_backend_that_is_not_there_raises() -> None:
    given = qkv(16, 64, 1, 1)
    with pytest.raises(ValueError, match="efficient does not work on cpu"):
        fused.attend_fused(*given, backend="efficient")
    with pytest.raises(ValueError, match="no backend 'magic'"):
        fused.attend_fused(*given, backend="magic")


def test_a_backend_without_memory_is_not_said_to_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*given: object) -> None:
        raise torch.OutOfMemoryError("full")

    monkeypatch.setattr(torch.ops.aten, "_scaled_dot_product_attention_math", full)
    with pytest.raises(torch.OutOfMemoryError):
        fused.attend_fused(*qkv(16, 64, 1, 1), backend="math")


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_cuda_backends_agree() -> None:
    given = [each.cuda().half() for each in qkv(64, 64, 2, 2)]
    there = fused.backends(given[0].device, torch.float16)
    assert "flash" in there
    for backend in there:
        found = fused.attend_fused(*given, backend=backend)
        torch.testing.assert_close(found, plain(*given), atol=5e-3, rtol=5e-3)


@pytest.mark.parametrize("causal", [False, True], ids=["both", "causal"])
@pytest.mark.parametrize("groups", [1, 2, 3, 6])
def test_grouped_queries_equal_pytorchs(groups: int, causal: bool) -> None:
    query = torch.randn(2, 6, 9, 8)
    key, value = torch.randn(2, 2, groups, 9, 8).unbind()
    expected = F.scaled_dot_product_attention(query, key, value, is_causal=causal, enable_gqa=True)
    torch.testing.assert_close(grouped.grouped_query(query, key, value, causal=causal), expected, atol=1e-5, rtol=1e-5)


def test_as_many_groups_as_heads_is_multi_head_and_one_is_multi_query() -> None:
    query, key, value = qkv(9, 8, 2, 4)
    torch.testing.assert_close(grouped.grouped_query(query, key, value), plain(query, key, value))
    single = grouped.grouped_query(query, key[:, :1], value[:, :1])
    torch.testing.assert_close(single, plain(query, key[:, :1].expand_as(key), value[:, :1].expand_as(value)))
    assert torch.equal(grouped.pool_heads(key, 4), key)
    torch.testing.assert_close(grouped.pool_heads(key, 1), key.mean(1, keepdim=True))
    with pytest.raises(ValueError, match="4 heads of queries cannot share 3"):
        grouped.grouped_query(query, key[:, :3], value[:, :3])
    with pytest.raises(ValueError, match="into 3 groups"):
        grouped.pool_heads(key, 3)


def test_a_causal_kernel_refuses_unequally_many_queries_and_keys() -> None:
    query, key, value = qkv(16, 64)
    with pytest.raises(ValueError, match="2 queries and 16 keys"):
        fused.attend_fused(query[..., -2:, :], key, value, causal=True, backend="math")
    expected = plain(query[..., -2:, :], key, value)
    torch.testing.assert_close(fused.attend_fused(query[..., -2:, :], key, value, backend="math"), expected)
