"""Every sparse mechanism is the dense one under its mask, at the cost of the cells it is allowed."""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor
from torch.utils.flop_counter import FlopCounterMode

from explorer.attention.attend import attend
from explorer.attention.efficient import (
    bigbird,
    block_sparse,
    dilated,
    global_tokens,
    longformer,
    partial,
    strided,
    window,
)

CASES: dict[str, tuple[Callable, Callable, dict]] = {
    "window": (window.sliding_window, window.pattern, {"width": 5}),
    "window of one": (window.sliding_window, window.pattern, {"width": 1}),
    "window of all": (window.sliding_window, window.pattern, {"width": 99}),
    "dilated": (dilated.dilated_mask, dilated.pattern, {"width": 3, "gap": 4}),
    "dilated beyond the end": (dilated.dilated_mask, dilated.pattern, {"width": 3, "gap": 40}),
    "strided": (strided.strided_mask, strided.pattern, {"stride": 6}),
    "stride of one": (strided.strided_mask, strided.pattern, {"stride": 1}),
    "global": (global_tokens.global_tokens, global_tokens.pattern, {"n_global": 3}),
    "longformer": (longformer.longformer, longformer.pattern, {"width": 4, "n_global": 2}),
    "longformer without": (longformer.longformer, longformer.pattern, {"width": 4, "n_global": 0}),
    "all global": (longformer.longformer, longformer.pattern, {"width": 4, "n_global": 99}),
}


def qkv(n: int, d: int = 8, *batch: int) -> tuple[Tensor, Tensor, Tensor]:
    return torch.randn(3, *(batch or (2, 3)), n, d).unbind()


def dense(query: Tensor, key: Tensor, value: Tensor, mask: Tensor) -> Tensor:
    return attend(query, key, value, allowed=mask).output


@pytest.mark.parametrize("causal", [False, True], ids=["both", "causal"])
@pytest.mark.parametrize("n", [1, 7, 24, 37])
@pytest.mark.parametrize("case", CASES)
def test_equals_the_dense_one_under_its_mask(case: str, n: int, causal: bool) -> None:
    run, pattern, settings = CASES[case]
    given = qkv(n)
    found = run(*given, causal=causal, **settings)
    torch.testing.assert_close(found, dense(*given, pattern(n, causal=causal, **settings)), atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("causal", [False, True], ids=["both", "causal"])
@pytest.mark.parametrize(("n", "block"), [(24, 4), (37, 8), (5, 16)])
def test_blocks_equal_the_dense_mask(n: int, block: int, causal: bool) -> None:
    given, blocks = qkv(n), block_sparse.n_blocks(n, block)
    layout = torch.rand(blocks, blocks) < 0.4
    mask = block_sparse.pattern(n, causal=causal, block=block, layout=layout)
    found = block_sparse.block_sparse(*given, causal=causal, block=block, layout=layout)
    torch.testing.assert_close(found, dense(*given, mask), atol=1e-5, rtol=1e-5)  # some rows may look nowhere
    options = {"n_global": 1, "n_random": 2, "seed": 3}
    drawn = bigbird.layout(blocks, **options, causal=causal)
    expected = dense(*given, block_sparse.pattern(n, causal=causal, block=block, layout=drawn))
    found = bigbird.bigbird(*given, causal=causal, block=block, **options)
    torch.testing.assert_close(found, expected, atol=1e-5, rtol=1e-5)


def test_bigbird_sees_a_band_the_first_block_and_as_many_random_ones_as_there_are() -> None:
    drawn = bigbird.layout(16, n_global=1, n_random=2, seed=0, causal=False)
    assert drawn[0].all()
    assert drawn[:, 0].all()
    assert drawn.sum(-1)[2:-1].tolist() == [3 + 1 + 2] * 13
    assert (bigbird.layout(16, n_global=1, n_random=2, seed=0, causal=False) == drawn).all()
    assert (bigbird.layout(16, n_global=1, n_random=2, seed=1, causal=False) != drawn).any()
    past = bigbird.layout(16, n_global=0, n_random=2, seed=0, causal=True).tril(-2)
    assert past.sum(-1).tolist() == [0, 0, 1, *[2] * 13]  # all random ones lie before the band


def operations(run: Callable, n: int, **settings) -> int:
    given = qkv(n, 8, 1)
    with FlopCounterMode(display=False) as counter:
        run(*given, **settings)
    return counter.get_total_flops() // 2


def test_a_window_costs_its_width_times_the_length() -> None:
    d = 8
    for causal, across in ((False, 3), (True, 2)):
        assert operations(window.sliding_window, 64, width=8, causal=causal) == 2 * d * 64 * across * 8
        assert operations(window.sliding_window, 128, width=8, causal=causal) == 2 * d * 128 * across * 8
    full = operations(window.sliding_window, 64, width=64)
    assert operations(dilated.dilated_mask, 128, width=4, gap=4) == 2 * d * 128 * 3 * 4
    assert operations(strided.strided_mask, 64, stride=8) == 2 * d * 64 * (3 * 8 + 8)
    assert operations(global_tokens.global_tokens, 64, n_global=2) == 2 * d * 64 * 2 * 2
    assert operations(longformer.longformer, 64, width=8, n_global=2) == 2 * d * 64 * (3 * 8 + 2 + 2)
    assert full == 2 * d * 64 * 3 * 64


def test_blocks_cost_what_the_layout_allows() -> None:
    layout = torch.eye(8, dtype=torch.bool)
    layout[2, 5] = True
    assert operations(block_sparse.block_sparse, 64, block=8, layout=layout) == 2 * 8 * 9 * 8 * 8
    assert operations(block_sparse.block_sparse, 64, block=8, layout=layout, causal=True) == 2 * 8 * 8 * 8 * 8


def test_parts_of_the_keys_join_to_the_whole() -> None:
    query, key, value = qkv(12)
    parts = [partial.partial(query, key[..., part, :], value[..., part, :]) for part in (slice(0, 5), slice(5, 12))]
    nothing = partial.no_keys(query, 8)
    for joined in (partial.merge(*parts), partial.merge(parts[1], nothing, parts[0])):
        torch.testing.assert_close(joined.output, attend(query, key, value).output)
        torch.testing.assert_close(joined.log_sum, attend(query, key, value).scores.logsumexp(-1))
    assert not partial.merge(nothing, nothing).output.any()


def test_what_is_not_defined_raises() -> None:
    query, key, value = qkv(8)
    for run, _, settings in CASES.values():
        with pytest.raises(ValueError, match="8 queries and 4 keys"):
            run(query, key[..., :4, :], value[..., :4, :], **settings)
    with pytest.raises(ValueError, match="width is 0"):
        window.sliding_window(query, key, value, width=0)
    with pytest.raises(ValueError, match="gap is 0"):
        dilated.dilated_mask(query, key, value, width=2, gap=0)
    with pytest.raises(ValueError, match="stride is 0"):
        strided.strided_mask(query, key, value, stride=0)
    with pytest.raises(ValueError, match="n_global is 0"):
        global_tokens.global_tokens(query, key, value, n_global=0)
    with pytest.raises(ValueError, match="n_global is -1"):
        longformer.longformer(query, key, value, width=2, n_global=-1)
    with pytest.raises(ValueError, match="8 positions are 2 blocks of 4"):
        block_sparse.block_sparse(query, key, value, block=4, layout=torch.ones(3, 3, dtype=torch.bool))
    with pytest.raises(ValueError, match="n_random is -1"):
        bigbird.bigbird(query, key, value, block=4, n_global=1, n_random=-1)
