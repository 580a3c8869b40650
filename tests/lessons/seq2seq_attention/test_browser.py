"""The scenes in a real browser: a word is clicked, a step is made and played, the sample is measured."""

import re

import numpy as np
from playwright.sync_api import expect

from explorer.lessons import seq2seq_attention as lesson
from explorer.lessons.seq2seq_attention import state
from explorer.lessons.seq2seq_attention.numbers import of_words
from tests.browser.test_every_page import ERRORS
from tests.support.browser import OpenPage, linked, settled

SCRUB = "(scrub, share) => { scrub.value = 1000 * share; scrub.dispatchEvent(new Event('input')); }"


def numbers(text: list[str]) -> list[float]:
    return [float(each.replace("−", "-")) for each in text]


def test_every_step_is_the_record_and_the_link_follows(browse: OpenPage) -> None:
    """Scrubbed, stepped by key, chosen by its word, and played to its end."""
    page = browse("/seq2seq_attention?scene=step_by_step")
    model = next(each.name for each in state.models() if each.task == "de-en" and each.mechanism == "additive")
    record = lesson.compute(lesson.Params(models=(model,))).records[model]
    steps, film, rng = record.trace.steps, page.locator(".step_film"), np.random.default_rng(0)
    last = len(steps) - 1
    for place in (last, 0, 2):
        film.locator(".scrub").evaluate(SCRUB, place / last)
        expect(film.locator(".where")).to_have_text(f"Step {place + 1} of {len(steps)}")
        drawn = np.array([numbers(row.locator("td").all_inner_texts()) for row in film.locator("table tr").all()[1:]])
        truth = np.stack([steps[place].scores, steps[place].weights], 1)
        for row, column in zip(rng.integers(0, len(truth), 20), rng.integers(0, 2, 20), strict=True):
            assert abs(drawn[row, column] - truth[row, column]) < 5.1e-5
        shares, _ = of_words(record, steps[place])
        seen = [f"{share:.2f}".removeprefix("0") for share in shares if share >= 0.05]
        assert [text for text in film.locator(".share").all_text_contents() if text] == seen
    expect(film.locator(".line")).to_contain_text("writes cat")
    film.locator(".scrub").dispatch_event("change")  # let go
    linked(page, {"sa_step": "2"})
    film.get_by_role("button", name="Step on").press("ArrowLeft")
    linked(page, {"sa_step": "1"})
    film.locator(".words button").nth(4).click()
    linked(page, {"sa_step": "4"})
    film.get_by_role("button", name="Play").click()
    linked(page, {"sa_step": str(last)})
    assert page.complaints == []


def test_the_bottleneck_is_measured_again_on_a_sample(browse: OpenPage) -> None:
    page = browse("/seq2seq_attention?scene=bottleneck&sa_sample=own&sa_search=greedy", width=390, height=844)
    page.get_by_role("button", name=re.compile("Translate 40 sentences")).click()
    page.get_by_text("BLEU over 40 sentences").first.wait_for(timeout=120_000)
    settled(page)
    assert page.locator(ERRORS).count() == 0
