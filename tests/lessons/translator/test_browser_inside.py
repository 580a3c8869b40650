"""Inside the translator in a real browser: stepping, clicking on charts, links of what was changed."""

import re

from tests.browser.test_every_page import ERRORS
from tests.support.browser import OpenPage, painted, settled


def test_stepping_through_a_token_changes_link_and_chart(browse: OpenPage) -> None:
    page = browse("/translator?scene=token&tr_inside=word&tr_token=2")
    painted(page, 2)
    before = page.locator(".st-key-tr_point_lens h3").inner_text()
    page.locator(".st-key-tr_down button").first.click()
    page.wait_for_url(re.compile("tr_point=1"))
    page.wait_for_function("text => document.querySelector('.st-key-tr_point_lens h3').innerText !== text", arg=before)
    settled(page)
    painted(page)
    assert page.locator(ERRORS).count() == 0


def test_a_change_and_its_reset_are_in_the_link(browse: OpenPage) -> None:
    page = browse("/translator?scene=change&tr_mask=1&tr_row=2@0")
    page.wait_for_selector(".st-key-tr_cross_after .heatmaplayer image")
    assert painted(page, 2) == 2
    page.locator(".st-key-tr_reset button").first.click()
    page.wait_for_selector(".st-key-tr_changes", state="detached")
    settled(page)
    assert "tr_mask" not in page.url
    assert "tr_row" not in page.url
    assert page.locator(ERRORS).count() == 0
