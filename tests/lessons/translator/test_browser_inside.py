"""Inside the translator in a real browser: stepping, clicking on charts, links of what was changed."""

import numpy as np
from playwright.sync_api import expect

from explorer.lessons import translator as lesson
from explorer.lessons.translator import finished, stream
from explorer.lessons.translator.figures import bars
from tests.support.browser import SCRUB, OpenPage, linked, painted, unheard
from tests.support.soundness import ERRORS


def test_a_word_is_followed_through_the_decoder_without_the_server(browse: OpenPage) -> None:
    page = browse("/translator?scene=token&tr_inside=word&tr_token=2")
    film, reading = page.locator(".token"), page.locator(".st-key-tr_point_lens_remark .reading")
    result = lesson.compute(lesson.Params())
    record = stream.follow_stream(finished.best_translation(result))
    last = len(record.points) - 1
    film.locator(".row").nth(last).wait_for()
    with unheard(page):
        for number in (last, 4, 1):
            film.locator(".scrub").evaluate(SCRUB, number / last)
            expect(film.locator(".where")).to_have_text(f"Step {number} of {last}")
            expect(film.locator("tr").first).to_contain_text(stream.point_name(record.points[number]))
            expect(reading).to_contain_text(stream.describe_point(record, 2, number))
            rows = [row.split("\t") for row in film.locator("tr").all_inner_texts()]
            numbers = [float(each[1]) for each in rows if each[1].replace(".", "").isdigit()]
            lens = [each.probability for each in record.likeliest[number][2]]
            looked = stream.attended_at(result, record.points[number], 2)
            weights = [] if looked is None else np.sort(looked.weights[0, 0])[::-1][: bars.MOST_LOOKS]
            wanted = [record.norm[number, 2], record.added[number, 2], *lens, *weights]
            np.testing.assert_allclose(numbers, wanted, atol=6e-5)
    film.locator(".scrub").dispatch_event("change")
    linked(page, {"tr_point": "1"})
    film.locator(".area").nth(3).click()
    linked(page, {"tr_point": "3"})
    assert page.locator(ERRORS).count() == 0


def test_a_change_and_its_reset_are_in_the_link(browse: OpenPage) -> None:
    page = browse("/translator?scene=change&sight=map&tr_mask=1&tr_row=2@0")
    page.wait_for_selector(".st-key-tr_cross_after .heatmaplayer image")
    assert painted(page, 2) == 2
    page.locator(".st-key-tr_reset button").first.click()
    page.wait_for_selector(".st-key-tr_changes", state="detached")
    linked(page, {"tr_mask": "", "tr_row": ""})
    assert page.locator(ERRORS).count() == 0
