"""A client that hangs up while it is being answered, at any moment: nobody's fault."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from structlog.testing import capture_logs

from gamehall.hall.hall import Hall
from gamehall.simulation.checker.doors import duel_packets
from gamehall.wire.bingo.caller import CallerLink
from gamehall.wire.bingo.duel import DuelLink
from gamehall.wire.four.dialect import FourLink
from gamehall.wire.native.dialect import NativeLink
from gamehall.wire.net.serial import SerialLink
from gamehall.wire.net.shell import Channel
from gamehall.wire.practice.dialect import PracticeLink
from gamehall.wire.sicbo.dialect import Croupier
from gamehall.wire.sicbo.mario import MarioLink
from gamehall.wire.sicbo.rfc import RfcLink
from gamehall.wire.sicbo.zone_link import RoomCroupier
from tests.hall.conftest import house
from tests.hall.halls import TestHall, until
from tests.hall.test_closed_tables import closed_tables

__all__ = ["house"]

MOMENTS = 20
MOMENT_SECONDS = 0.0003
"""Apart: an answer takes a few milliseconds."""


class Nowhere(Channel):
    """A connection of which nobody reads what is sent."""

    kind = "tcp"

    def __init__(self) -> None:
        self.address = "127.0.0.1"
        self.peer_done = self.hung_up = False

    @staticmethod
    def frame(payload: bytes) -> bytes:
        return payload

    @staticmethod
    def packet(payload: bytes) -> bytes:
        return payload

    def send(self, frame: bytes) -> bool:
        return True

    offer = send

    def close(self, code: int = 1000, reason: str = "") -> None: ...

    def abort(self) -> None: ...

    def hello_done(self) -> None: ...


Opens = Callable[[Hall], SerialLink]
DOORS: dict[str, Opens] = {
    "native": lambda hall: NativeLink(hall, Nowhere()),
    "rfc": lambda hall: RfcLink(Croupier(hall), Nowhere()),
    "mario": lambda hall: MarioLink(RoomCroupier(hall), Nowhere()),
    "caller": lambda hall: CallerLink(hall, Nowhere()),
    "four": lambda hall: FourLink(hall, Nowhere()),
    "practice": lambda hall: PracticeLink(hall, Nowhere(), begin_ms=0),
    "duel": lambda hall: DuelLink(hall, Nowhere(), gap_ms=0),
}


def native(action: str, **payload: Any) -> bytes:
    return json.dumps({"action": action, "requestId": action, "payload": payload}).encode()


def plugin(action: str, **payload: Any) -> bytes:
    return json.dumps(
        [6, "SicboZone", "sicboPlugin", json.loads(native(action, **payload))]
    ).encode()


def practice(code: int, id: str = "anna's", **info: Any) -> bytes:
    return json.dumps({"code": code, "id": f"{id} secret", "info": info}).encode()


LOGIN, SEEK = practice(200002, name="anna"), practice(200004, game_id="connect-four")
ENTER = json.dumps([1, "SicboZone", "anna", "password", {}]).encode()
CASES: list[tuple[str, list[bytes]]] = [
    ("native", [native("hello", name="anna")]),
    ("native", [native("hello", name="anna"), native("balance")]),
    ("native", [native("hello", name="anna"), native("seek", game="bingo")]),
    ("native", [native("hello", name="anna"), native("open_table", game="connect-four")]),
    ("native", [native("hello"), native("act", table=1, command={"type": "resign"})]),
    ("rfc", [native("get_user_info")]),
    ("rfc", [native("place_bet", side="BIG", amount=10)]),
    ("mario", [ENTER]),
    ("mario", [ENTER, plugin("get_user_info")]),
    ("caller", [b"anna"]),
    ("four", [b'{"type":"REGISTER","data":{"name":"anna"}}']),
    ("practice", [LOGIN]),
    ("practice", [LOGIN, SEEK]),
    ("duel", [duel_packets.as_bytes([duel_packets.HELLO, "7:8:21:secret"])]),
    ("duel", [duel_packets.as_bytes([duel_packets.HELLO, "7:secret"])]),
]


@pytest.mark.parametrize(("door", "messages"), CASES)
async def test_at_any_moment(house: TestHall, door: str, messages: list[bytes]) -> None:
    # The first table of the hall is a closed one, which is looked for in the store.
    await closed_tables(house, await house.guest("one"), await house.guest("two"), number=1)
    *before, last = messages
    with capture_logs() as logs:
        for moment in range(MOMENTS):
            link = DOORS[door](house.hall)
            await say(link, *before)
            await hang_up(link, last, moment)
            house.clock.advance(60_000)  # Its seat, if it has one, is given up.
    assert faults(logs) == []


async def test_who_comes_back_to_a_seat(house: TestHall) -> None:
    anna, bert = DOORS["practice"](house.hall), DOORS["practice"](house.hall)
    await say(anna, LOGIN, SEEK)
    await say(bert, practice(200002, "bert's", name="bert"))
    await say(bert, practice(200004, "bert's", game_id="connect-four"))
    await until(lambda: anna.me.seated)
    anna.lost()
    with capture_logs() as logs:
        for moment in range(3 * MOMENTS):
            await hang_up(DOORS["practice"](house.hall), LOGIN, moment)
    assert faults(logs) == []


async def say(link: SerialLink, *messages: bytes) -> None:
    for message in messages:
        link.received(message)
        await until(lambda: not link._busy)


async def hang_up(link: SerialLink, message: bytes, moment: int) -> None:
    """So long after it has asked for something."""
    link.received(message)
    for _ in range(moment):
        await asyncio.sleep(MOMENT_SECONDS)
    link.lost()
    await until(lambda: not link._busy)


def faults(logs: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return [log for log in logs if log["log_level"] == "error"]
