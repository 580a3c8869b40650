"""The picture in which a translation is changed: its numbers, and what a click does."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from explorer.lessons.translator import change, finished
from explorer.lessons.translator.change_state import Change
from explorer.lessons.translator.compute import compute
from explorer.lessons.translator.live import crossed_out
from explorer.lessons.translator.state import Params
from tests.support.browser import OpenPage, linked
from tests.support.soundness import ERRORS


def test_the_picture_draws_what_the_model_computes_under_the_change() -> None:
    result = compute(Params(text="My sister wants to live in a big white house."))  # “blanche” is two pieces
    asked = Change(masked=(8,))
    params = change.InterventionParams(written=finished.best_translation(result), change=asked)
    record = change.under(params)
    drawn = crossed_out.pack(result, record, asked)
    assert drawn["asks"][8:9] == ("blanche",)
    assert np.isnan(drawn["weights"][:, 8]).all()
    np.testing.assert_allclose(np.nansum(drawn["weights"], -1), 1, atol=1e-4)
    assert drawn["lost"].sum() == pytest.approx(record.total_change, abs=1e-3)
    np.testing.assert_allclose(drawn["lost"], record.change, atol=1e-5)
    untouched = crossed_out.pack(result, record, Change(masked=(8,), step=9, word=2))
    assert untouched["forced"] == [8, 2]  # the second piece of the word is the word


def test_a_click_crosses_a_word_out_and_a_cell_forces_a_look(browse: OpenPage) -> None:
    page = browse("/translator?scene=change")
    words, line = page.locator(".crossed_out .word"), page.locator(".tr_line")
    words.nth(2).click()
    linked(page, {"tr_mask": "2"})
    expect(line.locator("del").first).to_have_text("n'", timeout=20_000)
    expect(words.nth(2)).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".crossed_out .loss b").first).to_have_text(re.compile("^1/"))
    words.nth(2).click()
    linked(page, {"tr_mask": ""})
    expect(line).to_have_count(0)
    page.locator('.crossed_out [data-at="5 4"]').click()
    linked(page, {"tr_row": "5@4"})
    expect(line.locator("del").first).to_contain_text("café", timeout=20_000)
    page.locator('.crossed_out [data-at="5 4"]').click()
    linked(page, {"tr_row": ""})
    page.locator('.crossed_out [data-at="5 4"]').press("ArrowUp")
    page.keyboard.press("Enter")
    linked(page, {"tr_row": "4@4"})
    assert page.locator(ERRORS).count() == 0
