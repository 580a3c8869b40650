"""The search's sections in a real browser: the tree grows, a phone scrolls it, and a link carries an edit."""

import re

from playwright.sync_api import Page, expect

from explorer.lessons import translator as lesson
from explorer.lessons.translator import search
from tests.support.browser import OpenPage, linked, painted, played, settled
from tests.support.soundness import ERRORS


def choose(page: Page, key: str, position: int) -> None:
    """Open a list and take the option of this place."""
    page.locator(f".st-key-{key}_shown [role=combobox], .st-key-{key}_shown input").first.click()
    page.get_by_role("option").nth(position).click()
    settled(page)


def cells(page: Page) -> int:
    return page.locator(".search .cell:visible").count()


def test_the_tree_grows_by_buttons_arrow_keys_and_play(browse: OpenPage) -> None:
    page = browse("/translator?scene=search")
    film = page.locator(".search")
    film.locator(".cell").first.wait_for()
    film.locator(".scrub").fill("0")
    linked(page, {"tr_tree_step": "1"})
    first = cells(page)
    film.get_by_role("button", name="Step on").press("ArrowRight")
    linked(page, {"tr_tree_step": "2"})
    assert cells(page) > first
    record = search.search(search.SearchParams.of(lesson.compute(lesson.Params())))
    expect(film.locator("caption")).to_have_text(f"Step 2 of {record.n_steps}")
    drawn = [row.split("\t") for row in film.locator("tr").all_inner_texts()[1:]]
    wanted = [node for _, node in record.at(2) if node.fate != "dropped"]
    assert [[row[1], float(row[3])] for row in drawn] == [[node.label, round(node.total, 4)] for node in wanted]
    played(film)
    expect(film.locator(".where")).to_contain_text("Step 4", timeout=30_000)
    film.get_by_role("button", name="Pause").click()
    page.wait_for_url(re.compile(r"tr_tree_step=[45]"))
    settled(page)
    assert page.locator(ERRORS).count() == 0


def test_a_phone_scrolls_the_tree_and_not_the_page(browse: OpenPage) -> None:
    page = browse("/translator?scene=search&lang=zh", width=390, height=844)
    page.locator(".search .cell").first.wait_for()
    inner, outer = page.locator(".search .stage").evaluate("e => [e.scrollWidth, e.clientWidth]")
    assert inner > 1.5 * outer
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator(".search .piece").first.evaluate("e => e.getBoundingClientRect().height") > 10


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
    linked(again, {"tr_edit_at": "", "tr_edit_by": ""})
