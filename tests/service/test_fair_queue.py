"""Owners take turns, whatever they wait for."""

from explorer.service.fair_queue import round_robin


def owner(name: str) -> str:
    return name[0]


def test_the_second_of_an_owner_stands_behind_the_first_of_every_other() -> None:
    assert round_robin(["a1", "a2", "a3", "b1", "c1", "b2"], owner) == ["a1", "b1", "c1", "a2", "b2", "a3"]


def test_who_is_served_has_had_a_turn() -> None:
    assert round_robin(["a1", "b1", "b2"], owner, ["a", "a"]) == ["b1", "b2", "a1"]


def test_who_waits_for_little_can_come_before_who_waits_for_much() -> None:
    waiting = ["a1", "a2", "b1"]
    assert round_robin(waiting, owner) == ["a1", "b1", "a2"]
    assert round_robin(waiting, owner, small_first=True) == ["b1", "a1", "a2"]


def test_some_come_before_all_turns_in_their_order() -> None:
    assert round_robin(["a1", "b1", "a2!", "a3!"], owner, ["a"], ahead=lambda each: "!" in each) == [
        "a2!",
        "a3!",
        "b1",
        "a1",
    ]
