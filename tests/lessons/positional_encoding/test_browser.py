"""The page in a browser: the player walks, a sentence is read anew, and long work can be stopped."""

import math
import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from explorer.lessons.positional_encoding import Params, View, extrapolation, trained, waves
from tests.support.browser import SCRUB, OpenPage, linked, moved, painted, settled, unheard

#: Headings and labels of a film that lie over a clock, a word or the position that is read.
OVER = """() => {
  const found = document.querySelector('.st-key-stage [data-testid=stBidiComponentIsolated]').shadowRoot;
  const boxes = selector => [...found.querySelectorAll(selector)].map(each => each.getBoundingClientRect());
  const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top + 3 || b.bottom <= a.top + 3;
  const taken = boxes('.face, .mark circle, .here rect, .chip rect, .blind');
  return [...found.querySelectorAll('text.strong, text.tick')].filter(each =>
    taken.some(box => !apart(each.getBoundingClientRect(), box))).map(each => each.textContent);
}"""


def rested(page: Page, film: str) -> dict[str, list[str]]:
    """What a film tells those who do not see it, row by row; it is written once the film rests."""
    page.wait_for_timeout(350)
    return {
        name: cells for name, *cells in (row.split("\t") for row in page.locator(f"{film} tr").all_inner_texts()[1:])
    }


def test_places_are_walked_through_without_the_server(browse: OpenPage) -> None:
    page = browse("/positional_encoding?scene=waves")
    film, reading = page.locator(".waves"), page.locator(".st-key-stage .reading")
    codes = waves.codes(Params(d_model=12, length=256)).code.reshape(256, -1, 2)
    draw = np.random.default_rng(5)
    with unheard(page):
        for position in draw.integers(0, 256, 10):
            film.locator(".scrub").evaluate(SCRUB, position / 255)
            expect(film.locator(".where")).to_have_text(f"Position {position}")
            expect(reading).to_contain_text(f"the code of position {position}:")
            cells = rested(page, ".waves")
            for pair, side in zip(draw.integers(0, 6, 2), (0, 1), strict=True):
                assert float(cells[f"pair {pair}"][side]) == pytest.approx(codes[position, pair, side], abs=6e-5)
    film.locator(".scrub").dispatch_event("change")
    linked(page, {"pe_place": str(position)})
    expect(reading).to_contain_text(f"the code of position {position}:")


def test_the_pair_walks_along_and_its_angle_stays(browse: OpenPage) -> None:
    page = browse("/positional_encoding?scene=turn&pe_offset=-9")
    film, reading = page.locator(".turn"), page.locator(".st-key-stage .reading")
    draw, upright = np.random.default_rng(6), film.locator(".upright").first.get_attribute("d")
    with unheard(page):
        for step in draw.integers(0, 247, 5):
            position = int(step) + 9  # the first from which nine positions back is a position
            film.locator(".scrub").evaluate(SCRUB, step / 246)
            expect(reading).to_contain_text(f"At positions {position} and {position - 9}")
            record = waves.rotation(Params(d_model=12), View(position=position, offset=-9))
            hands = np.hstack([record.before[:, ::-1], record.after[:, ::-1]])  # sine and cosine of both
            cells = rested(page, ".turn")
            for pair, column in zip(draw.integers(0, 6, 4), range(4), strict=True):
                assert float(cells[f"pair {pair}"][column]) == pytest.approx(hands[pair, column], abs=6e-5)
                assert float(cells[f"pair {pair}"][4]) == pytest.approx(record.angle(pair), abs=6e-3)
            assert film.locator(".upright").first.get_attribute("d") == upright
    film.locator(".scrub").dispatch_event("change")
    linked(page, {"pe_place": str(position)})
    page.keyboard.press("ArrowLeft")
    linked(page, {"pe_place": str(position - 1)})
    with unheard(page):
        film.get_by_role("button", name="Play").click()
        expect(reading).to_contain_text(f"At positions {position + 1} and", timeout=30_000)
    film.get_by_role("button", name="Pause").click()
    page.wait_for_url(lambda link: f"pe_place={position - 1}" not in link)


