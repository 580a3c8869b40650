"""The scenes in a real browser: a word is clicked, a step is made and played, the sample is measured."""

import re

from playwright.sync_api import Page

from tests.browser.test_every_page import ERRORS
from tests.support.browser import OpenPage, painted, settled


def reads(page: Page, words: str) -> None:
    """Wait until a reading says this."""
    page.locator(".reading", has_text=words).first.wait_for(timeout=60_000)
    settled(page)


def test_steps_move_by_button_and_arrow_key(browse: OpenPage) -> None:
    page = browse("/seq2seq_attention?scene=step_by_step")
    painted(page)
    reads(page, "Step 1")
    page.locator(".st-key-sa_next button >> nth=0").click()
    reads(page, "writes small")
    page.keyboard.press("ArrowRight")
    reads(page, "writes cat")
    page.wait_for_url(re.compile("sa_step=2"))
    page.keyboard.press("ArrowLeft")
    reads(page, "writes small")
    assert page.locator(ERRORS).count() == 0


def test_the_bottleneck_is_measured_again_on_a_sample(browse: OpenPage) -> None:
    page = browse("/seq2seq_attention?scene=bottleneck&sa_sample=own&sa_search=greedy", width=390, height=844)
    page.get_by_role("button", name=re.compile("Translate 40 sentences")).click()
    page.get_by_text("BLEU over 40 sentences").first.wait_for(timeout=120_000)
    settled(page)
    assert page.locator(ERRORS).count() == 0
