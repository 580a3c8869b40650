"""Every scoring function against its formula, number by number in float64."""

import math

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from explorer.attention import scoring
from explorer.attention.attend import attend
from explorer.attention.kernels import KERNELS, kernel_weights
from explorer.attention.masking import masked_softmax


def vectors(d_query: int = 5, d_key: int = 5, queries: int = 3, keys: int = 4) -> tuple[Tensor, Tensor]:
    return torch.randn(queries, d_query, dtype=torch.float64), torch.randn(keys, d_key, dtype=torch.float64)


def by_hand(pair, query: Tensor, key: Tensor) -> Tensor:
    """One pair after the other, in Python numbers."""
    return torch.tensor([[pair(q.tolist(), k.tolist()) for k in key] for q in query], dtype=torch.float64)


def dot_of(a: list[float], b: list[float]) -> float:
    total = 0.0
    for x, y in zip(a, b, strict=True):
        total += x * y
    return total


def network(q: list[float], k: list[float], rows_q: Tensor, rows_k: Tensor, v: Tensor, bias: Tensor) -> float:
    total = 0.0
    for row_q, row_k, outer, inner in zip(rows_q.tolist(), rows_k.tolist(), v.tolist(), bias.tolist(), strict=True):
        total += outer * math.tanh(dot_of(row_q, q) + dot_of(row_k, k) + inner)
    return total


@pytest.mark.parametrize(
    ("name", "pair"),
    [
        ("dot", dot_of),
        ("scaled_dot", lambda q, k: dot_of(q, k) / math.sqrt(len(q))),
        ("cosine", lambda q, k: dot_of(q, k) / math.sqrt(dot_of(q, q) * dot_of(k, k))),
        ("gaussian", lambda q, k: -sum((x - y) ** 2 for x, y in zip(q, k, strict=True)) / 2),
    ],
)
def test_functions_without_parameters(name: str, pair) -> None:
    query, key = vectors()
    torch.testing.assert_close(getattr(scoring, name)(query, key), by_hand(pair, query, key), rtol=1e-12, atol=1e-12)


def test_bandwidth_of_the_gaussian() -> None:
    query, key = vectors()
    torch.testing.assert_close(scoring.gaussian(query, key, bandwidth=3.0), scoring.gaussian(query, key) / 9)


