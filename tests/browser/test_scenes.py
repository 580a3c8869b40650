"""Every scene of `python -m explorer.scenes` in a real browser: what SCENES.md says must be on the first screen."""

import base64
import io
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import CDPSession, Page, expect

from explorer import scenes
from explorer.scenes.spec import Lesson, Scene
from tests.support import texts
from tests.support.boxes import ACCEPT, BOXES, REFUSED
from tests.support.browser import LOWEST, OpenPage, follow, linked, painted, settled
from tests.support.heat_maps import cells_say_what_they_are
from tests.support.soundness import ERRORS, OVERFLOW, accessible, sound
from tests.support.texts import find_faults, titles_fit
from tests.support.untranslated import data_are_left_alone

every_lesson = pytest.mark.parametrize("lesson", scenes.LESSONS, ids=[lesson.stem for lesson in scenes.LESSONS])
#: Where rule 1 wants the stage's top at most, and how far the sticky rail may move.
TOP, HELD = 130, 40
BOX = """selector => {
    const all = [...document.querySelectorAll(selector)].filter(e => e.offsetParent !== null);
    if (!all.length) return null;
    const box = all[0].getBoundingClientRect();
    let right = box.right;  // of what is seen: a wide picture may scroll in a box of its own
    for (let at = all[0].parentElement; at && !at.matches('.st-key-stage'); at = at.parentElement)
        if (/auto|scroll/.test(getComputedStyle(at).overflowX))
            right = Math.min(right, at.getBoundingClientRect().right);
    return { left: box.left, top: box.top, right, bottom: box.bottom, width: box.width };
}"""
#: Whether the link names a scene; without a name it means the first.
STANDS = "([scene, first]) => (new URLSearchParams(location.search).get('scene') ?? first) === scene"
#: Whether the open tab is whole in the row of tabs, which scrolls where it is too wide.
OPEN_TAB_SEEN = """() => {
    const tab = document.querySelector('[role=tab][aria-selected=true]'), box = tab.getBoundingClientRect();
    const seen = tab.closest('[role=tablist]').getBoundingClientRect();
    return box.left >= seen.left - 1 && box.right <= seen.right + 1;
}"""
#: Whether the link says what a state is, or nothing, where it is the default.
LINKED = """state => Object.entries(state).every(([key, value]) => {
    const said = new URLSearchParams(location.search).get(key);
    return said === null || said === String(value) || Number(said) === value;
})"""
#: Whether what to look for begins so; asked at every frame, which a locator, once it has waited, is not.
LOOK = """words => [...document.querySelectorAll('.look')].some(
    look => look.textContent.includes(words) && look.checkVisibility({ visibilityProperty: true }))"""
#: What nobody wants to read unasked: a raw token, a module's path, a hash.
LOUD = re.compile(r"</s>|explorer\.\w+|\b(?=\w*[0-9])(?=\w*[a-f])[0-9a-f]{7,64}\b")
FIGURE = ".st-key-stage .js-plotly-plot, .st-key-stage iframe, .st-key-stage [data-testid=stBidiComponentIsolated]"


def box(page: Page, selector: str) -> dict[str, float]:
    found: dict[str, float] | None = page.evaluate(BOX, selector)
    assert found, selector
    return found


def walk(
    page: Page,
    lesson: Lesson,
    subtests: pytest.Subtests,
    check: Callable[[Page, Scene], None],
    *,
    width: int = 1440,
    height: int = 900,
    afresh: bool = False,
) -> None:
    """Open a lesson's scenes one after another by their tabs and check each, as a test of its own.

    One visit for all of them: to open a page anew takes longer than most of what is asked of a scene. `afresh`, a scene
    begins as its link says where the one before it has been changed.
    """
    for position, scene in enumerate(lesson.scenes):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop = 0")
        if afresh and position and lesson.scenes[position - 1].core:  # whose presets have been pressed
            follow(page, f"/{lesson.stem}?scene={scene.name}&lang=en")
        else:
            page.locator("[role=tab]").nth(position).click()
        page.mouse.move(width / 2, 450)  # off the menu, which opens over the page
        page.wait_for_function(STANDS, arg=[scene.name, lesson.scenes[0].name])
        settled(page)
        with subtests.test(scene.name):
            page.wait_for_function(OPEN_TAB_SEEN)
            painted(page)
            assert page.locator(ERRORS).count() == 0
            assert page.evaluate(OVERFLOW) <= 1
            if not position:  # all scenes are made of the same parts
                sound(page)
                accessible(page)
            check(page, scene)


