"""WebKit in GTK's small browser, over WebDriver: Debian's `webkit2gtk-driver`, in a screen of `xvfb`."""

import base64
import io
import json
import os
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from tests.support.browser import free_port
from tests.support.firefox import wait_until_open

#: Its folder bears the architecture and the version.
MINI_BROWSER = next(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"), None)
#: Keep what goes wrong from now on: this driver tells no console.
LISTEN = """
window.complaints ??= (kept => {
    addEventListener("error", ({ message, target }) => kept.push(message ?? `no ${target.src ?? target.href}`), true);
    addEventListener("unhandledrejection", ({ reason }) => kept.push(String(reason)));
    const tell = console.error;
    console.error = (...said) => { kept.push(said.join(" ")); tell(...said); };
    return kept;
})([]);"""


class WebKit:
    """One window, with the same few commands as `Firefox`."""

    def __init__(self, address: str) -> None:
        self._driver = f"{address}/session"
        options = {"binary": str(MINI_BROWSER), "args": ["--automation"]}
        wanted = {"webkitgtk:browserOptions": options, "pageLoadStrategy": "none"}
        self._driver += "/" + self.send("", capabilities={"alwaysMatch": wanted})["sessionId"]

    def send(self, command: str, method: str = "POST", **parameters: Any) -> Any:
        body = json.dumps(parameters).encode() if method == "POST" else None
        request = urllib.request.Request(self._driver + command, body, method=method)
        with urllib.request.urlopen(request, timeout=180) as answer:
            return json.load(answer)["value"]

    def heard(self) -> list[str]:
        """Return what went wrong behind the page since it was asked last."""
        told: list[str] = self.send("/execute/sync", script=f"{LISTEN} return window.complaints.splice(0);", args=[])
        return told

    def open(self, address: str) -> None:
        self.send("/url", url=address)

    def resize(self, width: int, height: int) -> None:
        """Make the page so large, or as narrow as the window's bar lets it become: some 447 pixels."""
        for _ in range(2):
            seen = self.call("() => [innerWidth, innerHeight]")
            window = self.send("/window/rect", "GET")
            size = {"width": window["width"] + width - seen[0], "height": window["height"] + height - seen[1]}
            self.send("/window/rect", x=0, y=0, **size)

    def call(self, function: str, *given: Any) -> Any:
        """Call a function in the page, wait for what it promises, and return it."""
        script = f"""{LISTEN} const done = arguments[1];
            (async given => ({function})(...given))(JSON.parse(arguments[0])).then(
                found => done([JSON.stringify(found ?? null), null]), fault => done([null, String(fault)]));"""
        found, fault = self.send("/execute/async", script=script, args=[json.dumps(given)])
        assert fault is None, fault
        return json.loads(found)

    def act(self, actions: list[dict[str, Any]]) -> None:
        mouse = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions}
        self.send("/actions", actions=[mouse])

    def picture(self) -> np.ndarray:
        """Return what the window shows: rows, columns, three colours."""
        data = self.send("/screenshot", "GET")
        return np.asarray(Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB"), np.int16)


@contextmanager
def started() -> Iterator[WebKit]:
    """Start the driver, which starts the browser, and end both."""
    port = free_port()
    command = ["xvfb-run", "-a", "-s", "-screen 0 1800x1200x24", "WebKitWebDriver", f"--port={port}"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    environment = {**os.environ, "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1", "no_proxy": "127.0.0.1"}
    with subprocess.Popen(command, env=environment, process_group=0, **quiet) as process:
        try:
            wait_until_open(port)
            window = WebKit(f"http://127.0.0.1:{port}")
            yield window
            window.send("", "DELETE")
        finally:
            os.killpg(process.pid, 15)
