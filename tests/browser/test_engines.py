"""The core scenes in another browser than Chromium: title and picture are seen, a drag works, nothing complains."""

import os
import time
from collections.abc import Iterator

import numpy as np
import pytest

from explorer import scenes
from explorer.scenes.spec import Lesson
from tests.support import firefox, webkit
from tests.support.browser import MARKS, SETTLED
from tests.support.firefox import Firefox
from tests.support.webkit import WebKit

Browser = Firefox | WebKit

pytestmark = pytest.mark.browser
every_lesson = pytest.mark.parametrize("lesson", scenes.LESSONS, ids=[lesson.stem for lesson in scenes.LESSONS])
SIZES = [(1440, 900), (390, 844)]
#: Share of the pixels of a part that is written or drawn upon, at least.
INKED = 0.005
#: Find elements, those inside of live pictures too.
ALL = """const all = (selector, root = document) => [...root.querySelectorAll(selector),
    ...[...root.querySelectorAll("*")].flatMap(each => each.shadowRoot ? all(selector, each.shadowRoot) : [])];"""
UNTIL = """const until = async (what, holds) => {
    for (const end = performance.now() + 120_000; !holds(); await new Promise(done => setTimeout(done, 40)))
        if (performance.now() > end) throw Error(`waited for ${what}`);
};"""
#: Open a scene by its tab, and wait until everything is drawn; what is an error there.
OPENED = f"""async (place, name, first) => {{
    {UNTIL}
    await until("the page", {SETTLED});
    document.querySelector("[data-testid=stMain]").scrollTop = 0;
    document.querySelectorAll("[role=tab]")[place].click();
    await until("the link", () => (new URLSearchParams(location.search).get("scene") ?? first) === name);
    await until("the scene", {SETTLED});
    await until("the charts", () => [...document.querySelectorAll("[data-testid=stPlotlyChart]")].every(
        each => each.querySelector("{MARKS}")));
    return [...document.querySelectorAll("[data-testid=stException], [data-testid=stAlertContentError]")].map(
        each => each.textContent);
}}"""
FIGURE = ".st-key-stage .js-plotly-plot, .st-key-stage iframe, .st-key-stage [data-testid=stBidiComponentIsolated]"
#: Boxes of what stands in the row of the title, and of the first picture, once it has a height.
SEEN = f"""async () => {{
    {UNTIL}
    const found = selector => [...document.querySelectorAll(selector)].filter(each => each.getClientRects().length);
    const box = each => (({{left, top, right, bottom}}) => [left, top, right, bottom])(each.getBoundingClientRect());
    await until("the picture", () => found("{FIGURE}")[0]?.offsetHeight > 40);
    const title = found(".st-key-titlerow :is(h1, button, a)"), figure = found("{FIGURE}")[0];
    return [...title.map(each => [each.textContent, box(each)]), ["the picture", box(figure)]];
}}"""
GRIPS = ".grip, .scrub, [role=gridcell], [role=slider], input[type=range]"
#: Place where the first thing that can be dragged is held, and whether there is more room to its right than left.
HELD = f"""() => {{
    {ALL}
    const held = all("{GRIPS}").find(each => each.checkVisibility());
    if (!held) return null;
    held.scrollIntoView({{block: "center"}});
    const range = held.localName === "input", share = range && (held.value - held.min) / (held.max - held.min);
    const part = held.closest(".stSlider") ? held.parentElement : held.querySelector(".target") ?? held;
    const {{left, top, width, height}} = part.getBoundingClientRect();
    const x = range && width > 16 ? left + 8 + share * (width - 16) : left + width / 2;
    return [Math.round(x), Math.round(top + height / 2), range ? share < 0.5 : x < innerWidth / 2];
}}"""
#: Names, values and places of everything that can be dragged.
SAID = f"""() => {{
    {ALL}
    return JSON.stringify([location.search, ...all("{GRIPS}").map(
        each => [each.value, each.getBoundingClientRect().x, ...[...each.attributes].filter(
            ({{name}}) => name.startsWith("aria-")).map(({{value}}) => value)])]);
}}"""


@pytest.fixture(scope="session", params=["firefox", "webkit"])
def browser(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    if request.param == "webkit":
        if not request.config.getoption("--run-webkit"):
            pytest.skip("on demand: --run-webkit (apt-get install webkit2gtk-driver xvfb)")
        started = webkit.started()
    else:
        if firefox.FIREFOX is None and not os.environ.get("EXPLORER_BROWSER_REQUIRED"):
            pytest.skip("no Firefox: apt-get install firefox-esr, or set FIREFOX")
        started = firefox.started(tmp_path_factory.mktemp("firefox"))
    with started as window:
        yield window


def inked(picture: np.ndarray, box: list[float]) -> float:
    """Share of the pixels in a box that differ from its ground, the colour that most have."""
    left, top, right, bottom = (max(round(each), 0) for each in box)
    part = picture[top:bottom, left:right].reshape(-1, 3) >> 4
    if not len(part):
        return 0.0
    colours = part @ np.array([1, 16, 256], np.int16)
    return float((colours != np.bincount(colours).argmax()).mean())


def seen(browser: Browser) -> None:
    """Title, what stands beside it and the picture are painted, and nothing lies over them."""
    for _ in range(40):  # what comes anew fades in
        parts, picture = browser.call(SEEN), browser.picture()
        hidden = [name for name, box in parts if inked(picture, box) < INKED]
        if not hidden:
            break
        time.sleep(0.25)
    assert hidden == []
    assert len(parts) > 1


def dragged(browser: Browser) -> None:
    """Drag the first thing of a scene that can be, if there is one: it says something else."""
    position = browser.call(HELD)
    if not position:
        return
    before, (x, y, right) = browser.call(SAID), position
    far = 120 if right else -120
    moves = [{"type": "pointerMove", "x": x + far * step // 4, "y": y + far * step // 16} for step in range(5)]
    for _ in range(3):  # a page that is still busy may not have heard the first press
        browser.act([moves[0], {"type": "pointerDown", "button": 0}, *moves[1:]])
        after = browser.call(SAID)
        browser.act([{"type": "pointerUp", "button": 0}])
        if after != before:
            return
        time.sleep(1)
    raise AssertionError(f"nothing moved at {position}")


@every_lesson
def test_core_scenes_are_seen_and_dragged(
    browser: Browser, server: str, lesson: Lesson, subtests: pytest.Subtests
) -> None:
    """Each in one of the two sizes, by turns: that every scene fits both, the walks in Chromium hold."""
    browser.open("about:blank")
    browser.heard()  # what the page before did not finish
    browser.resize(*SIZES[0])
    browser.open(f"{server}/{lesson.stem}?lang=en")
    for position, scene in enumerate(lesson.core):
        width, height = SIZES[position % 2]
        with subtests.test(f"{scene.name} at {width}"):
            browser.resize(width, height)
            assert browser.call(OPENED, position, scene.name, lesson.scenes[0].name) == []
            seen(browser)
            dragged(browser)
            assert browser.heard() == []
