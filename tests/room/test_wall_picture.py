"""The wall's picture: who may hand one in, what is one, and who gets the last."""

import base64
import http.client
import io
import json
import re
from contextlib import closing
from typing import Any

import pytest
from PIL import Image

from explorer.room import hub, routes, wall_picture
from tests.room.conftest import BASE, Served
from tests.room.test_sockets import Open, asked, student, teacher

LINK = "/kernel_regression?scene=one_query"


def drawn(kind: str = "WEBP", size: tuple[int, int] = (60, 40), shade: int = 200, **options: Any) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", size, (shade, 20, 20)).save(file, kind, **options)
    return file.getvalue()


def noise(side: int) -> bytes:
    """A picture that no program makes smaller."""
    file = io.BytesIO()
    Image.effect_noise((side, side), 200).save(file, "PNG")
    return file.getvalue()


def request(rooms: Served, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, bytes, Any]:
    with closing(http.client.HTTPConnection("127.0.0.1", rooms.port, timeout=10)) as connection:
        connection.request(method, f"{BASE}/room/{rooms.code}/wall{path}", body, headers)
        answered = connection.getresponse()
        return answered.status, answered.read(), answered.headers


def hang(rooms: Served, content: bytes, secret: str = "", **told: Any) -> tuple[int, dict[str, Any]]:
    body = {"picture": base64.b64encode(content).decode(), "asked": "", "link": LINK, "said": "Read.", **told}
    headers = {"X-Room-Secret": secret or rooms.secret}
    status, answered, _ = request(rooms, "PUT", "", json.dumps(body).encode(), **headers)
    return status, json.loads(answered)


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes, "PICTURES", (100, 1.0))


def show(talk: Open, rooms: Served, link: str = LINK) -> Any:
    wall = teacher(talk, rooms, wall=True)
    wall.say(do="show", link=link, title={"en": link}, question={"en": "?"})
    while wall.hear("state")["shown"]["link"] != link:
        pass
    return wall


def seen(each: Any) -> Any:
    """The next state's picture."""
    return each.hear("state")["picture"]


def test_phones_are_told_the_last_picture_and_fetch_it_without_a_cookie(
    talk: Open, rooms: Served, unhurried: None
) -> None:
    show(talk, rooms)
    phone, _ = student(talk)
    for content, kind in ((drawn(), "image/webp"), (drawn("PNG"), "image/png")):
        assert hang(rooms, content) == (200, {"kept": True})
        told = seen(phone)
        assert told["said"] == "Read."
        status, found, headers = request(rooms, "GET", f"/{told['name']}")
        assert (status, found) == (200, content)
        assert headers["Content-Type"] == kind
        assert "immutable" in headers["Cache-Control"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert "Set-Cookie" not in headers
    first = wall_picture.read(drawn()).name
    assert request(rooms, "GET", f"/{first}")[0] == 404  # only the last one is kept
    assert request(rooms, "GET", "/x")[0] == 404


def test_a_picture_goes_when_a_class_is_asked_and_one_made_before_does_not_come(
    talk: Open, rooms: Served, unhurried: None
) -> None:
    wall, (phone, _) = show(talk, rooms), student(talk)
    assert hang(rooms, drawn())[1] == {"kept": True}
    name = seen(phone)["name"]
    question = asked(wall)
    assert phone.hear("state", phase="open")["picture"] is None
    assert request(rooms, "GET", f"/{name}")[0] == 404
    assert hang(rooms, drawn()) == (200, {"kept": False})
    assert hang(rooms, drawn(), asked=question) == (200, {"kept": True})
    assert seen(phone)["name"] == name
    wall.say(do="show", link="/kernel_regression?scene=every_query", title={"en": "Y"}, question={})
    assert seen(phone) is None
    assert hang(rooms, drawn(), asked=question) == (200, {"kept": False})  # of the scene before


@pytest.mark.parametrize("secret", ["x", "0" * 22])
def test_nobody_but_the_teacher_hands_in_a_picture(talk: Open, rooms: Served, secret: str) -> None:
    show(talk, rooms)
    phone, _ = student(talk)
    assert hang(rooms, drawn(), secret)[0] == 403
    assert request(rooms, "PUT", "", b"{}")[0] == 403
    phone.say(do="picture", picture="x")
    phone.hear("refused")
    assert not any('"name"' in text for text in phone.heard)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"\x89PNG\r\n\x1a\n" + b"\0" * 40,
        drawn()[:60],
        drawn("PNG")[:-30],
        drawn("JPEG"),
        drawn("GIF"),
        drawn("PNG", (wall_picture.MOST_SIDE + 1, 4)),
        drawn(save_all=True, append_images=[Image.new("RGB", (60, 40))]),
        noise(480),
    ],
    ids=["empty", "svg", "no png", "cut webp", "cut png", "jpeg", "gif", "too wide", "a film", "too long"],
)
def test_what_is_no_picture_of_a_wall_is_refused(talk: Open, rooms: Served, unhurried: None, content: bytes) -> None:
    wall = show(talk, rooms)
    assert hang(rooms, content)[0] == 415
    wall.say(do="ping")
    wall.hear("pong")
    assert not any('"name"' in text for text in wall.heard)


