"""The scoring functions in a real browser: what only shows there."""

import re
from urllib.parse import parse_qs, urlencode, urlparse

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from explorer.lessons.scoring_functions import beside, learned_readings
from explorer.lessons.scoring_functions.fitted_scorers import Fit, fit
from explorer.scenes.scoring_functions import BESIDE
from explorer.scenes.spec import Preset
from tests.lessons.scoring_functions.test_beside import of_state
from tests.support.browser import SCRUB, OpenPage, linked, moved, painted, settled, tap, unheard


def test_a_choice_made_in_chinese_opens_in_english(browse: OpenPage) -> None:
    page = browse("/scoring_functions?scene=seven&lang=zh")
    painted(page)
    page.get_by_role("radio", name="评分", exact=True).click()
    page.wait_for_url("**sf_shown=scores**")
    settled(page)
    again = browse("/scoring_functions?" + page.url.partition("?")[2].replace("lang=zh", "lang=en"))
    painted(again)
    assert "Scores spread most with" in again.locator(".st-key-scoring_functions").inner_text()


def test_a_preset_reaches_the_address_and_the_chart(browse: OpenPage) -> None:
    page = browse("/scoring_functions?scene=seven&lang=en")
    painted(page)
    page.get_by_role("button", name="Keys longer than queries").click()
    page.wait_for_url("**sf_dk=64**")
    settled(page)
    painted(page)
    assert page.locator("[data-testid=stAlert]").count() == 1
    assert page.locator(".st-key-scoring_functions .annotation-text").count() == 3


def test_a_training_is_scrubbed_without_the_server_and_is_the_record_at_every_step(browse: OpenPage) -> None:
    record = fit(Fit())
    page = browse("/scoring_functions?scene=trained")
    film, table = page.locator(".fitting"), page.locator(".fitting table")
    slider = film.get_by_role("slider")
    expect(table.locator("caption")).to_have_text("Step 60")
    with unheard(page):
        for moment in (3, 9):
            slider.evaluate(SCRUB, moment / 12)
            expect(table.locator("caption")).to_have_text(f"Step {record.steps[moment]}")
            rows = [
                [float(cell) for cell in row.locator("td").all_inner_texts()] for row in table.locator("tr").all()[1:]
            ]
            measures = np.stack([each[moment] for each in (record.loss, record.accuracy, record.correlation)])
            np.testing.assert_allclose(rows[:3], measures, atol=6e-5)
            np.testing.assert_allclose(rows[3:], record.weights[moment].reshape(4, -1).T, atol=6e-5)
            bars = film.locator("text.strong").all_text_contents()[-3:]
            assert bars == [f"{each + 0:.2f}" for each in np.round(record.correlation[moment, 1:], 2)]
            said = learned_readings.describe_moment(record, moment).replace("**", "")
            expect(page.locator(".st-key-fitting .reading")).to_contain_text(said)
    slider.evaluate("slider => slider.dispatchEvent(new Event('change'))")
    linked(page, {"sf_moment": "45"})
    expect(page.locator(".st-key-fitted_w_remark .reading")).to_contain_text(
        learned_readings.describe_bilinear(record, 9)
    )


@pytest.mark.parametrize("finger", [False, True])
def test_a_cell_that_is_pointed_at_says_its_number_while_time_goes_by(browse: OpenPage, finger: bool) -> None:
    record = fit(Fit())
    page = browse("/scoring_functions?scene=trained&sf_moment=40", finger=finger)
    hint, cells = page.locator(".fitting .hint"), page.locator(".fitting .cells")

    def point(tile: int, row: int, column: int) -> None:
        box = cells.nth(tile).bounding_box()
        assert box
        at = box["x"] + box["width"] * (column + 0.5) / 8, box["y"] + box["height"] * (row + 0.5) / 8
        if finger:
            tap(page, *at)
        else:
            page.mouse.move(*at)

    point(4, 2, 5)  # off the diagonal: rows and columns are not mistaken for each other
    expect(hint).to_have_text(f"row 3, column 6 of W: {record.bilinear[8, 2, 5]:.3f}".replace("-", "−"))
    point(1, 3, 2)
    expect(hint).to_have_text(f"query 4, key 3: {record.weights[8, 1, 3, 2]:.3f}")
    page.locator(".fitting").get_by_role("slider").evaluate(SCRUB, 10 / 12)
    expect(hint).to_have_text(f"query 4, key 3: {record.weights[10, 1, 3, 2]:.3f}")


def test_no_label_lies_on_a_title_where_the_best_is_nearly_always_right(browse: OpenPage) -> None:
    page = browse("/scoring_functions?scene=trained&sf_fd=32", width=390, height=844)
    best = page.locator(".fitting text", has_text="best possible").first.bounding_box()
    title = page.locator(".fitting text", has_text="share of unseen queries").bounding_box()
    assert best
    assert title
    assert best["y"] >= title["y"] + title["height"] - 2


def test_keys_are_near_or_opposite_only_for_the_query_that_they_were_named_for(browse: OpenPage) -> None:
    page = browse("/scoring_functions?scene=fit")
    opposite = page.locator(".landscape .key .name", has_text="opposite")
    expect(opposite).to_be_visible()
    moved(page, "sf_turn", 120)
    expect(opposite).to_be_hidden()
    page.mouse.up()
    settled(page)
    expect(opposite).to_be_hidden()
    expect(browse("/scoring_functions?scene=fit&sf_turn=215").locator(".landscape .key .name").last).to_be_hidden()


