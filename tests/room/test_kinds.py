"""Experiments of a class: what is an answer, what all say together, and that nobody learns it before the reveal."""

import csv
import json
from typing import Any

import pytest

from explorer.room import kinds
from explorer.room.question import question
from tests.room.conftest import Served
from tests.room.test_sockets import Open, answer, handed_out, student, teacher

NUMBER = {"kind": "number", "low": 0.5, "high": 4.0}
WORDS = {"kind": "words", "rows": ["Ma", "sœur"], "columns": ["My", "sister", "wants"]}
MASK = {**WORDS, "kind": "mask"}
NAME = {"en": "model 0.4711", "zh": "模型 0.4711"}
WIDTH = {"value": 0.29, "x": [0.1, 0.29, 1.0], "y": [0.9, 0.4711, None], "says": NAME}
MAPS = {"maps": [{"name": NAME, "weights": [[0.7, 0.3, 0], [0.4711, 0.5289, 0]]}]}
GIVEN = {"rows": WORDS["rows"], "columns": WORDS["columns"]}
NOBODY: list[Any] = [
    None,
    True,
    "1",
    {},
    [],
    [[0], [1], [2]],
    [[0], [3]],
    [[0], [-1]],
    [[0], [True]],
    [[0], [0.0]],
    [[0], 1],
]


@pytest.mark.parametrize("value", [None, "2", True, [2], {}, float("nan"), float("inf"), 10**400, -(10**400)])
def test_what_is_no_number_is_no_answer(value: object) -> None:
    with pytest.raises(kinds.NoAnswer):
        kinds.check_answer(NUMBER, value)


@pytest.mark.parametrize(("value", "kept"), [(2, 2.0), (-7, 0.5), (1e9, 4.0), (0.123456789 + 1, 1.123)])
def test_a_number_is_kept_within_its_bounds(value: float, kept: float) -> None:
    assert json.loads(kinds.check_answer(NUMBER, value)) == kept


@pytest.mark.parametrize("value", [*NOBODY, [[], []], [[0, 1, 2, 0], [1]]])
def test_what_is_no_look_at_words_is_no_answer(value: object) -> None:
    with pytest.raises(kinds.NoAnswer):
        kinds.check_answer(WORDS, value)


@pytest.mark.parametrize("value", [*NOBODY, [[0, 1, 2, 0], [1]]])
def test_what_is_no_mask_is_no_answer_but_an_empty_one_is(value: object) -> None:
    assert kinds.check_answer(MASK, [[], []]) == "[[], []]"
    with pytest.raises(kinds.NoAnswer):
        kinds.check_answer(MASK, value)


def test_who_looks_at_two_words_gives_each_a_half_and_who_skips_a_word_is_not_counted_there() -> None:
    votes = [kinds.check_answer(WORDS, each) for each in ([[1, 0, 1], []], [[0], [1]], [[0], [2]])]
    found = kinds.tally(WORDS, votes)
    assert found["n"] == [3, 2]
    assert found["weights"] == [[round(2.5 / 3, 4), round(0.5 / 3, 4), 0], [0, 0.5, 0.5]]
    assert kinds.tally(WORDS, []) == {"weights": [[0, 0, 0]] * 2, "n": [0, 0]}


def test_a_mask_is_the_share_that_may_see_each_cell() -> None:
    votes = [kinds.check_answer(MASK, each) for each in ([[0], [0, 1]], [[], [0, 1, 2]])]
    assert kinds.tally(MASK, votes) == {"weights": [[0.5, 0, 0], [1, 1, 0.5]], "n": [2, 2]}


def test_numbers_stand_in_their_order() -> None:
    assert kinds.tally(NUMBER, [kinds.check_answer(NUMBER, each) for each in (3, 1, 2.5)]) == {"values": [1, 2.5, 3]}


