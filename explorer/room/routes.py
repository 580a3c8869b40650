"""The room's addresses, in the process of the pages: `/room`, `/room/123456` and its socket."""

import asyncio
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

from explorer.room import report, rules
from explorer.room.hub import WRONG, Hub, hash_secret
from explorer.room.keep import InProcess, StoreAway
from explorer.room.question import LANGUAGES
from explorer.room.wall_picture import MOST_BYTES, read
from explorer.room.words import words

_FOLDER = Path(__file__).parent / "phone"
#: An address may make so many rooms, and ask for so many that are not there, in so many seconds.
ROOMS, MISSES = (10, 600.0), (60, 60.0)
#: Bytes of an order for a room, and letters of each of its texts; bytes of a picture with what is said of it.
_MOST_MADE, _MOST_SAID, _MOST_HUNG = 2048, 500, 4 * MOST_BYTES // 3 + 16_384
#: A wall hands in so many pictures in so many seconds.
PICTURES = (1, 0.8)
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
            told = await _told(request, _MOST_MADE)
            if told is None or any(len(each) > _MOST_SAID for each in told.values()):
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
        Route(f"{above}/{{code:str}}/wall", partial(_hang, hub), methods=["PUT"]),
        Route(f"{above}/{{code:str}}/wall/{{name:str}}", partial(_see, hub)),
        WebSocketRoute(f"{above}/{{code:str}}/live", attend),
    ]


async def _hand_out(kind: str, hub: Hub, root: str, request: Request) -> Response:
    """Hand the teacher what the class was asked and has said, as a page or a table."""
    language = request.query_params.get("lang", "")
    language = language if language in LANGUAGES else LANGUAGES[0]
    doc = await _prove(hub, request)
    if isinstance(doc, Response):
        return doc
    if kind == "csv":  # the mark at the beginning tells Excel which letters these are
        return Response("\ufeff" + report.write_csv(doc, language), media_type="text/csv", headers=_PRIVATE)
    app = f"{str(request.base_url).rstrip('/')}{root.rstrip('/')}"
    try:
        screens = await hub.keep.screens(request.path_params["code"])
    except (StoreAway, KeyError):  # away, or gone meanwhile
        return JSONResponse({"error": "busy"}, 503)
    return HTMLResponse(report.write_html(doc, language, app, screens), headers=_PRIVATE)


async def _prove(hub: Hub, request: Request) -> rules.Doc | Response:
    """Return the room of a teacher who has its secret; to anybody else what they are answered."""
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
    return found[0]


async def _hang(hub: Hub, request: Request) -> Response:
    """Take a picture of the wall from the wall: nothing of it is read before the secret is."""
    doc, code = await _prove(hub, request), request.path_params["code"]
    if isinstance(doc, Response):
        return doc
    try:
        if not await hub.keep.allow("pictures", code, *PICTURES):
            return JSONResponse({"error": "busy"}, 429)
        told = await _told(request, _MOST_HUNG)
        if told is None:
            return JSONResponse({"error": "not understood"}, 400)
        picture = await asyncio.to_thread(read, base64.b64decode(told.get("picture", ""), validate=True))
        await hub.hang(code, picture, told.get("said", ""), (told.get("asked", ""), told.get("link", "")))
    except (rules.NotNow, KeyError):  # nothing went wrong: it makes another one
        return JSONResponse({"kept": False})
    except ValueError as error:
        return JSONResponse({"error": str(error)}, 415)
    except StoreAway:
        return JSONResponse({"error": "busy"}, 503)
    return JSONResponse({"kept": True})


async def _see(hub: Hub, request: Request) -> Response:
    """Answer with the picture of a wall, which a browser keeps: another picture has another name."""
    try:
        found = await hub.picture(request.path_params["code"], request.path_params["name"])
    except StoreAway:
        return Response(status_code=503, headers=_PRIVATE)
    if found is None:
        return Response(status_code=404, headers=_PRIVATE)
    kept = {"Cache-Control": "private, max-age=3600, immutable", "X-Content-Type-Options": "nosniff"}
    return Response(found.content, media_type=found.kind, headers=kept)


def _is_own(connection: HTTPConnection) -> bool:
    """Return whether our own page asks: no other site makes rooms, or votes, with a visitor's browser."""
    origin = connection.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == connection.headers.get("host")


def _address(connection: HTTPConnection) -> str:
    return connection.client.host if connection.client else ""


async def _told(request: Request, most: int) -> dict[str, str] | None:
    """Return the texts that a wall says by name; None for anything else, and for more bytes, which are not read."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > most:
            return None
    try:
        told = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        return None
    fine = isinstance(told, dict) and all(isinstance(each, str) for each in told.values())
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
        "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return page, policy