@pytest.mark.parametrize(("lang", "start", "by"), [("en", 5, 60), ("zh", 0, -120)])
def test_the_distance_follows_its_slider_and_moves_the_first_word_only_where_the_text_begins(
    browse: OpenPage, lang: str, start: int, by: int
) -> None:
    page = browse(f"/positional_encoding?scene=turn&lang={lang}&pe_offset={start}")
    drawing, reading = page.locator(".turn svg").first, page.locator(".st-key-stage .reading")
    slider = page.locator(".st-key-pe_offset input[type=range]")
    with unheard(page):
        moved(page, "pe_offset", by)
        offset = int(slider.get_attribute("value") or start)
        assert offset != start
        position = max(10, -offset)
        expect(reading).to_contain_text(re.compile(rf"\b{position}\D+{position + offset}\D"))
        record = waves.rotation(Params(d_model=12), View(position=position, offset=offset))
        wanted = np.hstack([record.before[:, ::-1], record.after[:, ::-1]])  # sine and cosine of both
        found = np.array([[float(each) for each in row] for row in rested(page, ".turn").values()])
        np.testing.assert_allclose(found[:, :4], wanted, atol=1e-6)
        np.testing.assert_allclose(found[:, 4], [record.angle(pair) for pair in range(6)], rtol=1e-6, atol=6e-5)
        shown, said = drawing.inner_html(), reading.inner_text()
    page.mouse.up()
    linked(page, {"pe_offset": str(offset)})
    assert (drawing.inner_html(), reading.inner_text()) == (shown, said), "PyTorch's picture is the same"


def test_five_models_read_on_under_the_pointer(browse: OpenPage) -> None:
    page = browse("/positional_encoding?scene=beyond")
    film, reading = page.locator(".beyond"), page.locator(".st-key-stage .reading")
    records, names = [extrapolation.read_measurement(kind) for kind in trained.KINDS], trained.kind_names()
    area = film.locator(".grip").bounding_box()
    assert area
    with unheard(page):
        page.mouse.move(area["x"] + 20, area["y"] + 60)
        page.mouse.down()
        for read in (16, 144, 304, 496):
            page.mouse.move(area["x"] + area["width"] * read / 512, area["y"] + 60, steps=3)
            expect(reading).to_contain_text(f"Around character {read}")
            cells = rested(page, ".beyond")
            for record in records:
                wanted, found = record.wavers(read), cells[names[record.kind]][0]
                assert found == "cannot read it" if math.isnan(wanted) else float(found) == pytest.approx(wanted, 1e-4)
    page.mouse.up()
    linked(page, {"pe_read": "496"})


@pytest.mark.parametrize("scene", ["waves", "turn", "beyond"])
def test_on_a_phone_no_words_of_a_film_lie_over_its_picture(browse: OpenPage, scene: str) -> None:
    page = browse(f"/positional_encoding?scene={scene}", width=390, height=844)
    page.locator("svg .grip").first.wait_for()
    assert page.evaluate(OVER) == []


def test_a_typed_sentence_is_read_and_weighed(browse: OpenPage) -> None:
    page = browse("/positional_encoding?scene=enters")
    painted(page)
    field = page.get_by_role("textbox", name="An English sentence")
    field.fill("I know that you know that.")
    field.press("Enter")
    page.wait_for_url(re.compile("pe_text="))
    settled(page)
    painted(page)
    labels = page.locator(".st-key-pe_entry .xtick text")
    labels.filter(has_text="know").first.wait_for(timeout=30_000)
    assert labels.all_text_contents() == ["I", "know", "that", "you", "know", "that", ".", "end"]


def test_measuring_starts_stops_and_keeps_what_was_found(browse: OpenPage) -> None:
    page = browse("/positional_encoding?scene=measured&pe_windows=64")
    painted(page)
    page.get_by_role("button", name="Measure here").click()
    page.get_by_text("Measured here, on").wait_for(timeout=60_000)
    page.get_by_test_id("stMainBlockContainer").get_by_role("button", name="Stop").click()
    page.get_by_text("Stopped: what was computed until then is shown.").wait_for(timeout=60_000)
    expect(page.get_by_role("button", name="Measure here")).to_be_visible(timeout=60_000)
    settled(page)
    painted(page)
    assert page.locator(".st-key-pe_measured [data-testid=stPlotlyChart]").count() == 1


