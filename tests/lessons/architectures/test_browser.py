"""The page in a real browser: the signal is stepped; measuring is started, shows itself, and is stopped."""

from contextlib import suppress

import numpy as np
import pytest
from playwright.sync_api import TimeoutError as NotThere, expect

from explorer.attention.architectures_cost import cost
from explorer.lessons.architectures import Params
from explorer.lessons.architectures.compute import walks
from explorer.lessons.architectures.readings import names
from explorer.lessons.architectures.state import RANGES
from explorer.records.architectures import NAMES
from tests.support.browser import OpenPage, linked, moved, painted, settled


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
    film, table = page.locator(".paths"), page.locator(".paths table tr")
    film.locator(".there").nth(2).wait_for()
    film.get_by_role("button", name="Step on").click()
    linked(page, {"ar_step": "16"})
    page.locator(".st-key-ar_paths .reading").get_by_text("arrived after 16").wait_for()
    film.locator(".scrub").fill("0")
    linked(page, {"ar_step": ""})
    page.keyboard.press("ArrowRight")
    linked(page, {"ar_step": "1"})
    expect(film.locator(".where")).to_have_text("Step 1 of 16")
    expect(page.locator(".paths caption")).to_have_text("Step 1 of 16")
    rows = {name: position for name, *position in (row.split("\t") for row in table.all_inner_texts())}
    for record in walks(Params(), 0, 15):  # after one step
        last = (1, 0) if record.name == "recurrence" else record.path[1]
        assert [int(each) for each in rows[names()[record.name]]] == [last[0], last[1] + 1]


@pytest.mark.parametrize("counted", ["operations", "peak"])
def test_the_costs_follow_the_sizes(browse: OpenPage, counted: str) -> None:
    page = browse(f"/architectures?scene=costs&ar_counted={counted}")
    page.locator(".costs .bar").first.wait_for()
    slider = page.locator(".st-key-ar_n input[type=range]")

    def shown() -> int:
        """What is drawn is what the formulas say, at every n and as bars, where the slider stands; return that n."""
        n = RANGES["n"][int(slider.get_attribute("value") or "-1")]
        page.wait_for_timeout(400)
        rows = [row.locator("th, td").all_inner_texts()[1:] for row in page.locator(".costs tr").all()[1:]]
        unit = 4 / 2**20 if counted == "peak" else 1
        sizes = [*RANGES["n"], n]
        expected = [[unit * getattr(cost(each, Params(n=n).sizes()), counted) for n in sizes] for each in NAMES]
        np.testing.assert_allclose([[float(each) for each in row] for row in rows], expected, rtol=1e-6)
        widths = [float(each.get_attribute("width") or "nan") for each in page.locator(".costs .bar:not(.part)").all()]
        np.testing.assert_allclose(
            np.array(widths) / max(widths), np.array(expected)[:, -1] / max(row[-1] for row in expected), atol=5e-3
        )
        return n

    assert shown() == 256
    box = slider.bounding_box()
    assert box
    page.mouse.move(box["x"] + 8, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 60, box["y"] + box["height"] / 2, steps=6)
    assert "ar_n" not in page.url, "nothing is told while it is held"
    held = shown()
    assert held != 256
    page.mouse.up()
    linked(page, {"ar_n": str(held)})
    assert not page.complaints


def test_the_memory_follows_the_sizes_before_they_are_let_go(browse: OpenPage) -> None:
    """Lines are what the formulas say; points stand where it was measured, for the sizes that were measured alone."""
    page = browse("/architectures?scene=measured&ar_beside=memory")
    picture, slider = page.locator(".memory"), page.locator(".st-key-ar_d input[type=range]")
    points = picture.locator("circle:not(.read):visible")
    expect(points).not_to_have_count(0, timeout=60_000)

    def shown() -> int:
        """Compare what is drawn with the formulas, and return the d at which the slider stands."""
        d = RANGES["d"][int(slider.get_attribute("value") or "-1")]
        page.wait_for_timeout(400)
        rows = [row.locator("th, td").all_inner_texts()[1:] for row in picture.locator("tr").all()[1:]]
        costs = [[cost(name, Params(d=d).sizes(n=n)) for n in RANGES["n"]] for name in NAMES]
        floats = [[each.matrix for each in costs[-1]], *[[each.peak for each in row] for row in costs]]
        lines = [rows[0], *rows[1::2]]
        np.testing.assert_allclose(
            [[float(each) for each in row] for row in lines], 4 / 2**20 * np.array(floats), rtol=1e-5
        )
        measured = sum(point != "–" for points_of in rows[2::2] for point in points_of)
        assert points.count() == measured <= 18, "three layers at n = 16 … 512; a slow machine leaves the last out"
        for line, points_of in zip(lines[1:], rows[2::2], strict=True):
            for value, point in zip(line, points_of, strict=True):
                assert point == "–" or float(point) == pytest.approx(float(value), rel=0.1)
        return d

    assert NAMES[-1] == "attention"
    assert shown() == 64
    moved(page, "ar_d", 60)
    held = shown()
    assert held != 64
    assert "ar_d" not in page.url, "nothing is told while it is held"
    expect(points).to_have_count(0)
    page.mouse.up()
    linked(page, {"ar_d": str(held)})
    expect(points).not_to_have_count(0, timeout=60_000)
    assert shown() == held
    assert not page.complaints
