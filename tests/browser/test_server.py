"""The server as a proxy and a stranger find it: below a path, which addresses answer, how much it takes at once."""

import asyncio
import http.client
import runpy
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
import streamlit as st
from websockets.exceptions import ConnectionClosed

from explorer.ui import catalogue, scripts
from explorer.ui.streamlit_internals.sessions import arrive
from tests.conftest import ROOT
from tests.support.browser import OpenPage, settled, start_server

BASE = "/some/where"


@pytest.fixture(scope="module")
def below() -> Iterator[str]:
    """Address of a server that serves below a path."""
    process, address = start_server(base=BASE, EXPLORER_METRICS="1")
    yield address
    process.terminate()
    process.wait(20)


def fetched(address: str) -> str:
    with urllib.request.urlopen(address) as answer:
        return answer.read().decode()


def test_below_a_path_every_page_is_told_where_the_root_is(below: str) -> None:
    for page in catalogue.PAGES:
        for slash in ("", "/"):
            assert "__streamlit" in fetched(f"{below}/{page.stem}{slash}?scene=x"), (page.stem, slash)


@pytest.mark.parametrize("path", ["", "/", "/kernel_regression", "/kernel_regression/?kr_width=2"])
def test_below_a_path_a_cold_deep_link_asks_for_nothing_that_is_not_there(
    below: str, browse: OpenPage, path: str
) -> None:
    page = browse(path, address=below)
    assert page.complaints == []
    page.locator("[data-testid=stSidebar] [data-testid=stPageLink] a[href$=masked_softmax]").first.click()
    page.wait_for_url(f"{below}/masked_softmax*")
    settled(page)
    assert page.complaints == []


#: Streamlit's own, beside the pages: what each is for. Who adds one knows what it lets in.
ROUTES = {
    "/_stcore/health": "the browser and a container ask whether it runs",
    "/_stcore/metrics": "numbers of the server, without anything of a reader",
    "/_stcore/host-config": "the browser asks what may embed it",
    "/_stcore/stream": "the websocket",
    "/_stcore/upload_file/{session_id}/{file_id}": "files of a session that knows its own name",
    "/media/{file_id:path}": "pictures and downloads, by a hash",
    "/component/{path:path}": "files of components",
    "/_stcore/bidi-components/{path:path}": "files of components",
    "/auth/login": "nobody signs in: leads to the home page",
    "/auth/logout": "nobody signs in: leads to the home page",
    "/oauth2callback": "nobody signs in: leads to the home page",
    "/_stcore/agent/interact": "answers that it is off",
    "/_stcore/agent/openapi.json": "answers that it is off",
    "/_stcore/agent/mcp": "answers that it is off",
    f"/{scripts.FOLDER}/{{version}}/{{name:path}}": "scripts of this app, by name",
    "/room": "a phone's page, where the code is typed; a wall that presents makes a room",
    "/room/{code:str}": "a phone's page, and a teacher's remote control",
    "/room/{code:str}/live": "the room's websocket",
    "/room/{code:str}/lesson.html": "what a class said, to who knows the room's secret",
    "/room/{code:str}/lesson.csv": "the same as a table",
    "/room/{code:str}/wall": "takes a picture of the wall, from who knows the room's secret",
    "/room/{code:str}/wall/{name:str}": "the last picture of the wall, for its phones",
    "/healthz": "a proxy asks whether it takes readers",
    "": "the files of Streamlit's page",
}
AGENT = [path for path in ROUTES if "/agent/" in path]


def test_these_routes_answer_and_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    app = runpy.run_path("app.py")["app"]
    found = {route.path for route in app._build_starlette_app().routes}
    assert found == set(ROUTES) | {f"/{page.stem}" for page in catalogue.PAGES}


