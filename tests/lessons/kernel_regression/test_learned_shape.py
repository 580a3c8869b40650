"""A kernel that learns its shape: its slope against finite differences, its bounds, and that it gains something."""

import numpy as np
import pytest
import torch

from explorer.lessons.kernel_regression import Params
from explorer.lessons.kernel_regression.learned_shape import MOST_ASKED, learn_shape, learned_kernel, shape_learning
from explorer.lessons.kernel_regression.own_kernel import FAMILIES, HIGH, LOW, kernel_of, name_of_own
from explorer.lessons.kernel_regression.points_csv import parse_points
from explorer.lessons.kernel_regression.state import Data

FAMILY_STARTS = {"fades": (2.0, 0.5), "ends": (3.0, 3.0), "tails": (2.0, 1.0), "ring": (1.0, 1.0)}


def sample(n: int = 30) -> tuple[torch.Tensor, torch.Tensor]:
    draw = np.random.default_rng(0)
    x = np.sort(draw.uniform(0, 5, n))
    return torch.from_numpy(x), torch.from_numpy(np.sin(x) + 0.2 * draw.standard_normal(n))


def left_out_error(key: torch.Tensor, value: torch.Tensor, family: str, p: float, q: float, width: float) -> float:
    """The mean squared error, point by point, by the definition."""
    others = ~np.eye(len(key), dtype=bool)
    profile = kernel_of(name_of_own(family, p, q)).profile
    errors = []
    for i in range(len(key)):
        close = profile((key[i] - key[others[i]]) / width)
        guessed = close @ value[others[i]] / close.sum() if close.sum() > 0 else value[others[i]].mean()
        errors.append((guessed - value[i]) ** 2)
    return float(torch.stack(errors).mean())


@pytest.mark.parametrize("family", FAMILIES)
def test_the_error_is_that_of_the_definition_and_falls(family: str) -> None:
    key, value = sample()
    start = (*FAMILY_STARTS[family], 0.7)
    states = learn_shape(key, value, family=family, start=start)
    assert states[0, :3].tolist() == pytest.approx(start)
    assert float(states[0, 3]) == pytest.approx(left_out_error(key, value, family, *start), rel=1e-5)
    assert states[-1, 3] < states[0, 3]
    assert (states[:, :2] >= LOW - 1e-9).all()
    assert (states[:, :2] <= HIGH + 1e-9).all()
    assert (states[:, 2] > 0).all()


@pytest.mark.parametrize("family", FAMILIES)
def test_the_first_step_goes_down_the_slope_of_all_three(family: str) -> None:
    key, value = sample()
    start = (*FAMILY_STARTS[family], 0.7)
    first = learn_shape(key, value, family=family, start=start, steps=1)
    moved = torch.sign(first[1, :3] - first[0, :3]).tolist()
    for position in range(3):
        high, low = (
            left_out_error(key, value, family, *(s * (1 + sign * 0.01 * (i == position)) for i, s in enumerate(start)))
            for sign in (1, -1)
        )
        assert moved[position] == -np.sign(high - low)


def test_of_many_points_some_are_asked_and_all_are_keys() -> None:
    key, value = sample(MOST_ASKED + 80)
    moved = value.clone()
    moved[1] += 5  # between two that are asked
    one, other = (learn_shape(key, y, family="fades", start=(2.0, 0.5, 0.5), steps=1)[0, 3] for y in (value, moved))
    assert one != other


@pytest.mark.parametrize("width", [0.05, 0.5, 5.0])
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(("p", "q"), [(LOW, LOW), (HIGH, HIGH), (LOW, HIGH), (HIGH, LOW)])
def test_no_start_ends_in_nothing(family: str, p: float, q: float, width: float) -> None:
    record = shape_learning(Params(data=Data(n=20), kernel=name_of_own(family, p, q), width=width))
    for step in (0, record.steps):
        name, found = learned_kernel(record, step)
        assert kernel_of(name)
        assert found > 0


def test_own_points_learn_in_their_own_units() -> None:
    key, value = sample()
    narrow, wide = (
        shape_learning(Params(data=Data(source="own", own=own), kernel=name_of_own("fades", 2, 0.5), width=width))
        for own, width in (
            (tuple(zip((key - key[0]).tolist(), value.tolist(), strict=True)), 0.5),
            (tuple(zip((1000 * (key - key[0])).tolist(), (10 * value).tolist(), strict=True)), 500.0),
        )
    )
    np.testing.assert_allclose(wide.p, narrow.p, rtol=1e-6)
    np.testing.assert_allclose(wide.widths, 1000 * narrow.widths, rtol=1e-6)
    np.testing.assert_allclose(wide.loss, 100 * narrow.loss, rtol=1e-6)


def test_equal_x_learn_nothing_bad() -> None:
    found, _ = parse_points("x,y\n1,1\n1,2\n1,3\n2,5\n2,4\n")
    own = tuple(zip(found.x.tolist(), found.y.tolist(), strict=True))
    assert shape_learning(Params(data=Data(source="own", own=own), kernel=name_of_own("ends", 1, 1), width=0.1)).steps
