"""Two servers behind the proxy of `deploy/`, on one Redis: below a path, in another site's frame, drained, killed."""

import http.client
import json
import os
import re
import signal
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
import yaml
from playwright.sync_api import BrowserContext, Playwright, expect
from websockets.sync.client import connect

from explorer.room.routes import _qr as draw_qr
from tests.conftest import ROOT
from tests.lessons.vision.test_browser import png
from tests.room.conftest import Talk, running_redis
from tests.room.test_sockets import answer, asked
from tests.support.browser import CHROMIUM, FLAGS, free_port, settled, start_server
from tests.support.servers import program

BASE = "/attention"
#: What a cookie must say so that a browser gives it back within another site.
FRAMED = "secure attr SameSite=None"
#: A name that a site has: of `127.0.0.1` a page knows that no phone finds it.
SITE = "site.test"


class Replicas:
    """Two servers by the name that their cookie gives them, and the address of the proxy before them."""

    def __init__(self, servers: "dict[str, subprocess.Popen[bytes]]", port: int) -> None:
        self.servers, self.port = servers, port
        self.address = f"http://127.0.0.1:{port}{BASE}"
        #: The same servers by a proxy that speaks TLS.
        self.safe = ""

    def ask(self, path: str, method: str = "GET", **headers: str) -> tuple[int, str, str]:
        """Return status, name of the server in the cookie, and the text."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.request(method, BASE + path, "{}" if method == "POST" else None, headers)
            answered = connection.getresponse()
            named = re.search(r"\breplica=(\w+)", answered.headers.get("Set-Cookie", ""))
            return answered.status, named[1] if named else "", answered.read().decode()
        finally:
            connection.close()

    def led(self) -> set[str]:
        """Return to which servers new readers are led."""
        return {self.ask("/kernel_regression")[1] for _ in range(6)}

    def wait_until_led(self, expected: set[str]) -> None:
        """Wait until new readers are led to these servers alone."""
        for _ in range(150):
            if self.led() == expected:
                return
            time.sleep(0.1)
        assert self.led() == expected


def certificate(folder: Path) -> Path:
    """A certificate of this machine's own and its key, in one file."""
    key, signed, both = (folder / name for name in ("key.pem", "signed.pem", "site.pem"))
    ask = [program("openssl"), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", f"/CN={SITE}"]
    ask += ["-addext", f"subjectAltName=DNS:{SITE}", "-keyout", str(key), "-out", str(signed)]
    subprocess.run(ask, check=True, capture_output=True)
    both.write_text(signed.read_text() + key.read_text())
    return both


@contextmanager
def proxied(listen: str, **environment: str) -> Iterator[int]:
    """The proxy of `deploy/` in front of two servers, by its port."""
    port = free_port()
    environment = {**os.environ, "LISTEN": listen.format(port), "BASE": BASE, "COOKIE": FRAMED, **environment}
    command = [program("haproxy"), "-f", str(ROOT / "deploy" / "haproxy.cfg")]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    try:
        for _ in range(100):
            with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.1)
        yield port
    finally:
        process.kill()
        process.wait(20)


@pytest.fixture(scope="module")
def replicas(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Replicas]:
    program("haproxy")
    with ExitStack() as opened:
        _, redis = opened.enter_context(running_redis(tmp_path_factory.mktemp("redis")))
        page = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text("utf8"))["x-page"]["environment"]
        page = {name: value for name, value in page.items() if "${" not in value}  # the owner's choice
        told = {**page, "EXPLORER_REDIS": redis, "FORWARDED_ALLOW_IPS": "127.0.0.1", "EXPLORER_TRANSLATORS": "0"}
        told["STREAMLIT_SERVER_ENABLE_XSRF_PROTECTION"] = "false"  # as the image has it
        servers, positions = {}, {}
        for name in ("page1", "page2"):
            servers[name], address = start_server(base=BASE, **told)
            opened.callback(servers[name].wait, 20)
            opened.callback(servers[name].kill)
            positions[name.upper()] = address.removeprefix("http://").removesuffix(BASE)
        found = Replicas(servers, opened.enter_context(proxied("127.0.0.1:{}", **positions)))
        found.wait_until_led({"page1", "page2"})
        safe = yaml.safe_load((ROOT / "deploy" / "tls.yaml").read_text("utf8"))["services"]["proxy"]
        (mounted,) = [each.rpartition("}:")[2].removesuffix(":ro") for each in safe["volumes"]]
        site = certificate(tmp_path_factory.mktemp("site"))
        listen = safe["environment"]["LISTEN"].replace(":8443", "127.0.0.1:{}").replace(mounted, str(site))
        found.safe = f"https://{SITE}:{opened.enter_context(proxied(listen, **positions))}{BASE}"
        yield found


def test_phones_at_either_server_vote_in_one_room(replicas: Replicas) -> None:
    status, _, told = replicas.ask("/room", "POST")
    assert status == 200
    made = json.loads(told)
    address = f"ws://127.0.0.1:{replicas.port}{BASE}/room/{made['code']}/live"
    with ExitStack() as opened:

        def join(**first: object) -> Talk:
            talk = Talk(opened.enter_context(connect(address)))
            talk.say(do="join", **first)
            talk.hear("state")
            return talk

        wall = join(secret=made["secret"], wall=True)
        phones = [join(seat=None) for _ in range(4)]
        wall.hear("count", here=4)
        name = asked(wall)
        for phone in phones:
            answer(phone, name, "flat")
        wall.hear("count", n=4)
    numbers = [replicas.ask("/metrics"), replicas.ask("/_stcore/metrics")]
    assert [status for status, _, _ in numbers] == [404, 404]  # nothing for strangers


