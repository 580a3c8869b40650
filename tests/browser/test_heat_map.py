"""Plotly's heat maps in a real browser: how they zoom, and how they are linked."""

import pytest
from playwright.sync_api import Page

from tests.support.browser import OpenPage, linked, painted, tap
from tests.support.heat_maps import maps

#: A scene with a heat map behind the switch; a click on it changes nothing.
MAP = "/queries_keys_values?scene=desk&sight=map"
CHART = ".st-key-qk_desk_map .js-plotly-plot"
#: Ends of the map's axes.
RANGES = "plot => [plot._fullLayout.xaxis, plot._fullLayout.yaxis].map(axis => axis.range.map(Number))"
Box = dict[str, float]


def ranges(page: Page) -> list[list[float]]:
    found: list[list[float]] = page.locator(CHART).evaluate(RANGES)
    return found


def area(page: Page) -> Box:
    box = page.locator(f"{CHART} .nsewdrag").first.bounding_box()
    assert box
    return dict(box)


def drag(page: Page, box: Box, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Drag the mouse from one place of a box to another, given as shares of its sides."""
    for step, (across, down) in enumerate((start, end)):
        page.mouse.move(box["x"] + across * box["width"], box["y"] + down * box["height"], steps=8)
        (page.mouse.up if step else page.mouse.down)()


def spans(found: list[list[float]]) -> list[float]:
    return [abs(last - first) for first, last in found]


def changed(page: Page, before: list[list[float]]) -> list[list[float]]:
    """Wait until the axes end elsewhere."""
    now = f"({RANGES})(document.querySelector('{CHART}'))"
    page.wait_for_function(f"before => JSON.stringify({now}) !== JSON.stringify(before)", arg=before)
    return ranges(page)


def double_click(page: Page, box: Box) -> None:
    """Zoom out by two clicks, again where a loaded machine is so late between them that Plotly takes each alone."""
    before = ranges(page)
    for _ in range(5):
        page.mouse.dblclick(box["x"] + 20, box["y"] + 20)
        page.wait_for_timeout(1_000)
        if ranges(page) != before:
            return
    pytest.fail("a double click changes nothing")


def test_a_mouse_zooms_a_heat_map_and_pans_and_returns(browse: OpenPage) -> None:
    page = browse(MAP)
    painted(page, 1)
    whole, box = ranges(page), area(page)
    drag(page, box, (0.2, 0.2), (0.6, 0.7))
    near = changed(page, whole)
    assert spans(near)[0] < 0.5 * spans(whole)[0]
    assert spans(near)[1] < 0.6 * spans(whole)[1]
    page.keyboard.down("Shift")
    drag(page, box, (0.5, 0.5), (0.7, 0.6))
    page.keyboard.up("Shift")
    aside = changed(page, near)
    assert [round(each, 6) for each in spans(aside)] == [round(each, 6) for each in spans(near)]
    double_click(page, box)
    assert ranges(page) == whole
    page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])
    page.keyboard.down("Control")
    page.mouse.wheel(0, -300)
    page.keyboard.up("Control")
    assert max(spans(changed(page, whole))) < max(spans(whole))


def test_the_wheel_alone_scrolls_the_page(browse: OpenPage) -> None:
    page = browse(MAP)
    painted(page, 1)
    whole, box = ranges(page), area(page)
    page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])
    page.mouse.wheel(0, 200)
    page.wait_for_function("document.querySelector('[data-testid=stMain]').scrollTop > 100")
    assert ranges(page) == whole


def swipe(page: Page, box: Box) -> None:
    """Draw a finger over a box, upwards and to the right."""
    tools = page.context.new_cdp_session(page)
    x, y = box["x"] + 0.3 * box["width"], box["y"] + 0.7 * box["height"]
    tools.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in range(1, 6):
        position = {"x": x + 20 * step, "y": y - 36 * step}
        tools.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [position]})
    tools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_a_finger_scrolls_past_a_heat_map_and_zooms_where_it_fills_the_screen(browse: OpenPage) -> None:
    page = browse(MAP)
    painted(page, 1)
    whole = ranges(page)
    swipe(page, area(page))
    page.wait_for_function("document.querySelector('[data-testid=stMain]').scrollTop > 60")
    page.wait_for_timeout(300)
    assert ranges(page) == whole
    page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop = 0")
    page.locator(CHART).hover()
    page.locator(f"{CHART} .modebar-btn[data-title=Fullscreen]").click()
    page.wait_for_function(f"document.querySelector('{CHART}').getBoundingClientRect().height > 700")
    swipe(page, area(page))
    assert spans(changed(page, whole))[1] < spans(whole)[1]


def test_without_a_mouse_a_tap_brings_the_buttons_and_nothing_covers_the_cells_before(browse: OpenPage) -> None:
    page = browse(MAP, width=390, height=844, finger=True)
    painted(page, 1)
    shown = f"getComputedStyle(document.querySelector('{CHART} .modebar')).visibility"
    assert page.evaluate(shown) == "hidden"
    page.locator(CHART).scroll_into_view_if_needed()
    corner = area(page)
    tap(page, corner["x"] + corner["width"] - 12, corner["y"] + 12)
    page.wait_for_function(f"() => {shown} === 'visible'", timeout=5_000)


FORMER = [
    "translator?scene=look&tr_view=map",
    "text_generation?scene=looked&tg_part=map",
    "translator?scene=align&tr_look=matrix",
]


@pytest.mark.parametrize("former", FORMER)
def test_a_link_from_before_the_switch_opens_the_heat_map(browse: OpenPage, former: str) -> None:
    page = browse(f"/{former}&lang=en")
    linked(page, {"sight": "map"})
    assert maps(page)
