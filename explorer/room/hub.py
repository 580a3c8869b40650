"""The sockets of one process: hears wall, remote control and phones, and tells each what the room shows now.

A socket has one of three roles. `student` votes, and knows nothing before the reveal; `wall` shows what everybody may
know and how many have answered; `remote` is the teacher's alone and sees all. Wall and remote prove themselves by the
room's secret. What only the wall can do (compute the answer, move the picture, walk on) a remote asks it for.
"""

import asyncio
import contextlib
import hashlib
import hmac
import json
import re
import secrets
import time
from typing import Any, Literal

from starlette.websockets import WebSocket, WebSocketDisconnect

from explorer.room import kinds, rules
from explorer.room.keep import MOST_ROOMS, MOST_SCREENS, STAY_S, Keep, StoreAway
from explorer.room.question import question
from explorer.room.wall_picture import MOST_LETTERS, WallPicture

Role = Literal["student", "wall", "remote"]
#: Counts go out at most this often, however many vote; and so often it is looked whether a room still is.
FLUSH_S, LOOK_S = 0.2, STAY_S
#: So long until a store that did not answer is asked again.
AGAIN_S = 1.0
#: Orders a second, at once; letters of one, of a phone and of a teacher; sockets of one seat, of a teacher, in all.
RATE, BURST, MOST_TOLD, MOST_TAUGHT, MOST_TABS, MOST_TEACHERS, MOST_SOCKETS = 4.0, 12, 2048, 8192, 3, 8, 3000
#: How long a socket may take to say who it is; and so long after a question of its own a seat may ask no other.
JOIN_S, RAISE_S = 10.0, 15.0
#: Why a socket is closed: wrong secret, no such room, too many tabs, full, too long, too much at once.
WRONG, GONE, TABS, FULL, LONG, LATER = 4403, 4404, 4409, 4429, 1009, 1013
#: What the wall does for a remote control.
ON_WALL = ("ask", "try", "reveal", "next", "back")
#: Orders of a teacher that only change the document; the second kind names one of the class's own questions.
_AT_ONCE = {"again": rules.again, "done": rules.put_away, "end": rules.end}
_OF_RAISED = {"show_raised": rules.show_raised, "drop_raised": rules.drop_raised}
_SEAT, _SECRET = re.compile("[0-9a-f]{32}"), re.compile(r"[\w-]{22}", re.ASCII)


def hash_secret(secret: str) -> str:
    """Return what is kept of a secret or a seat: who reads the store can take nobody's place."""
    return hashlib.sha256(secret.encode()).hexdigest()[:32]


def name_room(hashed: str) -> str:
    """Return what tells a room from one that has its code later, to phones alone: the same if its teacher reopens it.

    Args:
        hashed: what is kept of the secret, which cannot be told from it.
    """
    return hash_secret(f"room of {hashed}")


class Line:
    """One socket. Only the newest of each kind of message waits for it, so a phone that sleeps keeps nobody waiting."""

    def __init__(self, socket: WebSocket, role: Role, seat: str = "") -> None:
        self.socket, self.role, self.seat = socket, role, seat
        self._tokens, self._filled = float(BURST), time.monotonic()
        self._slots: dict[str, str] = {}
        self._news = asyncio.Event()

    def put(self, message: dict[str, Any]) -> None:
        """Have a message sent; one of its kind that still waits is replaced."""
        self.put_text(message["is"], json.dumps(message, ensure_ascii=False))

    def put_text(self, slot: str, text: str) -> None:
        """Have a text sent that was written once for many."""
        self._slots.pop(slot, None)
        self._slots[slot] = text
        self._news.set()

    async def send(self) -> None:
        """Send until the socket is gone."""
        with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
            while True:
                await self._news.wait()
                self._news.clear()
                while self._slots:
                    await self.socket.send_text(self._slots.pop(next(iter(self._slots))))

    def may_speak(self) -> bool:
        """Return whether it keeps to its rate."""
        now = time.monotonic()
        self._tokens = min(BURST, self._tokens + (now - self._filled) * RATE)
        self._filled = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True