def test_general_takes_queries_and_keys_of_different_length() -> None:
    query, key = vectors(5, 3)
    weight = torch.randn(5, 3, dtype=torch.float64)
    expected = by_hand(
        lambda q, k: sum(q[i] * float(weight[i, j]) * k[j] for i in range(5) for j in range(3)), query, key
    )
    torch.testing.assert_close(scoring.general(query, key, weight=weight), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("with_bias", [False, True])
def test_additive_takes_queries_and_keys_of_different_length(with_bias: bool) -> None:
    query, key = vectors(5, 3)
    rows_q, rows_k = torch.randn(7, 5, dtype=torch.float64), torch.randn(7, 3, dtype=torch.float64)
    v, bias = torch.randn(2, 7, dtype=torch.float64)
    found = scoring.additive(query, key, query_weight=rows_q, key_weight=rows_k, v=v, bias=bias if with_bias else None)
    used = bias if with_bias else torch.zeros_like(bias)
    expected = by_hand(lambda q, k: network(q, k, rows_q, rows_k, v, used), query, key)
    torch.testing.assert_close(found, expected, rtol=1e-12, atol=1e-12)


def test_concat_joins_query_and_key_in_this_order() -> None:
    query, key = vectors(5, 3)
    weight, v = torch.randn(7, 8, dtype=torch.float64), torch.randn(7, dtype=torch.float64)

    def pair(q: list[float], k: list[float]) -> float:
        joined = q + k
        return sum(float(v[i]) * math.tanh(dot_of(weight[i].tolist(), joined)) for i in range(7))

    found = scoring.concat(query, key, weight=weight, v=v)
    torch.testing.assert_close(found, by_hand(pair, query, key), rtol=1e-12, atol=1e-12)


def test_concat_is_additive_with_the_two_matrices_side_by_side() -> None:
    query, key = vectors(5, 3)
    rows_q, rows_k = torch.randn(7, 5, dtype=torch.float64), torch.randn(7, 3, dtype=torch.float64)
    v = torch.randn(7, dtype=torch.float64)
    joined = scoring.concat(query, key, weight=torch.cat([rows_q, rows_k], dim=1), v=v)
    torch.testing.assert_close(joined, scoring.additive(query, key, query_weight=rows_q, key_weight=rows_k, v=v))


def test_additive_without_bias_is_odd_and_the_dot_product_even() -> None:
    query, key = vectors()
    rows_q, rows_k = torch.randn(2, 7, 5, dtype=torch.float64)
    v, bias = torch.randn(2, 7, dtype=torch.float64)
    weights = {"query_weight": rows_q, "key_weight": rows_k, "v": v}
    torch.testing.assert_close(scoring.additive(-query, -key, **weights), -scoring.additive(query, key, **weights))
    torch.testing.assert_close(scoring.dot(-query, -key), scoring.dot(query, key))
    biased = scoring.additive(-query, -key, **weights, bias=bias)
    assert (biased + scoring.additive(query, key, **weights, bias=bias)).abs().max() > 0.1


def test_scaled_dot_is_what_torch_attends_by() -> None:
    query, key, value = torch.randn(2, 3, 4, 8), torch.randn(2, 3, 6, 8), torch.randn(2, 3, 6, 5)
    expected = F.scaled_dot_product_attention(query, key, value)
    torch.testing.assert_close(attend(query, key, value, score=scoring.scaled_dot).output, expected)


@pytest.mark.parametrize("name", ["dot", "scaled_dot", "cosine", "gaussian"])
def test_different_lengths_are_refused_with_advice(name: str) -> None:
    with pytest.raises(scoring.LengthMismatchError, match=r"5.*3.*additive") as refused:
        getattr(scoring, name)(*vectors(5, 3))
    assert (refused.value.function, refused.value.d_query, refused.value.d_key) == (name, 5, 3)
    assert isinstance(refused.value, ValueError)


def every(d: int) -> dict:
    weight = torch.randn(d, d, dtype=torch.float64)
    v = torch.randn(d, dtype=torch.float64)
    wide = torch.randn(d, 2 * d, dtype=torch.float64)
    return {
        "dot": scoring.dot,
        "scaled_dot": scoring.scaled_dot,
        "general": lambda q, k: scoring.general(q, k, weight=weight),
        "additive": lambda q, k: scoring.additive(q, k, query_weight=weight, key_weight=weight.mT, v=v),
        "concat": lambda q, k: scoring.concat(q, k, weight=wide, v=v),
        "cosine": scoring.cosine,
        "gaussian": scoring.gaussian,
    }


@pytest.mark.parametrize("name", scoring.NAMES)
def test_batches_broadcast_and_equal_one_after_the_other(name: str) -> None:
    score = every(5)[name]
    query = torch.randn(2, 1, 3, 5, dtype=torch.float64)
    key = torch.randn(4, 6, 5, dtype=torch.float64)
    together = score(query, key)
    assert together.shape == (2, 4, 3, 6)
    for i in range(2):
        for j in range(4):
            torch.testing.assert_close(together[i, j], score(query[i, 0], key[j]))


@pytest.mark.parametrize("name", scoring.NAMES)
def test_swapping_keys_swaps_columns(name: str) -> None:
    score, (query, key) = every(5)[name], vectors()
    order = [2, 0, 3, 1]
    torch.testing.assert_close(score(query, key[order]), score(query, key)[:, order])


def test_the_lesson_knows_every_function_of_the_module() -> None:
    assert set(every(2)) == set(scoring.NAMES)
    assert all(callable(getattr(scoring, name)) for name in scoring.NAMES)
    assert set(scoring.ANY_LENGTH) < set(scoring.NAMES)


def test_cosine_stays_within_one_and_a_zero_vector_scores_zero() -> None:
    query, key = vectors()
    scores = scoring.cosine(1e6 * query, 1e-6 * key)
    assert scores.abs().max() <= 1 + 1e-12
    torch.testing.assert_close(scores, scoring.cosine(query, key))
    torch.testing.assert_close(scoring.cosine(query, query).diagonal(), torch.ones(3, dtype=torch.float64))
    assert scoring.cosine(torch.zeros_like(query), key).abs().max() == 0


@pytest.mark.parametrize("bandwidth", [0.3, 1.0, 2.5])
def test_gaussian_weights_are_those_of_kernel_regression(bandwidth: float) -> None:
    query, key = vectors(1, 1)
    expected = kernel_weights(query[:, 0], key[:, 0], kernel=KERNELS["gaussian"], width=bandwidth)
    torch.testing.assert_close(masked_softmax(scoring.gaussian(query, key, bandwidth=bandwidth)), expected)


def test_a_temperature_is_a_squared_bandwidth() -> None:
    query, key = vectors()
    wide = attend(query, key, key, score=scoring.gaussian, temperature=4.0)
    torch.testing.assert_close(wide.weights, masked_softmax(scoring.gaussian(query, key, bandwidth=2.0)))


def test_gaussian_weighs_like_the_dot_product_when_keys_are_equally_long() -> None:
    query, key = vectors()
    unequal = masked_softmax(scoring.gaussian(query, key)) - masked_softmax(scoring.dot(query, key))
    assert unequal.abs().max() > 0.01
    key = F.normalize(key, dim=-1) * 3
    torch.testing.assert_close(masked_softmax(scoring.gaussian(query, key)), masked_softmax(scoring.dot(query, key)))


@pytest.mark.parametrize("d", [4, 64, 512])
def test_variance_law(d: int) -> None:
    """20,000 independent pairs: the bound is 5 standard errors of a variance, with the largest kurtosis, 3 + 12/d."""
    generator, n = torch.Generator().manual_seed(0), 20_000
    query, key = torch.randn(2, n, 1, d, generator=generator, dtype=torch.float64)
    bound = 5 * math.sqrt((2 + 12 / d) / n)
    for name, expected in (("dot", d), ("scaled_dot", 1.0), ("cosine", 1 / d), ("gaussian", 2 * d)):
        scores = getattr(scoring, name)(query, key)
        assert abs(float(scores.var()) / expected - 1) < bound, name
