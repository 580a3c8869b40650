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
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import (
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    Playwright,
    Request,
    Response,
    expect,
    sync_playwright,
)

from explorer.figures.live import modules

ROOT = Path(__file__).parents[2]
#: The first that is there. Debian builds Chromium without windows as a program of its own: a fifth less time.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
OpenPage = Callable[..., Page]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    skip = pytest.mark.skip(reason="no Chromium: apt-get install chromium, or set CHROMIUM")
    for item in items:
        if "playwright" in getattr(item, "fixturenames", ()) and not item.get_closest_marker("benchmark_run"):
            item.add_marker(pytest.mark.browser)
            if CHROMIUM is None and not os.environ.get("EXPLORER_BROWSER_REQUIRED"):
                item.add_marker(skip)


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def wait_until_healthy(server: subprocess.Popen[bytes], port: int, base: str = "") -> str:
    """The server's address, once it answers."""
    address = f"http://127.0.0.1:{port}{base}"
    for _ in range(600):
        try:
            urllib.request.urlopen(f"{address}/_stcore/health").close()
            return address
        except OSError:
            time.sleep(0.1)
    server.kill()
    raise RuntimeError("the server did not start")


def start_server(
    folder: Path = ROOT, port: int = 0, base: str = "", script: str = "app.py", **environment: str
) -> tuple[subprocess.Popen[bytes], str]:
    """A fresh server of the app in a folder, answering.

    Args:
        port: a free one if none is given.
        base: path below which it serves, such as `/some/where`.
        script: in the folder.
    """
    port = port or free_port()
    command = [sys.executable, "-m", "streamlit", "run", script, "--server.port", str(port)]
    command += ["--server.headless", "true", "--server.address", "127.0.0.1", "--server.fileWatcherType", "none"]
    command += ["--server.baseUrlPath", base, "--browser.serverAddress", "127.0.0.1"]  # others reach it
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "PYTHONPATH": str(folder), **environment}
    server = subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    return server, wait_until_healthy(server, port, base)


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """Address of the server that the browser tests share."""
    process, address = start_server()
    yield address
    process.terminate()
    process.wait(20)


#: Pages share a process, which need not be started for each: an eighth less of every visit's time. Of scripts that it
#: fetches in the background, Chromium keeps no compiled code.
FLAGS = [
    "--no-sandbox",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--disable-features=IsolateOrigins,site-per-process,BackgroundResourceFetch",
    "--renderer-process-limit=1",
]
#: A visit lasts seconds: to optimise its scripts to the last takes longer than it gains (the quick compiler gains a
#: fifth of a walk through a lesson), and so does tidying memory often. Where time is measured, both must be done.
HASTY = "--js-flags=--no-turbofan --min-semi-space-size=32 --max-semi-space-size=64"
#: What the server says is heard so many milliseconds later, as in a class or from far away.
LATE = """window.WebSocket = class extends WebSocket {
  addEventListener(kind, hear) {
    super.addEventListener(kind, kind === "message" ? (message) => setTimeout(() => hear(message), %d) : hear);
  }
};"""
#: How nearly every test sees the app.
USUAL: dict[str, Any] = {
    "locale": "en-US",
    "permissions": ["clipboard-read", "clipboard-write"],
    "reduced_motion": "reduce",  # painting a spinner takes an eighth of the processor's time
}


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def usual(
    playwright: Playwright, tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config
) -> Iterator[BrowserContext]:
    """The browser of all tests. It has a profile, so what Streamlit and Plotly are made of is compiled once: a
    quarter less of every visit's time.
    """
    profile = tmp_path_factory.mktemp("profile")
    flags = FLAGS if pytestconfig.getoption("--run-benchmarks") else [*FLAGS, HASTY]
    context = playwright.chromium.launch_persistent_context(profile, executable_path=CHROMIUM, args=flags, **USUAL)
    yield context
    context.close()


def listen(page: Page) -> None:
    """Keep what goes wrong behind the page in `page.complaints`, and what it tells the server in `page.told`."""
    page.complaints = []
    page.told = []

    def refused(response: Response) -> None:
        if response.status >= 400:
            page.complaints.append(f"{response.status} {response.url}")

    def told(message: ConsoleMessage) -> None:
        if message.type == "error":
            page.complaints.append(message.text)

    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: page.told.append(frame)))
    page.on("response", refused)
    page.on("requestfailed", lambda request: page.complaints.append(f"{request.failure} {request.url}"))
    page.on("console", told)
    page.on("pageerror", lambda error: page.complaints.append(str(error)))


def visits(server: str, usual: BrowserContext) -> Iterator[OpenPage]:
    """`browse("/translator?lang=zh", width=390)` opens a page and waits until it is drawn.

    `page.strangers` lists requests that would have left this machine; the browser finds no other. (To intercept each
    request would take a third longer, and Chromium would keep no file.) `page.complaints` lists what the console calls
    an error and every request that failed or was refused. What a page has stored is gone with it.
    """
    opened: list[Page] = []

    def run(
        path: str,
        *,
        width: int = 1440,
        height: int = 900,
        color_scheme: Literal["light", "dark"] = "light",
        address: str = server,
        language: str = "",
        finger: bool = False,
        late: int = 0,
        script: Path | None = None,
    ) -> Page:
        page = usual.new_page()
        if script:
            page.add_init_script(path=script)
        if late:
            page.add_init_script(LATE % late)
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=color_scheme)
        tools = usual.new_cdp_session(page)
        if language:  # of the browser; Playwright sets it, and touch, for a whole context only
            agent = {"userAgent": page.evaluate("navigator.userAgent"), "acceptLanguage": language}
            tools.send("Emulation.setUserAgentOverride", agent)
        if finger:
            tools.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
        opened.append(page)
        page.strangers = []

        def watch(request: Request) -> None:
            if not request.url.startswith((address, "data:", "blob:")):
                page.strangers.append(request.url)

        page.on("request", watch)
        listen(page)
        page.goto(address + path)
        page.mouse.move(width - 1, height / 2)  # at the left edge, where it begins, it would open the menu
        settled(page)
        return page

    yield run
    for page in opened:
        if not page.is_closed():
            page.evaluate("localStorage.clear()")
            page.close()


