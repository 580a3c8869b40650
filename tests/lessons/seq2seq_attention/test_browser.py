"""The scenes in a real browser: a word is clicked, a step is made and played, the sample is measured."""

import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from explorer.inference.seq2seq.couplets import WEIGHTINGS
from explorer.lessons import seq2seq_attention as lesson
from explorer.lessons.seq2seq_attention import details, numbers, state
from explorer.lessons.seq2seq_attention.numbers import DRAWN, of_words
from explorer.scenes.seq2seq_attention import ORIOLES
from tests.support.browser import SCRUB, OpenPage, linked, played, press, settled
from tests.support.soundness import ERRORS


def as_numbers(text: list[str]) -> list[float]:
    return [float(each.replace("−", "-")) for each in text]


def test_every_step_is_the_record_and_the_link_follows(browse: OpenPage) -> None:
    """Scrubbed, stepped by key, chosen by its word, and played to its end."""
    page = browse("/seq2seq_attention?scene=step_by_step")
    model = next(each.name for each in state.models() if each.task == "de-en" and each.mechanism == "additive")
    record = lesson.compute(lesson.Params(models=(model,))).records[model]
    steps, film, rng = record.trace.steps, page.locator(".step"), np.random.default_rng(0)
    last = len(steps) - 1
    for position in (last, 0, 2):
        film.locator(".scrub").evaluate(SCRUB, position / last)
        for told in (".where", "caption"):
            expect(film.locator(told)).to_have_text(f"Step {position + 1} of {len(steps)}")
        drawn = np.array(
            [as_numbers(row.locator("td").all_inner_texts()) for row in film.locator("table tr").all()[1:]]
        )
        each = record.trace, steps[position]
        truth = np.stack([numbers.word_scores(*each), numbers.word_weights(*each)], 1)
        for row, column in zip(rng.integers(0, len(truth), 20), rng.integers(0, 2, 20), strict=True):
            assert abs(drawn[row, column] - truth[row, column]) < 5.1e-5
        shares, _ = of_words(record, steps[position])
        seen = [f"{share:.2f}".removeprefix("0") for share in shares if share >= 0.05]
        assert [text for text in film.locator(".share").all_text_contents() if text] == seen
    expect(page.locator(".st-key-stage .reading")).to_contain_text("writes cat")  # of the step that is shown
    film.locator(".scrub").dispatch_event("change")  # let go
    linked(page, {"sa_step": "2"})
    film.get_by_role("button", name="Step on").press("ArrowLeft")
    linked(page, {"sa_step": "1"})
    film.locator(".words button").nth(4).click()
    linked(page, {"sa_step": "4"})
    played(film)
    linked(page, {"sa_step": str(last)})
    assert page.complaints == []


def test_a_preset_that_is_pressed_again_brings_a_playing_film_back(browse: OpenPage) -> None:
    """What the preset sets is what Python knows already: the film has not yet told where it has come to."""
    page = browse("/seq2seq_attention?scene=step_by_step")
    film, preset = page.locator(".step"), page.get_by_role("button", name="Back to the sofa")
    preset.click()
    linked(page, {"sa_step": "6"})
    film.locator(".scrub").evaluate("scrub => { window.there = scrub.value; }")
    film.get_by_role("button", name="Play").click()
    page.wait_for_function("() => window.there", timeout=5_000)
    expect(film.get_by_role("button", name="Pause")).to_be_visible()
    preset.click()
    expect(film.get_by_role("button", name="Play")).to_be_visible()
    expect(film.locator(".where")).to_have_text(re.compile("^Step 7 of"))
    page.wait_for_timeout(2_500)  # longer than a step takes
    expect(film.locator(".where")).to_have_text(re.compile("^Step 7 of"))


