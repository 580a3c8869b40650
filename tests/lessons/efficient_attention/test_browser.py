"""The page in a real browser: flash steps and plays, a small map is clicked, measuring starts and stops."""

import re
from contextlib import suppress

import numpy as np
from playwright.sync_api import TimeoutError as NotThere, expect

from explorer.lessons.efficient_attention.compute import flash_steps
from explorer.lessons.efficient_attention.flash import FlashParams
from explorer.lessons.efficient_attention.ui.flash_film import kept
from tests.support.browser import OpenPage, linked, moved, painted, played, settled

SCRUB = "(scrub, share) => { scrub.value = 1000 * share; scrub.dispatchEvent(new Event('input')); }"


def test_flash_is_the_record_at_every_tile_and_the_link_follows(browse: OpenPage) -> None:
    """Scrubbed, stepped by key, pointed at, and played to its end."""
    record, rng = flash_steps(FlashParams()), np.random.default_rng(0)
    page = browse("/efficient_attention?scene=flash&ea_step=3")
    film = page.locator(".flash_film")
    expect(film.locator(".where")).to_have_text("Tile 4 of 10")
    for step in (9, 0, 7):
        film.locator(".scrub").evaluate(SCRUB, step / 9)
        for told in (".where", "caption"):
            expect(film.locator(told)).to_have_text(f"Tile {step + 1} of 10")
        rows = film.locator("table tr").all()[1:]
        drawn = np.array(
            [[float(cell.replace("−∞", "-inf")) for cell in row.locator("td").all_inner_texts()] for row in rows]
        )
        expected = kept(record)[step]
        for row, column in zip(rng.integers(0, 8, 20), rng.integers(0, 6, 20), strict=True):
            np.testing.assert_allclose(drawn[row, column], expected[row, column], rtol=1e-6, atol=5.1e-5)
        inked = film.locator(".cell").count()
        tile = record.steps[step]
        assert inked == np.isfinite(record.scores[slice(*tile.queries), slice(*tile.keys)]).sum()
    film.locator(".scrub").dispatch_event("change")  # let go
    linked(page, {"ea_step": "7"})
    expect(film.locator(".line")).to_contain_text("all that was summed is multiplied by")
    film.locator(".foot button").nth(1).press("ArrowLeft")
    linked(page, {"ea_step": "", "ea_row": ""})  # the step that a link need not name
    box = film.locator("svg").bounding_box()
    assert box
    page.mouse.click(box["x"] + 40, box["y"] + 56)  # the first row of the first tile
    linked(page, {"ea_step": "0", "ea_row": "0"})
    played(film)
    expect(film.locator(".where")).to_have_text("Tile 10 of 10", timeout=60_000)
    linked(page, {"ea_step": "9"})
    assert page.complaints == []


def test_flash_and_both_readings_fit_on_a_projector(browse: OpenPage) -> None:
    page = browse("/efficient_attention?scene=flash&present=1", width=1280, height=720)
    painted(page)
    page.locator(".flash_film .cell").first.wait_for()
    readings = page.locator(".st-key-stage .reading")
    expect(readings).to_have_count(2)
    boxes = [each.bounding_box() for each in readings.all()]
    assert all(box and box["y"] + box["height"] <= 720 for box in boxes), boxes


def test_a_click_on_a_small_map_chooses_its_pattern(browse: OpenPage) -> None:
    page = browse("/efficient_attention?scene=leave_out")
    painted(page)
    box = page.locator(".st-key-ea_model .js-plotly-plot").bounding_box()
    assert box
    page.mouse.click(box["x"] + 0.375 * box["width"], box["y"] + 0.94 * box["height"])
    linked(page, {"ea_name": "block"})


def test_measuring_starts_shows_itself_and_stops(browse: OpenPage) -> None:
    page = browse("/efficient_attention?scene=measured")
    painted(page)
    page.locator(".st-key-ea_measure_start button").click()
    stop = page.locator(".st-key-ea_measure_stop button")
    stop.wait_for(timeout=60_000)
    with suppress(NotThere):  # a fast machine may have ended by now
        stop.evaluate("button => button.click()", timeout=5_000)
    page.wait_for_function("() => !document.querySelector('.st-key-ea_measure_stop')", timeout=60_000)
    settled(page)
    painted(page)
    assert page.locator("[data-testid=stException]").count() == 0


def test_times_and_memory_follow_the_length_before_it_is_let_go(browse: OpenPage) -> None:
    """What is drawn under the pointer is what Python says once it is let go."""
    page = browse("/efficient_attention?scene=measured&ea_n=16384")
    picture = page.locator(".at_length")
    expect(picture.locator(".strong").first).to_have_text(re.compile("≈ "), timeout=30_000)
    moved(page, "ea_n", -150)
    expect(picture.locator(".strong").first).not_to_have_text(re.compile("≈"))
    parts = (".title", ".strong", ".strong.inside")
    title, time, size = (picture.locator(part).first.text_content() or "" for part in parts)
    expect(picture.locator("table td").nth(1)).to_have_text(time)
    linked(page, {"ea_n": "16384"})
    page.mouse.up()
    length = re.search(r"n = (\d+)", title)
    assert length
    linked(page, {"ea_n": length[1]})
    reading = page.locator(".st-key-ea_here .reading")
    expect(reading).to_contain_text(f"At n = {length[1]} plain attention takes {time} and {size}.")
    expect(picture.locator(".strong").first).to_have_text(time)
