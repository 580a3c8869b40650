"""The rules of a room: what may follow what, what is counted, and what nobody knows before the reveal."""

import json
import random

import pytest

from explorer.room import kinds, rules
from explorer.room.question import question

ANSWERS = {"a": {"en": "A"}, "b": {"en": "B"}}
QUESTION = {"id": "lesson.scene.1", "kind": "choice", "text": {"en": "Which?"}, "answers": ANSWERS}
WHY = {"en": "computed: 0.123"}


def asked() -> rules.Doc:
    return rules.ask(rules.fresh("e", 0.0), QUESTION, "b", WHY)


def test_two_rounds_are_counted_each_by_itself() -> None:
    doc = rules.count(rules.close(asked()), ["a", "a", "b"])
    doc = rules.count(rules.close(rules.again(doc)), ["b", "b", "b", "a"])
    doc = rules.reveal(doc, rules.compare({"1": "a", "2": "a", "3": "b"}, {"1": "b", "2": "a", "4": "b"}))
    assert doc["asking"]["counts"] == {"1": {"a": 2, "b": 1}, "2": {"a": 1, "b": 3}}
    assert doc["asking"]["moved"] == {"a>b": 1, "a>a": 1}
    assert rules.public(doc)["asking"]["right"] == "b"


def test_the_gate_is_open_for_one_round_at_a_time() -> None:
    doc = asked()
    assert rules.gate(doc) == "lesson.scene.1/1"
    assert rules.gate(rules.close(doc)) == ""
    assert rules.gate(rules.again(rules.close(doc))) == "lesson.scene.1/2"
    assert rules.gate(rules.put_away(doc)) == rules.gate(rules.fresh("e", 0.0)) == ""


@pytest.mark.parametrize(
    "order",
    [
        lambda: rules.close(rules.fresh("e", 0.0)),
        lambda: rules.again(asked()),
        lambda: rules.reveal(asked(), {}),
        lambda: rules.close(rules.close(asked())),
        lambda: rules.again(rules.close(rules.again(rules.close(asked())))),
    ],
    ids=["close nothing", "again while open", "reveal while open", "close twice", "a third round"],
)
def test_an_order_that_does_not_fit_changes_nothing(order: object) -> None:
    with pytest.raises(rules.NotNow):
        order()  # type: ignore[operator]


def shown() -> rules.Doc:
    return rules.show(rules.fresh("e", 0.0), "/x", {"en": "X"}, {"en": "X?"})


def test_phones_see_the_last_picture_of_what_the_wall_shows_now() -> None:
    doc = rules.hang(shown(), "a", "said", ("", "/x"))
    assert rules.public(doc)["picture"] == {"name": "a", "said": "said"}
    moved = rules.show(doc, "/x?more=1", {"en": "X"}, {"en": "X?"})
    assert moved["picture"]  # until the next one
    assert rules.hang(moved, "b", "", ("", "/x?more=1"))["picture"]["name"] == "b"
    assert rules.show(doc, "/y", {"en": "Y"}, {"en": "Y?"})["picture"] is None
    assert rules.ask(doc, QUESTION, "b", WHY)["picture"] is None
    assert rules.end(doc)["picture"] is None
    for of in (("", "/y"), ("lesson.scene.1", "/x")):
        with pytest.raises(rules.NotNow):
            rules.hang(doc, "a", "", of)
    with pytest.raises(rules.NotNow):
        rules.hang(rules.end(shown()), "a", "", ("", "/x"))


def test_a_picture_made_before_a_question_or_while_a_class_tries_is_not_seen() -> None:
    asked, id_ = rules.ask(shown(), QUESTION, "b", WHY), QUESTION["id"]
    with pytest.raises(rules.NotNow):
        rules.hang(asked, "a", "", ("", "/x"))
    assert rules.hang(asked, "a", "", (str(id_), "/x"))["picture"]
    tried = {**asked, "asking": {**asked["asking"], "kind": "number"}}
    for doc in (tried, rules.close(tried)):
        with pytest.raises(rules.NotNow):
            rules.hang(doc, "a", "", (str(id_), "/x"))
    revealed = {**tried, "asking": {**tried["asking"], "phase": "revealed"}}
    assert rules.hang(revealed, "a", "", (str(id_), "/x"))["picture"]


