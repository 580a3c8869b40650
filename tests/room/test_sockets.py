"""What a socket may say in a room and what it hears: students, the wall, the teacher's remote control."""

import csv
import http.client
import json
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from explorer.room import hub, keep, report, routes, rules
from tests.room.conftest import BASE, Served, Talk
from tests.room.test_rules import QUESTION

Open = Callable[..., Talk]
SCENE = "kernel_regression/one_query"
WHY = {"en": "why: 0.4711", "zh": "原因：0.4711"}
ASK = {"do": "ask", "scene": SCENE, "right": "flat", "why": WHY}


def teacher(talk: Open, rooms: Served, *, wall: bool = False) -> Talk:
    found = talk()
    found.say(do="join", secret=rooms.secret, wall=wall)
    found.hear("state")
    return found


def student(talk: Open, seat: str | None = None, room: str | None = None) -> tuple[Talk, str]:
    found = talk()
    found.say(do="join", seat=seat, room=room)
    told = found.hear("seat")["seat"]
    found.hear("state")
    return found, told


def asked(wall: Talk, *phones: Talk) -> str:
    wall.say(**ASK)
    name = str(wall.hear("state", phase="open")["asking"]["id"])
    for phone in phones:
        phone.hear("state", phase="open")
    return name


def answer(phone: Talk, name: str, value: object, number: int = 1) -> dict[str, Any]:
    phone.say(do="answer", q=name, round=number, value=value)
    return phone.hear("kept", q=name, round=number)


def test_two_rounds_are_counted_right_and_shown_to_all_at_the_reveal(talk: Open, rooms: Served) -> None:
    wall, remote = teacher(talk, rooms, wall=True), teacher(talk, rooms)
    phones = [student(talk)[0] for _ in range(3)]
    name = asked(wall, *phones)
    for phone, value in zip(phones, ("flat", "slope", "slope"), strict=True):
        answer(phone, name, value)
    answer(phones[2], name, "jagged")  # a change of mind: the last one counts
    wall.hear("count", n=3, here=3)
    wall.say(do="close")
    closed = remote.hear("state", phase="closed", counts={"1": {"jagged": 1, "slope": 1, "flat": 1}})
    assert closed["asking"]["right"] == "flat"  # the teacher's alone
    remote.say(do="again")
    for phone in phones:
        phone.hear("state", phase="open", round=2)
        answer(phone, name, "flat", 2)
    wall.hear("count", n=3)
    remote.say(do="close")
    wall.hear("state", phase="closed")
    wall.say(do="reveal", id=name)
    for each in (*phones, wall, remote):
        found = each.hear("state", phase="revealed")["asking"]
        assert found["counts"] == {
            "1": {"jagged": 1, "slope": 1, "flat": 1},
            "2": {"jagged": 0, "slope": 0, "flat": 3},
        }
        assert (found["right"], found["why"]) == ("flat", WHY)
        assert found["moved"] == {"flat>flat": 1, "slope>flat": 1, "jagged>flat": 1}


def test_before_the_reveal_no_message_to_a_student_or_the_wall_has_the_answer_or_a_count(
    talk: Open, rooms: Served
) -> None:
    wall, remote = teacher(talk, rooms, wall=True), teacher(talk, rooms)
    (one, _), (other, _) = student(talk), student(talk)
    name = asked(wall, one, other)
    answer(one, name, "slope")
    answer(other, name, "flat")
    assert remote.hear("count", n=2)["counts"] == {"jagged": 0, "slope": 1, "flat": 1}  # the teacher's alone
    wall.hear("count", n=2)
    wall.say(do="close")
    late, _ = student(talk)
    for each in (one, other, wall):
        each.hear("state", phase="closed")
    heard = [text for each in (one, other, late, wall) for text in each.heard]
    assert len(heard) > 8
    for text in heard:
        assert "0.4711" not in text
        assert not {"right", "why", "counts", "moved"} & set(json.loads(text).get("asking") or {})
        assert "counts" not in json.loads(text)


