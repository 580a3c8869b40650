"""Live pictures of heads: what they draw is the record; pointer and keyboard choose, and Python is told."""

import base64

import numpy as np
import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from explorer.figures.live.modules import KIT
from explorer.figures.live.pack import pack
from explorer.figures.look import Look, channels, ink_at
from explorer.lessons import multi_head as lesson
from explorer.lessons.multi_head import ablation, state
from explorer.records.heads import PARTS, HeadName, Part
from explorer.records.language import speaking, t
from explorer.scenes.multi_head import EXAMPLE
from tests.support.browser import OpenPage, imported, linked

LONG = (
    "I told my sister that the man who lives in the big white house near the river wanted to buy the old car that"
    " our father had sold to the teacher of the small school in the village."
)
#: Colour of the middle of each cell's upper left quarter, where no stroke of a hatch need be.
PIXELS = """(canvas, [rows, columns]) => {
  const pen = canvas.getContext('2d'), at = (place, count) => Math.floor((place + 0.5) * canvas.width / count);
  return [...Array(rows).keys()].map(row => [...Array(columns).keys()].map(column =>
    [...pen.getImageData(at(column, columns), at(row, rows), 1, 1).data].slice(0, 3)));
}"""


@pytest.fixture(scope="module")
def result() -> lesson.Result:
    return lesson.compute(lesson.Params(text=EXAMPLE))


def tile(page: Page, part: Part, layer: int, head: int) -> Locator:
    return (
        page.locator(".head_tiles .group").nth(PARTS.index(part)).locator(".row").nth(layer).locator(".tile").nth(head)
    )


def opened(page: Page, part: Part) -> None:
    """Show the group of a part: the others wait behind buttons."""
    page.locator(".head_tiles .tab").nth(PARTS.index(part)).click()
    expect(page.locator(".head_tiles .group:visible")).to_have_count(1)


def rgb(colour: str) -> list[float]:
    return [255 * channel for channel in channels(colour)]


def test_a_tile_is_drawn_from_the_record(browse: OpenPage, result: lesson.Result, look: Look) -> None:
    page = browse("/multi_head", color_scheme="dark" if look.dark else "light")
    expect(page.locator(".head_tiles .tile")).to_have_count(len(result.measures))
    hidden = np.array([rgb(look.line), rgb(look.hatch)])
    for part, layer, head in (("encoder", 3, 6), ("decoder", 0, 4), ("cross", 1, 2)):
        opened(page, part)
        record = state.viewed_attention(result, lesson.View(site=part, layer=layer, merge=True))
        drawn = np.array(tile(page, part, layer, head).locator("canvas").evaluate(PIXELS, record.weights.shape[1:]))
        for row, column in np.ndindex(*record.weights.shape[1:]):
            if record.allowed is None or record.allowed[row, column]:
                wanted = np.array(rgb(ink_at(float(record.weights[head, row, column]))))
                assert np.abs(drawn[row, column] - wanted).max() <= 2, (part, row, column)
            else:  # a pixel at the edge of a stroke is a mixture of both
                low, high = hidden.min(0) - 3, hidden.max(0) + 3
                assert (low <= drawn[row, column]).all(), (part, row, column)
                assert (drawn[row, column] <= high).all(), (part, row, column)


def test_a_click_and_the_keyboard_choose_a_head_and_the_link_keeps_it(browse: OpenPage) -> None:
    page = browse("/multi_head")
    for part in PARTS:  # each column is named above the tiles
        opened(page, part)
        group = page.locator(".head_tiles .group:visible")
        above = [box["x"] for number in group.locator(".numbers .number").all() if (box := number.bounding_box())]
        below = [
            box["x"] for each in group.locator(".row").first.locator(".tile").all() if (box := each.bounding_box())
        ]
        np.testing.assert_allclose(above, below, atol=1)
    opened(page, "decoder")
    tile(page, "decoder", 1, 2).click()
    linked(page, {"mh_find": "own", "mh_site": "decoder", "mh_layer": "1", "mh_head": "2"})
    heading = page.locator(".st-key-mh_one .picture-title")
    expect(heading).to_contain_text("French looks back at French")
    expect(heading).to_contain_text("layer 1 · head 2")
    expect(tile(page, "decoder", 1, 2)).to_have_attribute("aria-pressed", "true")
    tile(page, "decoder", 1, 2).focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowDown", "Enter"):  # over the border of a group
        page.keyboard.press(key)
    linked(page, {"mh_site": "cross", "mh_layer": "0", "mh_head": "3"})
    expect(tile(page, "cross", 0, 3)).to_have_attribute("aria-pressed", "true")
    expect(tile(page, "cross", 0, 3)).to_be_visible()
    assert page.locator('.head_tiles .tile[tabindex="0"]').count() == 1


def test_a_tile_is_large_enough_for_a_finger(browse: OpenPage) -> None:
    page = browse("/multi_head", width=390, height=844)
    expect(page.locator(".head_tiles .tile").first).to_be_visible()
    sizes = page.locator(".head_tiles .tile:visible").evaluate_all(
        "all => all.map(each => Math.min(each.clientWidth, each.clientHeight))"
    )
    assert min(sizes) >= 24
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 390


