"""The search's sections in a real browser: the tree grows, a phone scrolls it, and a link carries an edit."""

import re

from playwright.sync_api import Page

from tests.browser.test_every_page import ERRORS
from tests.support.browser import OpenPage, painted, settled

#: Cells of the tree.
CELLS = ".st-key-tr_tree .barlayer .point"


def cells(page: Page) -> int:
    painted(page)
    return page.locator(CELLS).count()


def choose(page: Page, key: str, place: int) -> None:
    """Open a list and take the option of this place."""
    page.locator(f".st-key-{key}_shown [role=combobox], .st-key-{key}_shown input").first.click()
    page.get_by_role("option").nth(place).click()
    settled(page)


def test_the_tree_grows_by_buttons_arrow_keys_and_play(browse: OpenPage) -> None:
    page = browse("/translator?scene=search")
    whole = cells(page)
    page.get_by_role("button", name="First step").click()
    page.wait_for_url(re.compile("tr_tree_step=1"))
    page.wait_for_function(f"n => document.querySelectorAll('{CELLS}').length < n", arg=whole)
    settled(page)
    first = cells(page)
    page.get_by_role("button", name="Step on").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_url(re.compile("tr_tree_step=2"))
    page.wait_for_function(f"n => document.querySelectorAll('{CELLS}').length > n", arg=first)
    page.get_by_role("button", name="▶ Play").click()
    page.wait_for_url(re.compile(r"tr_tree_step=[4-9]"), timeout=30_000)
    page.get_by_role("button", name="❚❚ Pause").click()
    settled(page)
    assert page.locator(ERRORS).count() == 0


def test_a_phone_scrolls_the_tree_and_not_the_page(browse: OpenPage) -> None:
    page = browse("/translator?scene=search&lang=zh", width=390, height=844)
    painted(page)
    inner, outer = page.evaluate(
        "() => { const e = document.querySelector('.st-key-tr_tree_chart'); return [e.scrollWidth, e.clientWidth] }"
    )
    assert inner > 1.5 * outer
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    text = page.locator(".st-key-tr_tree .bartext").first
    assert text.evaluate("e => e.getBoundingClientRect().height") > 10


def test_a_link_carries_what_was_replaced(browse: OpenPage) -> None:
    page = browse("/translator?tr_part=edit")
    choose(page, "tr_edit_at", 2)
    choose(page, "tr_edit_by", 1)
    page.wait_for_selector(".tr_texts")
    settled(page)
    painted(page)
    said = page.locator(".tr_texts").inner_text()
    assert page.locator(".tr_texts u").count() > 0
    assert re.search(r"tr_edit_at=1-[0-9a-f]{8}&tr_edit_by=\d+", page.url)
    again = browse(page.url.removeprefix(re.match(r"http://[^/]+", page.url)[0]))
    again.wait_for_selector(".tr_texts")
    assert again.locator(".tr_texts").inner_text() == said
    again.locator(".st-key-tr_edit_reset button").click()
    again.wait_for_selector(".tr_texts", state="detached")
    assert "tr_edit" not in again.url
