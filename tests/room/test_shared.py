"""A room at two servers that share a Redis; a Redis that goes away; the address of who asks, behind a proxy."""

import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import connect

from explorer.room import hub, routes
from explorer.room.keep import InProcess
from tests.room.conftest import Served, Talk, running_redis, served
from tests.room.test_sockets import answer, asked, post

PATIENCE_S = 0.3


class Shared:
    """Two servers, and a room that the first has made."""

    def __init__(self, redis: "subprocess.Popen[bytes]", servers: list[Served], opened: ExitStack) -> None:
        self.redis, self.servers, self._opened = redis, servers, opened
        servers[0].make()

    def join(self, server: int, **first: Any) -> Talk:
        """Open a socket at one of the two servers."""
        address = self.servers[server].address(self.servers[0].code)
        talk = Talk(self._opened.enter_context(connect(address)))
        talk.say(do="join", **(first or {"seat": None}))
        return talk

    def teach(self, server: int, wall: bool) -> Talk:
        """Open a teacher's socket at one of the two."""
        talk = self.join(server, secret=self.servers[0].secret, wall=wall)
        talk.hear("state")
        return talk


@pytest.fixture
def shared(tmp_path: Path) -> Iterator[Shared]:
    with running_redis(tmp_path) as (process, address), ExitStack() as opened:
        from explorer.room.in_redis import InRedis

        servers = [opened.enter_context(served(lambda: InRedis(address, patience_s=PATIENCE_S))) for _ in range(2)]
        yield Shared(process, servers, opened)


def test_a_class_at_two_servers_votes_in_one_room(shared: Shared) -> None:
    wall, remote = shared.teach(1, wall=True), shared.teach(0, wall=False)
    phones = [shared.join(server) for server in (0, 1, 0)]
    seats = [phone.hear("seat") for phone in phones]
    assert sorted(seat["number"] for seat in seats) == [1, 2, 3]
    name = asked(wall, *phones)
    for phone, value in zip(phones, ("flat", "slope", "flat"), strict=True):
        answer(phone, name, value)
    wall.hear("count", n=3, here=3)
    remote.say(do="wall", what="next")
    assert wall.hear("do")["what"] == "next"
    remote.say(do="close")
    wall.hear("state", phase="closed")
    wall.say(do="reveal", id=name)
    for each in (*phones, remote):
        assert each.hear("state", phase="revealed")["asking"]["counts"]["1"] == {"jagged": 0, "slope": 1, "flat": 2}
    phones[0].socket.close()
    again = shared.join(1, seat=seats[0]["seat"])  # its server has gone: the other knows its seat
    assert again.hear("seat")["number"] == seats[0]["number"]
    wall.socket.close()
    remote.hear("count", here=3)
    remote.say(do="wall", what="next")
    remote.hear("nowall")


def test_a_vote_while_the_store_is_away_is_told_so_and_counts_once_it_is_back(shared: Shared) -> None:
    wall, phone = shared.teach(0, wall=True), shared.join(1)
    wall.hear("count", here=1)
    name = asked(wall, phone)
    shared.redis.send_signal(signal.SIGSTOP)
    phone.say(do="answer", q=name, round=1, value="flat")
    phone.hear("later")
    wall.say(do="close")
    wall.hear("later")
    phone.say(do="ping")
    phone.hear("pong")
    assert post(shared.servers[0], {})[0] == 503
    late = shared.join(0)
    assert late.closed() == hub.LATER
    shared.redis.send_signal(signal.SIGCONT)
    answer(phone, name, "flat")
    wall.hear("count", n=1)


def test_a_store_that_dies_takes_its_rooms_and_nothing_else(shared: Shared) -> None:
    remote, phone = shared.teach(0, wall=False), shared.join(0)
    remote.hear("count", here=1)
    shared.redis.kill()
    shared.redis.wait()
    phone.say(do="lost", on=True)
    phone.hear("later")
    assert shared.servers[0].hub.n_away == 1
    assert post(shared.servers[1], {})[0] == 503
    phone.say(do="ping")
    phone.hear("pong")


def test_phones_of_a_server_that_died_are_not_counted(shared: Shared, monkeypatch: pytest.MonkeyPatch) -> None:
    from explorer.room import in_redis

    remote, (one, other) = shared.teach(0, wall=False), [shared.join(server) for server in (0, 1)]
    remote.hear("count", here=2)
    keep, code = shared.servers[0].hub.keep, shared.servers[0].code
    monkeypatch.setattr(in_redis, "HERE_S", 0.0)  # nobody has been heard of since
    one.say(do="lost", on=True)
    remote.hear("count", here=0)
    monkeypatch.undo()
    seats = {line.seat for line in shared.servers[1].hub._rooms[code].lines}
    shared.servers[0]._run(keep.stay(code, seats))
    other.say(do="lost", on=True)
    remote.hear("count", here=2, lost=2)


@pytest.mark.parametrize("trusted", ["127.0.0.1", "10.0.0.1"])
def test_who_asks_is_taken_from_a_proxy_that_the_owner_names_and_from_nobody_else(trusted: str) -> None:
    with served(InProcess, forwarded_allow_ips=trusted) as server:

        def made(forwarded: str) -> int:
            return post(server, {}, **{"X-Forwarded-For": forwarded})[0]

        most = routes.ROOMS[0]
        assert [made("203.0.113.1") for _ in range(most + 1)] == [200] * most + [429]
        another = 200 if trusted == "127.0.0.1" else 429
        assert made("203.0.113.2") == another
        assert made("198.51.100.9, 203.0.113.1") == 429  # what a reader has put before it counts for nothing