def test_a_film_plays_on_when_what_was_stepped_before_is_answered(browse: OpenPage) -> None:
    """The server answers late, as in a class."""
    page = browse("/seq2seq_attention?scene=step_by_step", late=700)
    film = page.locator(".step")
    step = film.get_by_role("button", name="Step on")
    step.press("ArrowRight")
    linked(page, {"sa_step": "1"})
    step.press("ArrowRight")
    expect(film.locator(".where")).to_have_text(re.compile("^Step 3 of"))
    step.press("ArrowLeft")
    expect(film.locator(".where")).to_have_text(re.compile("^Step 2 of"))
    film.get_by_role("button", name="Play").click()
    page.wait_for_timeout(2_500)  # both answers have come
    expect(film.get_by_role("button", name="Pause")).to_be_visible()


FILMS = [
    ("couplets", "sa_place", lesson.Params(task="couplet", text=ORIOLES, models=("couplet-zh",), looks=WEIGHTINGS)),
    ("force", "sa_at", lesson.Params(models=("seq2seq-de-en-additive",))),
]


#: What stands in each row of a table, its heading left out.
CELLS = "rows => rows.map(row => [...row.cells].slice(1).map(cell => cell.textContent))"


@pytest.mark.parametrize(("scene", "key", "params"), FILMS, ids=[scene for scene, _, _ in FILMS])
def test_scrubbing_asks_the_server_nothing_and_every_number_is_the_record(
    browse: OpenPage, scene: str, key: str, params: lesson.Params
) -> None:
    """Twenty cells of the table are read at three words, and the shares on the picture; on release the link follows."""
    page = browse(f"/seq2seq_attention?scene={scene}")
    records = [numbers.looks(each, pieces=scene == "force") for each in lesson.compute(params).records.values()]
    last, film, rng = (
        max(len(written) for written, _, _ in records) - 1,
        page.locator(".columns"),
        np.random.default_rng(1),
    )
    film.locator(".chip").first.wait_for()
    page.wait_for_timeout(500)
    page.told.clear()
    for position in (last, 1, 3):
        for share in np.linspace(0, 1, 9):
            film.locator(".scrub").evaluate(SCRUB, share)
        film.locator(".scrub").evaluate(SCRUB, position / last)
        expect(film.locator("caption")).to_contain_text(f" {position + 1} of {last + 1}")
        drawn = film.locator("table tr").evaluate_all(CELLS)[1:]
        truth = [row for record in records for row in table(record, position)]
        assert [len(row) for row in drawn] == [len(row) for row in truth]
        cells = [(row, column) for row, some in enumerate(truth) for column in range(len(some))]
        for row, column in (cells[each] for each in rng.choice(len(cells), 20, replace=False)):
            assert abs(as_numbers(drawn[row])[column] - truth[row][column]) < 5.1e-5
        shares = [
            each for _, weights, _ in records for each in weights[min(position, len(weights) - 1)] if each >= 0.05
        ]
        shown = [text for text in film.locator(".share").all_text_contents() if text]
        np.testing.assert_allclose(list(map(float, shown)), shares, atol=0.0051)
    assert page.told == []
    film.locator(".scrub").dispatch_event("change")
    linked(page, {key: "3"})
    assert page.told
    film.locator(".written").nth(4).click()
    linked(page, {key: "4"})
    film.get_by_role("button", name="Step on").press("ArrowRight")
    linked(page, {key: "5"})
    assert page.complaints == []


def test_a_detail_is_followed_through_every_model(browse: OpenPage) -> None:
    """Marks and words are those of the record; a click on the list moves all of them."""
    page = browse("/seq2seq_attention?scene=three_models")
    film, names = page.locator(".details"), ("none", "fixed", "additive")
    models = tuple(f"seq2seq-de-en-{name}" for name in names)
    records = list(lesson.compute(lesson.Params(models=models)).records.values())
    every = details.details(records[0])
    expect(film.locator(".entry .sign").first).to_have_text("· ")
    page.get_by_role("button", name="Skip", exact=True).click()
    expect(film.locator(".entry .sign").first).not_to_have_text("· ")
    for position, detail in enumerate(every):
        film.locator(".scrub").evaluate(SCRUB, position / (len(every) - 1))
        expect(film.locator(".entry.chosen")).to_have_count(len(records))
        said = [details.said_by(record, detail) for record in records]
        signs = ["✓ " if rows else "✗ " for rows in said]
        assert film.locator(".entry.chosen .sign").all_text_contents() == signs
        words = [
            record.trace.written.word_labels[row] for record, rows in zip(records, said, strict=True) for row in rows
        ]
        assert film.locator(".says-it").all_text_contents() == words
    page.told.clear()
    film.locator(".entry", has_text=every[1].label).last.click()
    linked(page, {"sa_detail": "1"})
    expect(film.locator(".line")).to_contain_text(f"“{every[1].label}”")
    long_words_are_whole(page)
    assert page.complaints == []