@pytest.mark.parametrize(
    "order",
    [
        {"do": "close"},
        {"do": "reveal", "id": "x"},
        {"do": "again"},
        {"do": "end"},
        {"do": "done"},
        {"do": "lock", "on": True},
        {"do": "wall", "what": "next"},
        {"do": "show", "link": "/x", "title": {"en": "x"}, "question": {}, "asks": True},
        ASK,
        {"do": "join", "secret": "x"},
        {"do": "show_raised", "id": ""},
        {"do": "drop_raised", "id": ""},
    ],
    ids=lambda order: order["do"],
)
def test_a_students_socket_cannot_give_a_teachers_order(talk: Open, rooms: Served, order: dict[str, Any]) -> None:
    wall = teacher(talk, rooms, wall=True)
    phone, _ = student(talk)
    name = asked(wall, phone)
    phone.say(**order)
    phone.hear("refused")
    answer(phone, name, "flat")  # still open
    wall.hear("count", n=1)
    assert not any('"do"' in text for text in wall.heard)


@pytest.mark.parametrize("secret", ["", "x", "0" * 22, 5, ["a"], "é", True])
def test_a_wrong_secret_makes_no_teacher(talk: Open, secret: object) -> None:
    found = talk()
    found.say(do="join", secret=secret)
    assert found.closed() == hub.WRONG
    assert not any('"state"' in text for text in found.heard)


def test_who_leaves_and_comes_back_has_the_same_seat_and_one_vote(talk: Open, rooms: Served) -> None:
    wall = teacher(talk, rooms, wall=True)
    phone, seat = student(talk)
    name = asked(wall, phone)
    answer(phone, name, "slope")
    wall.hear("count", n=1, here=1)
    phone.socket.close()
    wall.hear("count", n=1, here=0)
    again, same = student(talk, seat)
    assert same == seat
    answer(again, name, "flat")
    wall.hear("count", n=1, here=1)
    wall.say(do="close")
    wall.say(do="reveal", id=name)
    assert wall.hear("state", phase="revealed")["asking"]["counts"] == {"1": {"jagged": 0, "slope": 0, "flat": 1}}


def test_a_vote_of_a_round_that_is_over_is_late(talk: Open, rooms: Served) -> None:
    wall = teacher(talk, rooms, wall=True)
    phone, _ = student(talk)
    name = asked(wall, phone)
    wall.say(do="close")
    phone.hear("state", phase="closed")
    phone.say(do="answer", q=name, round=1, value="flat")
    assert phone.hear("late")["q"] == name
    phone.say(do="answer", q="lesson.other", round=1, value="flat")
    phone.hear("late")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "5",
        "null",
        '{"do":5}',
        "{}",
        '{"do":"answer"}',
        '{"do":"answer","q":null,"round":1,"value":1}',
        "[" * 1500,
        '{"do":"answer","q":["x"],"round":{},"value":[]}',
    ],
)
@pytest.mark.parametrize("teaches", [False, True])
def test_a_malformed_message_is_answered_and_harms_nobody(talk: Open, rooms: Served, text: str, teaches: bool) -> None:
    found = teacher(talk, rooms) if teaches else student(talk)[0]
    found.socket.send(text)
    answered = json.loads(str(found.socket.recv(timeout=5)))
    while answered["is"] in ("count", "state"):
        answered = json.loads(str(found.socket.recv(timeout=5)))
    assert answered["is"] in ("refused", "late")
    found.say(do="ping")
    found.hear("pong")


@pytest.mark.parametrize("value", [None, 3, "nowhere", ["flat"], {"flat": 1}])
def test_what_is_no_answer_is_not_counted(talk: Open, rooms: Served, value: object) -> None:
    wall = teacher(talk, rooms, wall=True)
    phone, _ = student(talk)
    name = asked(wall, phone)
    phone.say(do="answer", q=name, round=1, value=value)
    phone.hear("refused")
    wall.say(do="close")
    wall.say(do="reveal", id=name)
    assert set(wall.hear("state", phase="revealed")["asking"]["counts"]["1"].values()) == {0}


