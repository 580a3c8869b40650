"""Linear attention's forms agree, and Performer's features do what their proofs say."""

import math

import pytest
import torch

from explorer.attention.attend import attend
from explorer.attention.efficient import linear, performer
from explorer.attention.efficient.plain import plain
from tests.attention.efficient.test_sparse import qkv


@pytest.mark.parametrize("chunk", [1, 4, 7, 64])
def test_recurrent_chunked_and_parallel_forms_agree(chunk: int) -> None:
    query, key, value = qkv(23)
    parallel = linear.linear(query, key, value, causal=True, chunk=23)
    torch.testing.assert_close(linear.linear(query, key, value, causal=True, chunk=chunk), parallel)
    phi_query, phi_key = linear.elu_plus_one(query), linear.elu_plus_one(key)
    torch.testing.assert_close(linear.weights(phi_query, phi_key, causal=True) @ value, parallel)


def test_it_is_the_recurrence_of_the_paper() -> None:
    query, key, value = (each[0, 0] for each in qkv(6))
    phi = linear.elu_plus_one
    state, total, rows = torch.zeros(8, 8), torch.zeros(8), []
    for q, k, v in zip(phi(query), phi(key), value, strict=True):  # Katharopoulos et al. 2020, eq. 18–20
        state, total = state + k[:, None] * v, total + k
        rows.append((q @ state) / (q @ total))
    torch.testing.assert_close(linear.linear(query, key, value, causal=True), torch.stack(rows))


def test_both_directions_equal_the_weights_it_implies() -> None:
    query, key, value = qkv(23)
    implied = linear.weights(linear.elu_plus_one(query), linear.elu_plus_one(key))
    torch.testing.assert_close(implied.sum(-1), torch.ones(2, 3, 23))
    torch.testing.assert_close(linear.linear(query, key, value), implied @ value)


def test_more_random_features_come_closer() -> None:
    query, key, value = qkv(48, 16)
    query, key = query / 2, key / 2  # the spread of exp(ω·x) grows with exp(|q + k|²): long vectors need more features
    exact = plain(query, key, value, causal=True)
    errors = []
    for n_features in (16, 64, 256, 1024):
        found = [
            performer.performer(query, key, value, causal=True, n_features=n_features, seed=seed) for seed in range(4)
        ]
        errors.append(float(torch.stack([(each - exact).norm() / exact.norm() for each in found]).mean()))
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < errors[0] / 4  # 64 times the features: an eighth, were it not for the seeds


def test_the_features_are_unbiased() -> None:
    query, key = torch.randn(2, 1, 8, 4) / 2
    asking, asked = performer.features(query, key, n_features=40_000, seed=0)
    torch.testing.assert_close(linear.weights(asking, asked), attend(query, key, key).weights, atol=0.02, rtol=0.1)


@pytest.mark.parametrize("width", [8, 32])
@pytest.mark.parametrize("sign", [-1, 1])
def test_no_side_of_a_direction_is_preferred(width: int, sign: int) -> None:
    """E[exp(ω·x)] = exp(|x|²/2), whichever way x points: here along all axes, to where QR's own signs would lean."""
    x = torch.full((width,), sign * width**-0.5)
    estimates = [(performer.directions(width, 50_000, seed) @ x).exp().mean() for seed in range(4)]
    assert float(torch.stack(estimates).mean()) == pytest.approx(math.exp(0.5), rel=0.01)


def test_directions_are_orthogonal_and_as_long_as_normal_ones() -> None:
    drawn = performer.directions(16, 40, 0)
    assert drawn.shape == (40, 16)
    within = drawn[:16] @ drawn[:16].T
    assert (within - within.diag().diag()).abs().max() < 1e-4
    assert performer.directions(16, 4000, 0).square().sum(-1).mean() == pytest.approx(16, rel=0.05)


def test_large_numbers_stay_numbers() -> None:
    query, key, value = qkv(16, 8)
    assert performer.performer(30 * query, 30 * key, value, n_features=32).isfinite().all()


def test_what_is_not_defined_raises() -> None:
    query, key, value = qkv(8)
    with pytest.raises(ValueError, match="chunk is 0"):
        linear.linear(query, key, value, chunk=0)
    with pytest.raises(ValueError, match="8 queries and 4 keys"):
        linear.linear(query, key[..., :4, :], value[..., :4, :], causal=True)
    assert linear.linear(query, key[..., :4, :], value[..., :4, :]).shape == value.shape
    with pytest.raises(ValueError, match="n_features is 0"):
        performer.performer(query, key, value, n_features=0)
