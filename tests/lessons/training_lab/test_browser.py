"""The stage in a real browser: the recorded training is played and scrubbed; an own one is started and stopped."""

import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from explorer import scenes
from explorer.training.lab.reference_runs import read_runs
from tests.support.browser import OpenPage, linked, settled

SETTINGS = "/training_lab?tl_width=32&tl_batch=8&tl_steps=5000&tl_mechanism=dot"


def press(page: Page, key: str) -> None:
    page.locator(f".st-key-{key} button").first.click(timeout=60_000)


def shown_step(page: Page) -> int:
    """The step that the film stands at, as it says it."""
    return int(re.search(r"\d+", page.locator(".st-key-tl_map_live output").inner_text()).group())


def wait_for_step(page: Page, least: int) -> None:
    page.locator(".st-key-tl_map_live output").filter(has_text=re.compile(r"\d")).wait_for(timeout=60_000)
    for _ in range(240):
        if shown_step(page) >= least:
            return
        page.wait_for_timeout(250)
    raise AssertionError(shown_step(page))


def step_at_rest(page: Page) -> int:
    """The step that the film ends at: it plays on for a moment after the training has stopped."""
    for _ in range(60):
        before = shown_step(page)
        page.wait_for_timeout(1_500)
        if shown_step(page) == before:
            return before
    raise AssertionError("the film never rests")


def test_a_preset_stops_what_plays(browse: OpenPage) -> None:
    page = browse("/training_lab?scene=own_task&tl_step=150")
    wait_for_step(page, 150)
    page.locator(".st-key-tl_map_live button", has_text="Play").click()
    page.locator(".st-key-tl_map_live button", has_text="Pause").wait_for()
    page.get_by_role("button", name="Before the first step").click()
    page.locator(".reading", has_text="After 0 steps").wait_for()
    expect(page.locator(".st-key-tl_map_live button", has_text="Play")).to_be_visible()
    page.wait_for_timeout(1_500)
    assert shown_step(page) == 0


def test_the_recorded_training_is_scrubbed_and_says_its_step(browse: OpenPage) -> None:
    page = browse("/training_lab?scene=watch&tl_step=75")
    wait_for_step(page, 75)
    settled(page)
    cells = page.locator(".st-key-tl_map_live .cell")
    assert cells.count() == 100
    before = cells.evaluate_all("all => all.map(cell => cell.getAttribute('fill'))")
    page.locator(".st-key-tl_map_live .moment").first.click()
    linked(page, {"tl_step": "0"})
    expect(page.locator(".st-key-tl_map_live output")).to_have_text("step 0 of 300", timeout=30_000)
    assert cells.evaluate_all("all => all.map(cell => cell.getAttribute('fill'))") != before
    page.locator(".reading", has_text=re.compile("After 0 steps")).wait_for()
    slider, film = page.locator(".st-key-tl_map_live input"), page.locator(".st-key-tl_map_live output")
    slider.press("ArrowRight")
    expect(film).not_to_have_text("step 0 of 300")  # frame by frame
    slider.press("ArrowLeft")
    expect(film).to_have_text("step 0 of 300")
    settled(page)
    page.locator(".st-key-tl_map_live button", has_text="Play").click()
    wait_for_step(page, 5)  # it plays
    expect(page.locator(".reading").first).not_to_contain_text("After 0 steps")  # and nobody has asked the server
    page.locator(".st-key-tl_map_live button", has_text="Pause").click()
    page.wait_for_function("() => new URLSearchParams(location.search).get('tl_step') !== '0'")  # the pause is told
    settled(page)
    page.locator(".st-key-tl_map_live .moment").last.click()
    linked(page, {"tl_step": ""})
    page.locator(".reading", has_text="After 300 steps").wait_for()
    expect(page.locator(".st-key-tl_map_live .tile.good")).to_have_count(9)
    assert page.complaints == []


def test_an_answer_of_words_is_one_tile_a_word(browse: OpenPage) -> None:
    asked = "tl_stage=recorded&tl_task=en_fr&tl_family=transformer&tl_width=64&tl_rate=0.005&tl_batch=32&tl_steps=400"
    page = browse(f"/training_lab?scene=watch&{asked}")
    expected = read_runs()["en_fr"].films[0].expected.split()
    tiles = page.locator(".st-key-tl_map_live .tile.good")
    expect(tiles).to_have_count(len(expected), timeout=60_000)
    boxes = [tile.bounding_box() for tile in tiles.all()]
    widths = [box["width"] for box in boxes]
    assert widths.index(max(widths)) == max(range(len(expected)), key=lambda position: len(expected[position]))
    drawn = page.locator(".st-key-tl_map_live svg").bounding_box()
    assert all(drawn["x"] <= box["x"] and box["x"] + box["width"] <= drawn["x"] + drawn["width"] for box in boxes)
    assert page.complaints == []


