"""One query's journey: what is drawn is the record at every moment; pointer and keyboard choose, the link keeps it."""

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from explorer.lessons import multi_head
from explorer.lessons.multi_head import View, inside
from explorer.lessons.queries_keys_values.journey import Journey, journey
from explorer.scenes.multi_head import EXAMPLE
from tests.support.browser import SCRUB, OpenPage, linked, played

SCENE = "/queries_keys_values?scene=journey"


def at(page: Page, share: float) -> None:
    page.locator(".journey .scrub").evaluate(SCRUB, share)


def shown(page: Page) -> tuple[np.ndarray, np.ndarray]:
    """The accessible table: scores and weights of every word, and the output."""
    rows = page.locator(".journey table tr").all()
    cells = [[float(cell) for cell in row.locator("th ~ td").all_inner_texts()] for row in (*rows[1:-1], rows[-1])]
    return np.array(cells[:-1]), np.array(cells[-1])


@pytest.mark.parametrize("numbers", ["toy", "noun"])
def test_the_table_is_the_record_whoever_asks(browse: OpenPage, numbers: str) -> None:
    page = browse(f"{SCENE}&qk_numbers={numbers}&qk_ask=2")
    record = journey(Journey(numbers=numbers))
    words = page.locator(".journey .askers button")
    expect(words).to_have_count(len(record.words))
    for asks in (2, 4, 0):
        words.nth(asks).hover()
        expect(words.nth(asks)).to_have_class("asking")
        scores, output = shown(page)
        np.testing.assert_allclose(scores[:, 0], record.scores[asks], atol=5.1e-5)
        np.testing.assert_allclose(scores[:, 1], record.attention.weights[0, asks], atol=5.1e-5)
        np.testing.assert_allclose(output, record.output[asks], atol=5.1e-5)
    assert page.complaints == []


def test_each_moment_says_and_draws_what_has_happened(browse: OpenPage) -> None:
    page = browse(SCENE)
    record = journey(Journey())
    line, bars = page.locator(".journey .line"), page.locator(".journey .number.strong")
    expect(line).to_contain_text("is about to ask")
    assert page.locator(".journey .bar").evaluate_all("all => all.every(bar => !Number(bar.getAttribute('width')))")
    at(page, 0.05)
    expect(line).to_contain_text("its turns into a query")
    at(page, 0.32)
    expect(line).to_contain_text("“alive”: its looks for 2.0, cat offers 2.0; the product is 4.0")
    page.locator(".journey .foot button").nth(2).click()  # one step on: the whole product of the second key
    expect(line).to_contain_text(f"= {record.query[3] @ record.key[1]:.1f}. Divided by √4: {record.scores[3, 1]:.2f}")
    at(page, 1)
    expect(line).to_contain_text("looks most at cat (70%)")
    weights = record.attention.weights[0, 3]
    assert bars.all_text_contents() == [f"{round(100 * weight)}%" for weight in weights.tolist()]
    thick = page.locator(".journey .river path").evaluate_all(
        "all => all.map(each => +each.getAttribute('stroke-width'))"
    )
    np.testing.assert_allclose(np.array(thick) / sum(thick), weights, atol=0.005)
    totals = page.locator(".journey .total").all_text_contents()
    assert totals == [f"{number:.1f}" for number in record.output[3].tolist()]


def test_a_click_and_the_arrow_keys_let_another_word_ask_and_the_link_keeps_it(browse: OpenPage) -> None:
    page = browse(SCENE)
    words = page.get_by_role("radio").filter(has_text="milk")
    words.click()
    linked(page, {"qk_ask": "5"})
    expect(words).to_have_attribute("aria-checked", "true")
    page.keyboard.press("ArrowDown")  # from the last word to the first
    linked(page, {"qk_ask": "0"})
    expect(page.locator(".journey .asking")).to_have_text("The")
    for says in ("Pause", "Play"):  # whoever is chosen asks at once
        page.get_by_role("button", name=says).press("Enter")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()


def test_it_plays_to_its_end_and_the_answer_waits_for_the_guess(browse: OpenPage) -> None:
    page = browse(SCENE)
    expect(page.locator(".st-key-stage .reading")).not_to_contain_text("looks most")
    page.get_by_role("button", name="“milk”", exact=True).click()
    expect(page.locator(".journey .line")).not_to_contain_text("is about to ask")
    page.get_by_role("button", name="Speed").click()
    expect(page.locator(".journey .line")).to_contain_text("looks most at cat", timeout=20_000)
    expect(page.locator(".st-key-stage .reading")).to_contain_text("looks most at “cat”")  # as Python wrote it
    assert page.locator(".st-key-predict").inner_text().startswith("No. The answer is: “cat”.")


def test_one_asker_meets_every_key_that_its_head_may_see(browse: OpenPage) -> None:
    """In *Multi-head*: the decoder's fourth word; later words are no rows."""
    page = browse("/multi_head?scene=one_score&mh_inside=journey&mh_site=decoder&mh_layer=1&mh_head=3&mh_query=3")
    result = multi_head.compute(multi_head.Params(text=EXAMPLE))
    record = inside.journey(result, View(site="decoder", layer=1, head=3, query=3))
    asker, words = page.locator(".journey .askers button"), page.locator(".journey .askers .word")
    expect(words).to_have_count(4, timeout=30_000)
    expect(asker).to_have_text(record.asker)
    scores, output = shown(page)
    np.testing.assert_allclose(scores, np.stack([record.scores[0], record.attention.weights[0, 0]], 1), atol=5.1e-5)
    np.testing.assert_allclose(output, record.output[0], atol=5.1e-5)
    at(page, 0)
    expect(page.locator(".journey .line")).to_have_text(f"{record.asker} is about to ask. Press ▶.")
    asker.press("Enter")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    at(page, 0.7)
    played(page)
    expect(page.locator(".journey .line")).to_contain_text("looks most at", timeout=30_000)
    assert page.complaints == []