def test_heads_over_the_text_are_told_and_what_a_mask_hides_is_hatched(browse: OpenPage, result: lesson.Result) -> None:
    page = browse("/multi_head?scene=one_head&mh_find=own&mh_site=decoder&mh_layer=0&mh_head=4")
    record = state.viewed_attention(result, lesson.View(site="decoder", layer=0, merge=True))
    assert record.allowed is not None
    words, tiles = page.locator(".text .asks .word"), page.locator(".text .tile")
    expect(words).to_have_count(len(record.query_labels))

    def drawn() -> np.ndarray:
        cells = page.locator(".text table td").all_inner_texts()[1:]
        numbers = [np.nan if cell == "hidden" else float(cell) for cell in cells]
        return np.array(numbers).reshape(record.weights.shape[1:])

    for heads in ([4], [4, 6]):
        expect(page.locator(".text .tile[aria-pressed=true]")).to_have_count(len(heads))
        np.testing.assert_array_equal(np.isnan(drawn()), ~record.allowed)
        mean = record.weights[heads].mean(0)
        np.testing.assert_allclose(drawn()[record.allowed], mean[record.allowed], atol=5.1e-5)
        if len(heads) == 1:
            tiles.nth(6).click()
            page.mouse.move(700, 880)
            linked(page, {"mh_look": "4.6"})
    tiles.nth(2).dblclick()
    linked(page, {"mh_head": "2"})
    words.nth(3).click()
    linked(page, {"mh_query": "3"})
    expect(words.nth(3)).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".text .asked .word.barred")).to_have_count(len(record.key_labels) - 4)
    words.nth(5).focus()
    page.keyboard.press("Enter")
    linked(page, {"mh_query": "5"})


def test_a_long_sentence_wraps_like_text_and_a_head_goes_off_on_its_tile(browse: OpenPage) -> None:
    page = browse("/multi_head?scene=one_head&mh_site=cross&mh_layer=0&mh_head=6")
    page.locator(".text .power").nth(6).click()
    linked(page, {"mh_without": "C0.6"})
    off = (HeadName(part="cross", layer=0, head=6),)
    params = ablation.AblationParams(params=lesson.Params(text=EXAMPLE), heads=off)
    after = ablation.ablate(params).after.text
    assert after != ablation.ablate(params).before.text
    expect(page.locator(".mh-said").last).to_contain_text(after)
    page.goto(page.url.split("?")[0] + f"?scene=one_head&mh_text={LONG}")
    expect(page.locator(".text .asks .word").nth(30)).to_be_visible(timeout=30_000)
    lines = page.locator(".text .asks .word").evaluate_all(
        "all => new Set(all.map(each => Math.round(each.getBoundingClientRect().top))).size"
    )
    assert 2 <= lines <= 5
    rows = page.locator(".text .flow path").evaluate_all("all => [...new Set(all.map(each => each.dataset.row))]")
    assert 1 <= len(rows) == page.locator(".text .asks .pointed").count() <= 2  # of the words that ask, and no other


def test_all_that_is_told_at_one_moment_comes_together(usual: BrowserContext) -> None:
    """What is pointed at in a film is told with the step that it goes to, at once where no motion is wanted."""
    page = usual.new_page()
    imported(page, KIT / "dom.js")
    heard = page.evaluate(
        """async bytes => {
            document.body.innerHTML = "<div class='some'></div>";
            const heard = [], data = Uint8Array.from(bytes), setTriggerValue = (...told) => heard.push(told);
            let tell;
            const make = () => ({ take: (_, told) => (tell = told), end() {} });
            live({ data, parentElement: document.body, setTriggerValue }, "some", make);
            tell({ picked: 1 });
            tell({ to: 2 });
            await null;
            tell({ to: 3 });
            await null;
            return heard;
        }""",
        [*pack({})],
    )
    page.close()
    assert heard == [["changed", {"picked": 1, "to": 2}], ["changed", {"to": 3}]]


def test_a_clock_goes_at_its_speed(usual: BrowserContext) -> None:
    page = usual.new_page()
    page.emulate_media(reduced_motion="no-preference")
    imported(page, KIT / "motion.js")
    went = page.evaluate("""async () => {
        const far = [], wait = ms => new Promise(done => setTimeout(done, ms));
        for (const speed of [0.5, 2]) {
            const time = clock(() => {}, () => {});
            time.stops([0, 100]);
            time.speed(speed);
            time.play();
            const began = performance.now();
            await wait(600);
            time.pause();
            far.push((1000 * time.now()) / (performance.now() - began));
        }
        return far;
    }""")
    page.close()
    assert went[1] > 2 * went[0]


def test_a_picture_is_made_anew_for_another_language(usual: BrowserContext) -> None:
    page, sent = usual.new_page(), {}
    for language in ("zh", "en"):
        with speaking(language):
            sent[language] = base64.b64encode(pack({})).decode()
    with speaking("zh"):
        imported(page, KIT / "dom.js")
        hidden = t("hidden")
    said = page.evaluate(
        """sent => {
            const host = document.createElement("div"), calls = [];
            host.innerHTML = "<div class='one'></div>";
            document.body.append(host);
            const make = root => {
                calls.push("made");
                root.textContent = t("hidden");
                return { take() {}, end: () => calls.push("ended") };
            };
            return ["en", "en", "zh", "en"].map(language => {
                const data = Uint8Array.from(atob(sent[language]), each => each.charCodeAt(0));
                live({ data, parentElement: host, setTriggerValue() {} }, "one", make);
                return [host.textContent, calls.splice(0).join()];
            });
        }""",
        sent,
    )
    page.close()
    assert said == [["hidden", "made"], ["hidden", ""], [hidden, "ended,made"], ["hidden", "ended,made"]]
    assert hidden != "hidden"
