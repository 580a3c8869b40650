"""Shown to a room: it walks by keys, stands on one screen, and a larger screen shows it larger."""

import pytest
from playwright.sync_api import FloatRect, Locator, Page

from explorer import scenes
from explorer.scenes.spec import Lesson
from tests.support.browser import LOWEST, OpenPage, linked, painted, press, settled

#: Two screens of one shape: the smallest that is filled without enlarging anything, and a usual projector.
PLAIN, LARGE = {"width": 1440, "height": 810}, {"width": 1920, "height": 1080}
ENLARGED = 4 / 3
#: By how many pixels a box scrolls.
HIDDEN = "selector => (box => box ? box.scrollHeight - box.clientHeight : 0)(document.querySelector(selector))"


def box(found: Locator) -> FloatRect:
    position = found.bounding_box()
    assert position
    return position


def test_present_walks_on_by_the_arrow_keys_and_ends_by_escape(browse: OpenPage) -> None:
    lesson = scenes.LESSONS[0]
    first, second = lesson.core[:2]
    page = browse(f"/{lesson.stem}?scene={first.name}&present=1", width=1280, height=720)
    painted(page)
    assert page.locator("[data-testid=stSidebar]").is_hidden()
    assert page.locator(".qr img").is_visible()
    assert page.locator(".qr span").inner_text() == f"{page.url.split('/')[2]}/{lesson.stem}?scene={first.name}"
    reading = box(page.locator(".st-key-stage .reading").first)
    assert reading["y"] + reading["height"] <= 720
    page.keyboard.press("ArrowRight")
    linked(page, {"scene": second.name, "present": "1"})
    page.keyboard.press("ArrowLeft")
    linked(page, {"scene": first.name, "present": "1"})
    page.keyboard.press("Escape")
    linked(page, {"present": ""})
    assert page.locator("[data-testid=stSidebar]").is_visible()


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1440, 900)])
def test_the_sentence_in_place_of_a_code_lies_over_nothing(browse: OpenPage, width: int, height: int) -> None:
    page = browse("/translator?scene=look&present=1", width=width, height=height)
    painted(page)
    said = "code => code.parentElement.innerHTML = '<p class=\"qr\"><span>Only this machine reaches it.</span></p>'"
    page.locator(".qr").evaluate(said)
    sentence = box(page.locator(".qr span"))
    for part in (".question", ".translated", ".ribbons", ".st-key-presets", "h1"):
        other = box(page.locator(part).first)
        beside = sentence["x"] >= other["x"] + other["width"] or other["x"] >= sentence["x"] + sentence["width"]
        assert beside or sentence["y"] >= other["y"] + other["height"] or other["y"] >= sentence["y"] + 40, part


def test_a_slider_that_was_dragged_leaves_the_keys_to_the_room(browse: OpenPage) -> None:
    page = browse("/queries_keys_values?scene=desk&present=1")
    knob = page.get_by_role("slider").first
    knob.wait_for()
    settled(page)
    position = box(knob)
    page.mouse.move(position["x"] + position["width"] / 2, position["y"] + position["height"] / 2)
    page.mouse.down()
    page.mouse.move(position["x"] + 60, position["y"] + position["height"] / 2, steps=4)
    page.mouse.up()
    page.wait_for_timeout(300)
    page.keyboard.press("PageDown")
    linked(page, {"scene": "score"})


def test_a_slider_that_has_the_focus_leaves_the_remote_control_to_the_room(browse: OpenPage) -> None:
    page = browse("/queries_keys_values?scene=desk&present=1")
    knob = page.get_by_role("slider").first
    knob.focus()
    settled(page)
    held = knob.input_value()
    page.keyboard.press("ArrowRight")
    linked(page, {"scene": "desk"})
    assert knob.input_value() != held
    page.keyboard.press("PageDown")
    linked(page, {"scene": "score"})
    page.keyboard.press("PageUp")
    linked(page, {"scene": "desk"})


def test_a_box_that_is_typed_in_keeps_the_keys_of_a_remote_control(browse: OpenPage) -> None:
    page = browse("/masked_softmax?scene=batch&present=1")
    page.locator(".st-key-moved :is(input[type=text], textarea):visible").first.focus()
    page.keyboard.press("PageDown")
    settled(page)
    linked(page, {"scene": "batch"})


def test_before_a_room_back_from_a_deeper_scene_is_the_last_one_on_the_way(browse: OpenPage) -> None:
    lesson = scenes.lesson("vision")
    page = browse("/vision?scene=channels&present=1")
    settled(page)
    page.keyboard.press("ArrowLeft")
    linked(page, {"scene": lesson.core[-1].name})
    assert "/vision?" in page.url


@pytest.mark.parametrize("lesson", scenes.LESSONS, ids=lambda lesson: lesson.stem)
def test_before_a_room_a_core_scene_stands_on_one_screen(
    browse: OpenPage, subtests: pytest.Subtests, lesson: Lesson
) -> None:
    """Its picture, readings and controls, on the smallest projector; the arrow key leads from one to the next."""
    page = browse(f"/{lesson.stem}?present=1&lang=en", width=1280, height=720)
    for position, scene in enumerate(lesson.core):
        if position:
            page.keyboard.press("ArrowRight")
            linked(page, {"scene": scene.name})
        page.locator(".st-key-stage [class*=_behind]").first.wait_for(state="attached", timeout=30_000)
        settled(page)
        page.wait_for_timeout(300)
        with subtests.test(scene.name):
            for where in ("[data-testid=stMain]", ".st-key-moved"):
                assert page.evaluate(HIDDEN, where) <= 1, where
            for part in (".st-key-moved > *", ".st-key-stage", ".st-key-stage .reading"):
                assert 0 < page.evaluate(LOWEST, part) <= 720, part


