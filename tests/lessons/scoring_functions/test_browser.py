"""The scoring functions in a real browser: what only shows there."""

import numpy as np
import pytest
from playwright.sync_api import expect

from explorer.lessons.scoring_functions import learned_readings
from explorer.lessons.scoring_functions.fitted_scorers import Fit, fit
from tests.support.browser import SCRUB, OpenPage, linked, moved, painted, settled, tap, unheard


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
    expect(table.locator("caption")).to_have_text("Step 60")
    with unheard(page):
        for moment in (3, 9):
            slider.evaluate(SCRUB, moment / 12)
            expect(table.locator("caption")).to_have_text(f"Step {record.steps[moment]}")
            rows = [
                [float(cell) for cell in row.locator("td").all_inner_texts()] for row in table.locator("tr").all()[1:]
            ]
            measures = np.stack([each[moment] for each in (record.loss, record.accuracy, record.correlation)])
            np.testing.assert_allclose(rows[:3], measures, atol=6e-5)
            np.testing.assert_allclose(rows[3:], record.weights[moment].reshape(4, -1).T, atol=6e-5)
            bars = film.locator("text.strong").all_text_contents()[-3:]
            assert bars == [f"{each + 0:.2f}" for each in np.round(record.correlation[moment, 1:], 2)]
            said = learned_readings.describe_moment(record, moment).replace("**", "")
            expect(page.locator(".st-key-fitting .reading")).to_contain_text(said)
    slider.evaluate("slider => slider.dispatchEvent(new Event('change'))")
    linked(page, {"sf_moment": "45"})
    expect(page.locator(".st-key-fitted_w_remark .reading")).to_contain_text(
        learned_readings.describe_bilinear(record, 9)
    )


@pytest.mark.parametrize("finger", [False, True])
def test_a_cell_that_is_pointed_at_says_its_number_while_time_goes_by(browse: OpenPage, finger: bool) -> None:
    record = fit(Fit())
    page = browse("/scoring_functions?scene=trained&sf_moment=40", finger=finger)
    hint, cells = page.locator(".fit_film .hint"), page.locator(".fit_film .cells")

    def point(tile: int, row: int, column: int) -> None:
        box = cells.nth(tile).bounding_box()
        assert box
        at = box["x"] + box["width"] * (column + 0.5) / 8, box["y"] + box["height"] * (row + 0.5) / 8
        if finger:
            tap(page, *at)
        else:
            page.mouse.move(*at)

    point(4, 2, 5)  # off the diagonal: rows and columns are not mistaken for each other
    expect(hint).to_have_text(f"row 3, column 6 of W: {record.bilinear[8, 2, 5]:.3f}".replace("-", "−"))
    point(1, 3, 2)
    expect(hint).to_have_text(f"query 4, key 3: {record.weights[8, 1, 3, 2]:.3f}")
    page.locator(".fit_film").get_by_role("slider").evaluate(SCRUB, 10 / 12)
    expect(hint).to_have_text(f"query 4, key 3: {record.weights[10, 1, 3, 2]:.3f}")


def test_no_label_lies_on_a_title_where_the_best_is_nearly_always_right(browse: OpenPage) -> None:
    page = browse("/scoring_functions?scene=trained&sf_fd=32", width=390, height=844)
    best = page.locator(".fit_film text", has_text="best possible").first.bounding_box()
    title = page.locator(".fit_film text", has_text="share of unseen queries").bounding_box()
    assert best
    assert title
    assert best["y"] >= title["y"] + title["height"] - 2


def test_keys_are_near_or_opposite_only_for_the_query_that_they_were_named_for(browse: OpenPage) -> None:
    page = browse("/scoring_functions?scene=fit")
    opposite = page.locator(".landscape .key .name", has_text="opposite")
    expect(opposite).to_be_visible()
    moved(page, "sf_turn", 120)
    expect(opposite).to_be_hidden()
    page.mouse.up()
    settled(page)
    expect(opposite).to_be_hidden()
    expect(browse("/scoring_functions?scene=fit&sf_turn=215").locator(".landscape .key .name").last).to_be_hidden()
