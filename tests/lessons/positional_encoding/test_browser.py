"""The page in a browser: the player walks, a sentence is read anew, and long work can be stopped."""

import re

from playwright.sync_api import expect

from tests.support.browser import OpenPage, painted, settled


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