def test_an_own_training_moves_on_the_stage(browse: OpenPage) -> None:
    page = browse(SETTINGS)
    press(page, "tl_start")
    page.locator(".st-key-tl_stop").wait_for(timeout=60_000)
    wait_for_step(page, 1)
    figure = page.locator(".st-key-tl_map_live svg").bounding_box()
    assert figure
    assert figure["y"] + figure["height"] <= 900, "map, answer and curve stand on one screen"
    assert page.locator(".st-key-tl_settings").is_visible(), "settings are one line"
    assert not page.locator(".st-key-tl_task_shown").is_visible()
    press(page, "tl_pause")
    page.locator(".st-key-tl_go_on").wait_for(timeout=30_000)
    press(page, "tl_go_on")
    page.locator(".st-key-tl_pause").wait_for(timeout=30_000)
    wait_for_step(page, shown_step(page) + 1)
    press(page, "tl_stop")
    page.wait_for_function("() => !document.querySelector('.st-key-tl_stop')", timeout=30_000)
    settled(page)
    assert page.locator("[data-testid=stException]").count() == 0
    assert "tl_width=32" in page.url
    stopped_at = step_at_rest(page)
    page.reload()
    settled(page)
    recorded = page.locator(".st-key-tl_map_live .tag")
    expect(recorded, "a reload finds the own one again").to_have_text("", timeout=30_000)
    wait_for_step(page, stopped_at)


#: The first message that tells who the reader is gets lost on its way; `tells` counts them, `toldAt` dates the last.
LOST = """
window.tells = 0;
const send = WebSocket.prototype.send;
WebSocket.prototype.send = function (data) {
    const tells = typeof data !== 'string' && new TextDecoder().decode(data).includes('known');
    if (tells) window.toldAt = performance.now();
    if (!tells || ++window.tells > 1) send.call(this, data);
};"""


def test_who_comes_back_says_so_until_it_is_heard(browse: OpenPage) -> None:
    page = browse("/training_lab?scene=watch")
    page.wait_for_function("localStorage.getItem('attention-explorer-reader')")  # else nobody comes back
    page.add_init_script(LOST)
    page.reload()
    settled(page)
    page.wait_for_function("window.tells > 1", timeout=60_000)  # it says so again …
    page.wait_for_function("performance.now() - window.toldAt > 7_000", timeout=60_000)  # … and no more, once heard


def test_the_link_keeps_what_was_chosen_just_before_the_film_was_moved(browse: OpenPage) -> None:
    page = browse("/training_lab?scene=watch", late=500)
    page.get_by_role("button", name="Dates", exact=True).click()
    page.wait_for_timeout(150)  # the server has answered, and nobody has heard it
    page.locator(".st-key-tl_map_live .moment").first.click()
    linked(page, {"tl_step": "0"})
    page.wait_for_timeout(1_500)  # whatever still comes
    linked(page, {"tl_step": "0", "tl_task": "dates"})


#: What stands over something else among some texts.
TOUCHING = """texts => {
    const boxes = texts.map(each => [each.textContent, each.getBoundingClientRect()]);
    return boxes.flatMap(([one, a], at) => boxes.slice(0, at).filter(([, b]) =>
        a.left < b.right && b.left < a.right && a.top + 5 < b.bottom && b.top + 5 < a.bottom
    ).map(([other]) => `${one} / ${other}`));
}"""
AT = "(slider, place) => { slider.value = place; slider.dispatchEvent(new Event('input')); }"


@pytest.mark.parametrize("task", ["reverse", "digits"])
def test_no_name_stands_over_a_number_at_any_step(browse: OpenPage, task: str) -> None:
    page = browse(f"/training_lab?scene=watch&tl_task={task}", width=1280, height=720)
    slider = page.locator(".st-key-tl_map_live input")
    slider.wait_for()
    for position in range(int(slider.get_attribute("max") or "0") + 1):
        slider.evaluate(AT, position)
        assert page.locator(".st-key-tl_map_live .curve text").evaluate_all(TOUCHING) == [], position


def test_a_film_that_ends_before_its_training_says_so(browse: OpenPage) -> None:
    preset = next(each for each in scenes.lesson("training_lab").scenes[0].presets if "lecture notes" in each.label)
    page = browse(f"/training_lab?{urlencode({**preset.state, 'lang': 'en'})}")
    expect(page.locator(".film .tag")).to_have_text("recorded: the first 1000 of 2000 steps")
    expect(page.locator(".film output")).to_have_text(re.compile(r"step \d+ of 1000"))
