"""Where rooms are kept: in this process, or in a store that several share. `Keep` is all that the hub asks for."""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Collection
from dataclasses import dataclass, field
from typing import Literal, Protocol

from explorer.room import rules
from explorer.room.wall_picture import WallPicture

#: A room in which nothing has happened for so long is gone; and none lives longer than the second.
IDLE_S, LIFE_S = 3 * 3600.0, 12 * 3600.0
MOST_ROOMS, MOST_SEATS = 50, 300
#: Of the pictures that showed what was right, the newest are kept for the file of the lesson.
MOST_SCREENS = 16
#: So often a process says which seats are still here.
STAY_S = 30.0
#: What is listened to: what has changed in a room, and what its walls are to do.
Channel = Literal["told", "walls"]


class StoreAway(Exception):
    """The store of rooms does not answer."""


class Keep(Protocol):
    """Keeps rooms by their code. A method that is given the code of a room that is gone raises `KeyError`."""

    async def make(self, code: str, doc: rules.Doc, secret: str) -> bool:
        """Make a room, if the code is free and there is space; the secret is given hashed."""

    async def read(self, code: str) -> tuple[rules.Doc, str] | None:
        """Return a room's document and hashed secret; None if it is gone."""

    async def change(self, code: str, change: Callable[[rules.Doc], rules.Doc]) -> rules.Doc:
        """Replace the document by what `change` makes of it, and return that."""

    async def vote(self, code: str, gate: str, seat: str, value: str) -> bool:
        """Write down a seat's vote, the last one counts; False where votes of that round count no more."""

    async def votes(self, code: str, gate: str) -> dict[str, str]:
        """Return the votes of a round by seat."""

    async def sit(self, code: str, seat: str) -> int:
        """Return the number of a seat, a new one if it has none; -1 where the room is full or locked."""

    async def arrive(self, code: str, seat: str) -> None:
        """Count a seat among those who are here."""

    async def stay(self, code: str, seats: Collection[str]) -> None:
        """Say of seats that they are still here, at least every `STAY_S`: a process may end without a word."""

    async def leave(self, code: str, seat: str) -> None:
        """Count a seat no longer among those who are here, nor among those who are lost."""

    async def here(self, code: str) -> int:
        """Return how many seats are here."""

    async def lose(self, code: str, seat: str, on: bool) -> None:
        """Count a seat among those who are lost, or no longer."""

    async def find_all(self, code: str) -> None:
        """Count nobody among those who are lost: something else is shown."""

    async def lost(self, code: str) -> int:
        """Return how many seats are lost."""

    async def keep_picture(self, code: str, picture: WallPicture) -> None:
        """Keep a picture of the wall in the place of the last one."""

    async def picture(self, code: str) -> WallPicture | None:
        """Return the last picture of the wall; None if there is none."""

    async def keep_screen(self, code: str, asked: str, picture: WallPicture, among: Collection[str]) -> None:
        """Keep a picture that shows what is right of a question; those of questions not `among` these go."""

    async def screens(self, code: str) -> dict[str, WallPicture]:
        """Return the pictures that show what is right, by question."""

    async def order_walls(self, code: str, what: str) -> bool:
        """Have all walls of a room do something; False where it has none."""

    def watch(self, code: str, channel: Channel = "told") -> AsyncIterator[str]:
        """Yield what has changed (`doc`, `votes`), or what walls are to do, until it is closed."""

    async def allow(self, what: str, address: str, most: int, seconds: float) -> bool:
        """Count what an address asks for; False where that is more than `most` in so many seconds."""

    async def close(self) -> None:
        """Let go of what it holds; called last."""


@dataclass(slots=True)
class _Kept:
    doc: rules.Doc
    secret: str
    votes: dict[str, dict[str, str]] = field(default_factory=dict)
    seats: dict[str, int] = field(default_factory=dict)
    here: set[str] = field(default_factory=set)
    lost: set[str] = field(default_factory=set)
    picture: WallPicture | None = None
    screens: dict[str, WallPicture] = field(default_factory=dict)
    used: float = field(default_factory=time.monotonic)
    made: float = field(default_factory=time.monotonic)


