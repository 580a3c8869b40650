"""Rooms that several processes share, in one Redis.

A room is a hash with its document, how often that was changed, and which votes count now; its votes, its seats and who
is here lie beside it. A document is replaced only if nobody else has replaced it meanwhile; a vote is written down only
while its round is open, in the same step. Who listens is told what has changed, not how: no message is missed.
"""

import base64
import hashlib
import json
import time
from asyncio import sleep
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from typing import Any, TypeVar

import redis.asyncio as redis
from redis.exceptions import RedisError

from explorer.room import keep, rules
from explorer.room.keep import StoreAway
from explorer.room.wall_picture import WallPicture

#: An answer that takes longer is none; and so long before a lost connection is tried again.
PATIENCE_S, AGAIN_S = 2.0, 0.5
#: Who is here says so at least so often, or is not: the process that had the phone has gone.
HERE_S = 3 * keep.STAY_S
#: So often a change is tried of a document that others change at the same time.
TRIES = 16
#: `KEYS`: the room, the list of rooms. `ARGV`: code, now, the oldest use that is kept, most, document, secret, s.
_MAKE = """
redis.call('ZREMRANGEBYSCORE', KEYS[2], 0, ARGV[3])
if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[4]) or redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('ZADD', KEYS[2], ARGV[2], ARGV[1])
redis.call('HSET', KEYS[1], 'doc', ARGV[5], 'secret', ARGV[6], 'seq', 0, 'gate', '')
redis.call('EXPIRE', KEYS[1], ARGV[7])
return 1
"""
#: `KEYS`: the room, the list of rooms, and what goes. `ARGV`: code, now, seq before, document, seq, gate, s, channel.
_CHANGE = """
local seq = redis.call('HGET', KEYS[1], 'seq')
if not seq then return -1 end
if seq ~= ARGV[3] then return 0 end
redis.call('HSET', KEYS[1], 'doc', ARGV[4], 'seq', ARGV[5], 'gate', ARGV[6])
redis.call('ZADD', KEYS[2], ARGV[2], ARGV[1])
for place = 3, #KEYS do redis.call('DEL', KEYS[place]) end
redis.call('EXPIRE', KEYS[1], ARGV[7])
redis.call('PUBLISH', ARGV[8], 'doc')
return 1
"""
#: `KEYS`: the room, the votes. `ARGV`: gate, seat, vote, s, channel.
_VOTE = """
if redis.call('EXISTS', KEYS[1]) == 0 then return -1 end
if redis.call('HGET', KEYS[1], 'gate') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
redis.call('EXPIRE', KEYS[2], ARGV[4])
redis.call('PUBLISH', ARGV[5], 'votes')
return 1
"""
#: `KEYS`: the seats. `ARGV`: seat, how many there may be, s.
_SIT = """
local number = redis.call('HGET', KEYS[1], ARGV[1])
if number then return tonumber(number) end
number = redis.call('HLEN', KEYS[1])
if number >= tonumber(ARGV[2]) then return -1 end
redis.call('HSET', KEYS[1], ARGV[1], number + 1)
redis.call('EXPIRE', KEYS[1], ARGV[3])
return number + 1
"""
#: `KEYS`: who asks. `ARGV`: s.
_COUNT = """
local number = redis.call('INCR', KEYS[1])
if number == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return number
"""
T = TypeVar("T")


