"""A real server and a real headless Chromium that may talk to nobody but it."""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, sync_playwright

ROOT = Path(__file__).parent.parent.parent
CHROMIUM = (
    os.environ.get("CHROMIUM")
    or shutil.which("chromium")
    or shutil.which("chromium-browser")
    or shutil.which("google-chrome")
)
OpenPage = Callable[..., Page]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    skip = pytest.mark.skip(reason="no Chromium: apt-get install chromium, or set CHROMIUM")
    for item in items:
        if "tests/browser/" in item.nodeid:
            item.add_marker(pytest.mark.browser)
            if CHROMIUM is None and not os.environ.get("EXPLORER_BROWSER_REQUIRED"):
                item.add_marker(skip)


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def wait_until_healthy(server: subprocess.Popen[bytes], port: int) -> str:
    """The server's address, once it answers."""
    address = f"http://127.0.0.1:{port}"
    for _ in range(600):
        try:
            urllib.request.urlopen(f"{address}/_stcore/health").close()
            return address
        except OSError:
            time.sleep(0.1)
    server.kill()
    raise RuntimeError("the server did not start")


def start_server() -> tuple[subprocess.Popen[bytes], str]:
    """A fresh server of the app on a free port, answering."""
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    command += ["--server.headless", "true", "--server.address", "127.0.0.1", "--server.fileWatcherType", "none"]
    environment = {**os.environ, "HF_HUB_OFFLINE": "1"}
    server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return server, wait_until_healthy(server, port)


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """Address of the server that the browser tests share."""
    process, address = start_server()
    yield address
    process.terminate()
    process.wait(20)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One browser for all tests."""
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]
        # Pages share a process, which need not be started for each: an eighth less of every visit's time.
        arguments += ["--disable-features=IsolateOrigins,site-per-process", "--renderer-process-limit=1"]
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def contexts(chromium: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """`contexts(locale="zh-CN")` is a browser set up like that, the same for all tests that ask for it.

    What Streamlit and Plotly are made of is then fetched and compiled once: a tenth of every visit's time.
    """
    made: dict[str, BrowserContext] = {}

    def run(**options: Any) -> BrowserContext:
        named = repr(sorted(options.items()))
        if named not in made:
            made[named] = chromium.new_context(accept_downloads=True, **options)
        return made[named]

    yield run
    for context in made.values():
        context.close()


@pytest.fixture
def open_page(server: str, contexts: Callable[..., BrowserContext]) -> Iterator[OpenPage]:
    """`open_page("/translator?lang=zh", width=390)` opens a page and waits until it is drawn.

    `page.strangers` lists requests that would have left this machine; the browser finds no other. (To intercept each
    request would take a third longer, and Chromium would keep no file.) What a page has stored is gone with it.
    """
    opened = []

    def run(path: str, *, width: int = 1440, height: int = 900, address: str = server, **options: Any) -> Page:
        options = {"locale": "en-US", "permissions": ["clipboard-read", "clipboard-write"]} | options
        options = {"reduced_motion": "reduce"} | options  # painting a spinner takes an eighth of the processor's time
        page = contexts(viewport={"width": width, "height": height}, **options).new_page()
        opened.append(page)
        page.strangers = []

        def watch(request: Request) -> None:
            if not request.url.startswith((address, "data:", "blob:")):
                page.strangers.append(request.url)

        page.on("request", watch)
        page.goto(address + path)
        settled(page)
        return page

    yield run
    for page in opened:
        if not page.is_closed():
            page.evaluate("localStorage.clear()")
            page.close()


def settled(page: Page) -> None:
    """Wait until the script has run to its end and nothing is stale."""
    page.wait_for_selector("[data-testid=stMain] h1", timeout=120_000)
    page.wait_for_function(
        "() => document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === 'notRunning'"
        " && !document.querySelector('[data-stale=true], [data-testid=stSkeleton]')",
        timeout=120_000,
    )


def press(page: Page, card: str, plot: int, across: float, down: float, *, touch: bool = False) -> None:
    """Click a place of a chart, in shares of its width and height."""
    area = page.locator(f".st-key-{card} .nsewdrag").nth(plot)
    area.scroll_into_view_if_needed()
    box = area.bounding_box()
    assert box
    place = (box["x"] + box["width"] * across, box["y"] + box["height"] * down)
    (page.touchscreen.tap if touch else page.mouse.click)(*place)


def linked(page: Page, expected: dict[str, str]) -> None:
    """Wait until the link says what is expected (an empty text: nothing) and everything is drawn."""
    page.wait_for_function(
        "expected => Object.entries(expected).every(([key, value]) =>"
        " (new URLSearchParams(location.search).get(key) ?? '') === value)",
        arg=expected,
        timeout=30_000,
    )
    settled(page)
    painted(page)


def tried(page: Page, name: str, link: str) -> None:
    """Press a “try this” and wait until its state stands in the link and on the page."""
    page.get_by_role("button", name=name).click()
    page.wait_for_url(re.compile(link))
    settled(page)


def query_of(page: Page) -> str:
    """The link to this state, without the server's address."""
    return page.url.removeprefix(re.match(r"http://[^/]+", page.url)[0])


#: What Plotly has drawn once a chart is there.
MARKS = ", ".join(
    f".main-svg {mark}" for mark in (".trace", ".heatmaplayer image", ".imagelayer image", ".points", ".js-line")
)


def painted(page: Page, charts: int = 0) -> int:
    """Wait until at least so many charts are there and each is drawn; how many there are at that moment."""
    found = page.wait_for_function(
        "([marks, charts]) => (found => found.length >= charts && found.every(c => c.querySelector(marks)) &&"
        " { count: found.length })([...document.querySelectorAll('[data-testid=stPlotlyChart]')])",
        arg=[MARKS, charts],
        timeout=60_000,
    )
    return int(found.json_value()["count"])