def on_a_laptop(page: Page, scene: Scene) -> None:
    """What must be seen before anybody scrolls."""
    page.wait_for_function(f"() => ({BOX})({FIGURE!r}).bottom <= 900", timeout=10_000)
    stage, reading = box(page, ".st-key-stage"), box(page, ".st-key-stage .reading")
    titles_fit(page)
    assert stage["top"] <= TOP
    assert stage["width"] >= 0.6 * 1440
    assert reading["bottom"] <= 900
    height = page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight")
    assert height <= 2 * 900
    if scene.core:
        for part in (".st-key-predict", ".st-key-presets"):
            assert 0 < page.evaluate(LOWEST, part) <= 900, part
    provenance_is_quiet(page)
    the_rail_sticks(page)


def on_a_low_screen(page: Page, scene: Scene) -> None:
    """The picture must be seen before anybody scrolls, and what is asked and can be tried."""
    page.wait_for_function(f"() => ({BOX})({FIGURE!r}).bottom <= 720", timeout=10_000)
    if scene.core:
        for part in (".st-key-predict", ".st-key-presets"):
            assert 0 < page.evaluate(LOWEST, part) <= 720, part
    titles_fit(page)
    provenance_is_quiet(page)


def provenance_is_quiet(page: Page) -> None:
    """No raw token, no module's path and no hash in the text of a page on which nothing has been opened."""
    assert not LOUD.findall(page.inner_text("[data-testid=stMain]"))


def on_a_phone(page: Page) -> None:
    """The question, the figure, and then its controls."""
    narrow = f"({BOX})({FIGURE!r}).right <= 390 && {OVERFLOW} <= 1"
    page.wait_for_function(f"() => {narrow} && ({BOX})({FIGURE!r}).top <= 844 / 2", timeout=10_000)
    asked, stage, moved = (box(page, f".st-key-{key}") for key in ("asked", "stage", "moved"))
    assert asked["bottom"] <= stage["top"] + 1
    assert stage["bottom"] <= moved["top"] + 1


#: How far everything is scrolled: the page, or a long text in a box of its own.
SCROLLED = """() => {
    const far = (root) => [...root.querySelectorAll('*')]
        .reduce((sum, each) => sum + each.scrollTop + (each.shadowRoot ? far(each.shadowRoot) : 0), 0);
    return far(document);
}"""


def a_finger_scrolls(page: Page, tools: CDPSession) -> None:
    """Swipe upwards, over the picture; each move takes a frame.

    The touch is cancelled in the end: from a finger that is lifted the page glides on, under what is measured next.
    """
    page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop = 0")
    position, before = box(page, FIGURE), page.evaluate(SCROLLED)
    x, y = (position["left"] + position["right"]) / 2, (position["top"] + min(position["bottom"], 700)) / 2
    tools.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in range(1, 5):
        tools.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": y - 36 * step}]})
    tools.send("Input.dispatchTouchEvent", {"type": "touchCancel", "touchPoints": []})
    page.wait_for_function(f"before => ({SCROLLED})() > before + 60", arg=before, timeout=5_000)


def the_rail_sticks(page: Page) -> None:
    before, stage = box(page, ".st-key-rail"), box(page, ".st-key-stage")
    if stage["bottom"] - before["bottom"] < 2 * HELD:
        return  # the rail is as tall as the stage: there is nowhere to stick
    main = page.locator("[data-testid=stMain]")
    if main.evaluate("main => main.scrollHeight - main.clientHeight") < before["top"] + HELD:
        return  # the page ends before the rail could leave
    page.mouse.move(700, 450)
    page.mouse.wheel(0, before["top"] + HELD)
    page.wait_for_function(f"() => ({BOX})('.st-key-stage').top < {stage['top'] - HELD}")
    assert 0 <= box(page, ".st-key-rail")["top"] <= HELD
    page.mouse.wheel(0, -before["top"] - HELD)
    page.wait_for_function(f"() => ({BOX})('.st-key-stage').top >= {stage['top'] - 1}")


def pixels(page: Page) -> np.ndarray:
    """The stage as it is painted, in half its size: Playwright's own screenshots take five times as long."""
    seen = box(page, ".st-key-stage")
    clip = {"x": seen["left"], "y": seen["top"], "width": seen["width"], "height": seen["bottom"] - seen["top"]}
    asked = {"format": "jpeg", "quality": 90, "optimizeForSpeed": True, "clip": {**clip, "scale": 0.5}}
    found = page.context.new_cdp_session(page).send("Page.captureScreenshot", asked)["data"]
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(found))).convert("RGB"), np.int16)


