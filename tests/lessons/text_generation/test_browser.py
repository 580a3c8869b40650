"""Text generation in a real browser: it plays, a character asks, and the link follows."""

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from explorer.lessons import text_generation as lesson
from explorer.lessons.text_generation import journey, look, state
from tests.support.browser import OpenPage, linked, moved, painted, settled, unheard

SHORT = "/text_generation?tg_model=positions-rotary&tg_length=40"

#: Bring the slider to a place and let it go; upper and lower edge of an element.
SLID = (
    "(range, to) => { range.value = to; for (const each of ['input', 'change']) range.dispatchEvent(new Event(each)); }"
)
EDGES = "element => (box => [box.top, box.bottom])(element.getBoundingClientRect())"


def asking(page: Page) -> int:
    """Place of the character that asks."""
    return int(page.locator("input.range").input_value())


def test_it_plays_and_can_be_paused_and_stepped(browse: OpenPage) -> None:
    page = browse(f"{SHORT}&scene=watch")
    painted(page)
    assert page.locator("button.play").inner_text() == "Play", "nothing moves by itself for whoever wants less motion"
    page.locator("button.play").click()
    page.locator("button.play", has_text="Pause").wait_for()
    begin = asking(page)
    page.locator(".letter.asking").wait_for()
    page.wait_for_timeout(1500)
    assert asking(page) > begin
    page.locator("button.play").click()
    rests = asking(page)
    page.locator("button.step").last.click()
    linked(page, {"tg_place": str(rests + 1)})
    assert asking(page) == rests + 1
    assert page.locator(".letter.later").count() > 0


def test_the_text_follows_its_place_and_the_page_stays(browse: OpenPage) -> None:
    page = browse("/text_generation?scene=watch&tg_text=" + "%0A".join("abcdefghijklmnopqrstuvwxyz") + "&tg_place=40")
    painted(page)
    main, text = page.locator("[data-testid=stMain]"), page.locator(".live_text .text")
    assert main.evaluate("main => { main.scrollTop = main.scrollHeight; return main.scrollTop; }") > 0
    for position in ("60", "2"):
        page.locator("input.range").evaluate(SLID, position)
        linked(page, {"tg_place": position})
        box, letter = text.evaluate(EDGES), page.locator(".letter.asking").evaluate(EDGES)
        assert box[0] <= letter[0] < letter[1] <= box[1]
        left = main.evaluate("main => main.scrollHeight - main.clientHeight - main.scrollTop")
        assert left <= 1, "who reads on below is not brought back"


def test_pointing_asks_and_a_click_pins_and_enters_the_link(browse: OpenPage) -> None:
    page = browse(f"{SHORT}&scene=alternatives&tg_place=30")
    painted(page)
    page.locator(".letter").nth(20).hover()
    assert page.locator(".letter.asking").count() == 1
    assert asking(page) == 20
    page.mouse.move(5, 5)
    page.locator(".letter").nth(25).click()
    linked(page, {"tg_place": "25"})
    settled(page)
    assert asking(page) == 25
    name = page.locator(".name.chosen").inner_text()
    assert name in page.locator(".line").inner_text()


def test_a_phone_shows_the_text_without_scrolling_sideways(browse: OpenPage) -> None:
    page = browse(f"{SHORT}&scene=looked&lang=zh", width=390, height=844)
    painted(page)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth + 1")
    text = page.locator(".live_text .text").bounding_box()
    assert text is not None
    assert text["x"] >= 0
    assert text["x"] + text["width"] <= 391


def test_one_query_shows_the_strongest_keys_and_all_others_as_one(browse: OpenPage) -> None:
    page = browse("/text_generation?scene=looked&tg_part=journey&tg_layer=3&tg_head=4&tg_place=60")
    record = journey.journey(lesson.compute(lesson.Params()), lesson.View(position=60, layer=3, head=4)).strongest(
        12, ""
    )
    expect(page.locator(".journey .askers .word")).to_have_count(13, timeout=30_000)
    rows = page.locator(".journey table tr").all()[1:-1]
    drawn = [[float(cell) for cell in row.locator("td").all_inner_texts()] for row in rows]
    np.testing.assert_allclose(drawn, np.stack([record.scores[0], record.attention.weights[0, 0]], 1), atol=5.1e-5)
    expect(page.locator(".journey .line")).to_contain_text(f"the other {record.others} add")
    page.locator(".journey .foot button").nth(1).press("ArrowLeft")  # before the output, and before the weights
    expect(page.locator(".journey .where")).to_contain_text("Share")
    assert page.complaints == []


def test_bars_draw_and_die_are_those_of_the_record(browse: OpenPage) -> None:
    page = browse("/text_generation?scene=alternatives&tg_place=60")
    painted(page)
    step = look.every_step(lesson.compute(lesson.Params()))[59]
    width = "all => all.map(each => parseFloat(each.style.width) / 100)"
    drawn = page.locator(".track .draw").evaluate_all(width)
    np.testing.assert_allclose(drawn, [bar[2] for bar in step["bars"]], atol=1e-4)
    die = float(page.locator(".die").evaluate("die => parseFloat(die.style.left)"))
    assert abs(die - 100 * step["die"]) < 0.01
    expect(page.locator(".track .cut")).to_have_count(sum(not bar[3] for bar in step["bars"]))


@pytest.mark.parametrize(
    ("scene", "setting", "by", "position"), [("watch", "temperature", 150, 16), ("alternatives", "top_p", -80, 60)]
)
def test_the_draw_at_a_place_follows_a_setting_before_it_is_let_go(
    browse: OpenPage, scene: str, setting: str, by: int, position: int
) -> None:
    """In the text that is being written it is the first place, whose draw is the new text's too."""
    page = browse(f"/text_generation?scene={scene}&tg_place=60&tg_top_p=0.9")
    painted(page)
    result = lesson.compute(lesson.Params(top_p=0.9))
    width = "all => all.map(each => parseFloat(each.style.width) / 100)"
    slider, key = page.locator(f".st-key-tg_{setting} input[type=range]"), f"tg_{setting}"
    before = slider.input_value()
    with unheard(page):
        held = moved(page, key, by)
        expect(page.locator(".letter.later")).to_have_count(len(result.ids) - position)
        for far in range(-24, 25):  # until it stands where it stood
            page.mouse.move(held[0] + far, held[1])
            if slider.input_value() == before:
                break
        expect(page.locator(".letter.later")).to_have_count(len(result.ids) - 60 if scene == "watch" else 0)
        assert asking(page) == 60, "it is as it was"
        page.mouse.move(held[0] + by, held[1], steps=6)
        expect(page.locator(".letter.later")).to_have_count(len(result.ids) - position)
        chosen = float(slider.input_value())
        at = state.STOPS[setting].index(pytest.approx(chosen))
        step = look.at_each_stop(result, position, setting)[at]
        assert step != look.every_step(result)[position - 1]
        drawn = page.locator(".track .draw").evaluate_all(width)
        np.testing.assert_allclose(drawn, [bar[2] for bar in step["bars"]], atol=1e-4)
        expect(page.locator(".track .cut")).to_have_count(sum(not bar[3] for bar in step["bars"]))
        assert asking(page) == position
    page.mouse.up()
    linked(page, {key: f"{chosen:g}"})
    written = lesson.compute(lesson.Params(**{"top_p": 0.9, setting: chosen}))
    if scene == "watch":
        assert look.every_step(written)[position - 1] == step
    expect(page.locator("input.range")).to_have_value("60")  # once the new text has come
    expect(page.locator(".letter.later")).to_have_count(len(written.ids) - 60 if scene == "watch" else 0)
