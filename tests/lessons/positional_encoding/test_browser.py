"""The page in a browser: the player walks, a sentence is read anew, and long work can be stopped."""

import re

import numpy as np
from playwright.sync_api import Page, expect

from explorer.lessons.positional_encoding import trained
from tests.support.browser import OpenPage, linked, painted, settled


def test_the_pair_walks_along_and_its_angle_stays(browse: OpenPage) -> None:
    page = browse("/positional_encoding?scene=turn")
    painted(page)
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".reading")).to_contain_text("Between places 12 and 17", timeout=30_000)
    page.get_by_role("button", name="Pause").click()
    settled(page)
    expect(page.locator(".reading")).to_contain_text("turns by 286°")


def test_a_typed_sentence_is_read_and_weighed(browse: OpenPage) -> None:
    page = browse("/positional_encoding?scene=enters")
    painted(page)
    field = page.get_by_role("textbox", name="An English sentence")
    field.fill("I know that you know that.")
    field.press("Enter")
    page.wait_for_url(re.compile("pe_text="))
    settled(page)
    painted(page)
    labels = page.locator(".st-key-pe_entry .xtick text")
    labels.filter(has_text="know").first.wait_for(timeout=30_000)
    assert labels.all_text_contents() == ["I", "know", "that", "you", "know", "that", ".", "end"]


def test_measuring_starts_stops_and_keeps_what_was_found(browse: OpenPage) -> None:
    page = browse("/positional_encoding?scene=measured&pe_windows=64")
    painted(page)
    page.get_by_role("button", name="Measure here").click()
    page.get_by_text("Measured here, on").wait_for(timeout=60_000)
    page.get_by_test_id("stMainBlockContainer").get_by_role("button", name="Stop").click()
    page.get_by_text("Stopped: what was computed until then is shown.").wait_for(timeout=60_000)
    expect(page.get_by_role("button", name="Measure here")).to_be_visible(timeout=60_000)
    settled(page)
    painted(page)
    assert page.locator(".st-key-pe_measured [data-testid=stPlotlyChart]").count() == 1


def cells(page: Page) -> np.ndarray:
    """What is drawn of every token, as the picture tells screen readers and tests: change, before, after, twice."""
    rows = page.locator(".order tbody tr, .order table tr").all_inner_texts()[1:]
    return np.array([[float(each.replace("−", "-")) for each in row.split("\t")[1:]] for row in rows])


def wanted(order: str) -> np.ndarray:
    record = trained.reordered(trained.OrderParams(order=order))
    parts = [(record.change[lane, :, None], record.before[lane], record.after[lane]) for lane in (0, 1)]
    return np.hstack([each for part in parts for each in part])


def test_a_word_is_dragged_or_moved_by_keys_and_read_in_its_new_place(browse: OpenPage) -> None:
    page = browse("/positional_encoding?scene=order&pe_order=typed")
    chips = page.locator(".order .grip")
    expect(chips).to_have_count(5)
    first, last = chips.nth(0).bounding_box(), chips.nth(4).bounding_box()
    assert first
    assert last
    page.mouse.move(last["x"] + 20, last["y"] + 20)
    page.mouse.down()
    page.mouse.move(first["x"] + 20, first["y"] + 20, steps=6)
    expect(chips.nth(4)).to_have_attribute("aria-label", "cat, place 1 of 5")
    expect(page.locator(".order .change").first).to_have_text("…")  # what is not computed is not shown
    assert "pe_order=typed" in page.url, "nothing is told while it is held"
    page.mouse.up()
    linked(page, {"pe_order": "5 1 2 3 4"})
    expect(page.locator(".order .change").first).not_to_have_text("…")
    chosen = tuple(np.random.default_rng(3).integers(0, (6, 58), (20, 2)).T)
    np.testing.assert_allclose(cells(page)[chosen], wanted("5 1 2 3 4")[chosen], atol=6e-5)
    chips.nth(0).focus()
    for key in ("Space", "ArrowRight", "ArrowRight", "Escape", "Space", "ArrowLeft"):
        page.keyboard.press(key)
    assert "pe_order=5+1+2+3+4" in page.url, "nothing is told before it is put down"
    page.keyboard.press("Space")
    linked(page, {"pe_order": "1 5 2 3 4"})
    np.testing.assert_allclose(cells(page)[chosen], wanted("1 5 2 3 4")[chosen], atol=6e-5)