def difference(before: np.ndarray, after: np.ndarray) -> float:
    """Share of the pixels that differ, of as many rows as both have."""
    height = min(len(before), len(after))
    return float((np.abs(before[:height] - after[:height]).max(-1) > 16).mean())


def presets_change_what_is_seen(page: Page, scene: Scene) -> None:
    """Each from what stood there at first or just before: what it sets, the scene before may have set already."""
    page.wait_for_timeout(300)
    seen = [pixels(page)]
    for position, preset in enumerate(scene.presets):
        page.locator(f".st-key-try_{scene.name}_{position} button").click()
        page.wait_for_function(LOOK, arg=preset.look[:20], timeout=30_000)
        settled(page)
        painted(page)
        for _ in range(12):  # what plays needs some time to differ
            after = pixels(page)
            changed = max(difference(before, after) for before in (seen[0], seen[-1]))
            if changed >= 0.03:
                break
            page.wait_for_timeout(400)
        assert changed >= 0.03, f"{preset.label}: {changed:.1%}"
        seen.append(after)
        page.wait_for_function(LINKED, arg={**scene.defaults, **preset.state}, timeout=5_000)


@contextmanager
def narrowed(page: Page) -> Iterator[None]:
    """Make the window a phone's for a while: a scene need not be opened again for it. A mouse is there still, as beside
    many a touch screen.
    """
    page.set_viewport_size({"width": 390, "height": 844})
    yield
    page.set_viewport_size({"width": 1440, "height": 900})
    page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop = 0")  # a finger has scrolled
    page.mouse.move(720, 450)


@every_lesson
def test_in_english_and_light_on_a_laptop_and_a_phone(
    browse: OpenPage, lesson: Lesson, subtests: pytest.Subtests
) -> None:
    """On a phone English is the wider of the two languages."""
    page = browse(f"/{lesson.stem}?lang=en", script=texts.SCRIPT)
    tools = page.context.new_cdp_session(page)

    def check(page: Page, scene: Scene) -> None:
        assert page.locator(".question").inner_text() == scene.question
        on_a_laptop(page, scene)
        data_are_left_alone(page)
        assert {*page.evaluate(BOXES)} <= REFUSED.keys() | ACCEPT
        written = scene.core and page.locator(".st-key-stage [data-testid=stBidiComponentIsolated]").count()
        faults = find_faults(page) if written else {}
        with narrowed(page):
            on_a_phone(page)
            titles_fit(page)
            faults |= find_faults(page) if written else {}
            a_finger_scrolls(page, tools)
            if scene == lesson.scenes[0]:
                page.set_viewport_size({"width": 320, "height": 640})  # what pages should fit (WCAG 2.2, 1.4.10)
                page.wait_for_function(f"() => {OVERFLOW} <= 1", timeout=10_000)
        if scene.core:
            page.set_viewport_size({"width": 1280, "height": 720})
            on_a_low_screen(page, scene)
            faults |= find_faults(page) if written else {}
            page.set_viewport_size({"width": 1440, "height": 900})
            assert not faults
            painted(page)  # that the others' presets can be pressed, `tests/pages/test_scenes.py` holds
            presets_change_what_is_seen(page, scene)
            cells_say_what_they_are(page)

    walk(page, lesson, subtests, check, afresh=True)


def test_a_finger_scrolls_where_there_is_no_mouse(browse: OpenPage) -> None:
    page = browse("/multi_head", width=390, height=844, finger=True)
    painted(page, 1)
    a_finger_scrolls(page, page.context.new_cdp_session(page))


def test_the_edge_of_a_chart_fades_while_more_of_it_follows(browse: OpenPage) -> None:
    page = browse("/queries_keys_values?scene=layers", width=390, height=844)
    painted(page, 1)
    chart = page.locator(".st-key-qk_layers_chart")
    edge = "chart => getComputedStyle(chart).maskSize"
    assert chart.evaluate(edge) == "100% 100%"
    chart.evaluate("chart => { chart.scrollLeft = chart.scrollWidth; }")
    page.wait_for_function("chart => getComputedStyle(chart).maskSize !== '100% 100%'", arg=chart.element_handle())


@pytest.fixture(scope="module")
def projector(stay: OpenPage) -> Page:
    return stay("/?lang=zh", width=1280, height=720, color_scheme="dark")


@every_lesson
def test_in_chinese_and_dark_on_a_projector(projector: Page, lesson: Lesson, subtests: pytest.Subtests) -> None:
    projector.complaints.clear()
    follow(projector, f"/{lesson.stem}?lang=zh")
    walk(projector, lesson, subtests, on_a_low_screen, width=1280, height=720)