class _Listeners:
    """The sockets of one room in this process."""

    def __init__(self, code: str, keep: Keep) -> None:
        self.code, self._keep = code, keep
        self.lines: set[Line] = set()
        self.raised: dict[str, float] = {}
        self._dirty = asyncio.Event()
        self._tasks = [asyncio.create_task(each) for each in (self._hear(), self._count(), self._look())]

    async def tell(self) -> None:
        """Tell everybody the state, written once for each role."""
        found = await self._keep.read(self.code)
        if found is None:
            return
        for_all, for_remote = (json.dumps(_state(found[0], role), ensure_ascii=False) for role in ("wall", "remote"))
        for line in tuple(self.lines):
            line.put_text("state", for_remote if line.role == "remote" else for_all)

    def count_anew(self) -> None:
        """Have the teacher told how many there are."""
        self._dirty.set()

    async def close(self) -> None:
        """Stop listening."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _hear(self) -> None:
        async with contextlib.aclosing(self._keep.watch(self.code)) as changes:  # type: ignore[type-var]
            async for what in changes:
                while what == "doc":
                    try:
                        await self.tell()
                        break
                    except StoreAway:
                        await asyncio.sleep(AGAIN_S)
                self._dirty.set()

    async def _count(self) -> None:
        while True:
            await self._dirty.wait()
            self._dirty.clear()
            try:
                await self._tell_counts()
            except StoreAway:
                self._dirty.set()
                await asyncio.sleep(AGAIN_S)
            await asyncio.sleep(FLUSH_S)

    async def _tell_counts(self) -> None:
        """Tell the teacher how many are here and have answered; the remote alone also what."""
        found = await self._keep.read(self.code)
        if found and any(line.role != "student" for line in self.lines):
            asking = found[0]["asking"]
            votes = await self._keep.votes(self.code, rules.round_of(asking)) if asking else {}
            told = {"is": "count", "n": len(votes), "here": await self._keep.here(self.code)}
            counts: dict[str, Any] = {"lost": await self._keep.lost(self.code)}
            counts |= {"counts": kinds.tally(asking, votes.values())} if asking else {}
            for line in tuple(self.lines):
                if line.role != "student":
                    line.put({**told, **counts} if line.role == "remote" else told)

    async def _look(self) -> None:
        """Close the sockets of a room that has been idle too long, and say of the others that they are here."""
        while True:
            await asyncio.sleep(LOOK_S)
            with contextlib.suppress(StoreAway):
                if await self._keep.read(self.code) is not None:
                    await self._keep.stay(self.code, {line.seat for line in self.lines if line.seat})
                    continue
                for line in tuple(self.lines):
                    with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
                        await _turn_away(line.socket, "gone", GONE)


class Hub:
    """The rooms that have a socket in this process."""

    def __init__(self, keep: Keep) -> None:
        self.keep = keep
        self._rooms: dict[str, _Listeners] = {}
        self._sockets = 0
        self._pictures: dict[str, WallPicture] = {}
        #: Orders that were put off, because the store did not answer.
        self.n_away = 0

    @property
    def n_rooms(self) -> int:
        """Return how many rooms have a socket here."""
        return len(self._rooms)

    @property
    def n_seats(self) -> int:
        """Return how many seats have a socket here."""
        return sum(len({line.seat for line in room.lines} - {""}) for room in tuple(self._rooms.values()))

    async def make(self, code: str = "", secret: str = "") -> tuple[str, str] | None:
        """Make a room, and return its code and the teacher's secret; None where there is no space.

        Args:
            code: of a room that ended with the server before, for those who still have it open; a new one if not free.
            secret: which that room had.
        """
        secret = secret if _SECRET.fullmatch(secret) else secrets.token_urlsafe(16)
        former = [code] if re.fullmatch("[0-9]{6}", code) else []
        for each in (*former, *(f"{secrets.randbelow(900_000) + 100_000}" for _ in range(20))):
            if await self.keep.make(each, rules.fresh(secrets.token_hex(4), time.time()), hash_secret(secret)):
                return each, secret
        return None

    async def hang(self, code: str, picture: WallPicture, said: str, of: tuple[str, str]) -> None:
        """Have phones see a picture of the wall; `said` and `of` as of `rules.hang`.

        Raises:
            NotNow: the wall shows something else by now.
            KeyError: the room is gone.
        """
        found = await self.keep.read(code)
        rules.hang(found[0] if found else rules.fresh("", 0.0), picture.name, said, of)  # else the last one is kept
        await self.keep.keep_picture(code, picture)
        doc = await self.keep.change(code, lambda doc: rules.hang(doc, picture.name, said[:MOST_LETTERS], of))
        if doc["asking"] and doc["asking"]["phase"] == "revealed":
            newest = {each["id"] for each in doc["past"][-MOST_SCREENS:]}
            await self.keep.keep_screen(code, doc["asking"]["id"], picture, newest)

    async def picture(self, code: str, name: str) -> WallPicture | None:
        """Return a picture of a wall, if phones see it now. The last of each room is at hand: a class asks at once."""
        found = await self.keep.read(code)
        hung = found[0]["picture"] if found else None
        if not hung or hung["name"] != name:
            self._pictures.pop(code, None)
            return None
        last = self._pictures.get(code)
        if last is None or last.name != name:
            last = await self.keep.picture(code)
            if last is None or last.name != name:
                return None
            while len(self._pictures) >= MOST_ROOMS:
                self._pictures.pop(next(iter(self._pictures)))
            self._pictures[code] = last
        return last

    async def serve(self, socket: WebSocket, code: str) -> None:
        """Serve one socket until it is gone."""
        await socket.accept()
        if self._sockets >= MOST_SOCKETS:
            await socket.close(LATER)
            return
        self._sockets += 1
        try:
            line = await self._join(socket, code)
            if line:
                await self._attend(line, code)
        except StoreAway:
            with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
                await socket.close(LATER)
        except (WebSocketDisconnect, RuntimeError, OSError):
            pass  # gone, in whatever it was doing
        finally:
            self._sockets -= 1

    async def _join(self, socket: WebSocket, code: str) -> Line | None:
        """Hear who it is, and seat it; None where it was turned away."""
        first = await _first(socket)
        found = await self.keep.read(code) if first else None
        if first is None or found is None:
            await _turn_away(socket, "gone", GONE)
            return None
        secret = first.get("secret")
        lines = self._rooms[code].lines if code in self._rooms else set()
        if secret is not None:
            if not (isinstance(secret, str) and hmac.compare_digest(hash_secret(secret), found[1])):
                await _turn_away(socket, "wrong", WRONG)
                return None
            if sum(line.role != "student" for line in lines) >= MOST_TEACHERS:
                await _turn_away(socket, "tabs", TABS)
                return None
            return Line(socket, "wall" if first.get("wall") is True else "remote")
        room = name_room(found[1])
        if first.get("room") not in (None, room):  # its own is over, and a stranger has the code
            await _turn_away(socket, "another", GONE)
            return None
        told = first.get("seat")
        token = told if isinstance(told, str) and _SEAT.fullmatch(told) else secrets.token_hex(16)
        if sum(line.seat == hash_secret(token) for line in lines) >= MOST_TABS:
            await _turn_away(socket, "tabs", TABS)
            return None
        number = await self.keep.sit(code, hash_secret(token))
        if number < 0:
            await _turn_away(socket, "full", FULL)
            return None
        line = Line(socket, "student", hash_secret(token))
        line.put({"is": "seat", "seat": token, "number": number, "room": room})
        return line

    async def _attend(self, line: Line, code: str) -> None:
        if code not in self._rooms:
            self._rooms[code] = _Listeners(code, self.keep)
        room = self._rooms[code]
        room.lines.add(line)
        tasks = [asyncio.create_task(line.send())]
        if line.role == "wall":
            tasks.append(asyncio.create_task(self._pass_on(line, code)))
        try:
            found = await self.keep.read(code)
            if found:
                line.put(_state(found[0], line.role))
            await self.keep.arrive(code, line.seat) if line.seat else room.count_anew()
            await self._listen(room, line)
        except KeyError:  # the room went meanwhile
            await _turn_away(line.socket, "gone", GONE)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            room.lines.discard(line)
            if line.seat and all(each.seat != line.seat for each in room.lines):
                with contextlib.suppress(KeyError, StoreAway):
                    await self.keep.leave(code, line.seat)
            if not room.lines and self._rooms.get(code) is room:
                del self._rooms[code]
                await room.close()

    async def _pass_on(self, wall: Line, code: str) -> None:
        """Tell a wall what it is to do, whoever has ordered it, at whichever process."""
        async with contextlib.aclosing(self.keep.watch(code, "walls")) as orders:  # type: ignore[type-var]
            async for what in orders:
                wall.put({"is": "do", "what": what})

    async def _listen(self, room: _Listeners, line: Line) -> None:
        most = MOST_TOLD if line.role == "student" else MOST_TAUGHT
        while True:
            text = await _text(line.socket)
            if text is None or len(text) > most:
                await line.socket.close(LONG)
                return
            if not line.may_speak():
                line.put({"is": "slow"})
                continue
            order = _read_order(text)
            if order.get("do") == "ping":
                line.put({"is": "pong"})
                continue
            try:
                gone = await self.keep.read(room.code) is None
                if not gone:
                    await self._obey(room, line, order)
            except StoreAway:
                self.n_away += 1
                line.put({"is": "later"})
                continue
            if gone:
                raise KeyError(room.code)

    async def _obey(self, room: _Listeners, line: Line, order: dict[str, Any]) -> None:
        try:
            await (self._hear(room, line, order) if line.role == "student" else self._teach(room, line, order))
        except (ValueError, KeyError, TypeError) as error:
            line.put({"is": "refused", "why": str(error)[:80]})

    async def _hear(self, room: _Listeners, line: Line, order: dict[str, Any]) -> None:
        do = order["do"]
        if do == "answer":
            await self._vote(room, line, order)
        elif do == "lost":
            await self.keep.lose(room.code, line.seat, order["on"] is True)
        elif do == "raise":
            await self._raise(room, line, order["text"])
        else:
            raise rules.NotNow("a phone may answer, be lost and raise a question")

    async def _raise(self, room: _Listeners, line: Line, text: object) -> None:
        now = time.monotonic()
        if now - room.raised.get(line.seat, -RAISE_S) < RAISE_S:
            line.put({"is": "soon"})
            return
        name = secrets.token_hex(4)
        await self.keep.change(room.code, lambda doc: rules.raise_question(doc, name, text))
        room.raised[line.seat] = now
        line.put({"is": "raised"})

    async def _vote(self, room: _Listeners, line: Line, order: dict[str, Any]) -> None:
        found = await self.keep.read(room.code)
        asking = found[0]["asking"] if found else None
        kept = False
        if asking and asking["id"] == order["q"]:
            gate = f"{order['q']}/{order['round']}"
            kept = await self.keep.vote(room.code, gate, line.seat, kinds.check_answer(asking, order["value"]))
        line.put({"is": "kept" if kept else "late", "q": order["q"], "round": order["round"]})

    async def _teach(self, room: _Listeners, line: Line, order: dict[str, Any]) -> None:
        code, do = room.code, order["do"]
        if do in _AT_ONCE:
            await self.keep.change(code, _AT_ONCE[do])
        elif do in _OF_RAISED:
            name = str(order["id"])
            await self.keep.change(code, lambda doc: _OF_RAISED[do](doc, name))
        elif do == "lock":
            await self.keep.change(code, lambda doc: rules.lock(doc, order["on"] is True))
        elif do == "wall" and order["what"] in ON_WALL:
            if not await self.keep.order_walls(code, order["what"]):
                line.put({"is": "nowall"})
        else:
            orders = {"show": self._show, "ask": self._ask, "close": self._close, "reveal": self._reveal}
            await orders[do](code, order)

    async def _show(self, code: str, order: dict[str, Any]) -> None:
        title, asked, link = _said(order["title"]), _said(order["question"]), str(order["link"])[:1500]
        has = {name: order.get(name) is True for name in ("asks", "tries")}
        found = await self.keep.read(code)
        if found and found[0]["shown"]["title"] != title:
            await self.keep.find_all(code)
        await self.keep.change(code, lambda doc: rules.show(doc, link, title, asked, **has))

    async def _ask(self, code: str, order: dict[str, Any]) -> None:
        asked = question(str(order["scene"]), tries=order.get("tries") is True)
        asked |= {"id": f"{asked['id']}.{secrets.token_hex(2)}", **kinds.check_given(asked, order.get("given"))}
        why = _said(order["why"])
        await self.keep.change(code, lambda doc: rules.ask(doc, asked, order["right"], why))

    async def _close(self, code: str, _: dict[str, Any]) -> None:
        """Close the gate first, and count then: no vote falls between."""
        doc = await self.keep.change(code, rules.close)
        votes = await self.keep.votes(code, rules.round_of(doc["asking"]))
        with contextlib.suppress(rules.NotNow):  # revealed meanwhile, at another server: it was counted there
            await self.keep.change(code, lambda doc: rules.count(doc, votes.values()))

    async def _reveal(self, code: str, order: dict[str, Any]) -> None:
        found = await self.keep.read(code)
        asking = found[0]["asking"] if found else None
        if not asking or asking["id"] != str(order["id"]):
            raise rules.NotNow("this is not asked")
        votes = [await self.keep.votes(code, rules.round_of(asking, number)) for number in (1, 2)]
        last, moved = votes[asking["round"] - 1].values(), rules.compare(*votes)
        await self.keep.change(code, lambda doc: rules.reveal(rules.count(doc, last), moved))


def _state(doc: rules.Doc, role: str) -> dict[str, Any]:
    return {"is": "state", **(rules.for_teacher(doc) if role == "remote" else rules.public(doc))}


def _said(told: object) -> dict[str, str]:
    """Return a text by language as a wall may send it."""
    if not isinstance(told, dict):
        raise rules.NotNow("no text")
    return {str(language)[:8]: str(text)[:2000] for language, text in tuple(told.items())[:4]}


def _read_order(text: str) -> dict[str, Any]:
    """Return an order; an empty one where the text is none."""
    try:
        order = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return order if isinstance(order, dict) else {}


async def _text(socket: WebSocket) -> str | None:
    """Return the next message; None for one that is no text.

    Raises:
        WebSocketDisconnect: the socket is gone.
    """
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1005))
    text: str | None = message.get("text")
    return text


async def _first(socket: WebSocket) -> dict[str, Any] | None:
    """Return the first message, if it says within time who joins."""
    try:
        text = await asyncio.wait_for(_text(socket), JOIN_S)
        first = json.loads(text) if text and len(text) <= MOST_TOLD else None
    except (TimeoutError, ValueError, RecursionError):
        return None
    return first if isinstance(first, dict) and first.get("do") == "join" else None


async def _turn_away(socket: WebSocket, why: str, code: int) -> None:
    await socket.send_text(json.dumps({"is": why}))
    await socket.close(code)
