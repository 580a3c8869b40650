"""What is measured of a head, against explicit loops; and labels that are never given for nothing."""

import math

import pytest
import torch
from torch import Tensor

from explorer.attention.head_measures import FEWEST_ROWS, MeasuredHeads, labels, measure, pace
from explorer.attention.masking import causal, masked_softmax

N = 8


def measured(
    weights: Tensor, *, crossed: bool = False, allowed: Tensor | None = None, marks: int = -1
) -> dict[str, MeasuredHeads]:
    """With one special key, the last, and one of punctuation, the last but one."""
    keys = torch.arange(weights.shape[-1])
    last = weights.shape[-1] - 1
    return measure(weights, crossed=crossed, special=keys == last, punctuation=keys == last - 1, allowed=allowed)


def names(weights: Tensor, head: int = 0, **options: object) -> list[str]:
    return [label.name for label in labels(measured(weights, **options), head)]  # type: ignore[arg-type]


def onto(columns: list[int], strength: float, n: int = N, m: int | None = None) -> Tensor:
    """One head that puts `strength` on one key a row and spreads the rest evenly over the others."""
    m = m or n
    weights = torch.full((1, n, m), (1 - strength) / (m - 1))
    weights[0, range(n), columns] = strength
    return weights


def random_weights(sharpness: float, heads: int = 6, n: int = N, m: int = N, allowed: Tensor | None = None) -> Tensor:
    return masked_softmax(sharpness * torch.randn(heads, n, m), allowed)


def by_loops(row_of: Tensor, allowed: Tensor, targets: list[list[int]]) -> tuple[float, float, int]:
    """Share on the targets, its chance and the rows, as the docstring says."""
    shares, chances = [], []
    for i, row in enumerate(row_of):
        there = [j for j in targets[i] if allowed[i, j]]
        if there and int(allowed[i].sum()) > 1:
            shares.append(sum(float(row[j]) for j in there))
            chances.append(len(there) / int(allowed[i].sum()))
    return sum(shares) / len(shares), sum(chances) / len(chances), len(shares)


@pytest.mark.parametrize("masked", [False, True])
def test_shares_are_those_of_loops(masked: bool) -> None:
    allowed = causal(N, N) if masked else torch.ones(N, N, dtype=torch.bool)
    weights = random_weights(2.0, allowed=allowed)
    found = measured(weights, allowed=allowed if masked else None)
    targets = {
        "previous": [[i - 1] if i else [] for i in range(N)],
        "same": [[i] for i in range(N)],
        "next": [[i + 1] if i + 1 < N else [] for i in range(N)],
        "first": [[0]] * N,
        "special": [[N - 1]] * N,
        "punctuation": [[N - 2]] * N,
    }
    for name, positions in targets.items():
        if masked and name == "next":
            assert found[name].rows == 0
            continue
        for head, row_of in enumerate(weights):
            share, chance, rows = by_loops(row_of, allowed, positions)
            assert float(found[name].values[head]) == pytest.approx(share, abs=1e-6), name
            assert (found[name].chance, found[name].rows) == (pytest.approx(chance), rows), name


def test_spread_and_distance_are_those_of_loops() -> None:
    allowed = causal(N, N)
    weights = random_weights(1.5, allowed=allowed)
    found = measured(weights, allowed=allowed)
    for head, rows in enumerate(weights.double()):
        nats = [-sum(float(w) * math.log(float(w)) for w in row if w > 0) for row in rows[1:]]
        far = [sum(float(w) * abs(i - j) for j, w in enumerate(row)) for i, row in enumerate(rows)][1:]
        assert float(found["entropy"].values[head]) == pytest.approx(sum(nats) / 7)
        assert float(found["effective"].values[head]) == pytest.approx(sum(map(math.exp, nats)) / 7)
        even = [nat / math.log(i + 2) for i, nat in enumerate(nats)]
        assert float(found["evenness"].values[head]) == pytest.approx(sum(even) / 7)
        assert float(found["distance"].values[head]) == pytest.approx(sum(far) / 7)
        assert float(found["largest"].values[head]) == pytest.approx(float(rows[1:].amax(-1).mean()))


def test_cross_attention_has_a_diagonal_and_no_previous_token() -> None:
    found = measured(random_weights(1.0, n=5, m=9), crossed=True)
    assert {"previous", "same", "next"}.isdisjoint(found)
    assert "diagonal" not in measured(random_weights(1.0))
    assert pace(5, 9).tolist() == [0, 2, 4, 6, 8]
    on_it = onto([0, 2, 4, 6, 8], 1.0, n=5, m=9)
    assert float(measured(on_it, crossed=True)["distance"].values[0]) == 0
    assert names(on_it, crossed=True)[0] == "diagonal"
    assert "diagonal" not in names(on_it.flip(1), crossed=True)