def long_words_are_whole(page: Page) -> None:
    """Break what does not fit instead of making all words small."""
    page.set_viewport_size({"width": 1280, "height": 720})
    page.get_by_role("button", name="All three manage").click()
    words = page.locator(".details :is(.source, .written)")
    expect(words.nth(1)).to_have_text("skateboa-rdfahrer")
    sizes = words.evaluate_all("all => all.map(each => parseFloat(getComputedStyle(each).fontSize))")
    assert min(sizes) >= 13


def table(record: tuple[tuple[str, ...], np.ndarray, np.ndarray], position: int) -> list[list[float]]:
    """What the table of a column holds: its word, the weights of the source words if it has any, and its context."""
    written, weights, contexts = record
    row = min(position, len(written) - 1)
    own = [[each] for each in weights[row].tolist()] if weights.any() else []
    return [[], *own, contexts[row, :DRAWN].tolist()]


def test_a_row_of_a_map_that_is_clicked_is_followed_in_every_map(browse: OpenPage) -> None:
    """The frame lies around the tokens of the detail, and the ribbons follow the same one."""
    page = browse("/seq2seq_attention?scene=three_models&sa_drawn=map")
    card = "sa_map_seq2seq_de_en_additive"
    page.wait_for_selector(f".st-key-{card} .heatmaplayer image")
    rows = page.locator(f".st-key-{card} .js-plotly-plot").evaluate("plot => plot._fullData[0].z.length")
    press(page, card, 0, 0.5, 3.5 / rows)  # “sleeping”
    linked(page, {"sa_detail": "1"})
    page.get_by_role("radio", name="Picture").click()
    expect(page.locator(".details caption")).to_contain_text("Detail 2 of 3")
    assert page.complaints == []


def test_a_source_word_that_is_clicked_is_forced_at_the_step_that_is_seen(browse: OpenPage) -> None:
    page = browse("/seq2seq_attention?scene=force")
    film = page.locator(".columns")
    expect(film.locator(".title")).to_have_text(["On its own", "With a step forced"])  # no hole where it will stand
    expect(film.locator(".note").last).to_have_text("still the same: click “sofa” on the left")
    film.locator(".picks").nth(2).click()  # it begins at the word that is asked about
    linked(page, {"sa_force": "2@2"})
    expect(film.locator(".title")).to_have_text(["On its own", "With step 3 forced"])
    expect(film.locator(".forced")).to_have_text("couch")
    assert page.complaints == []


def test_the_bottleneck_is_measured_again_on_a_sample(browse: OpenPage) -> None:
    page = browse("/seq2seq_attention?scene=bottleneck&sa_sample=own&sa_search=greedy", width=390, height=844)
    page.get_by_role("button", name=re.compile("Translate 40 sentences")).click()
    page.get_by_text("BLEU over 40 sentences").first.wait_for(timeout=120_000)
    settled(page)
    assert page.locator(ERRORS).count() == 0


def test_a_word_without_end_stays_in_its_column(browse: OpenPage) -> None:
    page = browse("/seq2seq_attention?scene=three_models&sa_text=مرحبا بالعالم كيف حالك")
    page.get_by_text("It did not come to an end.").wait_for()
    assert page.evaluate(
        "(main => main.scrollWidth <= main.clientWidth)(document.querySelector('[data-testid=stMain]'))"
    )
