"""What the browser tells of a live picture: values within their bounds are taken, anything else changes nothing."""

import math
from typing import Any

import pytest
import streamlit as st

from explorer.ui.live.told import Action, Bounds, Index, Link, ListOf, Number, OneOf, Permutation, take

#: What is neither a number nor a mapping.
NONSENSE: tuple[Any, ...] = (None, "1", [], [1], {}, {"a": 1}, True, math.nan, math.inf, -math.inf)


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    state: dict[str, Any] = {}
    monkeypatch.setattr(st, "session_state", state)
    return state


@pytest.mark.parametrize("bounds", [Number(0, 5), Index(3), OneOf("abc")])
@pytest.mark.parametrize("said", NONSENSE)
def test_nonsense_is_no_value(bounds: Bounds, said: Any) -> None:
    assert bounds.read(said) is None


def test_a_number_is_kept_within_its_ends_without_the_rounding_of_steps() -> None:
    assert [Number(0, 5).read(each) for each in (-1, 2, 9.5)] == [0, 2, 5]
    assert Number().read(0.1 + 0.2) == 0.3
    assert [Number(-4, 4, 0.05).read(each) for each in (-1.52, 9)] == [-1.5, 4]


def test_a_place_is_one_that_there_is() -> None:
    assert [Index(3).read(each) for each in (-1, 0, 2.0, 2.5, 3)] == [None, 0, 2, None, None]
    assert [OneOf("abc").read(each) for each in (0, 2, 3)] == ["a", "c", None]


def test_a_list_is_taken_whole_or_not_at_all() -> None:
    points = ListOf(ListOf(Number(-1, 1), 2, 2), 1, 2)
    assert points.read([[0, 3]]) == [[0, 1]]
    for said in (*NONSENSE, [[0, 0]] * 3, [[0]], [[0, math.nan]], [[0, "1"]], [[0, 1], None]):
        assert points.read(said) is None
    assert ListOf(Index(2), 0, 2).read([]) == []


def test_an_order_has_each_number_once() -> None:
    assert Permutation(3).read([2, 0.0, 1]) == [2, 0, 1]
    for said in (*NONSENSE, [0, 1], [0, 1, 1], [0, 1, 3], [0, 1, 2, 2]):
        assert Permutation(3).read(said) is None


def test_what_was_declared_is_put_and_nothing_else(session: dict[str, Any]) -> None:
    tells = {"query": Link("q", Number(0, 5)), "row": Link("r", OneOf(("first", "second")))}
    take({"query": 7, "row": 1, "other": 3, "q": 3}, tells)
    assert {key: session.get(key) for key in ("q", "r", "other", "query")} == {
        "q": 5,
        "r": "second",
        "other": None,
        "query": None,
    }
    for changed in (*NONSENSE, {"query": "3"}, {"query": None, "row": 2}):
        take(changed, tells)
    assert (session["q"], session["r"]) == (5, "second")


def test_a_function_gets_all_parts_or_is_not_called() -> None:
    found: list[dict[str, Any]] = []
    tells = {"point": Action(lambda **parts: found.append(parts), number=Index(2), x=Number(-1, 1))}
    for said in (*NONSENSE, {"number": 1}, {"number": 2, "x": 0}, {"number": 1, "x": math.nan}):
        take({"point": said}, tells)
    assert not found
    take({"point": {"number": 0, "x": 3, "y": 4}}, tells)
    assert found == [{"number": 0, "x": 1}]
