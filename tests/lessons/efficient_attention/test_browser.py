"""The page in a real browser: flash steps and plays, a small map is clicked, measuring starts and stops."""

import re
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest
from playwright.sync_api import Page, TimeoutError as NotThere, expect

from explorer.figures.look import LIGHT, channels, colour_at, ink_at
from explorer.lessons import efficient_attention as lesson
from explorer.lessons.efficient_attention import left_out, state
from explorer.lessons.efficient_attention.compute import compare, flash_steps
from explorer.lessons.efficient_attention.figures import left_out as figures
from explorer.lessons.efficient_attention.flash import FlashParams, moves_most
from explorer.lessons.efficient_attention.live.flash import list_kept
from explorer.scenes import DEFAULTS
from tests.support.browser import SCRUB, OpenPage, linked, moved, painted, played, settled, unheard


def test_flash_is_the_record_at_every_tile_and_the_link_follows(browse: OpenPage) -> None:
    """Scrubbed, stepped by key, pointed at, and played to its end."""
    record, rng = flash_steps(FlashParams()), np.random.default_rng(0)
    page = browse("/efficient_attention?scene=flash&ea_step=3&ea_rows_drawn=all")
    film = page.locator(".flash")
    expect(film.locator(".where")).to_have_text("Tile 4 of 10")
    settled(page)
    with unheard(page):
        for step in (9, 0, 7):
            film.locator(".scrub").evaluate(SCRUB, step / 9)
            for told in (".where", "caption"):
                expect(film.locator(told)).to_have_text(f"Tile {step + 1} of 10")
            rows = film.locator("table tr").all()[1:]
            drawn = np.array(
                [[float(cell.replace("−∞", "-inf")) for cell in row.locator("td").all_inner_texts()] for row in rows]
            )
            expected = list_kept(record)[step]
            for row, column in zip(rng.integers(0, 8, 20), rng.integers(0, 6, 20), strict=True):
                np.testing.assert_allclose(drawn[row, column], expected[row, column], rtol=1e-6, atol=5.1e-5)
            inked = film.locator(".cell").count()
            tile = record.steps[step]
            assert inked == np.isfinite(record.scores[slice(*tile.queries), slice(*tile.keys)]).sum()
    film.locator(".scrub").dispatch_event("change")  # let go
    linked(page, {"ea_step": "7"})
    expect(film.locator(".line")).to_contain_text("16 of 32 keys seen")
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


def test_one_row_of_flash_is_the_running_mean(browse: OpenPage) -> None:
    """After each tile of the row: the answer so far, and the sentence; the link names the tile among all."""
    record = flash_steps(FlashParams())
    scores, values = record.scores[31], record.values[:, moves_most(record)[31]]
    page = browse("/efficient_attention?scene=flash")
    film = page.locator(".one_row")
    expect(film.locator(".where")).to_have_text("Tile 1 of 4")
    settled(page)
    for tile in (4, 2, 3):
        film.locator(".scrub").evaluate(SCRUB, (tile - 1) / 3)
        expect(film.locator(".where")).to_have_text(f"Tile {tile} of 4")
        seen = slice(0, 8 * tile)
        weights = np.exp(scores[seen] - scores[seen].max())
        answer = float(weights @ values[seen] / weights.sum())
        expect(film.locator(".said.output")).to_have_text(f"{answer:.2f}".replace("-", "−"))
    expect(page.locator(".st-key-stage .reading")).to_contain_text("24 of 32 keys seen")
    film.locator(".scrub").dispatch_event("change")  # let go
    linked(page, {"ea_step": "8"})
    assert film.locator(".letter").count() == 32


def test_flash_and_both_readings_fit_on_a_projector(browse: OpenPage) -> None:
    page = browse("/efficient_attention?scene=flash&ea_rows_drawn=all&present=1", width=1280, height=720)
    painted(page)
    page.locator(".flash .cell").first.wait_for()
    readings = page.locator(".st-key-stage .reading")
    expect(readings).to_have_count(2)
    boxes = [each.bounding_box() for each in readings.all()]
    assert all(box and box["y"] + box["height"] <= 720 for box in boxes), boxes


#: Colour of every cell of a map, row by row.
CELLS = """canvas => {
  const { width, height } = canvas, { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
  return [...Array(width * height).keys()].map(at => [...data.slice(4 * at, 4 * at + 4)]);
}"""