class InRedis:
    """Rooms of all processes that are given the same address. Every method raises `StoreAway` where it does not answer.

    Args:
        address: as `redis://host:port/0`.
        idle_s: after so long without a change a room is gone.
        patience_s: an answer that takes longer is none.

    Raises:
        ValueError: it is no such address.
    """

    def __init__(self, address: str, idle_s: float = keep.IDLE_S, patience_s: float = PATIENCE_S) -> None:
        self._idle_s = idle_s
        options = {"decode_responses": True, "socket_connect_timeout": patience_s}
        pool = redis.BlockingConnectionPool.from_url(
            address, max_connections=64, timeout=patience_s, socket_timeout=patience_s, **options
        )
        self._redis = redis.Redis.from_pool(pool)
        self._listeners = redis.Redis.from_url(address, health_check_interval=15, **options)  # a connection a room
        scripts = (_MAKE, _CHANGE, _VOTE, _SIT, _COUNT)
        self._make, self._change, self._vote, self._sit, self._count = map(self._redis.register_script, scripts)

    async def make(self, code: str, doc: rules.Doc, secret: str) -> bool:
        """Make a room, if the code is free and there is space."""
        now = time.time()
        bounds = [now - self._idle_s, keep.MOST_ROOMS, json.dumps(doc), secret, self._left_s(doc)]
        return bool(await _asked(self._make(keys=[_key(code), _ROOMS], args=[code, now, *bounds])) == 1)

    async def read(self, code: str) -> tuple[rules.Doc, str] | None:
        """Return a room's document and hashed secret; None if it is gone."""
        doc, secret = await _asked(self._redis.hmget(_key(code), "doc", "secret"))
        return (json.loads(doc), secret) if doc else None

    async def change(self, code: str, change: Callable[[rules.Doc], rules.Doc]) -> rules.Doc:
        """Replace the document by what `change` makes of it, and return that."""
        for _ in range(TRIES):
            old = await self._document(code)
            new = {**change(old), "seq": old["seq"] + 1}
            was, asks = ((doc["asking"] or {}).get("id") for doc in (old, new))
            gone = [_votes(code, f"{was}/{number + 1}") for number in range(rules.MOST_ROUNDS)] if was != asks else []
            facts = [old["seq"], json.dumps(new), new["seq"], rules.gate(new), self._left_s(new), _key(code, "told")]
            keys = [_key(code), _ROOMS, *gone]
            done = await _asked(self._change(keys=keys, args=[code, time.time(), *facts]))
            if done < 0:
                raise KeyError(code)
            if done:
                return new
        raise rules.NotNow("too many at once")

    async def vote(self, code: str, gate: str, seat: str, value: Any) -> bool:
        """Write down a seat's vote, the last one counts; False where votes of that round count no more."""
        facts = [gate, seat, json.dumps(value), round(self._idle_s) + 1, _key(code, "told")]
        done = await _asked(self._vote(keys=[_key(code), _votes(code, gate)], args=facts)) if gate else 0
        if done < 0:
            raise KeyError(code)
        return done == 1

    async def votes(self, code: str, gate: str) -> dict[str, Any]:
        """Return the votes of a round by seat."""
        await self._document(code)
        found = await _asked(self._redis.hgetall(_votes(code, gate)))
        return {seat: json.loads(value) for seat, value in found.items()}

    async def sit(self, code: str, seat: str) -> int:
        """Return the number of a seat, a new one if it has none; -1 where the room is full or locked."""
        most = 0 if (await self._document(code))["locked"] else keep.MOST_SEATS
        return int(await _asked(self._sit(keys=[_key(code, "seats")], args=[seat, most, round(keep.LIFE_S)])))

    async def arrive(self, code: str, seat: str) -> None:
        """Count a seat among those who are here."""
        await self._document(code)
        await self.stay(code, [seat])
        await self._tell(code)

    async def stay(self, code: str, seats: Collection[str]) -> None:
        """Say of seats that they are still here."""
        if seats:
            await _asked(self._redis.zadd(_key(code, "here"), dict.fromkeys(seats, time.time())))
            await _asked(self._redis.expire(_key(code, "here"), round(keep.LIFE_S)))

    async def leave(self, code: str, seat: str) -> None:
        """Count a seat no longer among those who are here, nor among those who are lost."""
        await _asked(self._redis.zrem(_key(code, "here"), seat))
        await self.lose(code, seat, on=False)

    async def here(self, code: str) -> int:
        """Return how many seats are here."""
        return int(await _asked(self._redis.zcount(_key(code, "here"), time.time() - HERE_S, "+inf")))

    async def lose(self, code: str, seat: str, on: bool) -> None:
        """Count a seat among those who are lost, or no longer."""
        key = _key(code, "lost")
        await _asked(self._redis.sadd(key, seat) if on else self._redis.srem(key, seat))
        await _asked(self._redis.expire(key, round(keep.LIFE_S)))
        await self._tell(code)

    async def find_all(self, code: str) -> None:
        """Count nobody among those who are lost: something else is shown."""
        await _asked(self._redis.delete(_key(code, "lost")))
        await self._tell(code)

    async def lost(self, code: str) -> int:
        """Return how many seats are lost."""
        return int(await _asked(self._redis.scard(_key(code, "lost"))))

    async def keep_picture(self, code: str, picture: WallPicture) -> None:
        """Keep a picture of the wall in the place of the last one."""
        left_s = self._left_s(await self._document(code))
        await _asked(self._redis.set(_key(code, "picture"), _pack(picture), ex=left_s))

    async def picture(self, code: str) -> WallPicture | None:
        """Return the last picture of the wall; None if there is none."""
        found = await _asked(self._redis.get(_key(code, "picture")))
        return _unpack(found) if found else None

    async def keep_screen(self, code: str, asked: str, picture: WallPicture, among: Collection[str]) -> None:
        """Keep a picture that shows what is right of a question; those of questions not `among` these go."""
        key = _key(code, "screens", (await self._document(code))["epoch"])
        await _asked(self._redis.hset(key, asked, _pack(picture)))
        gone = set(await _asked(self._redis.hkeys(key))) - {asked, *among}
        if gone:
            await _asked(self._redis.hdel(key, *gone))
        await _asked(self._redis.expire(key, round(keep.LIFE_S)))

    async def screens(self, code: str) -> dict[str, WallPicture]:
        """Return the pictures that show what is right, by question."""
        found = await _asked(self._redis.hgetall(_key(code, "screens", (await self._document(code))["epoch"])))
        return {asked: _unpack(each) for asked, each in found.items()}

    async def order_walls(self, code: str, what: str) -> bool:
        """Have all walls of a room do something; False where it has none."""
        return int(await _asked(self._redis.publish(_key(code, "walls"), what))) > 0

    async def watch(self, code: str, channel: keep.Channel = "told") -> AsyncIterator[str]:
        """Yield what has changed, or what walls are to do; after a lost connection first that all may have changed."""
        while True:
            try:
                async with self._listeners.pubsub() as heard:
                    await heard.subscribe(_key(code, channel))
                    if channel == "told":
                        yield "doc"
                    while True:
                        message = await heard.get_message(ignore_subscribe_messages=True, timeout=30)
                        if message:
                            yield str(message["data"])
            except (RedisError, OSError):
                await sleep(AGAIN_S)

    async def allow(self, what: str, address: str, most: int, seconds: float) -> bool:
        """Count what an address asks for; False where that is too much. Addresses are kept hashed, and so long only."""
        hashed = hashlib.sha256(address.encode()).hexdigest()[:16]
        key = f"explorer:asks:{what}:{hashed}"
        return int(await _asked(self._count(keys=[key], args=[round(1000 * seconds)]))) <= most

    async def close(self) -> None:
        """Close all connections."""
        for each in (self._redis, self._listeners):
            await each.aclose(close_connection_pool=True)

    async def _document(self, code: str) -> rules.Doc:
        found = await self.read(code)
        if found is None:
            raise KeyError(code)
        return found[0]

    async def _tell(self, code: str) -> None:
        await _asked(self._redis.publish(_key(code, "told"), "votes"))

    def _left_s(self, doc: rules.Doc) -> int:
        """Return after how many seconds a room that changes no more is gone."""
        until: float = doc["made"] + keep.LIFE_S
        return max(1, round(min(self._idle_s, until - time.time())))


_ROOMS = "explorer:rooms"


def _key(code: str, *parts: str) -> str:
    return ":".join(("explorer:room", code, *parts))


def _votes(code: str, gate: str) -> str:
    return _key(code, "votes", gate)


def _pack(picture: WallPicture) -> str:
    return json.dumps([picture.name, picture.kind, base64.b64encode(picture.content).decode()])


def _unpack(text: str) -> WallPicture:
    name, kind, packed = json.loads(text)
    return WallPicture(name, kind, base64.b64decode(packed))


async def _asked(answer: Awaitable[T]) -> T:
    try:
        return await answer
    except (RedisError, OSError) as error:
        raise StoreAway(type(error).__name__) from error