@pytest.mark.parametrize("width", [1440, 390])
def test_a_link_to_the_last_scene_brings_its_tab_into_sight(browse: OpenPage, width: int) -> None:
    page = browse("/kernel_regression?scene=own_data", width=width, height=844)
    expect(page.get_by_role("tab", name="Your own data")).to_have_attribute("aria-selected", "true")
    page.wait_for_function(OPEN_TAB_SEEN, timeout=5_000)
    assert page.evaluate("document.querySelector('[role=tablist]').scrollLeft") > 0


@pytest.mark.parametrize(
    ("link", "preset", "says"),
    [
        ("/kernel_regression?scene=learn_width&kr_epochs=20&kr_epoch=3", "After learning", {"kr_epoch": "60"}),
        ("/text_generation?scene=looked&sight=map&tg_layer=3&tg_head=4", "Every head", {"tg_head": ""}),
    ],
)
def test_a_preset_is_linked_though_it_changes_a_fields_bounds_or_label(
    browse: OpenPage, link: str, preset: str, says: dict[str, str]
) -> None:
    page = browse(link)
    page.get_by_role("button", name=preset, exact=True).click()
    linked(page, says)


def test_what_a_link_names_no_more_does_not_come_back(browse: OpenPage) -> None:
    """Neither a text in a box, nor a choice whose control is not on the page."""
    page = browse("/kernel_regression?scene=own_data&lang=en")
    box = page.locator(".st-key-kr_csv textarea")
    page.get_by_role("button", name="A step", exact=True).click()
    linked(page, {"kr_source": "own", "kr_width": "0.5"})
    expect(box).not_to_have_value("")
    page.wait_for_timeout(1100)  # the browser must have heard of it
    follow(page, "/kernel_regression?scene=one_query&lang=en")
    linked(page, {"kr_source": ""})
    follow(page, "/kernel_regression?scene=own_data&lang=en")
    linked(page, {"kr_source": "", "kr_csv": ""})
    expect(box).to_have_value("")


def test_what_was_set_in_a_scene_is_there_again_after_others_were_open(browse: OpenPage) -> None:
    page = browse("/kernel_regression?scene=learn_width&lang=en")
    page.locator(".st-key-kr_every label").first.click()
    linked(page, {"kr_every": "true"})
    page.wait_for_timeout(1100)  # the browser must have heard of it
    for position in (3, 4, 2):
        page.locator("[role=tab]").nth(position).click()
        settled(page)
        page.wait_for_timeout(1100)
    linked(page, {"scene": "learn_width", "kr_every": "True"})
    expect(page.locator(".st-key-kr_every input")).to_be_checked()


def test_tabs_write_the_scene_and_back_returns(browse: OpenPage) -> None:
    lesson = scenes.LESSONS[0]
    page = browse(f"/{lesson.stem}")
    page.mouse.move(700, 450)  # off the menu, which opens over the tabs
    page.get_by_role("tab", name=lesson.scenes[1].title).click()
    linked(page, {"scene": lesson.scenes[1].name})
    assert page.locator(".question").inner_text() == lesson.scenes[1].question
    page.go_back()
    page.locator(".question", has_text=lesson.scenes[0].question).wait_for()


def test_the_menu_opens_over_the_page_by_pointing_and_by_keyboard(browse: OpenPage) -> None:
    page = browse("/kernel_regression")
    painted(page)
    page.mouse.move(700, 450)
    wide = "document.querySelector('[data-testid=stSidebarContent]').getBoundingClientRect().width"
    page.wait_for_function(f"() => {wide} < 60")
    stage = box(page, ".st-key-stage")
    page.mouse.move(20, 300)
    page.wait_for_function(f"() => {wide} > 200")
    assert box(page, ".st-key-stage") == stage
    page.mouse.move(700, 450)
    page.wait_for_function(f"() => {wide} < 60")
    for _ in range(4):
        page.keyboard.press("Tab")
    page.wait_for_function(f"() => {wide} > 200")


def test_the_end_of_a_lesson_is_announced_beside_the_tabs_and_a_click_leads_there(browse: OpenPage) -> None:
    lesson = scenes.LESSONS[0]
    page = browse(f"/{lesson.stem}?scene={lesson.core[-1].name}")
    page.locator(".ending").click()
    page.wait_for_function(f"() => ({LOWEST})('.st-key-takeaway h3') < 900")
    first = browse(f"/{lesson.stem}?scene={lesson.core[0].name}")
    assert not first.locator(".ending").count()
