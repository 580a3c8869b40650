"""A cluster that is played: a web server with Ray's routes, whose replica says what a test has it say."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Request(BaseHTTPRequestHandler):
    """One order to a replica."""

    server: "PlayedCluster"

    def do_GET(self) -> None:
        self.begin()
        self.say({f"/{name}": name for name in self.server.ROUTES})

    def do_POST(self) -> None:
        self.server.answer(self)

    def order(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        return found

    def begin(self, status: int = 200) -> None:
        self.send_response(status)
        self.end_headers()

    def say(self, line: dict[str, Any]) -> None:
        self.wfile.write(json.dumps(line).encode() + b"\n")
        self.wfile.flush()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class PlayedCluster(ThreadingHTTPServer):
    """Serves until `end`, which sets `left`."""

    ROUTES: tuple[str, ...] = ()

    def __init__(self, port: int) -> None:
        super().__init__(("127.0.0.1", port), Request)
        self.left = threading.Event()
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    def answer(self, request: Request) -> None:
        """Say what a replica makes of an order."""
        raise NotImplementedError

    def end(self) -> None:
        self.left.set()
        self.shutdown()
        self.server_close()