def test_it_says_that_it_is_well_and_where_asked_its_numbers_and_no_word_of_a_reader(below: str, server: str) -> None:
    assert fetched(f"{below}/healthz") == "well\n"
    assert "explorer_" not in fetched(f"{server}/metrics")  # Streamlit's page

    async def visit() -> str:
        session = await arrive(below)
        try:
            await session.rerun("kernel_regression", "scene=one_query&kr_width=2.5&secret=Zwiebel")
            return await asyncio.to_thread(fetched, f"{below}/metrics")
        finally:
            await session.socket.close()

    with ThreadPoolExecutor(1) as thread:  # Playwright's own loop may run in this one
        numbers = thread.submit(asyncio.run, visit()).result()
    samples = dict(line.rsplit(" ", 1) for line in numbers.splitlines() if not line.startswith("#"))
    assert int(samples["explorer_readers"]) >= 1
    assert int(samples['explorer_run_seconds_count{kind="page"}']) >= 1
    assert "Zwiebel" not in numbers


def answered(server: str, version: str, name: str) -> tuple[int, str, bytes]:
    with closing(http.client.HTTPConnection(server.removeprefix("http://"), timeout=30)) as connection:
        connection.request("GET", f"/{scripts.FOLDER}/{version}/{name}")
        answer = connection.getresponse()
        assert answer.status != 200 or answer.headers.get_content_type() == "text/javascript"
        return answer.status, answer.headers.get("Cache-Control", ""), answer.read()


def test_a_script_is_kept_for_good_under_its_version_alone(server: str) -> None:
    version = scripts.serve_scripts()[0]
    for name in ("ui/live/motion.js", "ui/live/patches.js"):
        status, keeps, text = answered(server, version, name)
        assert (status, text) == (200, (ROOT / "explorer" / name).read_bytes())
        assert "immutable" in keeps
        assert answered(server, "0123456789abcdef", name) == (200, "no-cache", text)  # a page of before an update
    for name in ("ui/live/nowhere.js", "ui/scripts.py", "ui/live/dom.css", "../app.py", "..%2fapp.py"):
        assert answered(server, version, name)[0] >= 400, name


#: Address and bytes on the wire of every request of a folder.
FETCHED = """folder => performance.getEntriesByType("resource").filter(each => each.name.includes(folder))
    .map(each => [each.name, each.transferSize])"""


@pytest.mark.parametrize("path", ["", "/", "/kernel_regression?scene=one_query"])
def test_pictures_import_their_modules_below_a_path_and_a_browser_keeps_them(
    below: str, browse: OpenPage, path: str
) -> None:
    page = browse(path, address=below)
    for _ in range(2):
        page.locator(".regression svg, .ribbons svg").first.wait_for()
        found = page.evaluate(FETCHED, f"/{scripts.FOLDER}/")
        names = [name.removeprefix(f"{below}/{scripts.FOLDER}/{scripts.serve_scripts()[0]}/") for name, _ in found]
        assert "ui/live/dom.js" in names
        assert set(names) < set(scripts.serve_scripts()[1])
        assert len(set(names)) == len(names)
        page.reload()
        settled(page)
    assert [size for _, size in found] == [0] * len(found)
    assert page.complaints == []


def asked(server: str, method: str, path: str, body: str) -> tuple[int, str]:
    with closing(http.client.HTTPConnection(server.removeprefix("http://"), timeout=30)) as connection:
        connection.request(method, path, body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE"])
@pytest.mark.parametrize("path", [*AGENT, "/_stcore/agent/anything"])
def test_the_agents_interface_is_off(server: str, path: str, method: str) -> None:
    status, said = asked(server, method, path, '{"url": "/kernel_regression"}')
    assert status >= 400 or (path, method) == ("/_stcore/agent/openapi.json", "GET"), said
    assert "kernel" not in said
    assert not st.get_option("server.enableAgentApi")


def test_a_message_beyond_its_bounds_is_not_taken(server: str) -> None:
    async def code(megabytes: int) -> int | None:
        session = await arrive(server)
        try:
            await session.socket.send(bytes(megabytes * 1_000_000))
            while True:
                await session.socket.recv()
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else None

    beyond = code(st.get_option("server.maxMessageSize") + 1)
    with ThreadPoolExecutor(1) as thread:  # Playwright's own loop may run in this one
        assert thread.submit(asyncio.run, beyond).result() == 1009  # too big
    assert st.get_option("server.maxMessageSize") == 20
