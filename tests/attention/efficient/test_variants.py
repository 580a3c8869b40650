"""Every mechanism by name: its weights stand behind its output, and nonsense raises."""

from collections.abc import Callable
from functools import partial

import pytest
import torch

from explorer.attention.efficient.flash import flash
from explorer.attention.efficient.grouped import grouped_query
from explorer.attention.efficient.linear import linear
from explorer.attention.efficient.performer import performer
from explorer.attention.efficient.plain import plain
from explorer.attention.efficient.variants import SETTINGS, Variant
from tests.attention.efficient.test_sparse import qkv

SPARSE = ("window", "dilated", "strided", "global", "longformer", "block", "bigbird")
#: Those that give what exact attention gives, but for rounding.
EXACT = ("plain", "flash")


@pytest.mark.parametrize("causal", [False, True], ids=["both", "causal"])
@pytest.mark.parametrize("name", SETTINGS)
def test_the_weights_stand_behind_the_output(name: str, causal: bool) -> None:
    query, key, value = qkv(19, 8, 2, 4)
    variant = Variant(name=name, width=3, stride=4, block=4, n_features=32, groups=2, tile_queries=4, tile_keys=8)
    weights = variant.weights(query, key, causal=causal)
    averaged = value
    if name == "grouped":
        averaged = value.unflatten(1, (2, 2)).mean(2).repeat_interleave(2, 1)
    found = variant.attend(query, key, value, causal=causal)
    torch.testing.assert_close(found, weights @ averaged, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(weights.sum(-1), torch.ones(2, 4, 19), atol=1e-5, rtol=1e-5)
    mask = variant.mask(19, causal=causal)
    assert (mask is not None) == (name in SPARSE)
    if mask is not None:
        assert not weights[..., ~mask].any()
    if causal:
        assert not weights.triu(1).any()
    if name in EXACT:
        exact = plain(query, key, value, causal=causal)
        torch.testing.assert_close(found, exact, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize(("batch", "n"), [(2, 0), (0, 3), (0, 0)])
def test_no_positions_and_no_sequences_give_none(name: str, causal: bool, batch: int, n: int) -> None:
    x, variant = torch.randn(batch, 4, n, 8), Variant(name=name)
    assert variant.attend(x, x, x, causal=causal).shape == (batch, 4, n, 8)
    assert variant.weights(x, x, causal=causal).shape == (batch, 4, n, n)


@pytest.mark.parametrize("attend", [plain, linear, grouped_query, flash, partial(performer, n_features=16)])
def test_no_keys_give_nothing(attend: Callable[..., torch.Tensor]) -> None:
    query, none = torch.randn(2, 4, 3, 8), torch.randn(2, 4, 0, 8)
    assert attend(query, none, none).equal(torch.zeros(2, 4, 3, 8))
    assert attend(none, query, query).shape == (2, 4, 0, 8)


def test_settings_that_mean_nothing_make_no_difference() -> None:
    assert Variant(name="window", width=4, stride=9).own() == Variant(name="window", width=4).own()
    assert Variant(name="linear", width=4).own() == {}


def test_an_unknown_mechanism_raises() -> None:
    with pytest.raises(ValueError, match="no mechanism 'magic'"):
        Variant(name="magic")
