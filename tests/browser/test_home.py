"""The living picture on the home page: it draws the record, follows pointer and keyboard, and can be stopped."""

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from explorer.checkpoints.store import BUNDLED
from explorer.records import AttentionRecord, json_files
from explorer.ui import home
from tests.support.browser import OpenPage, linked


@pytest.fixture(scope="module")
def record() -> AttentionRecord:
    return json_files.loads((BUNDLED / home.TRANSLATOR / home.EXAMPLE).read_text("utf8"))


def words(page: Page) -> Locator:
    """The words that ask."""
    return page.locator(".ribbons .asks .word")


def numbers(page: Page) -> list[str]:
    return page.locator(".ribbons .asked .weight").all_inner_texts()


def test_what_is_drawn_is_the_record(browse: OpenPage, record: AttentionRecord) -> None:
    """The table that screen readers find holds every weight, and each ribbon is as wide as its weight."""
    page = browse("/")
    expect(words(page)).to_have_count(len(record.query_labels))
    cells = page.locator(".ribbons table td").all_inner_texts()[1:]  # the first is the empty corner
    shown = np.array([float(cell) for cell in cells]).reshape(len(record.query_labels), -1)
    np.testing.assert_allclose(shown, record.weights.mean(0), atol=5.1e-5)
    widths = page.locator(".ribbons path").evaluate_all("all => all.map(each => parseFloat(each.style.strokeWidth))")
    drawn = record.weights.mean(0)[record.weights.mean(0) >= 0.04]
    np.testing.assert_allclose(widths, 1 + 17 * drawn, rtol=1e-3)


def test_a_word_that_is_pointed_at_asks_and_a_click_pins_it(browse: OpenPage, record: AttentionRecord) -> None:
    page = browse("/")
    row, other = record.query_labels.index("rouge"), record.query_labels.index("La")
    words(page).nth(other).hover()
    words(page).nth(row).hover()
    expect(words(page).nth(row)).to_have_class("word asking")
    weights = record.weights.mean(0)[row]
    assert [f"{weight:.2f}".removeprefix("0") if weight >= 0.05 else "" for weight in weights] == numbers(page)
    expect(page.locator(".ribbons .line")).to_contain_text("While it wrote rouge (red), it looked at red.")
    words(page).nth(row).click()
    words(page).nth(other).hover()
    expect(words(page).nth(row)).to_have_class("word asking")
    assert words(page).nth(row).get_attribute("aria-pressed") == "true"


def test_the_keyboard_asks_too(browse: OpenPage) -> None:
    page = browse("/")
    words(page).nth(2).focus()
    page.keyboard.press("Tab")
    expect(words(page).nth(3)).to_have_class("word asking")


def test_it_moves_by_itself_until_it_is_stopped_and_not_for_who_wants_no_motion(browse: OpenPage) -> None:
    page = browse("/")
    button = page.locator(".ribbons .play")
    expect(button).to_have_text("Play")  # the tests' browser asks for no motion
    before = page.locator(".ribbons .asks .asking").inner_text()
    button.click()
    expect(page.locator(".ribbons .asks .asking")).not_to_have_text(before)
    button.click()
    expect(button).to_have_text("Play")


def test_words_that_do_not_fit_stand_upright(browse: OpenPage) -> None:
    page = browse("/", width=390)
    expect(page.locator(".ribbons.upright")).to_have_count(1)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 390


def test_a_sentence_that_is_typed_here_is_translated_at_once(browse: OpenPage) -> None:
    page = browse("/")
    page.get_by_placeholder("Type your own English sentence").fill("I miss her.")
    page.keyboard.press("Enter")
    expect(page.locator(".translated")).to_have_text("Elle me manque.", timeout=30_000)
    linked(page, {"scene": "look", "tr_text": "I miss her."})
