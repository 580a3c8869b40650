import math

import torch

from explorer.attention import scoring
from explorer.attention.attend import attend
from explorer.nn.scorers import Additive, Concat, General, xavier


def test_modules_are_their_functions() -> None:
    query, key = torch.randn(2, 3, 5), torch.randn(2, 4, 6)
    general, additive, concat = General(5, 6), Additive(5, 6, 7, bias=True), Concat(5, 6, 7)
    torch.nn.init.normal_(additive.bias)
    assert torch.equal(general(query, key), scoring.general(query, key, weight=general.weight))
    assert torch.equal(concat(query, key), scoring.concat(query, key, weight=concat.weight, v=concat.v))
    expected = torch.tanh(query @ additive.query_weight.T + additive.bias)[..., None, :]
    assert additive(query, key).shape == (2, 3, 4)
    without = scoring.additive(
        query, key, query_weight=additive.query_weight, key_weight=additive.key_weight, v=additive.v
    )
    assert not torch.allclose(additive(query, key), without)
    silent = scoring.additive(
        query,
        0 * key,
        query_weight=additive.query_weight,
        key_weight=additive.key_weight,
        v=additive.v,
        bias=additive.bias,
    )
    torch.testing.assert_close(silent[..., :1], expected @ additive.v)


def test_a_module_is_a_score_for_attend() -> None:
    query, key, value = torch.randn(3, 5), torch.randn(4, 6), torch.randn(4, 2)
    attended = attend(query, key, value, score=Additive(5, 6, 7))
    assert torch.equal(attended.output, attended.weights @ value)
    torch.testing.assert_close(attended.weights.sum(-1), torch.ones(3))


def test_gradients_reach_every_parameter() -> None:
    for module in (General(5, 6), Additive(5, 6, 7, bias=True), Concat(5, 6, 7)):
        torch.softmax(module(torch.randn(3, 5), torch.randn(4, 6)), -1)[:, 0].sum().backward()
        assert all(each.grad is not None and each.grad.abs().max() > 0 for each in module.parameters())


def test_the_bias_is_left_out_unless_asked_for_and_starts_at_zero() -> None:
    assert Additive(5, 6, 7).bias is None
    assert Additive(5, 6, 7, bias=True).bias.abs().max() == 0


def test_xavier_has_its_bound_and_variance_and_leaves_the_global_generator_alone() -> None:
    before = torch.get_rng_state()
    weight = xavier(300, 200, torch.Generator().manual_seed(3))
    assert torch.equal(before, torch.get_rng_state())
    assert weight.shape == (300, 200)
    assert weight.abs().max() <= math.sqrt(6 / 500)
    assert abs(float(weight.var()) * 500 / 2 - 1) < 0.02
    assert torch.equal(weight, xavier(300, 200, torch.Generator().manual_seed(3)))
