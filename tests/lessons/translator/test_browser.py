"""The translator in a real browser: typed into, clicked through, linked to."""

import re

from playwright.sync_api import Page, expect

from tests.support.browser import OpenPage, painted, query_of, settled
from tests.support.soundness import ERRORS

HOSTILE = [
    "<script>alert(1)</script> <img src=x onerror=alert(1)>",
    "a" * 400,
    "我想你 💜 أفتقدك",
    "$x^2$ **b** :material/home:",
]
#: What is said below the ribbons.
READING = ".st-key-stage .reading span:last-child"


def typed(page: Page, text: str) -> None:
    """Fill the box and press Enter."""
    box = page.locator(".st-key-tr_text input")
    box.fill(text)
    box.press("Enter")
    page.wait_for_timeout(300)
    settled(page)


def test_typing_translates_and_the_link_keeps_the_sentence(browse: OpenPage) -> None:
    page = browse("/translator")
    painted(page)
    before = page.locator("p.translated").inner_text()
    typed(page, "I miss you.")
    page.wait_for_function("text => document.querySelector('p.translated').innerText !== text", arg=before)
    painted(page)
    after = page.locator("p.translated").inner_text()
    assert page.locator("p.translated").get_attribute("lang") == "fr"
    assert "tr_text=I+miss+you." in page.url
    again = browse(query_of(page))
    assert again.locator("p.translated").inner_text() == after


def test_a_word_is_pinned_with_the_keyboard_and_go_back_restores(browse: OpenPage) -> None:
    page = browse("/translator")
    painted(page)
    word = page.locator(".ribbons .asks button").nth(2)
    word.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("tr_token=2"))
    expect(word).to_have_attribute("aria-pressed", "true")
    page.wait_for_function(
        f"text => document.querySelector('{READING}').innerText.includes(text)", arg=word.inner_text()
    )
    settled(page)
    page.go_back()
    expect(page.locator(".ribbons .asks [aria-pressed=true]")).to_have_count(0)
    assert "tr_token" not in page.url
    asking = page.locator(".ribbons .asks .asking")
    expect(asking).to_have_count(1)  # one word still asks, and what is said is said of it
    expect(page.locator(READING).first).to_contain_text(asking.inner_text())


def test_a_link_opens_all_heads_of_a_layer_and_hatches_what_is_hidden(browse: OpenPage) -> None:
    page = browse("/translator?tr_site=decoder&tr_layer=0&tr_head=all&tr_merge=true")
    expect(page.locator(".text .tile")).to_have_count(8)
    assert "decoder" in page.locator(".st-key-stage h3").first.inner_text().lower()
    page.locator(".text .asks .word").nth(2).hover()
    expect(page.locator(".text .asked .barred")).to_have_count(page.locator(".text .asked .word").count() - 3)
    assert page.locator(".st-key-tr_head_in_url input").is_hidden()


def test_hostile_text_leaves_the_page_alive(browse: OpenPage) -> None:
    page = browse("/translator")
    alerts: list[str] = []
    page.on("dialog", lambda dialog: (alerts.append(dialog.message), dialog.dismiss()))
    for text in HOSTILE:
        typed(page, text)
        assert page.locator(ERRORS).count() == 0, text
        assert page.locator("[data-testid=stIconMaterial]", has_text="home").count() == 1, text  # the menu's own
    typed(page, "I miss you.")
    painted(page)
    assert page.locator("p.translated").count() == 1
    assert alerts == []
    assert page.strangers == []


def test_an_empty_box_says_what_to_do(browse: OpenPage) -> None:
    page = browse("/translator")
    painted(page)
    typed(page, "")
    page.wait_for_selector("text=There is nothing to translate yet")
    assert page.locator(ERRORS).count() == 0
