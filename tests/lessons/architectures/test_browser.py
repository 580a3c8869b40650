"""The page in a real browser: the signal is stepped; measuring is started, shows itself, and is stopped."""

from contextlib import suppress

from playwright.sync_api import TimeoutError as NotThere

from tests.support.browser import OpenPage, linked, painted, settled


def test_measuring_starts_fills_the_chart_and_stops(browse: OpenPage) -> None:
    page = browse("/architectures?scene=measured&ar_heads=8")
    painted(page)
    page.locator(".st-key-ar_measure_n_start button").click()
    stop = page.locator(".st-key-ar_measure_n_stop button")
    stop.wait_for(timeout=60_000)
    with suppress(NotThere):  # a fast machine may have ended by now
        stop.click(timeout=5_000)
    page.wait_for_function("() => !document.querySelector('.st-key-ar_measure_n_stop')", timeout=60_000)
    settled(page)
    painted(page)
    assert page.locator("[data-testid=stException]").count() == 0


def test_the_signal_steps_by_button_and_enters_the_link(browse: OpenPage) -> None:
    page = browse("/architectures?scene=paths&ar_step=15")
    painted(page)
    page.locator(".st-key-ar_stepper").get_by_role("button", name="Step on").first.click()
    linked(page, {"ar_step": "16"})
    settled(page)
    page.locator(".st-key-ar_paths").get_by_text("arrived after 16").wait_for()
