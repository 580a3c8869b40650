"""Heads are chosen, filtered and followed in the browser: without a request for what it has already."""

import re

from playwright.sync_api import Page, expect

from tests.support.browser import OpenPage, linked, settled

#: Milliseconds from a head to the next one, painted, in the median of twenty; a busy machine takes so many times more.
CLICK_MS, BUSY = 100, 4
FOLLOWED = """async (steps) => {
    const found = [], grid = document.querySelector('.st-key-om_heads [data-testid=stBidiComponentIsolated]')
        ?.shadowRoot?.querySelector('.squares') ?? window.squares;
    for (let step = 0; step < steps; step += 1) {
        const began = performance.now();
        grid.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, cancelable: true }));
        await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
        found.push(performance.now() - began);
    }
    return found.sort((a, b) => a - b)[steps >> 1];
}"""


def reading(page: Page) -> str:
    return page.locator(".st-key-om_heads_remark .reading > span").last.inner_text()


def test_a_square_is_clicked_stepped_to_and_kept_in_the_link(browse: OpenPage) -> None:
    page = browse("/open_model")
    picture = page.locator(".every_head")
    expect(picture.locator(".stepper b").nth(1)).to_have_text("4")
    before = reading(page)
    picture.get_by_role("button", name="Head: one on").click()
    linked(page, {"om_head": "17.5"})
    expect(page.locator(".st-key-om_heads_remark .reading > span").last).not_to_have_text(before)
    picture.locator(".squares").focus()
    page.keyboard.press("ArrowRight")
    linked(page, {"om_head": "18.5"})
    expect(picture.locator(".stepper b").first).to_have_text("18")
    picture.get_by_role("button", name="Layer: one back").click()
    linked(page, {"om_head": "17.5"})
    assert not page.complaints  # type: ignore[attr-defined]


def test_a_preset_takes_the_picture_back_from_what_was_clicked(browse: OpenPage) -> None:
    page = browse("/open_model")
    picture = page.locator(".every_head")
    picture.get_by_role("button", name="Head: one on").click()
    linked(page, {"om_head": "17.5"})
    page.get_by_role("button", name="The word before", exact=True).click()
    linked(page, {"om_head": "16.0"})
    expect(picture.locator(".stepper b").first).to_have_text("16")
    picture.get_by_role("button", name="Head: one on").click()
    page.get_by_role("button", name="The word before", exact=True).click()
    expect(picture.locator(".stepper b").nth(1)).to_have_text("0")


def test_the_legend_counts_and_filters(browse: OpenPage) -> None:
    page = browse("/open_model?om_show=rules")
    picture = page.locator(".every_head")
    kinds = picture.locator(".kind b")
    expect(kinds.first).to_be_visible()
    assert sum(int(each) for each in kinds.all_inner_texts()) == 270
    rule = picture.locator(".kind").first
    rule.click()
    expect(rule).to_have_attribute("aria-pressed", "true")
    whole = picture.locator('.marks g[opacity="1"]')
    expect(whole).to_have_count(int(rule.locator("b").inner_text()))
    rule.click()
    expect(whole).to_have_count(270)


def test_a_word_that_is_clicked_keeps_asking_and_the_numbers_are_there_for_those_who_do_not_see(
    browse: OpenPage,
) -> None:
    page = browse("/open_model?om_rest=true")
    picture = page.locator(".every_head")
    picture.locator(".words .word").nth(16).click()
    linked(page, {"om_word": "16"})
    page.mouse.move(5, 5)
    expect(picture.locator(".word.asking")).to_have_text(re.compile("of"))
    expect(picture.locator("caption").first).to_contain_text("Weights")
    assert picture.locator(".unseen table").first.locator("tr").count() == 20
    assert picture.locator(".unseen table").last.locator("tr").count() == 31


def test_the_next_head_is_there_at_once_and_nobody_is_asked_for_it(browse: OpenPage) -> None:
    page = browse("/open_model")
    settled(page)
    page.locator(".every_head .squares").evaluate("node => { window.squares = node; }")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    median = page.evaluate(FOLLOWED, 20)
    assert median < BUSY * CLICK_MS
    assert not asked


def test_another_head_of_a_long_text_needs_no_answer_of_the_server(browse: OpenPage) -> None:
    page = browse("/open_model?scene=one_word")
    picture = page.locator(".one_word")
    line = picture.locator(".line")
    expect(line).to_contain_text("dedicate looks most at a")
    picture.locator(".chip").nth(8).click()
    expect(line).not_to_contain_text("dedicate looks most at a")
    linked(page, {"om_one": "8"})
    picture.locator(".words .word", has_text=re.compile("^hallow$")).click()
    page.mouse.move(5, 5)
    expect(picture.locator(".word.asking")).to_have_text("hallow")
    expect(line).to_contain_text("hallow")
    expect(picture.locator("tr", has_text="Four")).to_have_text("Four––")  # it sees the resting place alone
    expect(picture.locator("table")).not_to_contain_text("NaN")
    assert not page.complaints  # type: ignore[attr-defined]