@pytest.mark.parametrize("value", [None, 1, "c", "", ["a"], {"a": 1}, True])
def test_what_is_no_answer_is_refused(value: object) -> None:
    with pytest.raises(kinds.NoAnswer):
        kinds.check_answer(QUESTION, value)


def test_what_is_right_is_one_of_the_answers() -> None:
    with pytest.raises(kinds.NoAnswer):
        rules.ask(rules.fresh("e", 0.0), QUESTION, "c", WHY)


def test_whatever_is_ordered_nobody_knows_the_answer_or_a_count_before_the_reveal() -> None:
    chance = random.Random(0)
    orders = [
        rules.close,
        rules.again,
        lambda doc: rules.count(doc, chance.choices("ab", k=3)),
        lambda doc: rules.reveal(doc, {"a>b": 1}),
        rules.put_away,
        lambda doc: rules.ask(doc, QUESTION, "b", WHY),
        lambda doc: rules.show(doc, "/x", {"en": "X"}, {"en": "X?"}, asks=True),
        lambda doc: rules.hang(doc, "n", "said", ("lesson.scene.1", "/x")),
        lambda doc: rules.lock(doc, True),
        lambda doc: rules.raise_question(doc, "q", "Why?"),
        lambda doc: rules.show_raised(doc, "q"),
        lambda doc: rules.drop_raised(doc, "q"),
    ]
    revealed = hidden = 0
    doc = asked()
    for _ in range(6000):
        try:
            doc = chance.choice(orders)(doc)
        except rules.NotNow:
            continue
        told = rules.public(doc)
        if told["asking"] and told["asking"]["phase"] == "revealed":
            revealed += 1
            assert told["asking"]["right"] == "b"
        else:
            hidden += 1
            text = json.dumps(told)
            assert not any(f'"{name}"' in text for name in ("right", "why", "counts", "moved"))
            assert "0.123" not in text
    assert min(revealed, hidden) > 100


def test_a_question_of_the_class_is_the_teachers_alone_until_it_is_shown() -> None:
    doc = rules.raise_question(rules.fresh("e", 0.0), "1", "Why\x00 \u202eis\nit?  ")
    doc = rules.raise_question(doc, "2", "And <b>this</b>?")
    assert "Why" not in json.dumps(rules.public(doc))
    assert [each["text"] for each in rules.for_teacher(doc)["raised"]] == ["Why is it?", "And <b>this</b>?"]
    shown = rules.show_raised(doc, "1")
    assert rules.public(shown)["raised"] == "Why is it?"
    assert rules.public(rules.show_raised(shown, ""))["raised"] == ""
    assert rules.public(rules.drop_raised(shown, "1"))["raised"] == ""
    assert rules.public(rules.drop_raised(shown, "2"))["raised"] == "Why is it?"
    assert "Why" not in json.dumps(rules.end(shown))


@pytest.mark.parametrize(
    "text", ["", " \n\t", "\x00\u202e", "x" * (rules.MOST_LETTERS + 1), None, 5, ["x"], {"a": "b"}]
)
def test_what_is_no_question_is_not_raised(text: object) -> None:
    with pytest.raises(rules.NotNow):
        rules.raise_question(rules.fresh("e", 0.0), "1", text)


def test_only_the_newest_questions_are_kept() -> None:
    doc = rules.fresh("e", 0.0)
    for number in range(rules.MOST_RAISED + 3):
        doc = rules.raise_question(doc, str(number), f"{number}?")
    assert [each["id"] for each in doc["raised"]] == [str(number) for number in range(3, rules.MOST_RAISED + 3)]
    with pytest.raises(rules.NotNow):
        rules.show_raised(doc, "0")


def test_a_question_is_asked_in_every_language_without_its_answer() -> None:
    found = question("kernel_regression/one_query")
    assert set(found) == {"id", "kind", "text", "answers"}
    assert set(found["answers"]) == {"jagged", "slope", "flat"}
    for said in (found["text"], *found["answers"].values()):
        assert set(said) == {"en", "zh"}
        assert said["en"] != said["zh"]


@pytest.mark.parametrize("name", ["nowhere/one_query", "kernel_regression/nowhere", "", "/", "kernel_regression"])
def test_what_is_no_scene_is_refused(name: str) -> None:
    with pytest.raises(KeyError):
        question(name)