def cells(page: Page) -> np.ndarray:
    """What is drawn of every token, as the picture tells screen readers and tests: change, before, after, twice."""
    rows = page.locator(".order tbody tr, .order table tr").all_inner_texts()[1:]
    return np.array([[float(each.replace("−", "-")) for each in row.split("\t")[1:]] for row in rows])


def wanted(order: str) -> np.ndarray:
    record = trained.test_permutation(trained.OrderParams(order=order))
    parts = [(record.change[lane, :, None], record.before[lane], record.after[lane]) for lane in (0, 1)]
    return np.hstack([each for part in parts for each in part])


#: Take hold of a grip and let it go at another position, all within one frame.
FLICKED = """(grip, [from, to]) => {
  grip.setPointerCapture = () => {};
  const send = (kind, [clientX, clientY]) =>
    grip.dispatchEvent(new PointerEvent(kind, { pointerId: 1, bubbles: true, pointerType: "mouse", clientX, clientY }));
  send("pointerdown", from);
  send("pointermove", to);
  send("pointerup", to);
}"""


def test_a_word_that_is_moved_within_one_frame_goes_where_the_pointer_went(browse: OpenPage) -> None:
    page = browse("/positional_encoding?scene=order&pe_order=typed")
    chips = page.locator(".order .grip")
    expect(chips).to_have_count(5)
    first, last = chips.nth(0).bounding_box(), chips.nth(4).bounding_box()
    assert first
    assert last
    chips.nth(4).evaluate(FLICKED, [[box["x"] + 20, box["y"] + 20] for box in (last, first)])
    expect(chips.nth(4)).to_have_attribute("aria-label", "cat, position 1 of 5")


def test_a_word_is_dragged_or_moved_by_keys_and_read_in_its_new_place(browse: OpenPage) -> None:
    page = browse("/positional_encoding?scene=order&pe_order=typed")
    chips = page.locator(".order .grip")
    expect(chips).to_have_count(5)
    first, last = chips.nth(0).bounding_box(), chips.nth(4).bounding_box()
    assert first
    assert last
    page.mouse.move(last["x"] + 20, last["y"] + 20)
    page.mouse.down()
    page.mouse.move(first["x"] + 20, first["y"] + 20, steps=6)
    changes = page.locator(".order .change").all_text_contents
    assert set(changes()) == {"…"}
    page.mouse.move(last["x"] + 20, last["y"] + 20, steps=6)
    expect(page.locator(".order .change").first).not_to_have_text("…")  # back where it was: known already
    assert "…" not in changes()
    page.mouse.move(first["x"] + 20, first["y"] + 20, steps=6)
    expect(chips.nth(4)).to_have_attribute("aria-label", "cat, position 1 of 5")
    expect(page.locator(".order .change").first).to_have_text("…")  # what is not computed is not shown
    assert "pe_order=typed" in page.url, "nothing is told while it is held"
    page.mouse.up()
    linked(page, {"pe_order": "5 1 2 3 4"})
    expect(page.locator(".order .change").first).not_to_have_text("…")
    chosen = tuple(np.random.default_rng(3).integers(0, (6, 26), (20, 2)).T)
    np.testing.assert_allclose(cells(page)[chosen], wanted("5 1 2 3 4")[chosen], atol=6e-5)
    chips.nth(0).focus()
    for key in ("Space", "ArrowRight", "ArrowRight", "Escape", "Space", "ArrowLeft"):
        page.keyboard.press(key)
    assert "pe_order=5+1+2+3+4" in page.url, "nothing is told before it is put down"
    page.keyboard.press("Space")
    linked(page, {"pe_order": "1 5 2 3 4"})
    expect(page.locator(".order .change").first).not_to_have_text("…")
    np.testing.assert_allclose(cells(page)[chosen], wanted("1 5 2 3 4")[chosen], atol=6e-5)


def test_a_film_does_not_tell_back_the_step_that_it_was_sent(browse: OpenPage) -> None:
    page = browse("/positional_encoding?scene=beyond")
    told = len(page.told)
    page.get_by_role("button", name="Twice as far").click()
    linked(page, {"pe_read": "240"})
    page.wait_for_timeout(500)
    assert len(page.told) == told + 1
