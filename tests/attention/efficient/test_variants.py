"""Every mechanism by name: its weights stand behind its output, and nonsense raises."""

import pytest
import torch

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
        plain = Variant(name="plain").attend(query, key, value, causal=causal)
        torch.testing.assert_close(found, plain, atol=1e-5, rtol=1e-5)


def test_settings_that_mean_nothing_make_no_difference() -> None:
    assert Variant(name="window", width=4, stride=9).own() == Variant(name="window", width=4).own()
    assert Variant(name="linear", width=4).own() == {}


def test_an_unknown_mechanism_raises() -> None:
    with pytest.raises(ValueError, match="no mechanism 'magic'"):
        Variant(name="magic")
