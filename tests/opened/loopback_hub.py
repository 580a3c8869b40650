"""A hub on this machine: the few addresses of the real one that a client asks, and what can go wrong with them."""

import base64
import hashlib
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

COMMIT = "0123456789abcdef0123456789abcdef01234567"
LARGE = (".safetensors", ".bin")


class Hub:
    """One repository, `org/tiny`, made of a folder.

    Attributes:
        address: of the server.
        asked: paths that were asked for, in order, with the method.
        uploaded: files of the last commit that was pushed, by name.
        fault: `gated`, `cut` (the connection ends early), `slow` (it says nothing), `hash` (a byte is another one),
            or nothing.
        name: what it is called now.
        sizes: lies about sizes, by name.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.address = folder, ""
        self.asked: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.uploaded: dict[str, bytes] = {}
        self.fault, self.name = "", "org/tiny"
        self.sizes: dict[str, int] = {}

    def info(self) -> dict[str, Any]:
        """What the Hub tells of the repository."""
        files = sorted(each for each in self.folder.iterdir() if each.is_file())
        return {
            "id": self.name, "sha": COMMIT, "private": False, "tags": [], "siblings": list(map(self._sibling, files)),
            "gated": "manual" if self.fault == "gated" else False,
        }  # fmt: skip

    def tree(self) -> list[dict[str, Any]]:
        """What it tells of the files alone."""
        siblings = self.info()["siblings"]
        return [{"type": "file", "path": it["rfilename"], "size": it["size"], "oid": it["blobId"]} for it in siblings]

    def _sibling(self, file: Path) -> dict[str, Any]:
        data = file.read_bytes()
        size = self.sizes.get(file.name, len(data))
        git = hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
        told: dict[str, Any] = {"rfilename": file.name, "size": size, "blobId": git}
        if file.suffix in LARGE:
            told["lfs"] = {"size": size, "sha256": hashlib.sha256(data).hexdigest(), "pointerSize": 130}
        return told


class _Server(ThreadingHTTPServer):
    hub: Hub

    def handle_error(self, *_: Any) -> None:
        """Say nothing of a client that went away."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, *_: Any) -> None:
        pass

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        hub = self._note()
        path = self.path.partition("?")[0]
        if hub.fault == "slow":
            time.sleep(3)
        if path.startswith("/api/models/org/tiny/tree/"):
            self._json(hub.tree())
        elif path.startswith("/api/models/org/tiny"):
            self._json(hub.info())
        elif path.startswith("/org/tiny/resolve/") and (hub.folder / path.rsplit("/", 1)[1]).is_file():
            self._file(hub.folder / path.rsplit("/", 1)[1])
        else:
            self._json({"error": "not found"}, 404, {"X-Error-Code": "RepoNotFound"})

    def do_POST(self) -> None:
        hub = self._note()
        data = self._body()
        if self.path.endswith("/repos/create"):
            self._json({"url": f"{hub.address}/org/tiny"})
        elif "/preupload/" in self.path:
            names = [each["path"] for each in json.loads(data)["files"]]
            told = [{"path": name, "uploadMode": "regular", "shouldIgnore": False} for name in names]
            self._json({"files": told})
        elif self.path.endswith("/validate-yaml"):
            self._json({"errors": [], "warnings": []})
        else:
            lines = [json.loads(line) for line in data.splitlines()]
            files = [line["value"] for line in lines if line["key"] == "file"]
            hub.uploaded |= {each["path"]: base64.b64decode(each["content"]) for each in files}
            self._json({"commitUrl": f"{hub.address}/org/tiny/commit/{COMMIT}", "commitOid": COMMIT})

    def _body(self) -> bytes:
        if "chunked" not in self.headers.get("Transfer-Encoding", ""):
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        data = b""
        while size := int(self.rfile.readline(), 16):
            data += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return data

    def _note(self) -> Hub:
        hub = self.server.hub
        hub.asked.append(f"{self.command} {self.path}")
        hub.headers.append({name.lower(): value for name, value in self.headers.items()})
        return hub

    def _file(self, file: Path) -> None:
        fault, data = self.server.hub.fault, file.read_bytes()
        digest = hashlib.sha256(data).hexdigest()
        asked = self.headers.get("Range")
        first, last = (asked or "bytes=0-").removeprefix("bytes=").split("-")
        begin, end = int(first), min(int(last or len(data)), len(data) - 1) + 1
        part = data[begin:end]
        weights = file.suffix == ".safetensors" and not (last and asked)  # more than a header
        if fault == "hash" and weights:
            part = part[:-1] + bytes([part[-1] ^ 1])
        self._begin(
            206 if asked else 200,
            {
                "ETag": f'"{digest}"',
                "X-Repo-Commit": COMMIT,
                "X-Linked-Size": str(len(data)),
                "X-Linked-ETag": f'"{digest}"',
                "Content-Length": str(len(part)),
                "Content-Range": f"bytes {begin}-{end - 1}/{len(data)}",
            },
        )
        if self.command == "GET":
            cut = fault == "cut" and weights
            self.wfile.write(part[: len(part) // 2] if cut else part)
            self.close_connection = cut

    def _json(self, told: Any, status: int = 200, headers: dict[str, str] | None = None) -> None:
        data = json.dumps(told).encode()
        self._begin(status, {"Content-Type": "application/json", "Content-Length": str(len(data)), **(headers or {})})
        if self.command != "HEAD":
            self.wfile.write(data)

    def _begin(self, status: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()


@contextmanager
def serve(folder: Path) -> Iterator[Hub]:
    """Serve a folder as `org/tiny` until the end of the block."""
    hub = Hub(folder)
    server = _Server(("127.0.0.1", 0), _Handler)
    server.hub = hub
    hub.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
