"""Text generation in a real browser: it plays, a character asks, and the link follows."""

from playwright.sync_api import Page

from tests.support.browser import OpenPage, linked, painted, settled

SHORT = "/text_generation?tg_model=positions-rotary&tg_length=40"


def asking(page: Page) -> int:
    """Place of the character that asks."""
    return int(page.locator("input.range").input_value())


def test_it_plays_and_can_be_paused_and_stepped(browse: OpenPage) -> None:
    page = browse(f"{SHORT}&scene=watch")
    painted(page)
    assert page.locator("button.play").inner_text() == "Play", "nothing moves by itself for whoever wants less motion"
    page.locator("button.play").click()
    page.locator("button.play", has_text="Pause").wait_for()
    begin = asking(page)
    page.locator(".letter.asking").wait_for()
    page.wait_for_timeout(1500)
    assert asking(page) > begin
    page.locator("button.play").click()
    rests = asking(page)
    page.locator("button.step").last.click()
    linked(page, {"tg_place": str(rests + 1)})
    assert asking(page) == rests + 1
    assert page.locator(".letter.later").count() > 0


def test_pointing_asks_and_a_click_pins_and_enters_the_link(browse: OpenPage) -> None:
    page = browse(f"{SHORT}&scene=alternatives&tg_place=30")
    painted(page)
    page.locator(".letter").nth(20).hover()
    assert page.locator(".letter.asking").count() == 1
    assert asking(page) == 20
    page.mouse.move(5, 5)
    page.locator(".letter").nth(25).click()
    linked(page, {"tg_place": "25"})
    settled(page)
    assert asking(page) == 25
    name = page.locator(".name.chosen").inner_text()
    assert name in page.locator(".line").inner_text()


def test_a_phone_shows_the_text_without_scrolling_sideways(browse: OpenPage) -> None:
    page = browse(f"{SHORT}&scene=looked&lang=zh", width=390, height=844)
    painted(page)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth + 1")
    text = page.locator(".live-text .text").bounding_box()
    assert text is not None
    assert text["x"] >= 0
    assert text["x"] + text["width"] <= 391
