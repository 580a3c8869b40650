"""A headless Firefox over WebDriver BiDi, which it speaks by itself: no driver of its own, and no other build of it."""

import base64
import io
import itertools
import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from websockets.sync.client import ClientConnection, connect

from tests.support.browser import free_port

FIREFOX = os.environ.get("FIREFOX") or next(filter(None, map(shutil.which, ("firefox-esr", "firefox"))), None)
#: It talks to nobody but this machine, and moves nothing that need not move.
PREFERENCES = {
    "network.proxy.type": 1,
    "network.proxy.socks": "127.0.0.1",
    "network.proxy.socks_port": 9,
    "network.proxy.no_proxies_on": "127.0.0.1",
    "ui.prefersReducedMotion": 1,
    "ui.primaryPointerCapabilities": 6,  # a mouse: fine, and it hovers
    "ui.allPointerCapabilities": 6,
    "datareporting.policy.dataSubmissionEnabled": False,
}
EVENTS = ("log.entryAdded", "network.responseCompleted", "network.fetchError")


class Firefox:
    """One window: the few commands that the tests need."""

    def __init__(self, opened: ClientConnection) -> None:
        self._complaints: list[str] = []
        self._numbers, self._socket = itertools.count(), opened
        self.send("session.new", capabilities={})
        self.send("session.subscribe", events=EVENTS)
        self._context = self.send("browsingContext.create", type="tab")["context"]

    def send(self, method: str, **parameters: Any) -> Any:
        """Give a command and wait for its answer; what the browser tells meanwhile is kept if it complains."""
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while (told := json.loads(self._socket.recv(timeout=180))).get("id") != number:
            self._hear(told.get("method"), told.get("params", {}))
        assert told["type"] == "success", told
        return told["result"]

    def _hear(self, event: str | None, told: dict[str, Any]) -> None:
        if event == "log.entryAdded" and told["level"] == "error":
            self._complaints.append(str(told["text"]))
        elif event == "network.fetchError":
            self._complaints.append(f"{told['errorText']} {told['request']['url']}")
        elif event == "network.responseCompleted" and told["response"]["status"] >= 400:
            self._complaints.append(f"{told['response']['status']} {told['response']['url']}")

    def heard(self) -> list[str]:
        """Return what went wrong behind the page since it was asked last."""
        told, self._complaints = self._complaints, []
        return told

    def open(self, address: str) -> None:
        self.send("browsingContext.navigate", context=self._context, url=address, wait="none")

    def resize(self, width: int, height: int) -> None:
        self.send("browsingContext.setViewport", context=self._context, viewport={"width": width, "height": height})

    def call(self, function: str, *given: Any) -> Any:
        """Call a function in the page, wait for what it promises, and return it."""
        told = self.send(
            "script.callFunction",
            functionDeclaration=f"async given => JSON.stringify((await ({function})(...JSON.parse(given))) ?? null)",
            arguments=[{"type": "string", "value": json.dumps(given)}],
            target={"context": self._context},
            awaitPromise=True,
        )
        assert told["type"] == "success", told["exceptionDetails"]["text"]
        return json.loads(told["result"]["value"])

    def act(self, actions: list[dict[str, Any]]) -> None:
        mouse = {"type": "pointer", "id": "mouse", "actions": actions}
        self.send("input.performActions", context=self._context, actions=[mouse])

    def picture(self) -> np.ndarray:
        """Return what the window shows: rows, columns, three colours."""
        data = self.send("browsingContext.captureScreenshot", context=self._context)["data"]
        return np.asarray(Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB"), np.int16)


@contextmanager
def started(profile: Path) -> Iterator[Firefox]:
    """Start a Firefox with an empty profile, and end it."""
    assert FIREFOX, "no Firefox: apt-get install firefox-esr, or set FIREFOX"
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items()]
    (profile / "user.js").write_text("\n".join(lines), "utf8")
    port = free_port()
    command = [FIREFOX, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            wait_until_open(port)
            with connect(f"ws://127.0.0.1:{port}/session", max_size=None, proxy=None) as opened:
                yield Firefox(opened)
        finally:
            process.terminate()


def wait_until_open(port: int) -> None:
    """Wait until somebody listens."""
    for _ in range(600):
        try:
            return socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            time.sleep(0.1)
    raise RuntimeError("the browser did not start")
