"""Server: how it answers a link to a page, how it hands out scripts, and how it ends."""

import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import lru_cache
from pathlib import PurePosixPath

import streamlit as st
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from explorer.room.hub import Hub
from explorer.room.keep import InProcess
from explorer.room.routes import routes as room_routes
from explorer.ui import catalogue, operation, scripts
from explorer.ui.streamlit_internals import document, lasting_files, message_queue, timed_reruns


def routes() -> list[BaseRoute]:
    """Serve rooms, scripts, and at every page's address Streamlit's document, told of the root and the scripts.

    An address that ends with a slash Streamlit leads to the one without.
    """
    told = document.told_its_root()

    async def answer(request: Request) -> HTMLResponse:
        links = scripts.preloads(PurePosixPath(request.url.path).name)
        return HTMLResponse(told.replace("</head>", f"{links}</head>", 1), headers={"Cache-Control": "no-cache"})

    root = PurePosixPath("/", st.get_option("server.baseUrlPath").strip("/"))
    script = Route(str(root / scripts.FOLDER / "{version}" / "{name:path}"), _script)
    pages = [Route(str(root / page.stem), answer) for page in catalogue.PAGES]
    hub, asked = _hub(), _operation().routes(str(root))
    return [*pages, script, *asked, *room_routes(str(root), hub)]


@lru_cache(maxsize=1)
def _hub() -> Hub:
    address = os.environ.get("EXPLORER_REDIS", "")
    if not address:
        return Hub(InProcess())
    from explorer.room.in_redis import InRedis  # its package is an extra: who runs one process needs none

    return Hub(InRedis(address))


@lru_cache(maxsize=1)
def _operation() -> operation.Operation:
    return operation.Operation(_hub())


async def _script(request: Request) -> Response:
    """Answer with a script, which browsers keep for good; a page of before an update gets what there is now."""
    version, texts = scripts.serve_scripts()
    text = texts.get(request.path_params["name"])
    if text is None:
        return Response(status_code=404)
    keeps = "public, max-age=31536000, immutable" if request.path_params["version"] == version else "no-cache"
    return Response(text, media_type="text/javascript", headers={"Cache-Control": keeps})


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[None]:
    """Repair what is sent and kept, and end on SIGTERM as on Ctrl-C.

    Uvicorn would let the signal kill the process: nothing registered with `atexit` would be called, and trainings and
    their folders would stay.
    """
    message_queue.repair()
    lasting_files.repair()
    timed_reruns.repair()
    scripts.serve_scripts()  # reads the catalogues, a second on a busy machine, before anybody waits for it
    operation.begin(_operation())
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    yield
    await _hub().keep.close()