#: Pages of a test's own.
browse = pytest.fixture(visits)
#: Pages in which the tests of a file that only look go on, by `follow`.
stay = pytest.fixture(scope="module")(visits)


def imported(page: Page, script: Path) -> None:
    """Give an empty page what a script and its modules export, each by its name."""
    page.set_content(f"<title>modules</title>{modules.import_map(script)}")
    page.evaluate(
        "async names => Object.assign(window, ...await Promise.all(names.map(name => import(name))))",
        [modules.script_name(each) for each in modules.modules(script)],
    )


#: All is looked for together and at every frame, what needs no layout first: a selector alone is looked for again only
#: after 20, 50, 100, 100 and then each 500 ms.
SETTLED = """() => {
    if (document.querySelector('[data-testid=stApp]')?.dataset.testScriptState !== 'notRunning'
        || document.querySelector('[data-stale=true], [data-testid^=stSkeleton]')) return false;
    const title = document.querySelector('[data-testid=stMain] h1');
    return title?.checkVisibility({ visibilityProperty: true }) && title.getBoundingClientRect().height > 0;
}"""


def settled(page: Page) -> None:
    """Wait until the script has run to its end and nothing is stale."""
    page.wait_for_function(SETTLED, timeout=120_000)


#: The script of another link begins to run where the page stands, as after Back: what only a reload forgets stays. The
#: browser's own `pushState` makes no step less of it and the link no shorter. That it has begun, the name that
#: Streamlit gives the run says: one that is over before it is painted changes nothing else.
FOLLOWED = """async link => {
    const root = document.querySelector('[data-testid=stApp]');
    let app = root[Object.keys(root).find(key => key.startsWith('__reactFiber'))];
    while (!app.stateNode?.state?.scriptRunId) app = app.return;
    const { scriptRunId } = app.stateNode.state, until = performance.now() + 60_000;
    const begun = ({ state }) => state.scriptRunId !== scriptRunId && !state.fragmentIdsThisRun.length;
    History.prototype.pushState.call(history, {}, '', link);
    dispatchEvent(new PopStateEvent('popstate', { state: {} }));
    for (const { stateNode } = app; !begun(stateNode); await new Promise(done => setTimeout(done, 10)))
        if (performance.now() > until) throw Error(`nobody followed ${link}`);
}"""


def follow(page: Page, link: str) -> None:
    """Go to another link, of any lesson, in the language that is open: a quarter of the time that to load it takes."""
    page.evaluate(FOLLOWED, link)
    settled(page)


def press(page: Page, card: str, plot: int, across: float, down: float, *, finger: bool = False) -> None:
    """Click a place of a chart, in shares of its width and height."""
    area = page.locator(f".st-key-{card} .nsewdrag").nth(plot)
    area.scroll_into_view_if_needed()
    box = area.bounding_box()
    assert box
    position = (box["x"] + box["width"] * across, box["y"] + box["height"] * down)
    if finger:
        tap(page, *position)
    else:
        page.mouse.click(*position)


def tap(page: Page, x: float, y: float) -> None:
    """Touch a place of the window with a finger, and lift it."""
    tools = page.context.new_cdp_session(page)
    for kind, points in (("touchStart", [{"x": x, "y": y}]), ("touchEnd", [])):
        tools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


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


def moved(page: Page, slider: str, by: int) -> tuple[float, float]:
    """Hold one of Streamlit's sliders and move it; the pointer is not let go. Return where it was held."""
    box = page.locator(f".st-key-{slider} :is([role=slider], input[type=range])").first.bounding_box()
    assert box
    at = (box["x"] + 8, box["y"] + box["height"] / 2)  # the input begins where its thumb does, and is wider
    page.mouse.move(*at)
    page.mouse.down()
    page.mouse.move(at[0] + by, at[1], steps=6)
    return at


#: Bring a film's slider to a share of its way, without letting it go.
SCRUB = """(slider, share) => {
  slider.value = String(Math.round(share * slider.max));
  slider.dispatchEvent(new Event("input"));
}"""


@contextmanager
def unheard(page: Page) -> Iterator[None]:
    """Hold that the page tells the server nothing meanwhile."""
    tools, sent = page.context.new_cdp_session(page), []
    tools.send("Network.enable")
    tools.on("Network.webSocketFrameSent", lambda frame: sent.append(frame["response"]))
    yield
    page.wait_for_timeout(100)
    tools.detach()
    assert not [each for each in sent if each["opcode"] in (1, 2)]


def played(film: Locator | Page) -> None:
    """Play a film twice as fast as usual, that is with a stop every 600 ms where motion is not wanted."""
    speed = film.get_by_role("button", name="Speed")
    if speed.inner_text() != "2×":
        speed.click()
    expect(speed).to_have_text("2×")
    film.get_by_role("button", name="Play").click()


#: The lowest edge of what is seen of a selector, in pixels, not of what is folded in; 0 if nothing is.
LOWEST = """selector => Math.max(0, ...[...document.querySelectorAll(selector)]
    .filter(each => each.checkVisibility()).map(each => each.getBoundingClientRect())
    .filter(box => box.height).map(box => box.bottom))"""


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