@pytest.mark.parametrize("crossed", [False, True])
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("n", [1, 2, 3, 5, 12, 40])
def test_an_even_head_is_called_broad_or_nothing(n: int, masked: bool, crossed: bool) -> None:
    allowed = causal(n, n) if masked else torch.ones(n, n, dtype=torch.bool)
    even = masked_softmax(torch.zeros(1, n, n), allowed)
    found = names(even, allowed=allowed, crossed=crossed)
    rows = int((allowed.sum(-1) > 1).sum())
    assert found == (["broad"] if rows >= FEWEST_ROWS else [])


@pytest.mark.parametrize("seed", range(20))
def test_a_nearly_even_head_is_never_called_a_place(seed: int) -> None:
    torch.manual_seed(seed)
    n = 3 + 2 * seed
    for allowed in (torch.ones(n, n, dtype=torch.bool), causal(n, n)):
        weights = random_weights(0.3, n=n, m=n, allowed=allowed)
        for head in range(6):
            assert set(names(weights, head, allowed=allowed)) <= {"broad"}


@pytest.mark.parametrize("strength", [0.55, 0.8, 1.0])
@pytest.mark.parametrize(("name", "step"), [("previous", -1), ("same", 0), ("next", 1)])
def test_a_head_made_for_a_place_is_called_by_it(name: str, step: int, strength: float) -> None:
    columns = [min(max(i + step, 0), N - 1) for i in range(N)]
    label = labels(measured(onto(columns, strength)), 0)[0]
    assert label.name == name
    assert label.score == pytest.approx(strength, abs=1e-6)
    assert label.chance == pytest.approx(1 / N)


@pytest.mark.parametrize(("name", "column"), [("first", 0), ("special", N - 1), ("punctuation", N - 2)])
def test_a_head_made_for_one_token_is_called_by_it(name: str, column: int) -> None:
    assert names(onto([column] * N, 0.9))[0] == name


@pytest.mark.parametrize("name", ["previous", "same", "next", "first", "punctuation", "special"])
def test_just_below_the_threshold_there_is_no_label(name: str) -> None:
    step = {"previous": -1, "same": 0, "next": 1}
    columns = {"first": [0] * N, "punctuation": [N - 2] * N, "special": [N - 1] * N}.get(name)
    columns = columns or [min(max(i + step[name], 0), N - 1) for i in range(N)]
    assert name in names(onto(columns, 0.501))
    assert name not in names(onto(columns, 0.499))


def test_half_of_two_keys_is_no_more_than_chance() -> None:
    weights = torch.tensor([[[0.6, 0.4], [0.6, 0.4], [0.6, 0.4], [0.6, 0.4]]])
    assert "first" not in names(weights, crossed=True)


def test_a_random_sharp_head_is_sharp_and_nothing_else() -> None:
    columns = [5, 3, 0, 7, 1, 2, 4, 3]
    assert names(onto(columns, 0.95)) == ["sharp"]


def test_rows_without_a_choice_say_nothing() -> None:
    """The first row of a causal head is on itself whatever it learned."""
    allowed = causal(4, 4)
    weights = torch.tensor([[1.0, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]])[None]
    found = measured(weights, allowed=allowed)
    assert float(found["same"].values[0]) == 0
    assert float(found["previous"].values[0]) == 1
    assert math.isnan(float(measured(torch.ones(1, 1, 1))["entropy"].values[0]))


def test_the_diagonal_is_three_tokens_wide() -> None:
    beside = onto([1, 3, 5, 7, 7], 1.0, n=5, m=9)  # each one token off the pace 0, 2, 4, 6, 8
    assert float(measured(beside, crossed=True)["diagonal"].values[0]) == pytest.approx(1)


def test_the_most_telling_label_comes_first_and_broad_asks_for_no_multiple_of_chance() -> None:
    scores = {"first": (0.6, 0.1), "special": (0.9, 0.1), "evenness": (0.95, 1.0), "largest": (0.85, 0.5)}
    found = {name: MeasuredHeads(torch.tensor([score]), chance, N) for name, (score, chance) in scores.items()}
    assert [label.name for label in labels(found, 0)] == ["special", "first", "broad"]  # not sharp: half is chance