#: Cells of the heat map number `at` of a chart, missing ones as null.
MAP = "([key, at]) => document.querySelector(`.st-key-${key} .js-plotly-plot`).data[at].z"


def weights_told(page: Page) -> np.ndarray:
    """The weights of both scores that are written for those who do not see the plane, `[2, queries, keys]`."""
    rows = page.locator(".beside table tr").all()[1:]
    found = np.array([[float(cell) for cell in row.locator("td").all_inner_texts()] for row in rows])
    return found.reshape(-1, 2, found.shape[-1]).swapaxes(0, 1)


DIFFERENCE = Preset("The difference", {"sf_maps": "difference"}, "Look at the lowest map.")


@pytest.mark.parametrize("preset", [*BESIDE.presets, DIFFERENCE], ids=lambda preset: preset.label)
def test_the_plane_and_the_maps_say_the_same_of_every_preset(browse: OpenPage, preset: Preset) -> None:
    page = browse("/scoring_functions?scene=additive_beside_dot&" + urlencode({"sight": "map", **preset.state}))
    record = beside.compute(of_state({**BESIDE.defaults, **preset.state}))
    painted(page)
    expect(page.locator(".beside table td").last).to_be_attached()
    np.testing.assert_allclose(weights_told(page), record.weights, atol=1e-5)
    below = [record.difference] if preset.state.get("sf_maps") == "difference" else []
    for at, values in enumerate([*record.weights, *below]):
        shown = np.array(page.evaluate(MAP, ["sf_beside_maps", at]), float)  # null is nan
        np.testing.assert_allclose(shown, np.where(record.allowed, values, np.nan), atol=1e-6)


def test_the_row_is_that_of_the_query_that_is_touched_and_the_right_key_is_dashed(browse: OpenPage) -> None:
    page, record = browse("/scoring_functions?scene=additive_beside_dot"), beside.compute(beside.Beside())
    cells, signs, key = page.locator(".beside .cell"), page.locator(".beside .sign"), len(record.keys)

    def shows(query: int) -> None:
        right = int(record.right[query])
        for score in (0, 1):
            expect(signs.nth(score)).to_have_text("✓" if record.choice(score, query) == right else "✗")
            expect(cells.nth(score * key + right)).to_have_class("cell right")
            expect(page.locator(".beside .line").nth(score)).to_contain_text(f"query {query + 1} ")
            for at, weight in enumerate(record.weights[score, query].tolist()):
                written = f"{weight:.0%}" if weight >= 0.05 else ""
                expect(cells.nth(score * key + at).locator(".share")).to_have_text(written)

    lines, guess = page.locator(".beside .line"), page.get_by_role("button", name="only additive")
    expect(lines.first).to_have_text("scaled dot product: ?")
    expect(page.locator(".beside .share:not(:empty)")).to_have_count(0)
    page.get_by_role("slider", name="query 3", exact=True).focus()
    shows(2)
    guess.click()
    page.get_by_role("slider", name="query 2", exact=True).focus()
    shows(1)
    expect(page.locator(".beside .meant")).to_have_text("dashed: straight ahead of 2")
    expect(page.locator(".beside .cost")).not_to_have_count(0)


def test_equal_keys_are_drawn_apart_by_the_mouse_and_by_the_keyboard(browse: OpenPage) -> None:
    page = browse("/scoring_functions?scene=additive_beside_dot")
    page.get_by_role("button", name="Equal keys (textbook)").click()
    key, lines = page.get_by_role("slider", name="key A", exact=True), page.locator(".beside .line")
    expect(lines.first).to_have_text("scaled dot product: query 1 shares among A, B, 50% each")
    expect(page.locator(".beside .pile", has_text="10 equal keys")).to_be_visible()
    settled(page)
    box = key.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    with unheard(page):
        page.mouse.move(box["x"] + 90, box["y"] + 60, steps=5)
        expect(lines.first).to_contain_text("looks most at")
    page.mouse.up()
    page.wait_for_function("() => new URLSearchParams(location.search).get('sf_points')?.startsWith('1 1') === false")
    settled(page)
    expect(page.locator(".beside .pile", has_text="9 equal keys")).to_be_visible()
    expect(page.locator(".st-key-sf_beside_maps .reading")).to_contain_text("They differ most")
    key.focus()
    page.keyboard.press("ArrowLeft")
    x, y = (f"{float(each.replace('−', '-')):g}" for each in (key.get_attribute("aria-valuetext") or "").split(", "))
    page.wait_for_function(
        "place => new URLSearchParams(location.search).get('sf_points').startsWith(place)", arg=f"{x} {y},"
    )
    asked = parse_qs(urlparse(page.url).query)
    record = beside.compute(of_state({**BESIDE.defaults, **{name: text for name, (text,) in asked.items()}}))
    weight = float(record.weights[0, 0, 0])
    written = "|".join(f"{each:.6f}" for each in (weight - 1e-6, weight, weight + 1e-6))
    expect(page.locator(".beside table td:not(:empty)").first).to_have_text(re.compile(written))  # once it rests
    np.testing.assert_allclose(weights_told(page), record.weights, atol=1e-5)