@pytest.mark.parametrize("told", [{"picture": "é"}, {"picture": 5}, {"link": ["x"]}, {"said": "x" * 250_000}])
def test_what_is_not_understood_hangs_nothing(talk: Open, rooms: Served, unhurried: None, told: dict[str, Any]) -> None:
    show(talk, rooms)
    assert hang(rooms, drawn(), **told)[0] in (400, 415)


def test_a_wall_hands_in_one_picture_a_second(talk: Open, rooms: Served) -> None:
    show(talk, rooms)
    assert hang(rooms, drawn())[0] == 200
    assert hang(rooms, drawn(shade=1))[0] == 429


def ask_and_reveal(wall: Any) -> str:
    name = asked(wall)
    wall.say(do="close")
    wall.hear("state", phase="closed")
    wall.say(do="reveal", id=name)
    wall.hear("state", phase="revealed")
    return name


def screens(rooms: Served) -> list[str]:
    """The pictures in the lesson's page, in its order."""
    with closing(http.client.HTTPConnection("127.0.0.1", rooms.port, timeout=10)) as connection:
        connection.request("GET", f"{BASE}/room/{rooms.code}/lesson.html", headers={"X-Room-Secret": rooms.secret})
        page = connection.getresponse().read().decode()
    found = re.findall('<img src="data:image/webp;base64,([^"]*)" alt="The picture on the wall">', page)
    assert page.count("<img") == page.count("<figcaption") == len(found)
    assert page.count("Read. &lt;b&gt;") == len(found)
    return found


def packed(shade: int) -> str:
    return base64.b64encode(drawn(shade=shade)).decode()


def test_the_file_of_a_lesson_has_what_the_wall_showed_beside_each_answer(
    talk: Open, rooms: Served, unhurried: None
) -> None:
    wall, said = show(talk, rooms), "Read. <b>"
    assert hang(rooms, drawn(shade=1), said=said)[1] == {"kept": True}  # before anything was asked
    first = asked(wall)
    assert hang(rooms, drawn(shade=2), said=said, asked=first)[1] == {"kept": True}  # while it is
    assert screens(rooms) == []
    wall.say(do="close")
    wall.hear("state", phase="closed")
    wall.say(do="reveal", id=first)
    wall.hear("state", phase="revealed")
    for shade in (3, 4):  # the last one counts
        assert hang(rooms, drawn(shade=shade), said=said, asked=first)[1] == {"kept": True}
    wall.say(do="done")
    while wall.hear("state")["asking"]:
        pass
    assert hang(rooms, drawn(shade=5), said=said)[1] == {"kept": True}
    assert screens(rooms) == [packed(4)]
    second = ask_and_reveal(wall)
    assert screens(rooms) == [packed(4)]
    assert hang(rooms, drawn(shade=6), said=said, asked=second)[1] == {"kept": True}
    assert screens(rooms) == [packed(4), packed(6)]


def test_the_newest_screens_are_kept_and_none_of_a_room_before(
    talk: Open, rooms: Served, unhurried: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "MOST_SCREENS", 2)
    monkeypatch.setattr(hub, "BURST", 100)
    wall = show(talk, rooms)
    for shade in range(3):
        assert hang(rooms, drawn(shade=shade), said="Read. <b>", asked=ask_and_reveal(wall))[1] == {"kept": True}
    assert screens(rooms) == [packed(1), packed(2)]
