"""Drawing the mask of the page with mouse, finger and keyboard; the link keeps it."""

import itertools
import re
from urllib.parse import parse_qs, urlparse

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from explorer.lessons.masked_softmax import trained_head
from explorer.lessons.masked_softmax.trained_head import TrainedHead
from tests.support.browser import OpenPage, linked, painted, press, query_of

CELLS = 7


def drawn(page: Page) -> str:
    return parse_qs(urlparse(page.url).query).get("ms_hand", [""])[0]


def flip(page: Page, query: int, key: int, expected: str, *, finger: bool = False) -> None:
    """Click the middle of a cell, counted from 1, and wait for the link to say what is expected."""
    press(page, "ms_map", 0, (key - 0.5) / CELLS, (query - 0.5) / CELLS, finger=finger)
    linked(page, {"ms_hand": expected})


@pytest.mark.parametrize("finger", [False, True], ids=["mouse", "finger"])
def test_a_click_flips_a_cell_and_the_link_reopens_it(browse: OpenPage, finger: bool) -> None:
    page = browse("/masked_softmax?scene=batch&ms_shown=mask", width=390 if finger else 1440, finger=finger)
    painted(page)
    assert page.get_by_text("28 of 49 cells are allowed").count() == 1
    flip(page, 3, 1, "3:1", finger=finger)
    flip(page, 1, 7, "1:7 3:1", finger=finger)
    flip(page, 7, 2, "1:7 3:1 7:2", finger=finger)
    flip(page, 3, 1, "1:7 7:2", finger=finger)
    page.get_by_text("28 of 49 cells are allowed: padding forbids 21, changed by hand: 2.").wait_for()
    again = browse(query_of(page))
    painted(again)
    assert drawn(again) == "1:7 7:2"
    again.get_by_text("28 of 49 cells are allowed: padding forbids 21, changed by hand: 2.").wait_for()
    rings = again.locator(".st-key-ms_map .scatterlayer .trace").first.locator(".point")
    assert rings.count() == 2


def test_the_keyboard_draws_too(browse: OpenPage) -> None:
    page = browse("/masked_softmax?scene=batch&ms_shown=mask")
    painted(page)
    page.get_by_text("More settings").click()
    field = page.get_by_role("textbox", name=re.compile("Cells changed by hand"))
    field.focus()
    page.keyboard.type("2-3:1")
    page.keyboard.press("Enter")
    page.get_by_text("26 of 49 cells are allowed: padding forbids 21, changed by hand: 2.").wait_for()
    assert drawn(page) == "2-3:1"


def test_the_mask_says_why_under_the_pointer(browse: OpenPage) -> None:
    page = browse("/masked_softmax?scene=batch&ms_shown=mask&ms_causal=true")
    painted(page)
    plot = page.locator(".st-key-ms_map .nsewdrag").first
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] * 6.5 / CELLS, box["y"] + box["height"] * 1.5 / CELLS, steps=5)
    hover = page.locator(".st-key-ms_map .hoverlayer .hovertext")
    hover.first.wait_for()
    assert hover.first.text_content() == "“reads” may not attend to “pad” (padding, future)"


def test_before_a_low_room_the_numbers_of_cells_lie_apart_and_a_click_finds_its_row(browse: OpenPage) -> None:
    page = browse("/masked_softmax?scene=padding&present=1", width=1280, height=720)
    painted(page)
    boxes = page.locator(".st-key-mp_map .textpoint text").evaluate_all(
        "all => all.map(each => each.getBoundingClientRect()).map(({ left, right, top }) => [left, right, top])"
    )
    rows = [sorted(box for box in boxes if abs(box[2] - top) < 2) for top in {round(box[2]) for box in boxes}]
    assert max(map(len, rows)) == 12
    assert all(left[1] <= right[0] + 1 for row in rows for left, right in itertools.pairwise(row))
    press(page, "mp_map", 0, 0.5, 1.5 / 6)
    linked(page, {"mp_word": "1"})


def shown(page: Page) -> np.ndarray:
    """The weights of every row, as the painted map tells screen readers and tests."""
    numbers = page.locator(".mask output").inner_text().split()[1:]
    return np.array([float(each) for each in numbers]).reshape(12, 12)


def test_cells_are_painted_and_the_weights_follow_before_the_pointer_is_let_go(browse: OpenPage) -> None:
    page = browse("/masked_softmax?scene=draw")
    cell = page.locator(".mask [role=gridcell]")
    expect(cell).to_have_count(144)
    first, last = (cell.nth(7 * 12 + key).bounding_box() for key in (3, 8))
    assert first
    assert last
    page.mouse.move(first["x"] + 9, first["y"] + 9)
    page.mouse.down()
    page.mouse.move(last["x"] + 9, last["y"] + 9, steps=2)
    row = page.locator(".mask [role=gridcell][aria-label*=forbidden]")
    expect(row).to_have_count(6)  # a fast stroke leaves no gap
    assert "md_cells" not in page.url, "nothing is told while it is held"
    wanted = trained_head.compute(TrainedHead(of="own", layer=1, head=2, hand=tuple((7, key) for key in range(3, 9))))
    np.testing.assert_allclose(shown(page), wanted.after, atol=2e-6)
    page.mouse.up()
    linked(page, {"md_cells": "8:4-9"})
    page.get_by_text("The mask takes").wait_for()
    cell.nth(7 * 12 + 8).focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press(" ")
    page.keyboard.press("Shift+ArrowRight")
    linked(page, {"md_cells": "8:4-9 9:9-10", "md_word": "8"})
    page.mouse.move(last["x"] + 9, last["y"] + 9)
    page.mouse.down()
    page.mouse.up()
    linked(page, {"md_cells": "8:4-8 9:9-10"})


def test_a_cell_painted_by_keyboard_just_before_the_scene_is_left_is_kept(browse: OpenPage) -> None:
    page = browse("/masked_softmax?scene=draw")
    cell = page.locator(".mask [role=gridcell]")
    cell.nth(3).focus()
    page.keyboard.press(" ")
    page.get_by_role("tab").first.click()
    linked(page, {"scene": "padding"})
    page.get_by_role("tab").nth(2).click()
    linked(page, {"scene": "draw", "md_cells": "1:4"})