class InProcess:
    """Rooms of one process; they end with it."""

    def __init__(self, idle_s: float = IDLE_S) -> None:
        self._idle_s = idle_s
        self._rooms: dict[str, _Kept] = {}
        self._watchers: dict[tuple[str, Channel], set[asyncio.Queue[str]]] = {}
        self._asked: dict[tuple[str, str], deque[float]] = {}

    async def make(self, code: str, doc: rules.Doc, secret: str) -> bool:
        """Make a room, if the code is free and there is space."""
        self._sweep()
        if code in self._rooms or len(self._rooms) >= MOST_ROOMS:
            return False
        self._rooms[code] = _Kept(doc, secret)
        return True

    async def read(self, code: str) -> tuple[rules.Doc, str] | None:
        """Return a room's document and hashed secret; None if it is gone."""
        self._sweep()
        room = self._rooms.get(code)
        return (room.doc, room.secret) if room else None

    async def change(self, code: str, change: Callable[[rules.Doc], rules.Doc]) -> rules.Doc:
        """Replace the document by what `change` makes of it, and return that."""
        room = self._rooms[code]
        room.doc = {**change(room.doc), "seq": room.doc["seq"] + 1}
        open_ = room.doc["asking"]["id"] if room.doc["asking"] else ""
        room.votes = {gate: votes for gate, votes in room.votes.items() if gate.rpartition("/")[0] == open_}
        self._tell(code, "doc")
        return room.doc

    async def vote(self, code: str, gate: str, seat: str, value: str) -> bool:
        """Write down a seat's vote, the last one counts; False where votes of that round count no more."""
        room = self._rooms[code]
        if not gate or rules.gate(room.doc) != gate:
            return False
        room.votes.setdefault(gate, {})[seat] = value
        self._tell(code, "votes")
        return True

    async def votes(self, code: str, gate: str) -> dict[str, str]:
        """Return the votes of a round by seat."""
        return dict(self._rooms[code].votes.get(gate, {}))

    async def sit(self, code: str, seat: str) -> int:
        """Return the number of a seat, a new one if it has none; -1 where the room is full or locked."""
        room = self._rooms[code]
        if seat not in room.seats and (room.doc["locked"] or len(room.seats) >= MOST_SEATS):
            return -1
        return room.seats.setdefault(seat, len(room.seats) + 1)

    async def arrive(self, code: str, seat: str) -> None:
        """Count a seat among those who are here."""
        self._rooms[code].here.add(seat)
        self._tell(code, "votes")

    async def stay(self, code: str, seats: Collection[str]) -> None:
        """Say of seats that they are still here: this process knows."""

    async def leave(self, code: str, seat: str) -> None:
        """Count a seat no longer among those who are here, nor among those who are lost."""
        for seats in (self._rooms[code].here, self._rooms[code].lost):
            seats.discard(seat)
        self._tell(code, "votes")

    async def here(self, code: str) -> int:
        """Return how many seats are here."""
        return len(self._rooms[code].here)

    async def lose(self, code: str, seat: str, on: bool) -> None:
        """Count a seat among those who are lost, or no longer."""
        seats = self._rooms[code].lost
        (seats.add if on else seats.discard)(seat)
        self._tell(code, "votes")

    async def find_all(self, code: str) -> None:
        """Count nobody among those who are lost: something else is shown."""
        self._rooms[code].lost.clear()
        self._tell(code, "votes")

    async def lost(self, code: str) -> int:
        """Return how many seats are lost."""
        return len(self._rooms[code].lost)

    async def keep_picture(self, code: str, picture: WallPicture) -> None:
        """Keep a picture of the wall in the place of the last one."""
        self._rooms[code].picture = picture

    async def picture(self, code: str) -> WallPicture | None:
        """Return the last picture of the wall; None if there is none."""
        return self._rooms[code].picture

    async def keep_screen(self, code: str, asked: str, picture: WallPicture, among: Collection[str]) -> None:
        """Keep a picture that shows what is right of a question; those of questions not `among` these go."""
        room = self._rooms[code]
        room.screens = {name: each for name, each in room.screens.items() if name in among} | {asked: picture}

    async def screens(self, code: str) -> dict[str, WallPicture]:
        """Return the pictures that show what is right, by question."""
        return dict(self._rooms[code].screens)

    async def order_walls(self, code: str, what: str) -> bool:
        """Have all walls of a room do something; False where it has none."""
        walls = self._watchers.get((code, "walls"), ())
        for each in walls:
            each.put_nowait(what)
        return bool(walls)

    async def watch(self, code: str, channel: Channel = "told") -> AsyncIterator[str]:
        """Yield what has changed (`doc`, `votes`), or what walls are to do, until it is closed."""
        mine: asyncio.Queue[str] = asyncio.Queue()
        watchers = self._watchers.setdefault((code, channel), set())
        watchers.add(mine)
        try:
            while True:
                yield await mine.get()
        finally:
            watchers.discard(mine)
            if not watchers:
                self._watchers.pop((code, channel), None)

    async def allow(self, what: str, address: str, most: int, seconds: float) -> bool:
        """Count what an address asks for; False where that is more than `most` in so many seconds."""
        now = time.monotonic()
        if len(self._asked) > 10_000:
            self._asked.clear()
        asked = self._asked.setdefault((what, address), deque(maxlen=most))
        if len(asked) == most and now - asked[0] < seconds:
            return False
        asked.append(now)
        return True

    async def close(self) -> None:
        """Let go of nothing: rooms end with their process."""

    def _tell(self, code: str, what: str) -> None:
        self._rooms[code].used = time.monotonic()
        for each in self._watchers.get((code, "told"), ()):
            each.put_nowait(what)

    def _sweep(self) -> None:
        now = time.monotonic()
        for code, room in tuple(self._rooms.items()):
            if now - room.used > self._idle_s or now - room.made > LIFE_S:
                del self._rooms[code]
