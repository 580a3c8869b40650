"""The picture in a real browser: zoomed by keyboard, written, taken away; its table says what the record says."""

import random
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Page, Position

from explorer.lessons.whole_transformer import Params, Result, compute
from explorer.records.wording import token
from tests.support.browser import OpenPage

WORDS = "My sister wants to live in a big white house."


@pytest.fixture(scope="module")
def result() -> Result:
    return compute(Params(text=WORDS))


def at(page: Page, level: int) -> list[list[str]]:
    """Wait until the picture shows a level; the cells of its table."""
    page.wait_for_function(
        "level => [...document.querySelectorAll('*')].some(e => e.shadowRoot &&"
        " e.shadowRoot.querySelectorAll('.crumb').length === level + 1) ||"
        " document.querySelectorAll('.crumb').length === level + 1",
        arg=level,
        timeout=30_000,
    )
    rows = page.locator(".unseen table tr")
    return rows.evaluate_all("rows => rows.map(row => [...row.cells].map(cell => cell.textContent))")


def test_keys_zoom_down_to_a_score_and_the_table_is_the_record(browse: OpenPage, result: Result) -> None:
    page, whole = browse("/whole_transformer?scene=whole"), result.whole
    cells = at(page, 0)
    assert [row[1] for row in cells[1:]] == [token(label) for label in whole.written.labels]
    assert [float(row[2]) for row in cells[1:]] == pytest.approx(
        [step.written.probability for step in whole.steps], abs=1e-4
    )
    canvas = page.locator("canvas.stage")
    canvas.focus()
    page.keyboard.press("ArrowLeft")
    assert at(page, 1)[1][0] == "start"
    page.keyboard.press("c")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    cells = at(page, 2)
    weights = whole[f"dec.{whole.n_decoder - 1}.cross.weights"][1]
    assert cells[0][1:] == [token(label) for label in whole.source.labels]
    draw = random.Random(0)
    for _ in range(20):
        row, column = draw.randrange(weights.shape[0]), draw.randrange(weights.shape[1])
        assert float(cells[row + 1][column + 1]) == pytest.approx(weights[row, column], abs=5.1e-5)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    size = whole["enc.x"].shape[1] // whole.n_heads
    cells = at(page, 3)
    query = whole[f"dec.{whole.n_decoder - 1}.cross.q"][1, size : 2 * size]
    key = whole[f"dec.{whole.n_decoder - 1}.cross.k"][1, size : 2 * size]
    assert len(cells) == size + 1
    for place, row in enumerate(cells[1:]):
        assert [float(cell) for cell in row[1:]] == pytest.approx(
            [query[place], key[place], query[place] * key[place]], abs=5.1e-5
        )
    page.keyboard.press("Escape")
    page.keyboard.press("f")
    cells = at(page, 2)
    units = whole[f"dec.{whole.n_decoder - 1}.net.units"][1]
    assert {int(row[0]): float(row[1]) for row in cells[1:]} == pytest.approx(
        {unit: value for unit, value in enumerate(units) if value > 0}, abs=5.1e-5
    )
    page.keyboard.press("0")
    at(page, 0)
    assert not page.complaints


def test_nothing_is_said_of_words_that_are_hidden_and_a_chosen_one_is_told(browse: OpenPage, result: Result) -> None:
    page = browse("/whole_transformer?scene=head&wt_part=dec.0.self")
    at(page, 2)
    page.locator("canvas.stage").focus()
    while page.locator(".crumb").last.text_content() and "at “start”" not in page.locator(".said").text_content():
        page.keyboard.press("ArrowDown")
    said = page.locator(".said").text_content()
    assert f"“{result.whole.written.labels[0]}”" in said, "what is written there"
    assert said.count("%") == 1, "only “start” can be seen"
    page.keyboard.press("0")
    at(page, 0)
    page.keyboard.press("ArrowDown")
    page.locator(".said", has_text="the model writes").wait_for()


