"""Streamlit's browser: nodes that our style sheets and scripts name, its history, its connection."""

import json
import re
from collections.abc import Iterator
from contextlib import suppress

import pytest
from playwright.sync_api import BrowserContext, Page, TimeoutError as Late, expect

from tests.conftest import ROOT
from tests.support.browser import moved, start_server
from tests.ui.streamlit_internals import selectors

PUSHES = "window.pushes = 0; const push = history.pushState.bind(history);"
PUSHES += "history.pushState = (...all) => { window.pushes += 1; push(...all); };"
#: Nodes of which some are there for a moment.
WATCH = """selectors => {
    window.found = new Set();
    setInterval(() => selectors.filter(each => document.querySelector(each)).forEach(each => found.add(each)), 50);
}"""
CLOSE = "[data-testid=stSidebarCollapseButton] button"
RUNS = "[data-testid=stApp][data-test-script-state={}]"


@pytest.fixture(scope="module")
def specimen(usual: BrowserContext) -> Iterator[Page]:
    script = "tests/ui/streamlit_internals/specimen.py"
    process, address = start_server(script=script, STREAMLIT_CLIENT_SHOW_SIDEBAR_NAVIGATION="true")
    page = usual.new_page()
    page.add_init_script(PUSHES)
    page.goto(address, timeout=120_000)
    page.get_by_role("heading", name="Title", exact=True).wait_for()
    page.locator(RUNS.format("notRunning")).wait_for()
    yield page
    page.close()
    process.terminate()
    process.wait(20)


def test_every_node_that_our_sources_name_is_there(specimen: Page) -> None:
    """At first, while something is opened or typed, and while the script runs."""
    named = {**selectors.hooks(ROOT / "explorer", ROOT / "tests"), **selectors.chains()}
    specimen.evaluate(WATCH, list(named))
    acts = {
        "stPopoverBody": lambda: specimen.get_by_role("button", name="Popover").click(),
        "InputInstructions": lambda: specimen.get_by_role("textbox", name="Lines").press_sequentially("abc"),
        "stStatusWidget": lambda: specimen.get_by_role("button", name="Slow").click(),
        "stExpandSidebarButton": lambda: specimen.locator(CLOSE).dispatch_event("click"),
    }
    for brings, act in acts.items():
        act()
        with suppress(Late):  # then it is missing, which is said in the end
            specimen.get_by_test_id(brings).first.wait_for(state="attached")
    with suppress(Late):
        specimen.wait_for_function("count => found.size === count", arg=len(named))
    specimen.locator(RUNS.format("notRunning")).wait_for()
    found = specimen.evaluate("[...found]")
    assert {selector: source for selector, source in named.items() if selector not in found} == {}


def test_a_slider_says_where_it_is_before_it_is_let_go(specimen: Page) -> None:
    specimen.locator(".st-key-one").scroll_into_view_if_needed()
    moved(specimen, "one", 200)
    expect(specimen.locator(".st-key-one input[type=range]")).not_to_have_attribute("value", "3")
    assert "one=" not in specimen.url
    specimen.mouse.move(0, 0)
    specimen.mouse.up()
    specimen.locator(RUNS.format("notRunning")).wait_for()


def test_a_script_that_loads_its_modules_is_waited_for_and_told_that_it_goes(specimen: Page) -> None:
    expect(specimen.locator(".st-key-live p")).to_have_text("live")
    assert not specimen.evaluate("window.hasGone")
    specimen.get_by_text("Without").click()
    specimen.wait_for_function("window.hasGone")


def test_the_font_of_its_icons_is_there(specimen: Page) -> None:
    fonts = specimen.evaluate("[...document.fonts].map(each => each.family.replaceAll('\"', ''))")
    assert "Material Symbols Rounded" in fonts


def test_a_running_server_knows_who_is_connected(specimen: Page) -> None:
    said = json.loads(specimen.get_by_text(re.compile("^{.*stranger")).inner_text())
    assert said == {"session": True, "server": True, "connected": True, "stranger": False, "files": []}


def test_streamlit_still_makes_a_step_of_the_history_for_every_control(specimen: Page) -> None:
    """Once this fails, `history.js` can do without."""
    before = specimen.evaluate("pushes")
    specimen.get_by_role("button", name="Both").click()
    specimen.wait_for_url(re.compile("two=five"))
    specimen.locator(RUNS.format("notRunning")).wait_for()
    assert "one=5" in specimen.url
    assert specimen.evaluate("pushes") == before + 2
