"""Attention over text: words, ribbons and the sentence follow the pointer, and only a switched head is told."""

import re

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from explorer.lessons import translator as lesson
from explorer.lessons.translator import change, finished, state
from explorer.lessons.translator.change_state import Change
from explorer.records.heads import HeadName
from explorer.scenes.translator import EXAMPLE
from tests.support.browser import OpenPage, linked, settled

SCENE = "/translator?tr_head=all"
#: Of the last cross-attention, the heads that a link switches off; a click adds one more.
ALL = [HeadName(part="cross", layer=2, head=head) for head in range(8)]


@pytest.fixture(scope="module")
def result() -> lesson.Result:
    return lesson.compute(lesson.Params(text=EXAMPLE))


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


def word(page: Page, side: str, position: int) -> Locator:
    return page.locator(f".text .{side} .word").nth(position)


def test_twenty_cells_are_the_record_also_of_one_head_alone(browse: OpenPage, result: lesson.Result) -> None:
    page = browse(SCENE)
    record = state.viewed_attention(result, lesson.View(layer=2, head="all", merge=True))
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


def test_a_word_lights_its_ribbons_and_no_server_is_asked(browse: OpenPage, result: lesson.Result) -> None:
    page = browse(SCENE)
    record = state.viewed_attention(result, lesson.View(layer=2, head="all", merge=True))
    told = sent(page)
    for row in (2, 6):
        word(page, "asks", row).hover()
        expect(word(page, "asks", row)).to_have_class(re.compile("pointed"))
        ribbons = page.locator(".text .flow path:not(.pale)")
        drawn = {
            tuple(each)
            for each in ribbons.evaluate_all(
                "all => all.map(p => [+p.dataset.head, +p.dataset.row, +p.dataset.column])"
            )
        }
        heads, columns = np.nonzero(record.weights[:, row] >= 0.03)
        assert drawn == {(int(head), row, int(column)) for head, column in zip(heads, columns, strict=True)}
    word(page, "asked", 5).hover()  # turned round: who looks at it?
    assert set(page.locator(".text .flow path:not(.pale)").evaluate_all("all => all.map(p => p.dataset.column)")) == {
        "5"
    }
    most = record.query_labels[int(record.weights.mean(0)[:, 5].argmax())]
    expect(page.locator(".reading .query").first).to_have_text(most)
    word(page, "asks", 2).hover()
    page.locator(".text .tile").nth(5).hover()
    expect(page.locator(".text .flow path:not(.pale):not([data-head='5'])")).to_have_count(0)
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


def test_two_words_ask_at_once_and_one_sentence_says_whether_their_ribbons_cross(browse: OpenPage) -> None:
    page = browse("/multi_head?scene=one_head&mh_find=swap")
    said = page.locator(".reading > span:last-child")
    expect(said).to_contain_text("The two ribbons cross")
    expect(page.locator(".reading")).to_have_count(1)
    asking = page.locator(".text .asks .pointed")
    expect(asking).to_have_text(["maison", "blanche"])
    strong = page.locator(".text .flow path:not(.pale)").evaluate_all(
        "all => all.filter(p => p.getAttribute('stroke-width') > 12).map(p => getComputedStyle(p).stroke)"
    )
    assert len(set(strong)) == 2, "each word has its colour"
    word(page, "asks", 1).click()
    expect(asking).to_have_text(["sœur"])
    word(page, "asks", 2).hover()
    expect(asking).to_have_text(["sœur", "veut"])
    expect(said).to_contain_text("side by side")


def test_what_is_no_word_is_a_grey_pill_and_so_is_what_rests_on_it(browse: OpenPage) -> None:
    page = browse("/multi_head?scene=one_head&mh_find=swap")
    pill, plain = word(page, "asked", 11), word(page, "asked", 0)
    expect(pill).to_have_text(re.compile("^end"))
    size = "node => parseFloat(getComputedStyle(node).fontSize)"
    assert 14 <= pill.evaluate(size) < plain.evaluate(size)
    word(page, "asks", 5).hover()
    grey = pill.evaluate("node => getComputedStyle(node).color")
    ribbon = page.locator(".text .flow path.rest:not(.pale)")
    assert ribbon.evaluate("node => getComputedStyle(node).stroke") == grey
    expect(page.locator(".reading > span:last-child")).to_contain_text("rests on end")


def test_a_head_switched_off_on_its_tile_changes_the_translation_beside_it(
    browse: OpenPage, result: lesson.Result
) -> None:
    def under(heads: list[HeadName]) -> str:
        params = change.InterventionParams(written=finished.best_translation(result), change=Change(off=tuple(heads)))
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
    page.locator(".text button").first.wait_for()
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 390
    sizes = page.locator(".text button").evaluate_all(
        "all => all.map(each => Math.min(each.getBoundingClientRect().width, each.getBoundingClientRect().height))"
    )
    assert min(sizes) >= 24


def test_where_every_head_is_off_nothing_is_said_of_where_they_look(browse: OpenPage) -> None:
    page = browse(f"{SCENE}&tr_without={' '.join(head.code for head in ALL)}")
    expect(page.locator(".text .head.off")).to_have_count(len(ALL))
    word(page, "asks", 1).hover()
    expect(page.locator(".reading > span:last-child").first).not_to_contain_text("%")
    assert page.locator(".text table tr").count() == 0


def test_a_foreign_word_says_what_it_means_beside_it_and_in_the_sentence(browse: OpenPage) -> None:
    page = browse("/multi_head?scene=one_head&mh_site=cross")
    word = page.locator(".words.asks > *", has_text="maison")
    word.hover()
    expect(page.locator(".gloss")).to_have_text("house as counted in pairs of sentences")
    expect(page.locator(".st-key-stage .reading")).to_contain_text("maison (house) looks most at")
    page.mouse.move(5, 5)
    expect(page.locator(".gloss")).to_have_count(0)
    page.locator(".words.asked > *", has_text="house").hover()
    expect(page.locator(".gloss")).to_have_count(0)


#: The weights above the words of a sentence that are cut by what scrolls it.
CUT = """() => { const HOSTS = '.st-key-stage [data-testid=stBidiComponentIsolated]';
  const within = (selector) => ({shadowRoot}) => [...shadowRoot.querySelectorAll(selector)];
  const all = (selector) => [...document.querySelectorAll(HOSTS)].flatMap(within(selector));
  const [reach] = all('.reach'), cuts = getComputedStyle(reach).overflowY !== 'visible';
  return all('.asked .weight').filter(each => each.textContent && cuts
    && each.getBoundingClientRect().top < reach.getBoundingClientRect().top).map(each => each.textContent); }"""


@pytest.mark.parametrize("width", [1280, 390])
def test_no_weight_above_a_word_is_cut(browse: OpenPage, width: int) -> None:
    page = browse("/multi_head?scene=one_head")
    page.set_viewport_size({"width": width, "height": 844})
    page.get_by_role("button", name="Skip", exact=True).click()
    expect(page.locator(".asked .weight", has_text=".").first).to_be_visible()
    settled(page)
    assert page.evaluate(CUT) == []
