"""The scoring functions in a real browser: what only shows there."""

import numpy as np
from playwright.sync_api import expect

from explorer.lessons.scoring_functions import learned_readings
from explorer.lessons.scoring_functions.fitted_scorers import Fit, fit
from tests.support.browser import OpenPage, linked, painted, settled, unheard


def test_a_choice_made_in_chinese_opens_in_english(browse: OpenPage) -> None:
    page = browse("/scoring_functions?scene=seven&lang=zh")
    painted(page)
    page.get_by_role("radio", name="评分", exact=True).click()
    page.wait_for_url("**sf_shown=scores**")
    settled(page)
    again = browse("/scoring_functions?" + page.url.partition("?")[2].replace("lang=zh", "lang=en"))
    painted(again)
    assert "Scores spread most with" in again.locator(".st-key-scoring_functions").inner_text()


def test_a_preset_reaches_the_address_and_the_chart(browse: OpenPage) -> None:
    page = browse("/scoring_functions?scene=seven&lang=en")
    painted(page)
    page.get_by_role("button", name="Keys longer than queries").click()
    page.wait_for_url("**sf_dk=64**")
    settled(page)
    painted(page)
    assert page.locator("[data-testid=stAlert]").count() == 1
    assert page.locator(".st-key-scoring_functions .annotation-text").count() == 3


def test_a_training_is_scrubbed_without_the_server_and_is_the_record_at_every_step(browse: OpenPage) -> None:
    record = fit(Fit())
    page = browse("/scoring_functions?scene=trained")
    film, table = page.locator(".fit_film"), page.locator(".fit_film table")
    slider = film.get_by_role("slider")
    expect(table.locator("caption")).to_have_text("Step 200")
    with unheard(page):
        for moment in (3, 12):
            slider.evaluate(
                "(slider, share) => { slider.value = String(Math.round(share * slider.max));"
                " slider.dispatchEvent(new Event('input')); }",
                moment / 20,
            )
            expect(table.locator("caption")).to_have_text(f"Step {record.steps[moment]}")
            rows = [
                [float(cell) for cell in row.locator("td").all_inner_texts()] for row in table.locator("tr").all()[1:]
            ]
            measures = np.stack([each[moment] for each in (record.loss, record.accuracy, record.correlation)])
            np.testing.assert_allclose(rows[:3], measures, atol=6e-5)
            np.testing.assert_allclose(rows[3:], record.weights[moment].reshape(4, -1).T, atol=6e-4)  # sent as float16
            said = learned_readings.describe_moment(record, moment).replace("**", "")
            expect(page.locator(".st-key-fitting .reading")).to_contain_text(said)
    slider.evaluate("slider => slider.dispatchEvent(new Event('change'))")
    linked(page, {"sf_moment": "120"})
    expect(page.locator(".st-key-fitted_w_remark .reading")).to_contain_text(
        learned_readings.describe_bilinear(record, 12)
    )


def test_a_cell_that_is_pointed_at_says_its_weight(browse: OpenPage) -> None:
    record = fit(Fit())
    page = browse("/scoring_functions?scene=trained&sf_moment=60")
    tile = page.locator(".fit_film .cells").nth(1)
    box = tile.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] * 2.5 / 8, box["y"] + box["height"] * 3.5 / 8)
    said = f"query 4, key 3: {record.weights[6, 1, 3, 2]:.3f}"
    expect(page.locator(".fit_film .hint")).to_have_text(said)