@pytest.mark.parametrize("place", [{"x": 300, "y": 120}, {"x": 160, "y": 12}], ids=["layer", "title"])
def test_a_click_opens_a_layer_and_its_lesson_is_linked(browse: OpenPage, place: Position) -> None:
    page = browse("/whole_transformer?scene=whole&lang=en")
    at(page, 0)
    page.locator("canvas.stage").click(position=place, button="right")  # the browser's own
    page.wait_for_timeout(300)
    at(page, 0)
    page.locator("canvas.stage").click(position=place)
    at(page, 1)
    assert page.locator(".crumb").last.text_content().startswith("Encoder")
    assert page.locator(".about a").first.get_attribute("href") == "multi_head?lang=en"


def test_play_writes_the_translation_to_its_end(browse: OpenPage, result: Result) -> None:
    page = browse("/whole_transformer?scene=whole")
    at(page, 0)
    last = len(result.whole.written.labels) + 1
    scrub = page.locator(".scrub")
    assert float(scrub.input_value()) == last
    for step in (1, 2):
        page.get_by_role("button", name="One word back").click()
        assert float(scrub.input_value()) == last - step
    page.get_by_role("button", name="One word on").click()
    page.locator(".player .play").click()
    page.wait_for_function("""() => {
        const all = [document, ...[...document.querySelectorAll('*')].flatMap(e => e.shadowRoot ?? [])];
        return all.some(each => each.querySelector('.said')?.textContent.includes('“end” gets'));
    }""")
    page.get_by_role("button", name="Write it").wait_for(timeout=30_000)
    assert float(scrub.input_value()) == last
    assert not page.complaints


def test_hostile_words_stay_words(browse: OpenPage) -> None:
    page = browse("/whole_transformer?scene=whole&wt_text=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E")
    cells = at(page, 0)
    assert len(cells) > 2
    assert page.locator(".unseen table img").count() == 0
    assert not page.complaints


def test_the_file_zooms_offline(browse: OpenPage, tmp_path: Path, result: Result) -> None:
    page = browse("/whole_transformer?scene=whole")
    at(page, 0)
    page.locator("[class*=_behind] [data-testid=stPopoverButton]").first.click()
    with page.expect_download() as started:
        page.get_by_role("button", name="The picture as one file that zooms offline").click()
    file = tmp_path / "whole.html"
    started.value.save_as(file)
    page.goto(file.as_uri())
    assert len(at(page, 0)) == len(result.whole.written.labels) + 1
    page.locator("canvas.stage").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    cells = at(page, 2)
    assert float(cells[1][1]) == pytest.approx(result.whole["enc.0.self.weights"][0, 0, 0], abs=5.1e-5)
    page.close()


#: From now on the page notes what its canvas writes: words, left, right and height in pixels, opacity.
NOTE = """() => {
    const pen = CanvasRenderingContext2D.prototype, write = pen.fillText;
    window.written = [];
    pen.fillText = function (said, ...rest) {
        const at = this.getTransform(), wide = this.measureText(said).width, scale = at.a;
        const left = at.e / scale - { right: wide, center: wide / 2 }[this.textAlign];
        window.written.push([said, left, left + wide, at.f / scale, this.globalAlpha]);
        write.call(this, said, ...rest);
    };
}"""


@pytest.mark.parametrize("layer", ["enc.0", "dec.1"])
def test_before_a_room_every_heading_and_every_word_of_a_layer_can_be_read(
    browse: OpenPage, layer: str, result: Result
) -> None:
    page = browse(f"/whole_transformer?scene=layer&wt_layer={layer}&present=1", width=1280, height=720)
    at(page, 1)
    page.evaluate(NOTE)
    page.locator("canvas.stage").hover(position={"x": 400, "y": 5})
    page.wait_for_function("window.written.length > 0")
    written = page.evaluate("window.written")
    page.close()
    decoder = layer.startswith("dec")
    assert len({left for said, left, *_ in written if said == "x"}) == 3 + decoder, "a heading over every vector"
    if decoder:
        for word in (token(label) for label in result.whole.source.labels):
            assert max(alpha for said, _, _, _, alpha in written if said == word) > 0.9
    for height in {round(height) for said, _, _, height, _ in written if said == "x" or said.startswith("1×")}:
        line = sorted({(left, right, said) for said, left, right, y, _ in written if round(y) == height})
        assert all(before[1] <= after[0] for before, after in pairwise(line)), line
