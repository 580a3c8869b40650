"""The room's addresses, in the process of the pages: `/room`, `/room/123456` and its socket."""

import base64
import hmac
import io
import json
import re
from functools import lru_cache, partial
from pathlib import Path
from urllib.parse import urlsplit

import segno
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from explorer.room import report
from explorer.room.hub import WRONG, Hub, hash_secret
from explorer.room.keep import InProcess, StoreAway
from explorer.room.question import LANGUAGES
from explorer.room.words import words

_FOLDER = Path(__file__).parent / "phone"
#: An address may make so many rooms, and ask for so many that are not there, in so many seconds.
ROOMS, MISSES = (10, 600.0), (60, 60.0)
_MOST_MADE = 2048
_CODE = re.compile("[0-9]{6}")
_PRIVATE = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}


def routes(root: str = "/", hub: Hub | None = None) -> list[BaseRoute]:
    """Return the routes of rooms.

    Args:
        root: path below which the app is served.
        hub: one of its own if None.
    """
    hub = hub or Hub(InProcess())
    above = f"{root.rstrip('/')}/room"

    async def make(request: Request) -> Response:
        if not _is_own(request):
            return JSONResponse({"error": "another site"}, 403)
        try:
            if not await hub.keep.allow("rooms", _address(request), *ROOMS):
                return JSONResponse({"error": "busy"}, 429)
            told = await _told(request)
            if told is None:
                return JSONResponse({"error": "not understood"}, 400)
            room = await hub.make(told.get("code", ""), told.get("secret", ""))
        except StoreAway:
            return JSONResponse({"error": "busy"}, 503)
        if room is None:
            return JSONResponse({"error": "busy"}, 503)
        address = f"{told.get('address', '')}/{room[0]}"
        pictures = {"qr": _qr(address), "remote": _qr(f"{address}#{room[1]}")}
        return JSONResponse({"code": room[0], "secret": room[1], **pictures})

    async def attend(socket: WebSocket) -> None:
        code = socket.path_params["code"]
        try:
            known = _CODE.fullmatch(code) and await hub.keep.read(code)
            welcome = known or await hub.keep.allow("misses", _address(socket), *MISSES)
        except StoreAway:
            welcome = True  # the hub says so
        if _is_own(socket) and welcome:
            await hub.serve(socket, code)
        else:
            await socket.close(WRONG)

    return [
        Route(above, _phone),
        Route(above, make, methods=["POST"]),
        Route(f"{above}/{{code:str}}", _phone),
        *(
            Route(f"{above}/{{code:str}}/lesson.{kind}", partial(_hand_out, kind, hub, root))
            for kind in ("csv", "html")
        ),
        WebSocketRoute(f"{above}/{{code:str}}/live", attend),
    ]


async def _hand_out(kind: str, hub: Hub, root: str, request: Request) -> Response:
    """Hand the teacher what the class was asked and has said, as a page or a table."""
    language = request.query_params.get("lang", "")
    language = language if language in LANGUAGES else LANGUAGES[0]
    try:
        found = await hub.keep.read(request.path_params["code"])
        welcome = found is not None or await hub.keep.allow("misses", _address(request), *MISSES)
    except StoreAway:
        return JSONResponse({"error": "busy"}, 503)
    if not welcome:
        return JSONResponse({"error": "busy"}, 429)
    secret = hash_secret(request.headers.get("x-room-secret", ""))
    if found is None or not hmac.compare_digest(secret, found[1]):
        return JSONResponse({"error": "another room"}, 403)
    if kind == "csv":  # the mark at the beginning tells Excel which letters these are
        return Response("\ufeff" + report.write_csv(found[0], language), media_type="text/csv", headers=_PRIVATE)
    app = f"{str(request.base_url).rstrip('/')}{root.rstrip('/')}"
    return HTMLResponse(report.write_html(found[0], language, app), headers=_PRIVATE)


def _is_own(connection: HTTPConnection) -> bool:
    """Return whether our own page asks: no other site makes rooms, or votes, with a visitor's browser."""
    origin = connection.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == connection.headers.get("host")


def _address(connection: HTTPConnection) -> str:
    return connection.client.host if connection.client else ""


async def _told(request: Request) -> dict[str, str] | None:
    """Return what a wall says of the room that it wants; None for anything else."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > _MOST_MADE:
            return None
    try:
        told = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        return None
    fine = isinstance(told, dict) and all(isinstance(each, str) and len(each) <= 500 for each in told.values())
    return told if fine else None


def _qr(address: str) -> str:
    """Return a picture of an address as an URL."""
    drawn = io.BytesIO()
    segno.make(address, error="m", micro=False).save(drawn, kind="svg", border=2, scale=8, light="#fff")
    return f"data:image/svg+xml;base64,{base64.b64encode(drawn.getvalue()).decode()}"


async def _phone(_: Request) -> Response:
    page, policy = phone()
    headers = {"Cache-Control": "no-cache", "Content-Security-Policy": policy, "Referrer-Policy": "no-referrer"}
    return HTMLResponse(page, headers={**headers, "X-Content-Type-Options": "nosniff"})


@lru_cache(maxsize=1)
def phone() -> tuple[str, str]:
    """Return the page of phones and remote controls in one file, and the policy that lets nothing else into it."""
    html, script, style = ((_FOLDER / f"phone.{kind}").read_text(encoding="utf8") for kind in ("html", "js", "css"))
    said = json.dumps({language: words(language) for language in LANGUAGES}, ensure_ascii=False).replace("<", "\\u003c")
    page = html
    for mark, text in (("words", said), ("style", style), ("script", script)):
        page = page.replace(f"/* {mark} */", text, 1)
    styled, scripted = report.hash_inline(style), report.hash_inline(script)
    policy = (
        f"default-src 'none'; style-src '{styled}'; script-src '{scripted}'; connect-src 'self'; "
        "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return page, policy
