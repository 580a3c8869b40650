"""Attention over text: word, ribbon, bar and map follow the pointer together, and only a switched head is told."""

import re

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from explorer.lessons import translator as lesson
from explorer.lessons.translator import change, finished, state
from explorer.lessons.translator.change_state import Change
from explorer.records.heads import HeadName
from tests.support.browser import OpenPage, linked, settled

SCENE = "/translator?tr_head=all"
#: Of the last cross-attention, the heads that a link switches off; a click adds one more.
ALL = [HeadName(part="cross", layer=2, head=head) for head in range(8)]


@pytest.fixture(scope="module")
def result() -> lesson.Result:
    return lesson.compute(lesson.Params())


def sent(page: Page) -> list[str]:
    """What the page says to the server from now on."""
    told: list[str] = []
    tools = page.context.new_cdp_session(page)
    tools.send("Network.enable")
    tools.on("Network.webSocketFrameSent", lambda frame: told.append(frame["response"]["payloadData"]))
    return told


def shown(page: Page) -> np.ndarray:
    """The accessible table."""
    rows = page.locator(".text table tr").all()[1:]
    return np.array([[float(cell) for cell in row.locator("td").all_inner_texts()] for row in rows])


def word(page: Page, side: str, place: int) -> Locator:
    return page.locator(f".text .{side} .word").nth(place)


def test_twenty_cells_are_the_record_also_of_one_head_alone(browse: OpenPage, result: lesson.Result) -> None:
    page = browse(SCENE)
    record = state.apply_view(result, lesson.View(layer=2, head="all", merge=True))
    cells = np.random.default_rng(3).integers(0, record.weights.shape[1:], (20, 2))
    tile = page.locator(".text .tile")
    expect(tile).to_have_count(8)
    for weights in (record.weights.mean(0), record.weights[3]):
        drawn = shown(page)
        assert drawn.shape == weights.shape
        for row, column in cells:
            assert drawn[row, column] == pytest.approx(float(weights[row, column]), abs=5.1e-5)
        tile.nth(3).dblclick()
        page.mouse.move(700, 880)
    expect(page.locator(".text .tile[aria-pressed=true]")).to_have_count(1)
    assert page.complaints == []


def test_a_word_lights_its_ribbons_and_bars_and_no_server_is_asked(browse: OpenPage, result: lesson.Result) -> None:
    page = browse(SCENE)
    record = state.apply_view(result, lesson.View(layer=2, head="all", merge=True))
    told = sent(page)
    for row in (2, 6):
        word(page, "asks", row).hover()
        expect(word(page, "asks", row)).to_have_class(re.compile("pointed"))
        ribbons = page.locator(".text .flow path")
        drawn = {
            tuple(each)
            for each in ribbons.evaluate_all(
                "all => all.map(p => [+p.dataset.head, +p.dataset.row, +p.dataset.column])"
            )
        }
        heads, columns = np.nonzero(record.weights[:, row] >= 0.03)
        assert drawn == {(int(head), row, int(column)) for head, column in zip(heads, columns, strict=True)}
        bars = page.locator(".text .top rect").evaluate_all(
            "all => all.map(b => [+b.dataset.head, +b.dataset.place, +b.getAttribute('height')])"
        )
        tall = np.zeros(record.weights[:, row].shape)
        for head, column, height in bars:
            tall[int(head), int(column)] = height
        np.testing.assert_allclose(tall, 100 * record.weights[:, row] / 8, atol=1e-4)
    word(page, "asked", 8).hover()  # turned round: who looks at it?
    assert set(page.locator(".text .flow path").evaluate_all("all => all.map(p => p.dataset.column)")) == {"8"}
    most = record.query_labels[int(record.weights.mean(0)[:, 8].argmax())]
    expect(page.locator(".text .line .query")).to_have_text(most)
    box = page.locator(".text .map").bounding_box()
    assert box
    rows, columns_there = record.weights.shape[1:]
    page.mouse.move(box["x"] + box["width"] * 3.5 / columns_there, box["y"] + box["height"] * 1.5 / rows)
    for side, place in (("asks", 1), ("asked", 3)):
        expect(word(page, side, place)).to_have_class(re.compile("pointed"))
    page.locator(".text .tile").nth(5).hover()
    expect(page.locator(".text .flow path:not([data-head='5'])")).to_have_count(0)
    page.wait_for_timeout(400)
    assert told == []


def test_a_click_and_the_keyboard_pin_a_word(browse: OpenPage) -> None:
    page = browse(SCENE)
    word(page, "asks", 4).click()
    linked(page, {"tr_token": "4"})
    expect(word(page, "asks", 4)).to_have_attribute("aria-pressed", "true")
    word(page, "asks", 1).hover()
    expect(word(page, "asks", 4)).to_have_class(re.compile("pointed"))
    page.keyboard.press("Escape")
    word(page, "asks", 0).focus()
    page.keyboard.press("ArrowRight")
    expect(word(page, "asks", 1)).to_have_class(re.compile("pointed"))
    page.locator(".text .map").focus()
    for key in ("ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    expect(word(page, "asks", 2)).to_have_class(re.compile("pointed"))


def test_a_head_switched_off_on_its_tile_changes_the_translation_beside_it(
    browse: OpenPage, result: lesson.Result
) -> None:
    def under(heads: list[HeadName]) -> str:
        params = change.InterventionParams(written=finished.written(result), change=Change(off=tuple(heads)))
        found = change.change(params).after
        assert found is not None
        return found.text

    last = next(count for count in range(8) if under(ALL[:count]) != under(ALL[: count + 1]))
    before = " ".join(head.code for head in ALL[:last])
    page = browse(f"{SCENE}&tr_without={before}")
    line = page.locator(".tr_line")
    if last:
        expect(line).to_contain_text(under(ALL[:last]))
    page.locator(".text .power").nth(last).click()
    linked(page, {"tr_without": " ".join(head.code for head in ALL[: last + 1])})
    expect(line).to_contain_text(under(ALL[: last + 1]))
    expect(page.locator(".text .head.off")).to_have_count(last + 1)
    page.locator(".text .power").nth(last).focus()
    page.keyboard.press("Enter")
    linked(page, {"tr_without": before})


def test_on_a_phone_nothing_runs_over_and_a_finger_can_press(browse: OpenPage) -> None:
    page = browse(SCENE, width=390, height=844, finger=True)
    settled(page)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 390
    sizes = page.locator(".text button").evaluate_all(
        "all => all.map(each => Math.min(each.getBoundingClientRect().width, each.getBoundingClientRect().height))"
    )
    assert min(sizes) >= 24


def test_where_every_head_is_off_nothing_is_said_of_where_they_look(browse: OpenPage) -> None:
    page = browse(f"{SCENE}&tr_without={' '.join(head.code for head in ALL)}")
    expect(page.locator(".text .head.off")).to_have_count(len(ALL))
    word(page, "asks", 1).hover()
    expect(page.locator(".text .line")).not_to_contain_text("%")
    assert page.locator(".text table tr").count() == 0
