"""What the browser tells the player is a number or nothing."""

import pytest

from explorer.ui import player


@pytest.mark.parametrize(
    ("told", "step"),
    [({"to": 3}, 3), ({"to": 2.9}, 2), ({"to": -1}, -1), ({"to": 1e300}, 10**9)],
)
def test_a_step_is_read(told: object, step: int) -> None:
    assert player.read(told) == step


@pytest.mark.parametrize(
    "told", [None, 3, "3", [], {}, {"to": None}, {"to": "3"}, {"to": True}, {"to": float("nan")}, {"to": [1]}]
)
def test_anything_else_is_no_step(told: object) -> None:
    assert player.read(told) is None