@pytest.mark.parametrize("first", ["", "x", '{"do":"answer"}', "[]", b"\x00\x01", '{"do":"join"' + " " * 3000 + "}"])
def test_who_does_not_say_first_who_it_is_is_sent_away(talk: Open, first: str | bytes) -> None:
    found = talk()
    found.socket.send(first)
    assert found.closed() == hub.GONE


@pytest.mark.parametrize("sent", [" " * (hub.MOST_TOLD + 1), b"\x00"])
def test_a_message_that_is_too_long_or_no_text_ends_the_socket(talk: Open, sent: str | bytes) -> None:
    phone, _ = student(talk)
    phone.socket.send(sent)
    assert phone.closed() == hub.LONG


def test_who_talks_too_fast_is_told_to_go_slower(talk: Open) -> None:
    phone, _ = student(talk)
    for _ in range(hub.BURST + 3):
        phone.say(do="ping")
    phone.hear("slow")


def test_a_seat_has_few_tabs_and_a_room_few_seats(talk: Open, rooms: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    phones = [student(talk)]
    phones += [student(talk, phones[0][1]) for _ in range(hub.MOST_TABS - 1)]
    more = talk()
    more.say(do="join", seat=phones[0][1])
    assert more.closed() == hub.TABS
    monkeypatch.setattr(keep, "MOST_SEATS", 2)
    student(talk)
    full = talk()
    full.say(do="join", seat=None)
    assert full.closed() == hub.FULL


def test_a_locked_room_keeps_who_has_a_seat_and_lets_no_new_phone_in(talk: Open, rooms: Served) -> None:
    remote = teacher(talk, rooms)
    phone, seat = student(talk)
    remote.say(do="lock", on=True)
    remote.hear("state", locked=True)
    phone.socket.close()
    student(talk, seat)
    new = talk()
    new.say(do="join", seat=None)
    assert new.closed() == hub.FULL


def test_what_only_the_wall_can_do_the_remote_control_asks_it_for(talk: Open, rooms: Served) -> None:
    remote = teacher(talk, rooms)
    remote.say(do="wall", what="next")
    remote.hear("nowall")
    wall, (phone, _) = teacher(talk, rooms, wall=True), student(talk)
    for what in hub.ON_WALL:
        remote.say(do="wall", what=what)
        assert wall.hear("do")["what"] == what
    remote.say(do="wall", what="anything")
    remote.hear("refused")
    phone.say(do="ping")
    phone.hear("pong")
    assert not any('"do"' in text for text in phone.heard)


def test_the_teacher_alone_is_told_how_many_are_lost_until_something_else_is_shown(talk: Open, rooms: Served) -> None:
    wall, remote = teacher(talk, rooms, wall=True), teacher(talk, rooms)
    (one, _), (other, _) = student(talk), student(talk)
    shown = {"link": "/x", "title": {"en": "X"}, "question": {"en": "X?"}, "asks": True, "tries": False}

    def show(**changed: Any) -> None:
        wall.say(do="show", **shown | changed)
        wall.hear("state", shown=shown | changed)

    show()
    one.say(do="lost", on=True)
    one.say(do="lost", on=True)
    other.say(do="lost", on=True)
    remote.hear("count", lost=2)
    show(link="/x?more=1")  # the same picture, moved
    other.say(do="lost", on=False)
    remote.hear("count", lost=1)
    show(title={"en": "Y"})
    remote.hear("count", lost=0)
    other.say(do="lost", on=True)
    remote.hear("count", lost=1)
    other.socket.close()
    remote.hear("count", lost=0, here=1)
    assert not any('"lost"' in text for each in (wall, one, other) for text in each.heard)


def test_a_question_of_the_class_reaches_the_wall_only_when_the_teacher_shows_it(talk: Open, rooms: Served) -> None:
    wall, remote, (phone, seat) = teacher(talk, rooms, wall=True), teacher(talk, rooms), student(talk)
    phone.say(do="raise", text="=1+1 <b>why</b>?")
    phone.hear("raised")
    while not (raised := remote.hear("state")["raised"]):
        pass
    assert [each["text"] for each in raised] == ["=1+1 <b>why</b>?"]
    again, _ = student(talk, seat)
    again.say(do="raise", text="And?")  # another tab of the same seat
    again.hear("soon")
    again.say(do="raise", text=" ")
    assert not any("why" in text for each in (wall, phone) for text in each.heard)
    remote.say(do="show_raised", id="nothing")
    remote.hear("refused")
    remote.say(do="show_raised", id=raised[0]["id"])
    wall.hear("state", raised="=1+1 <b>why</b>?")
    wall.say(do="show_raised", id="")
    wall.hear("state", raised="")
    remote.say(do="drop_raised", id=raised[0]["id"])
    remote.hear("state", raised=[])


def test_a_lesson_is_handed_out_to_its_teacher_alone_without_anything_about_anybody(talk: Open, rooms: Served) -> None:
    wall, (phone, seat) = teacher(talk, rooms, wall=True), student(talk)
    assert "No vote was revealed" in handed_out(rooms, "html")[1]
    wall.say(do="show", link="/kernel_regression?scene=one_query", title={"en": "<i>=One</i>"}, question={}, asks=True)
    name = asked(wall, phone)
    answer(phone, name, "slope")
    phone.say(do="raise", text="who am I?")
    wall.say(do="close")
    assert "slope" not in handed_out(rooms, "csv")[1]
    wall.say(do="again")
    phone.hear("state", round=2)
    answer(phone, name, "flat", 2)
    wall.say(do="close")
    wall.say(do="reveal", id=name)
    wall.hear("state", phase="revealed")
    status, table = handed_out(rooms, "csv")
    rows = list(csv.reader(table.removeprefix("\ufeff").splitlines()))
    assert status == 200
    assert [row[3:] for row in rows] == [
        ["Right", "first vote", "second vote"],
        ["0", "0", "0"],
        ["0", "1", "0"],
        ["1", "0", "1"],
    ]
    status, page = handed_out(rooms, "html")
    assert "&lt;i&gt;=One&lt;/i&gt;" in page
    assert "why: 0.4711" in page
    assert "1 moved to the right answer, 0 away from it." in page
    assert "<script" not in page
    assert f"http://127.0.0.1:{rooms.port}{BASE}/kernel_regression?scene=one_query" in page
    assert "原因：0.4711" in handed_out(rooms, "html", query="?lang=zh")[1]
    for text in (page, table):
        assert not any(each in text for each in (seat, hub.hash_secret(seat), "who am I?", rooms.secret))
    for kind in ("html", "csv"):
        assert handed_out(rooms, kind, secret="0" * 22)[0] == 403
        assert handed_out(rooms, kind, code="000000")[0] == 403
    assert handed_out(rooms, "json")[0] == 404


def test_a_title_that_is_a_formula_is_text_in_the_table() -> None:
    doc = rules.ask(rules.fresh("e", 0.0), {**QUESTION, "text": {"en": "=cmd"}}, "b", WHY)
    doc = rules.reveal(rules.count(rules.close(doc), ["a"]), {})
    assert "'=cmd" in report.write_csv(doc, "en")


def handed_out(rooms: Served, kind: str, secret: str = "", code: str = "", query: str = "") -> tuple[int, str]:
    with closing(http.client.HTTPConnection("127.0.0.1", rooms.port, timeout=10)) as connection:
        path = f"{BASE}/room/{code or rooms.code}/lesson.{kind}{query}"
        connection.request("GET", path, headers={"X-Room-Secret": secret or rooms.secret})
        answered = connection.getresponse()
        return answered.status, answered.read().decode()


def test_after_a_restart_a_phone_is_told_so_and_comes_back_when_the_room_does(talk: Open, rooms: Served) -> None:
    code, phone = rooms.code, talk()
    phone.say(do="join", seat=None)
    told = phone.hear("seat")
    seat, room = told["seat"], told["room"]
    phone.hear("state")
    rooms.forget()
    phone.say(do="answer", q="x", round=1, value="flat")
    assert phone.closed() == hub.GONE
    assert json.loads(phone.heard[-1]) == {"is": "gone"}
    made = post(rooms, {"code": code, "secret": rooms.secret, "address": "http://192.168.1.5/room"})
    assert (made[0], made[1]["code"], made[1]["secret"]) == (200, code, rooms.secret)
    assert student(talk, seat, room)[1] == seat


@pytest.mark.parametrize("stranger", ["", "A" * 22])
def test_a_phone_of_a_room_that_is_over_does_not_land_in_a_stranger_s_of_the_same_code(
    talk: Open, rooms: Served, stranger: str
) -> None:
    first = talk()
    first.say(do="join", seat=None)
    told = first.hear("seat")
    assert rooms.secret not in json.dumps(told)
    assert hub.hash_secret(rooms.secret) not in json.dumps(told)  # which the store keeps
    rooms.forget()
    assert post(rooms, {"code": rooms.code, "secret": stranger, "address": ""})[1]["code"] == rooms.code
    back = talk()
    back.say(do="join", seat=told["seat"], room=told["room"])
    assert back.closed() == hub.GONE
    assert [json.loads(each) for each in back.heard] == [{"is": "another"}]
    assert student(talk)[1] != told["seat"]  # who wants to be there is a new phone


@pytest.mark.parametrize("room", ["", "x", 1, True, [], {}])
def test_a_room_that_a_phone_makes_up_is_none(talk: Open, room: object) -> None:
    phone = talk()
    phone.say(do="join", seat=None, room=room)
    assert phone.closed() == hub.GONE


def test_a_room_that_nobody_uses_is_closed(talk: Open, rooms: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "LOOK_S", 0.1)
    monkeypatch.setattr(rooms.hub.keep, "_idle_s", 0.3)
    rooms.make()
    phone, _ = student(talk)
    assert phone.closed() == hub.GONE


def test_another_sites_page_neither_joins_nor_makes_a_room(talk: Open, rooms: Served) -> None:
    with pytest.raises(InvalidStatus):
        talk(origin="https://elsewhere.example")
    assert post(rooms, {}, Origin="https://elsewhere.example")[0] == 403
    own = talk(origin=f"http://127.0.0.1:{rooms.port}")
    own.say(do="join", seat=None)
    own.hear("seat")


def test_there_is_no_room_of_another_code(talk: Open, rooms: Served) -> None:
    for code in ("000000", "abc", "1234567"):
        found = talk(code)
        found.say(do="join", seat=None)
        assert found.closed() == hub.GONE


def test_a_process_holds_few_rooms(rooms: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keep, "MOST_ROOMS", 1)
    assert post(rooms, {})[0] == 503


@pytest.mark.parametrize("body", ["[]", "{", '{"code":5}', '{"address":"' + "x" * 501 + '"}', "x" * 3000])
def test_an_order_for_a_room_that_is_not_understood_makes_none(rooms: Served, body: str) -> None:
    before = rooms.count()
    assert post(rooms, body)[0] == 400
    assert rooms.count() == before


def post(rooms: Served, body: object, **headers: str) -> tuple[int, dict[str, Any]]:
    with closing(http.client.HTTPConnection("127.0.0.1", rooms.port, timeout=10)) as connection:
        connection.request("POST", f"{BASE}/room", body if isinstance(body, str) else json.dumps(body), headers)
        answered = connection.getresponse()
        return answered.status, json.loads(answered.read())


def test_the_phones_page_is_one_small_file_that_nothing_else_gets_into(rooms: Served) -> None:
    with closing(http.client.HTTPConnection("127.0.0.1", rooms.port, timeout=10)) as connection:
        connection.request("GET", f"{BASE}/room/{rooms.code}")
        answered = connection.getresponse()
        page, headers = answered.read(), answered.headers
    assert len(page) <= 60_000
    assert page.decode() == routes.phone()[0]
    assert b"http://" not in page
    assert b"https://" not in page
    assert "Set-Cookie" not in headers
    assert headers["Referrer-Policy"] == "no-referrer"
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