@pytest.mark.parametrize(
    ("asked", "right"),
    [
        (NUMBER, None),
        (NUMBER, {**WIDTH, "value": None}),
        (NUMBER, {**WIDTH, "y": [1, 2]}),
        (NUMBER, {**WIDTH, "x": [1, 2, None]}),
        (NUMBER, {**WIDTH, "x": [0] * 201, "y": [0] * 201}),
        (WORDS, {"maps": []}),
        (WORDS, {"maps": MAPS["maps"] * 5}),
        (WORDS, {"maps": [{"name": NAME, "weights": [[0.7, 0.3]] * 2}]}),
        (WORDS, {"maps": [{"name": NAME, "weights": [[0.7, 0.3, 1.1]] * 2}]}),
        (WORDS, {"maps": [{"name": "x", "weights": [[0.7, 0.3, 0]] * 2}]}),
    ],
)
def test_what_is_right_has_the_form_of_the_question(asked: dict[str, Any], right: object) -> None:
    assert kinds.check_right(NUMBER, WIDTH)["value"] == 0.5  # within the bounds of the slider
    assert kinds.check_right(WORDS, MAPS) == MAPS
    with pytest.raises(kinds.NoAnswer):
        kinds.check_right(asked, right)


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        (WORDS, None),
        (WORDS, {**GIVEN, "rows": []}),
        (WORDS, {**GIVEN, "rows": ["x"] * 15}),
        (WORDS, {**GIVEN, "columns": ["x" * 41]}),
        (WORDS, {**GIVEN, "columns": ["\u202e"]}),
        (NUMBER, {"points": [[1, 2], [1]]}),
        (NUMBER, {"points": [[1, 2], [1, "<b>"]]}),
        (NUMBER, {"points": [[0] * 81] * 2}),
    ],
)
def test_what_a_scene_gives_phones_is_bounded(asked: dict[str, Any], given: object) -> None:
    assert kinds.check_given(WORDS, GIVEN) == GIVEN
    assert kinds.check_given(NUMBER, {"points": [[1, 2], [3, 4]]}) == {"points": [[1, 2], [3, 4]]}
    with pytest.raises(kinds.NoAnswer):
        kinds.check_given(asked, given)


def test_an_experiment_is_asked_in_every_language_and_a_scene_without_one_has_none() -> None:
    found = question("kernel_regression/one_query", tries=True)
    assert (found["kind"], found["low"], found["high"], found["log"]) == ("number", 0.05, 5.0, True)
    assert found["label"]["en"] != found["label"]["zh"]
    with pytest.raises(ValueError, match="asks nothing"):
        question("kernel_regression/every_query", tries=True)


@pytest.mark.parametrize(
    ("scene", "given", "right", "votes", "refused", "counted", "drawn", "row"),
    [
        (
            "kernel_regression/one_query",
            {"points": [[0, 1], [1, 2]]},
            WIDTH,
            (0.5, 0.2),
            "0.2",
            {"values": [0.2, 0.5]},
            1,
            ["0.29", "1", "0", ""],
        ),
        (
            "translator/align",
            GIVEN,
            {"maps": MAPS["maps"] * 2},
            ([[0], [1]], [[0, 1], [2]]),
            [[0]],
            {"weights": [[0.75, 0.25, 0], [0, 0.5, 0.5]], "n": [2, 2]},
            2,
            ["Ma → My", "0.70", "0.75", ""],
        ),
    ],
    ids=["number", "words"],
)
def test_what_a_class_tries_is_known_to_all_at_the_reveal_and_to_nobody_before(
    talk: Open,
    rooms: Served,
    scene: str,
    given: object,
    right: dict[str, Any],
    votes: tuple[object, object],
    refused: object,
    counted: object,
    drawn: int,
    row: list[str],
) -> None:
    wall, remote = teacher(talk, rooms, wall=True), teacher(talk, rooms)
    phones = [student(talk)[0] for _ in votes]
    order = {"do": "ask", "scene": scene, "tries": True, "given": given, "right": right, "why": NAME}
    wall.say(**{**order, "right": "flat"})
    wall.hear("refused")
    wall.say(**order)
    name = wall.hear("state", phase="open")["asking"]["id"]
    for phone, value in zip(phones, votes, strict=True):
        phone.hear("state", phase="open")
        answer(phone, name, value)
        phone.say(do="answer", q=name, round=1, value=refused)
        phone.hear("refused")
    assert remote.hear("count", n=2)["counts"] == counted  # the teacher's alone
    wall.hear("count", n=2)
    wall.say(do="close")
    wall.hear("state", phase="closed")
    wall.say(do="again")
    wall.hear("refused")
    for phone in phones:
        phone.hear("state", phase="closed")
    for text in (text for each in (*phones, wall) for text in each.heard):
        assert "0.4711" not in text
        assert not {"right", "why", "counts", "moved"} & set(json.loads(text).get("asking") or {})
        assert "counts" not in json.loads(text)
    assert "tried-0" not in handed_out(rooms, "html")[1]
    wall.say(do="reveal", id=name)
    for each in (*phones, wall, remote):
        found = each.hear("state", phase="revealed")["asking"]
        assert (found["counts"], found["right"]) == ({"1": counted}, right)
    page = handed_out(rooms, "html")[1]
    assert page.count('<div class="tried tried-0">') == drawn
    assert "room/pictures.js" in page
    table = list(csv.reader(handed_out(rooms, "csv")[1].splitlines()))
    assert row in [each[2:] for each in table]
