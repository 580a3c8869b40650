"""A class: the wall and its phones, from joining to the reveal."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, Playwright, ViewportSize, expect

from tests.support.browser import CHROMIUM, FLAGS, LOWEST, linked, listen, settled
from tests.support.soundness import accessible

PROJECTOR: ViewportSize = {"width": 1280, "height": 720}
PHONE: ViewportSize = {"width": 390, "height": 844}
NARROW: ViewportSize = {"width": 320, "height": 568}
#: By how many pixels what is beside the stage scrolls.
HIDDEN = "(box => box.scrollHeight - box.clientHeight)(document.querySelector('.st-key-moved'))"
ROOM = "JSON.parse(sessionStorage.getItem('attention-explorer-room'))"


@pytest.fixture(scope="module")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """Of its own, for every phone is a stranger to the others: each has a storage of its own."""
    started = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
    yield started
    started.close()


class Class:
    """A wall with a room, and who joins it."""

    def __init__(self, browser: Browser, server: str, path: str) -> None:
        self.browser, self.server = browser, server
        self.wall = self.open(f"{server}{path}", PROJECTOR)
        settled(self.wall)
        self.wall.mouse.move(600, 500)  # the line at the foot shows itself
        self.wall.locator(".stirred .st-key-walk_room button").click()
        self.wall.locator(".cover .code").wait_for()
        self.held: dict[str, str] = self.wall.evaluate(ROOM)

    def open(self, address: str, size: ViewportSize, **options: Any) -> Page:
        page = self.browser.new_context(viewport=size, reduced_motion="reduce", **options).new_page()
        listen(page)
        page.goto(address)
        return page

    def phone(self, size: ViewportSize = PHONE, **options: Any) -> Page:
        page = self.open(
            f"{self.server}/room/{self.held['code']}", size, is_mobile=True, has_touch=True, locale="en-US", **options
        )
        page.locator("h1").wait_for()
        return page

    def remote(self) -> Page:
        page = self.open(f"{self.server}/room/{self.held['code']}#{self.held['secret']}", PHONE, locale="en-US")
        page.locator("h1").wait_for()
        return page


def answer(phone: Page, words: str) -> None:
    phone.get_by_role("button", name=words).click()
    expect(phone.locator("#main .note")).to_have_text("Kept. You can change it until the vote closes.")


def bars(root: Page | Locator, number: str) -> list[list[str]]:
    """What stands beside the bars of each answer."""
    return [each.locator(number).all_inner_texts() for each in root.locator(".answers > :is(li, .answer)").all()]


def test_a_class_votes_twice_and_the_picture_moves_to_what_is_right(browser: Browser, server: str) -> None:
    room = Class(browser, server, "/kernel_regression?scene=one_query&present=1&lang=en")
    wall, one, other, remote = room.wall, room.phone(), room.phone(NARROW), room.remote()
    expect(wall.locator(".cover .people")).to_have_text("2 here")
    wall.get_by_role("button", name="Begin").click()
    assert wall.evaluate(HIDDEN) <= 1
    wall.get_by_role("button", name="Ask the class").click()
    expect(wall.locator(".many b")).to_have_text("0 / 2")
    answer(one, "flat")
    answer(other, "a straight slope")
    expect(wall.locator(".many b")).to_have_text("2 / 2")
    assert wall.locator(".bar").count() == 0  # nobody sees how many chose what
    assert one.locator(".bar").count() == 0
    expect(remote.locator(".answer").nth(2)).to_contain_text("1 · 50 %")  # but the teacher

    remote.get_by_role("button", name="Close the vote").click()
    expect(remote.locator(".note")).to_have_text("50 % right: let them discuss, then vote again.")
    expect(wall.locator(".clock")).to_be_visible()
    expect(one.locator(".card b")).to_have_text("Find somebody who answered differently. Convince each other.")
    assert wall.locator(".bar").count() == one.locator(".bar").count() == 0
    remote.get_by_role("button", name="Vote again").click()
    expect(other.locator(".answer").nth(1)).to_contain_text("before")
    answer(one, "flat")
    answer(other, "flat")
    expect(wall.locator(".many b")).to_have_text("2 / 2")
    assert "kr_width" not in wall.url
    remote.get_by_role("button", name="Close the vote").click()
    remote.get_by_role("button", name="Reveal").click()

    wall.locator(".vote[data-phase=revealed]").wait_for()
    votes = [["0 · 0 %", "0 · 0 %"], ["1 · 50 %", "0 · 0 %"], ["1 · 50 %", "2 · 100 %"]]
    assert bars(wall, ".votes") == votes
    expect(wall.locator("li.right")).to_contain_text("flat")
    expect(wall.locator(".vote")).to_contain_text("1 moved to the right answer, 0 away from it.")
    expect(wall.locator(".why")).to_contain_text("every query gets nearly the same answer")
    linked(wall, {"kr_width": "5"})
    expect(wall.locator(".st-key-stage .reading").first).to_contain_text("about 50 of 50 points")
    assert wall.evaluate(HIDDEN) <= 1
    assert 0 < wall.evaluate(LOWEST, ".st-key-stage .reading") <= 720
    expect(one.locator(".card").first).to_contain_text("You were right: flat.")
    assert [len(each) for each in bars(one, ".bar")] == [2, 2, 2]
    for phone in (one, other):
        assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert phone.evaluate("document.cookie") == ""

    remote.get_by_role("button", name="Go on").click()
    expect(one.locator("h1")).to_have_text("Look at the wall.")
    remote.get_by_role("button", name="Next scene").click()
    linked(wall, {"scene": "every_query"})
    expect(remote.locator("h1")).to_have_text("Every query")
    remote.get_by_role("button", name="End the lesson").click()
    remote.get_by_role("button", name="Press again: all phones leave the room.").click()
    expect(one.locator("h1")).to_have_text("The lesson is over. Thank you!")
    expect(wall.locator(".qr img")).to_be_visible()
    for page in (wall, one, other, remote):
        assert page.complaints == []
        page.context.close()


def test_who_is_lost_or_asks_tells_the_teacher_alone_who_may_show_it_and_takes_the_lesson_home(
    browser: Browser, server: str, tmp_path: Path
) -> None:
    room = Class(browser, server, "/kernel_regression?scene=one_query&present=1&lang=en")
    wall, phone, remote = room.wall, room.phone(NARROW), room.remote()
    wall.get_by_role("button", name="Begin").click()
    phone.get_by_role("button", name="I’m lost").click()
    expect(remote.locator(".many")).to_have_text("1 here · 1 lost")
    phone.get_by_text("Ask the teacher something").first.click()
    phone.get_by_role("textbox").fill("Why is it <b>flat</b>?")
    wall.get_by_role("button", name="Ask the class").click()  # a new question meanwhile: what was typed stays
    expect(phone.locator(".answer")).to_have_count(3)
    expect(phone.get_by_role("textbox")).to_have_value("Why is it <b>flat</b>?")
    phone.get_by_role("button", name="Send").click()
    expect(phone.get_by_role("textbox")).to_have_value("")
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(remote.locator(".raised p")).to_have_text("Why is it <b>flat</b>?")
    assert not wall.get_by_text("Why is it").count()
    remote.get_by_role("button", name="Show on the wall").click()
    expect(wall.locator(".raised .asks")).to_have_text("Why is it <b>flat</b>?")
    wall.get_by_role("button", name="Take off the wall").click()
    expect(wall.locator(".raised")).to_have_count(0)

    answer(phone, "flat")
    wall.get_by_role("button", name="Close the vote").click()
    wall.get_by_role("button", name="Reveal").click()
    wall.get_by_role("button", name="Go on").click()
    tries(wall, phone, remote)
    expect(remote.get_by_role("button", name="As a page")).to_be_visible()
    with remote.expect_download() as download:
        remote.get_by_role("button", name="As a page").click()
    download.value.save_as(tmp_path / "lesson.html")
    page = room.open(f"file://{tmp_path}/lesson.html", NARROW)
    expect(page.locator("li.right")).to_contain_text("1 · 100 %")
    expect(page.locator(".tried .dot")).to_have_count(1)
    expect(page.locator(".tried .reading")).to_contain_text("The middle of the class: 0.3;")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.complaints == []
    accessible(page)
    with remote.expect_download() as download:
        remote.get_by_role("button", name="As a table (CSV)").click()
    assert download.value.path().read_text("utf-8-sig").splitlines()[0].startswith("Scene,Question,Answer")
    accessible(phone)
    accessible(remote)
    remote.get_by_role("button", name="Go on").click()
    remote.get_by_role("button", name="Next scene").click()
    expect(remote.locator(".many")).to_have_text("1 here")
    expect(phone.get_by_role("button", name="I’m lost")).to_have_attribute("aria-pressed", "false")
    for each in (wall, phone, remote, page):
        assert each.complaints == []
        each.context.close()


def tries(wall: Page, phone: Page, remote: Page) -> None:
    """A class of one sets the kernel width: by keys, by eye, and against what is computed."""
    remote.get_by_role("button", name="Let the class try").click()
    slider, before = phone.get_by_role("slider", name="Width"), "document.querySelector('.curve').getAttribute('d')"
    expect(slider).to_have_value("130")
    start = phone.evaluate(before)
    slider.focus()
    for _ in range(52):
        slider.press("ArrowLeft")
    expect(slider).to_have_attribute("aria-valuetext", "0.3")
    assert phone.evaluate(before) != start  # the phone draws the curve by itself
    accessible(phone)
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    phone.locator("#main").get_by_role("button", name="Send").click()
    expect(wall.locator(".many b")).to_have_text("1 / 1")
    expect(wall.locator(".board")).to_have_text(
        "Fifty points, and nobody tells you the truth. Which width would you trust?"
    )
    expect(remote.locator("#main")).to_contain_text("The middle of the class: 0.3.")  # the teacher alone
    remote.get_by_role("button", name="Close the vote").click()
    expect(phone.get_by_role("slider")).to_be_disabled()
    remote.get_by_role("button", name="Reveal").click()
    expect(wall.locator(".board .dot")).to_have_count(1)
    tops = [wall.locator(each).bounding_box() for each in (".board", ".st-key-stage")]
    assert tops[0]["y"] <= tops[1]["y"]  # nothing of the stage looks out above it
    expect(wall.locator(".board .right")).to_have_text("0.29")
    expect(wall.locator(".vote .why")).to_contain_text("At width 0.29 the error is least")
    expect(phone.locator("#main")).to_contain_text("You: 0.3. The middle of the class: 0.3. Computed: 0.29.")
    assert wall.evaluate(HIDDEN) <= 1
    wall.get_by_role("button", name="Show the picture").click()
    expect(wall.locator(".board")).to_have_count(0)
    linked(wall, {"kr_width": "0.29"})


def test_a_phone_that_was_away_comes_back_to_its_seat_and_its_vote_is_sent(browser: Browser, server: str) -> None:
    room = Class(browser, server, "/kernel_regression?scene=one_query&present=1&lang=zh")
    wall, phone = room.wall, room.phone(color_scheme="dark")
    wall.get_by_role("button", name="开始").click()
    wall.get_by_role("button", name="请全班回答").click()
    phone.get_by_role("button", name="flat").wait_for()
    phone.get_by_role("button", name="中文").click()
    expect(phone.locator("html")).to_have_attribute("lang", "zh-CN")
    expect(phone.locator(".answer").first).to_contain_text("参差不齐")
    phone.reload()
    phone.locator(".answer").nth(2).click()
    expect(wall.locator(".many b")).to_have_text("1 / 1")
    phone.reload()
    expect(phone.locator(".answer").nth(2)).to_have_attribute("aria-pressed", "true")
    expect(wall.locator(".many b")).to_have_text("1 / 1")
    wall.reload()  # the wall, too, finds its room again
    expect(wall.locator(".many b")).to_have_text("1 / 1")
    wall.get_by_role("button", name="结束投票").click()
    wall.get_by_role("button", name="揭晓").click()
    expect(wall.locator("li.right")).to_be_visible()
    expect(phone.locator(".card").first).to_contain_text("带宽为 5 时")
    assert json.loads(phone.evaluate(f"localStorage.getItem('room.{room.held['code']}.pass')"))
    for page in (wall, phone):
        page.context.close()


def test_a_phone_of_a_room_that_is_over_is_asked_before_it_joins_another_of_its_code(
    browser: Browser, server: str
) -> None:
    room = Class(browser, server, "/kernel_regression?scene=one_query&present=1&lang=en")
    phone, wall = room.phone(NARROW), room.wall
    expect(wall.locator(".cover .people")).to_have_text("1 here")
    key = f"room.{room.held['code']}.pass"
    phone.evaluate("key => localStorage.setItem(key, JSON.stringify({seat: 'a'.repeat(32), room: 'another'}))", key)
    reader = phone.context.new_page()
    reader.goto(f"{server}/kernel_regression?scene=one_query&room={room.held['code']}&lang=en")
    expect(reader.locator(".follow .said")).to_contain_text("The room is over.")
    reader.close()
    phone.reload()
    expect(phone.locator(".note")).to_have_text("The room you were in is over. Another one has its code now.")
    expect(phone.locator("#net")).to_be_hidden()  # it does not try to connect
    expect(wall.locator(".cover .people")).to_have_text("0 here")
    phone.reload()  # it stays out until it is told to go in
    phone.get_by_role("button", name="Join that room").click()
    expect(phone.locator("h1")).to_have_text("Look at the wall.")
    expect(wall.locator(".cover .people")).to_have_text("1 here")
    phone.reload()
    expect(phone.locator("h1")).to_have_text("Look at the wall.")
    for page in (wall, phone):
        page.context.close()


def test_who_types_a_code_that_is_no_room_is_told_so(browser: Browser, server: str) -> None:
    page = browser.new_context(viewport=NARROW, locale="en-US").new_page()
    page.goto(f"{server}/room")
    page.get_by_label("Code of the room: six digits").fill("000 000")
    page.get_by_role("button", name="Join").click()
    expect(page.locator(".note")).to_have_text("There is no room of this code.")
    assert page.url == f"{server}/room/000000"
    page.context.close()


def shows(phone: Page, address: str) -> None:
    """Wait until the picture of the wall is another one than that of an address, and is drawn."""
    phone.wait_for_function(
        "before => (image => image?.complete && image.naturalWidth > 300 && image.src !== before)"
        "(document.querySelector('.hung'))",
        arg=address,
        timeout=30_000,
    )


def test_phones_follow_by_pictures_and_an_app_that_is_open_goes_along_until_its_reader_moves_something(
    browser: Browser, server: str
) -> None:
    room = Class(browser, server, "/kernel_regression?scene=one_query&present=1&lang=en")
    wall, phone, laptop = room.wall, room.phone(NARROW, color_scheme="dark"), room.phone()
    wall.get_by_role("button", name="Begin").click()
    expect(phone.locator(".card b")).to_have_text("How do you guess a value nobody has measured?")
    shows(phone, "")
    picture = phone.locator(".hung")
    first = str(picture.evaluate("image => image.src"))
    assert first.startswith(f"{server}/room/{room.held['code']}/wall/")
    expect(picture).to_have_attribute("alt", "The picture on the wall: One query")
    expect(phone.locator(".hung + p")).to_have_text("At 2.5 the answer is 3.31: the mean of about 21 of 50 points.")
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    accessible(phone)

    laptop.get_by_role("link", name="Look around by yourself").click()
    settled(laptop)
    bar = laptop.locator(".follow")
    expect(bar).to_contain_text("You see what the wall shows.")
    laptop.wait_for_timeout(2500)
    wall.get_by_role("button", name="All points alike").click()
    linked(laptop, {"kr_width": "5", "room": room.held["code"]})
    shows(phone, first)
    expect(phone.locator(".hung + p")).to_contain_text("about 50 of 50 points", timeout=20_000)
    accessible(laptop)
    laptop.wait_for_timeout(2500)  # what its address says now is what it was led to
    laptop.get_by_role("button", name="About right").click()
    expect(bar).to_contain_text("You look around by yourself.")
    wall.get_by_role("button", name="Far too narrow").click()
    expect(phone.locator(".hung + p")).not_to_contain_text("about 50 of 50 points", timeout=20_000)
    assert "kr_width=0.05" not in laptop.url
    bar.get_by_role("button", name="Back to the wall").press("Enter")
    linked(laptop, {"kr_width": "0.05"})

    # Before the reveal phones have no picture of what is right, and of what a class tries none at all.
    pictures: list[str] = []
    wall.on("request", lambda sent: pictures.append(str(sent.post_data)) if sent.method == "PUT" else None)
    wall.get_by_role("button", name="Let the class set it").click()
    expect(phone.get_by_role("slider")).to_be_visible()
    assert phone.locator(".hung").count() == 0
    phone.locator("#main").get_by_role("button", name="Send").click()
    wall.wait_for_timeout(3000)
    assert pictures == []
    expect(bar.get_by_role("link", name="Vote")).to_be_visible()
    wall.get_by_role("button", name="Close the vote").click()
    wall.get_by_role("button", name="Reveal").click()
    shows(phone, first)
    assert [json.loads(each)["link"] for each in pictures][-1].endswith("kr_width=0.29")
    wall.get_by_role("button", name="Go on").click()
    wall.keyboard.press("ArrowRight")
    linked(laptop, {"scene": "every_query"})
    bar.get_by_role("button", name="Leave the room").click()
    expect(bar).to_have_count(0)
    assert "room=" not in laptop.url
    for page in (wall, phone, laptop):
        assert page.complaints == []
        page.context.close()