def shows(page: Page, params: lesson.Params) -> None:
    """Hold that the map shows what the head keeps and loses by the record of these parameters."""
    record = compare(params.source, params.variant(params.name))
    picture, allowed, n = page.locator(".kept_map"), record.allowed, len(record.labels)
    expect(picture.locator(".map")).to_have_attribute("data-computed", str(allowed.sum()))
    cells = np.array(picture.locator(".map").evaluate(CELLS)).reshape(n, n, 4)
    assert (cells[..., 3] == 255 * np.tri(n)).all(), "what comes later is left to the hatch"
    losing, ground = figures.losing(), figures.GROUND
    for row, column in np.argwhere(np.tri(n))[:: n // 8]:
        weight = record.exact[row, column]
        kept, lost = ink_at((weight - ground) / (1 - ground)), colour_at(weight / figures.MOST_LOST, losing)
        wanted = kept if allowed[row, column] else lost if weight > figures.SEEN else LIGHT.paper
        np.testing.assert_allclose(cells[row, column, :3], [255 * part for part in channels(wanted)], atol=3)
    sums = np.stack([np.where(there, record.exact, 0).sum(-1) for there in (allowed, ~allowed)], 1)
    told, most = picture.locator("table td"), int(sums.argmax(0)[1])  # the table is filled once nothing moves
    expect(told.nth(2 * most)).to_have_text(re.compile(re.escape(f"{sums[most, 0]:.6f}"[:5])))
    np.testing.assert_allclose([float(each) for each in told.all_inner_texts()], sums.ravel(), atol=1e-4)


@pytest.mark.parametrize(
    ("name", "setting", "by"), [("window", "width", 60), ("block", "block", 80), ("strided", "stride", 70)]
)
def test_the_mask_follows_a_slider_before_it_is_let_go(browse: OpenPage, name: str, setting: str, by: int) -> None:
    """A select slider says which of its stops it is at, a slider says its number."""
    key, usual = f"ea_{setting}", lesson.Params(name=name)
    page = browse(f"/efficient_attention?scene=leave_out&ea_name={name}")
    line = page.locator(".kept_map .line")
    shows(page, usual)
    before = page.locator(".kept_map").inner_html()
    moved(page, key, by)
    expect(line).to_contain_text("of the cells are computed.")
    assert page.locator(".kept_map").inner_html() != before
    value = int(page.locator(f".st-key-{key} input[type=range]").input_value())
    stop = state.OPTIONS[setting][value] if setting in state.OPTIONS else value
    there = replace(usual, **{setting: stop})
    assert there != usual
    shows(page, there)
    record = compare(there.source, there.variant(name))
    share = f"{record.cost.share:.0%} of the cells"
    expect(line).to_contain_text(share)
    assert share in left_out.describe_kept(record)
    linked(page, {key: ""})
    page.mouse.up()
    linked(page, {key: str(stop)})
    expect(line).to_have_text("")
    shows(page, there)
    assert page.complaints == []


def test_a_cell_under_the_pointer_says_its_weight(browse: OpenPage) -> None:
    page = browse("/efficient_attention?scene=leave_out")
    record = compare(state.USUAL, lesson.Params().variant("window"))
    line, n = page.locator(".kept_map .line"), len(record.labels)
    box = page.locator(".kept_map .map").bounding_box()
    assert box
    lost = np.where(record.allowed, 0, record.exact)
    most = np.unravel_index(lost.argmax(), lost.shape)
    for (row, column), name in ((most, "lost"), ((n - 1, n - 1), "kept"), ((0, n - 1), "")):
        page.mouse.move(box["x"] + (column + 0.5) / n * box["width"], box["y"] + (row + 0.5) / n * box["height"])
        query, key = (f"{position + 1} {record.labels[position]}" for position in (row, column))
        said = f"{name}: “{query}” attends to “{key}”: {record.exact[row, column]:.3f}" if name else ""
        expect(line).to_have_text(said)


def test_measuring_starts_shows_itself_leaves_what_is_held_and_stops(browse: OpenPage) -> None:
    page = browse("/efficient_attention?scene=measured&ea_n=16384")
    painted(page)
    title, reading = page.locator(".at_length .title"), page.locator(".st-key-ea_here .reading")
    page.locator(".st-key-ea_measure_start button").click()
    stop = page.locator(".st-key-ea_measure_stop button")
    stop.wait_for(timeout=60_000)
    said = reading.text_content() or ""
    moved(page, "ea_n", -150)
    held = title.text_content() or ""
    assert "16,384" not in held
    expect(reading).not_to_have_text(said, timeout=60_000)  # Python drew what was measured meanwhile
    expect(title).to_have_text(held)
    page.mouse.up()
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
    settled(page)
    moved(page, "ea_n", -140)
    expect(picture.locator(".strong").first).not_to_have_text(re.compile("≈"))
    table, strong = picture.locator("table td").nth(1), picture.locator(".strong").first
    expect(table).to_have_text(strong.text_content() or "")
    length = re.search(r"n = ([\d,]+)", picture.locator(".title").text_content() or "")
    assert length
    n = int(length[1].replace(",", ""))
    assert n != DEFAULTS["ea_n"], "where it begins, the link says nothing and the reading is hidden"
    linked(page, {"ea_n": "16384"})
    page.mouse.up()
    linked(page, {"ea_n": str(n)})
    reading = page.locator(".st-key-ea_here .reading")
    expect(reading).to_contain_text(f"At n = {length[1]} plain attention takes ")
    settled(page)
    time, size = (picture.locator(part).first.text_content() for part in (".strong", ".strong.inside"))
    expect(reading).to_contain_text(f"takes {time} and {size}.")
