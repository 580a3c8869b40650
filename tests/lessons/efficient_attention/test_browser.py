"""The page in a real browser: flash steps and plays, a small map is clicked, measuring starts and stops."""

from contextlib import suppress

from playwright.sync_api import TimeoutError as NotThere

from tests.support.browser import OpenPage, linked, painted, settled


def test_flash_steps_by_button_and_plays(browse: OpenPage) -> None:
    page = browse("/efficient_attention?scene=flash&ea_step=3")
    painted(page)
    page.locator(".st-key-ea_tiles").get_by_text("Tile 4 of 10").wait_for()
    page.locator(".st-key-ea_stepper").get_by_role("button", name="Step on").first.click()
    linked(page, {"ea_step": "4"})
    page.locator(".st-key-ea_stepper").get_by_role("button", name="Play").click()
    page.locator(".st-key-ea_tiles").get_by_text("Tile 8 of 10").wait_for(timeout=60_000)
    page.locator(".st-key-ea_stepper").get_by_role("button", name="Pause").click()
    settled(page)
    assert page.locator("[data-testid=stException]").count() == 0


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
