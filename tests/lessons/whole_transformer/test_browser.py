"""The picture in a real browser: zoomed by keyboard, written, taken away; its table says what the record says."""

import random
from pathlib import Path

import pytest
from playwright.sync_api import Page, Position, expect

from explorer.lessons.whole_transformer import Params, Result, compute, readings, ride
from explorer.lessons.whole_transformer.live.passing import layer_name
from explorer.lessons.whole_transformer.ride_readings import describe_stop
from explorer.records.wording import token
from tests.support.browser import OpenPage, linked


@pytest.fixture(scope="module")
def result() -> Result:
    return compute(Params())


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
    page, whole = browse("/whole_transformer?scene=whole&wt_act=write"), result.whole
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
    for position, row in enumerate(cells[1:]):
        assert [float(cell) for cell in row[1:]] == pytest.approx(
            [query[position], key[position], query[position] * key[position]], abs=5.1e-5
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
    page = browse("/whole_transformer?scene=head&wt_part=dec.0.self&wt_depth=head")
    at(page, 2)
    page.locator("canvas.stage").focus()
    while page.locator(".crumb").last.text_content() and "At “start”" not in page.locator(".said").text_content():
        page.keyboard.press("ArrowDown")
    said = page.locator(".said").text_content()
    assert f"“{result.whole.written.labels[0]}”" in said, "what is written there"
    assert said.count("%") == 1, "only “start” can be seen"
    page.keyboard.press("0")
    at(page, 0)
    page.keyboard.press("ArrowDown")
    page.locator(".reading", has_text="the model writes").wait_for()


@pytest.mark.parametrize("position", [{"x": 300, "y": 120}, {"x": 160, "y": 12}], ids=["layer", "title"])
def test_a_click_opens_a_layer_and_its_lesson_is_linked(browse: OpenPage, position: Position) -> None:
    page = browse("/whole_transformer?scene=whole&wt_act=write&lang=en")
    at(page, 0)
    page.locator("canvas.stage").click(position=position, button="right")  # the browser's own
    page.wait_for_timeout(300)
    at(page, 0)
    page.locator("canvas.stage").click(position=position)
    at(page, 1)
    assert page.locator(".crumb").last.text_content().startswith("Encoder")
    assert page.locator(".about a").first.get_attribute("href") == "multi_head?lang=en"


def test_play_writes_the_translation_to_its_end(browse: OpenPage, result: Result) -> None:
    page = browse("/whole_transformer?scene=whole&wt_act=write")
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
    page.get_by_role("button", name="▶ Write it").wait_for(timeout=30_000)
    assert float(scrub.input_value()) == last
    assert not page.complaints


def test_hostile_words_stay_words(browse: OpenPage) -> None:
    page = browse("/whole_transformer?scene=whole&wt_act=write&wt_text=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E")
    cells = at(page, 0)
    assert len(cells) > 2
    assert page.locator(".unseen table img").count() == 0
    assert not page.complaints


def test_the_file_zooms_without_a_server(browse: OpenPage, tmp_path: Path, result: Result) -> None:
    page = browse("/whole_transformer?scene=whole&wt_act=write")
    at(page, 0)
    page.locator("[class*=_behind] [data-testid=stPopoverButton]").first.click()
    with page.expect_download() as started:
        page.locator("[data-testid=stPopoverBody]").get_by_role("button", name="HTML").click()
    file = tmp_path / "whole.html"
    started.value.save_as(file)
    page.goto(file.as_uri())
    assert len(at(page, 0)) == len(result.whole.written.labels) + 1
    expect(page.locator(".ribbons-of")).to_be_visible()
    page.locator("canvas.stage").focus()
    page.keyboard.press("ArrowRight")
    assert len(at(page, 1)) > 1
    assert page.locator(".about a").count() == 0, "there is no lesson beside a file"
    page.keyboard.press("Enter")
    cells = at(page, 2)
    assert float(cells[1][1]) == pytest.approx(result.whole["enc.0.self.weights"][0, 0, 0], abs=5.1e-5)
    assert page.strangers == [file.as_uri()]
    assert [each for each in page.complaints if "/media/" not in each] == []  # the download: a request given up
    page.close()


def test_the_link_opens_the_stop_at_which_the_ride_rests(browse: OpenPage) -> None:
    page = browse("/whole_transformer?scene=whole&wt_stop=3&lang=en")
    expect(page.locator(".where")).to_have_text("Stop 3 of 23")
    page.get_by_role("button", name="Step on").click()
    linked(page, {"wt_stop": "4"})
    expect(page.locator(".where")).to_have_text("Stop 4 of 23")
    page.reload()
    expect(page.locator(".where")).to_have_text("Stop 4 of 23")


def test_the_ride_says_at_every_stop_what_the_record_says(browse: OpenPage, result: Result) -> None:
    along = ride.stops(result.whole, 1)
    for stop in (1, 3, 12, len(along)):
        page = browse(f"/whole_transformer?scene=whole&wt_stop={stop}&lang=en")
        expect(page.locator(".where")).to_have_text(f"Stop {stop} of {len(along)}")
        at_stop = along[stop - 1]
        layer = layer_name(result, at_stop.part) if at_stop.part else ""
        said = describe_stop(result.whole, at_stop, layer).replace("**", "")
        expect(page.locator(".reading")).to_contain_text(said)
        row = page.locator(".unseen table tr").last.locator("th, td")
        expect(row).to_have_count(2)
        cells = row.all_text_contents()
        last = float(result.whole[at_stop.after][at_stop.row, -1])
        assert float(cells[1].replace("−", "-")) == pytest.approx(last, abs=5e-3 + abs(last) / 500)


def test_the_ride_plays_by_itself_unless_motion_is_not_wanted(browse: OpenPage) -> None:
    page = browse("/whole_transformer?scene=whole&lang=en")
    page.emulate_media(reduced_motion="no-preference")
    page.reload()
    page.get_by_role("button", name="Pause").wait_for()
    expect(page.locator(".where")).to_have_text("Stop 3 of 23", timeout=20_000)
    still = browse("/whole_transformer?scene=whole&lang=en")
    still.get_by_role("button", name="Play").wait_for()
    still.wait_for_timeout(2500)
    expect(still.locator(".where")).to_have_text("Stop 1 of 23")


def test_another_word_rides_by_click_and_by_key(browse: OpenPage) -> None:
    page = browse("/whole_transformer?scene=whole&wt_stop=3&lang=en")
    page.locator(".ride").get_by_role("button", name="Ride with “you”").click()
    linked(page, {"wt_word": "3"})
    expect(page.locator(".reading")).to_contain_text("“you”")
    page.locator(".ride").get_by_role("button", name="Ride with “I”").focus()
    page.keyboard.press("Enter")
    linked(page, {"wt_word": "1"})


@pytest.mark.parametrize(("layer", "row"), [("enc.0", 1), ("dec.2", 2)])
def test_one_word_is_large_in_its_layer_and_the_table_is_the_record(
    browse: OpenPage, layer: str, row: int, result: Result
) -> None:
    page = browse(f"/whole_transformer?scene=layer&wt_layer={layer}&wt_asks={row + 1}&lang=en")
    large = page.locator(".in_layer .word.large")
    asks = result.whole.source if layer.startswith("enc") else result.whole.read
    expect(large).to_have_text(token(asks.labels[row]))
    first = ride.weights_heard(result.whole, ride.in_layer(layer, row)[0])
    table = page.locator(".unseen table tr")
    expect(table).not_to_have_count(0)
    for position in range(first.shape[1]):
        cells = table.nth(position + 1).locator("td").all_text_contents()
        assert [float(cell) for cell in cells] == pytest.approx(first[:, position].tolist(), abs=1.01e-4)
    words = page.locator(".in_layer .pressable")
    pieces = sum(label.startswith("\u2011") for label in asks.labels[row + 1 :]) if layer.startswith("dec") else 0
    expect(words, "what is not yet written is not cut into pieces").to_have_count(len(asks.labels) - pieces)
    words.first.focus()
    page.keyboard.press("Enter")
    linked(page, {"wt_asks": "1"})
    expect(large).to_have_text(token(asks.labels[0]))


def test_french_lines_come_when_the_ride_reaches_them(browse: OpenPage, result: Result) -> None:
    memory = next(at for at, stop in enumerate(ride.stops(result.whole, 1), start=1) if stop.kind == "memory")
    for stop, titles in (
        (memory, result.whole.n_encoder),
        (memory + 1, result.whole.n_encoder + result.whole.n_decoder),
    ):
        page = browse(f"/whole_transformer?scene=whole&wt_stop={stop}&lang=en")
        expect(page.locator(".where")).to_have_text(f"Stop {stop} of 23")
        expect(page.locator(".ride text.title")).to_have_count(titles)


def test_one_row_of_a_head_is_the_record(browse: OpenPage, result: Result) -> None:
    page, part, head = browse("/whole_transformer?scene=head&lang=en"), "dec.0.cross", 1
    row, _ = readings.most_divided_row(result, part, head)
    drawn = page.locator(".one_weight")
    cells = drawn.locator("table tr")
    expect(cells).to_have_count(len(result.whole.source.labels) + 1)
    said = [float(each.locator("td").last.inner_text()) for each in cells.all()[1:]]
    weights = result.whole[f"{part}.weights"][head, row]
    assert said == pytest.approx(weights.tolist(), abs=5.1e-5)
    expect(drawn.locator("rect.weight")).to_have_count(len(weights))
    expect(page.locator(".reading")).to_contain_text(readings.describe_row(result, part, head, row).replace("**", ""))


def test_numbers_of_a_layer_stand_behind_a_switch(browse: OpenPage, result: Result) -> None:
    page = browse("/whole_transformer?scene=layer&lang=en")
    norm = page.locator(".in_layer text", has_text="norm: mean")
    expect(page.locator(".in_layer .disc").first).to_be_visible()
    expect(norm).to_have_count(0)
    page.locator(".st-key-wt_numbers label").click()
    expect(norm).to_have_count(2)
    scale = result.whole["enc.1.self.scale"][1]
    expect(norm.first).to_contain_text(f"scale {scale:.1f}")


BOTH = """async ([one, other, between]) => {
  const press = ([key, said]) => {
    const buttons = [...document.querySelectorAll(`.st-key-${key}_shown button`)];
    buttons.find((each) => each.textContent === said).click();
  };
  press(one);
  await new Promise((resolve) => setTimeout(resolve, between));
  press(other);
}"""


def test_of_two_quick_choices_both_count(browse: OpenPage) -> None:
    page = browse("/whole_transformer?scene=head")
    page.get_by_text("More settings").click()
    for between in (15, 30, 45, 60):  # the server still answers the first
        for head, number, depth, name in (("0", "1", "One score", "score"), ("2", "3", "Net", "net")):
            page.evaluate(BOTH, [["wt_head", head], ["wt_depth", depth], between])
            linked(page, {"wt_head": number, "wt_depth": name})


def test_whole_words_beside_a_layer_stand_within_it_on_a_phone(browse: OpenPage) -> None:
    page = browse("/whole_transformer?scene=layer&wt_layer=dec.2&wt_asks=3&lang=en", width=390, height=844)
    name = page.locator(".st-key-stage svg text").filter(has_text="manques").first
    name.wait_for()
    cut = "each => each.getBoundingClientRect().left - each.ownerSVGElement.getBoundingClientRect().left"
    assert name.evaluate(cut) >= 0
