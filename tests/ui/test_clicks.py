"""What a browser says was clicked is a place, or nothing."""

import math
from typing import Any

import pytest

from explorer.ui import clicks


def test_a_place_is_read() -> None:
    assert clicks.read({"x": 3, "y": 1.5, "axis": 2, "else": "x"}) == {"x": 3.0, "y": 1.5, "axis": 2.0}
    assert clicks.read({"x": 10**30, "y": -1e300, "axis": 1}) == {"x": 1e9, "y": -1e9, "axis": 1.0}


@pytest.mark.parametrize(
    "told", [None, [], "x", {}, {"x": 1, "y": 2}, {"x": "1", "y": 2, "axis": 1}, {"x": math.nan, "y": 2, "axis": 1}]
)
def test_what_is_no_place_is_none(told: Any) -> None:
    assert clicks.read(told) is None
