"""The page in a real browser: the signal is stepped; measuring is started, shows itself, and is stopped."""

from contextlib import suppress

from playwright.sync_api import TimeoutError as NotThere
from playwright.sync_api import expect

from explorer.lessons.architectures import Params
from explorer.lessons.architectures.compute import walks
from explorer.lessons.architectures.readings import names
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


def test_the_signal_steps_in_the_browser_and_the_link_keeps_where_it_rests(browse: OpenPage) -> None:
    page = browse("/architectures?scene=paths&ar_step=15")
    film, table = page.locator(".paths_film"), page.locator(".paths_film table tr")
    film.locator(".there").nth(2).wait_for()
    film.get_by_role("button", name="Step on").click()
    linked(page, {"ar_step": "16"})
    page.locator(".st-key-ar_paths .reading").get_by_text("arrived after 16").wait_for()
    film.locator(".scrub").fill("0")
    linked(page, {"ar_step": "0"})
    page.keyboard.press("ArrowRight")
    linked(page, {"ar_step": "1"})
    expect(film.locator(".where")).to_have_text("Step 1 of 16")
    expect(page.locator(".paths_film caption")).to_have_text("Step 1 of 16")
    rows = {name: place for name, *place in (row.split("\t") for row in table.all_inner_texts())}
    for record in walks(Params(), 0, 15):  # after one step
        last = (1, 0) if record.name == "recurrence" else record.path[1]
        assert [int(each) for each in rows[names()[record.name]]] == [last[0], last[1] + 1]