@pytest.mark.parametrize(
    "link", ["kernel_regression?scene=one_query", "scoring_functions?scene=fit", "masked_softmax?scene=draw"]
)
def test_before_a_room_the_type_of_a_live_picture_is_larger(browse: OpenPage, link: str) -> None:
    sizes: list[float] = []
    for room in ("", "&present=1"):
        text = browse(f"/{link}{room}", width=1280, height=720).locator(".st-key-stage svg text").first
        sizes.append(text.evaluate("text => parseFloat(getComputedStyle(text).fontSize)"))
    assert sizes[1] == pytest.approx(1.25 * sizes[0])


@pytest.mark.parametrize(
    ("link", "parts"),
    [
        ("kernel_regression?scene=one_query", (".question", ".regression svg", ".reading", ".st-key-kr_width")),
        ("masked_softmax?scene=padding", (".batch", ".st-key-mp_map .nsewdrag", ".reading")),
        ("translator?scene=look", (".translated", ".ribbons .words", ".reading", ".qr img")),
        ("whole_transformer?scene=whole&wt_act=write", ("canvas.stage", ".question", ".reading")),
    ],
)
def test_a_larger_screen_shows_the_same_larger(browse: OpenPage, link: str, parts: tuple[str, ...]) -> None:
    found: list[list[FloatRect]] = []
    for screen in (PLAIN, LARGE):
        page = browse(f"/{link}&present=1", **screen)
        painted(page)
        page.locator(parts[-1]).first.wait_for()
        found.append([box(page.locator(part).first) for part in parts])
    for part, plain, large in zip(parts, *found, strict=True):
        for side in ("x", "y", "height"):  # a line may break elsewhere
            assert large[side] == pytest.approx(ENLARGED * plain[side], rel=0.03, abs=12), (part, side)  # type: ignore[literal-required]


@pytest.mark.parametrize("link", ["queries_keys_values?scene=layers", "masked_softmax?scene=future"])
def test_on_a_large_screen_a_chart_is_seen_to_its_corners(browse: OpenPage, link: str) -> None:
    page = browse(f"/{link}&present=1", **LARGE)
    painted(page)
    for chart in page.locator(".st-key-stage .js-plotly-plot").all():
        position = box(chart)
        assert position["x"] + position["width"] <= LARGE["width"]
        assert chart.evaluate(
            """(chart, [x, y]) => chart.contains(document.elementFromPoint(x, y))""",
            [position["x"] + position["width"] - 6, position["y"] + position["height"] - 6],
        )


def drag(page: Page, grip: Locator, right: int, down: int) -> None:
    """Drag it, and find it under the pointer."""
    at = box(grip)
    x, y = at["x"] + at["width"] / 2, at["y"] + at["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + right, y + down, steps=6)
    page.wait_for_timeout(100)
    now = box(grip)
    assert now["x"] + now["width"] / 2 == pytest.approx(x + right, abs=4)
    if down:
        assert now["y"] + now["height"] / 2 == pytest.approx(y + down, abs=4)
    page.mouse.up()


def test_on_a_large_screen_what_is_dragged_stays_under_the_pointer(browse: OpenPage) -> None:
    page = browse("/kernel_regression?scene=one_query&present=1", **LARGE)
    drag(page, page.locator(".regression .grip.query .target"), 150, 0)
    page = browse("/scoring_functions?scene=fit&present=1", **LARGE)
    drag(page, page.locator(".landscape .grip .target"), -120, 60)


def test_on_a_large_screen_a_stroke_paints_the_cell_below_it_and_a_click_finds_its_row(browse: OpenPage) -> None:
    page = browse("/masked_softmax?scene=draw&present=1", **LARGE)
    cell = box(page.locator(".mask [role=gridcell]").nth(9 * 12 + 5))
    page.mouse.click(cell["x"] + cell["width"] / 2, cell["y"] + cell["height"] / 2)
    linked(page, {"md_cells": "10:6"})
    page = browse("/masked_softmax?scene=padding&present=1", **LARGE)
    painted(page)
    press(page, "mp_map", 0, 0.5, 1.5 / 6)  # a row for each word: padding asks nothing
    linked(page, {"mp_word": "1"})


def test_on_a_large_screen_ribbons_end_at_their_words(browse: OpenPage) -> None:
    page = browse("/translator?scene=look&present=1", **LARGE)
    page.locator(".ribbons path").first.wait_for(state="attached")
    words = [box(each) for each in page.locator(".ribbons .asks .word").all()]
    middles = [each["x"] + each["width"] / 2 for each in words]
    ends = page.locator(".ribbons path").evaluate_all(
        """all => all.map((path) => {
            const { x, y } = path.getPointAtLength(0), at = new DOMPoint(x, y).matrixTransform(path.getScreenCTM());
            return [Number(path.dataset.row), at.x];
        })"""
    )
    assert len(ends) >= len(words)
    assert all(across == pytest.approx(middles[row], abs=3) for row, across in ends)