def test_behind_tls_a_room_says_https_and_speaks_wss(replicas: Replicas, playwright: Playwright) -> None:
    named = [flag.replace("MAP * ", f"MAP {SITE} 127.0.0.1, MAP * ") for flag in FLAGS]
    with playwright.chromium.launch(executable_path=CHROMIUM, args=named) as browser:
        page = browser.new_context(ignore_https_errors=True).new_page()
        sockets: list[str] = []
        page.on("websocket", lambda socket: sockets.append(socket.url))
        page.goto(f"{replicas.safe}/kernel_regression?scene=one_query&present=1&lang=en")
        settled(page)
        page.mouse.move(600, 500)
        with page.expect_response(lambda answered: answered.request.method == "POST") as answered:
            page.locator(".stirred .st-key-walk_room button").click()
        made = answered.value.json()
        room = f"{replicas.safe}/room/{made['code']}"
        assert made["qr"] == draw_qr(room)
        assert made["remote"] == draw_qr(f"{room}#{made['secret']}")
        expect(page.locator(".cover .code")).to_be_visible()
        phone = browser.new_context(ignore_https_errors=True).new_page()
        phone.goto(room)
        expect(page.locator(".cover .people")).to_have_text("1 here")
        assert {url.partition("/_stcore")[0].partition("/room")[0] for url in sockets} == {
            replicas.safe.replace("https", "wss")
        }
        unsafe = ssl.create_default_context()
        unsafe.check_hostname, unsafe.verify_mode = False, ssl.CERT_NONE
        with connect(f"{room.replace('https', 'wss').replace(SITE, '127.0.0.1')}/live", ssl=unsafe) as opened:
            remote = Talk(opened)
            remote.say(do="join", secret=made["secret"])
            remote.hear("state")
            name = asked(remote)
            for order in ({"do": "close"}, {"do": "reveal", "id": name}, {"do": "done"}):
                remote.say(**order)
            remote.hear("state", past=1)
        read = "([path, secret]) => fetch(path, { headers: { 'X-Room-Secret': secret } }).then((got) => got.text())"
        told = page.evaluate(read, [f"{room}/lesson.html", made["secret"]])
        assert f'href="{replicas.safe}/' in told


def test_the_address_of_who_asks_is_the_proxys_word_alone(replicas: Replicas) -> None:
    """Both servers count for one address what it asks for, whatever it says of itself."""
    forged = [replicas.ask("/room", "POST", **{"X-Forwarded-For": f"203.0.113.{number}"})[0] for number in range(12)]
    assert forged[-1] == 429
    assert set(forged) == {200, 429}


def test_a_reader_stays_at_a_server_within_another_sites_frame_until_it_ends_and_is_told_what_went_with_it(
    replicas: Replicas, usual: BrowserContext
) -> None:
    page = usual.new_page()
    try:
        page.set_content("<iframe style='width:1400px;height:850px'></iframe>")  # of no site: any other is a stranger
        frame = page.frame_locator("iframe")

        def visit(path: str) -> None:
            page.locator("iframe").evaluate("(frame, to) => { frame.src = to; }", replicas.address + path)

        visit("/vision?scene=hide")
        frame.get_by_text("Your own picture, or another part").click(timeout=60_000)
        picture = {"name": "mine.png", "mimeType": "image/png", "buffer": png()}
        frame.locator(".st-key-vi_picture_file input[type=file]").set_input_files([picture])
        expect(frame.get_by_role("heading", name="mine.png")).to_be_visible(timeout=60_000)

        frame.locator("[class*=_behind] [data-testid=stPopoverButton]").first.click()
        with page.expect_download(timeout=60_000) as download:
            frame.get_by_role("button", name="CSV", exact=True).first.click(timeout=60_000)
        assert download.value.path().stat().st_size > 0

        visit("/training_lab?scene=watch")
        start, stop = (frame.locator(f".st-key-tl_{which} button") for which in ("start", "stop"))
        start.click(timeout=60_000)
        expect(stop).to_be_visible(timeout=60_000)
        (mine,) = [each["value"] for each in usual.cookies(replicas.address) if each["name"] == "replica"]
        other = ({*replicas.servers} - {mine}).pop()
        replicas.servers[mine].send_signal(signal.SIGUSR1)
        replicas.wait_until_led({other})
        assert replicas.servers[mine].poll() is None  # its reader is still there
        expect(stop).to_be_visible()
        replicas.servers[mine].kill()
        expect(frame.get_by_text("what you had trained or opened here (1) is gone")).to_be_visible(timeout=60_000)
        start.click()
        expect(stop).to_be_visible(timeout=60_000)
        assert [each["value"] for each in usual.cookies(replicas.address) if each["name"] == "replica"] == [other]
    finally:
        page.close()
