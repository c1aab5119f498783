"""Sic Bo at the native door: watch, bet, hear of one's own, and go."""

from __future__ import annotations

import asyncio
import hashlib
from typing import Any

import pytest

from tests.doors.native.clients import Client, Door, Json
from tests.doors.native.visitors import Visitors

SETTINGS = (
    "sicbo.betting_seconds=3",
    "sicbo.reveal_seconds=0.1",
    "sicbo.pause_seconds=0.1",
    "sicbo.bet_max=5000",
)
doors = pytest.mark.parametrize("door", ["ws", "tcp"])


async def walk_in(client: Client) -> Json:
    assert await client.ask("seek", game="sicbo") == {}
    return await client.notice("table_view", game="sicbo")


def bet(side: str, amount: Any, **more: Any) -> Json:
    return {"type": "bet", "side": side, "amount": amount, **more}


def events(client: Client) -> list[Json]:
    told = [m["payload"]["events"] for m in client.log if m["action"] == "table_events"]
    return [event for each in told for event in each]


async def heard(client: Client, kind: str, after: int = 0) -> Json:
    """The first such event behind that many events."""

    def found() -> Json | None:
        return next((e for e in events(client)[after:] if e["type"] == kind), None)

    event: Json = await client.until(found, kind)
    return event


async def open_round(client: Client) -> None:
    """Waits until a round has just opened."""
    await heard(client, "started", len(events(client)))


@doors
async def test_a_round(at: Visitors, door: Door) -> None:
    anna, bob = await at.guest(door=door), await at.guest(door=door)
    table = (await walk_in(anna))["table"]
    assert (await walk_in(bob))["table"] == table
    await open_round(anna)
    since = len(events(anna))
    before = len(events(bob))
    assert (await anna.ask("act", table=table, command=bet("BIG", 1000)))["table"] == table
    await anna.ask("act", table=table, command=bet("SMALL", 300))
    own = await heard(anna, "bet_placed", since)
    assert (own["side"], own["amount"], own["stake"]["big"]) == ("BIG", 1000, 1000)
    rolled = await heard(anna, "rolled", since)
    settled = await heard(anna, "settled", since)
    ended = await heard(anna, "round_ended", since)
    paid = sum(chips for _, chips in settled["payouts"]["0"])
    assert paid == {"BIG": 2000, "SMALL": 600, "NONE": 0}[rolled["result"]]
    assert (await anna.ask("balance"))["balance"] == 1_000_000 - 1300 + paid
    assert (await anna.ask("leave", table=table))["table"] == table
    await heard(bob, "round_ended", before)
    seen = {event["type"] for event in events(bob)[before:]}
    assert not seen & {"bet_placed", "settled", "seated"}
    opened = next(e for e in reversed(events(anna)[:since]) if e["type"] == "opened")
    assert hashlib.sha256(bytes.fromhex(ended["secret"])).hexdigest() == opened["commitment"]


async def test_sitting_is_watching_and_a_bettor_stays_free(at: Visitors) -> None:
    anna, bob = await at.pair()
    table = (await walk_in(bob))["table"]
    assert await anna.ask("sit", table=table) == {"table": table, "seat": None}
    view = await anna.notice("table_view", table=table)
    assert (view["seat"], view["view"]["bet_max"]) == (None, 5000)
    await open_round(anna)
    assert {"type": "bet", "side": "BIG", "amount": 5000, "round": 1} in (
        {**command, "round": 1} for command in await _legal(anna, table)
    )
    await anna.ask("act", table=table, command=bet("SMALL", 10))
    players = (await bob.ask("list_players", free=True))["players"]
    assert anna.id in [player["id"] for player in players]


async def _legal(client: Client, table: int) -> list[Json]:
    await client.ask("resume", table=table)
    view = await client.notice("table_view", table=table)
    return list(view["legal"])


async def test_bets_that_are_refused(at: Visitors) -> None:
    anna = await at.guest()
    table = (await walk_in(anna))["table"]
    await open_round(anna)
    for command, code in (
        (bet("BIG", 0), "invalid_amount"),
        (bet("BIG", -1), "invalid_amount"),
        (bet("BIG", 5001), "invalid_amount"),
        (bet("BIG", 1.0), "illegal_command"),
        (bet("BIG", True), "illegal_command"),
        (bet("BIG", "1"), "illegal_command"),
        (bet("MIDDLE", 1), "illegal_command"),
        (bet("BIG", 1, round=10**6), "round_not_found"),
        (bet("BIG", 1, round=0), "round_not_found"),
        (bet("BIG", 1, player=1), "illegal_command"),
        ({"type": "reveal"}, "illegal_command"),
        ({"type": "close_betting"}, "illegal_command"),
    ):
        assert await anna.refused("act", table=table, command=command) == code, command
    assert (await anna.ask("balance"))["balance"] == 1_000_000
    await heard(anna, "betting_closed", len(events(anna)))
    late = await anna.refused("act", table=table, command=bet("BIG", 1))
    assert late in ("bet_window_closed", "round_over")


async def test_more_than_one_has(at: Visitors) -> None:
    anna = await at.guest()
    options = {"betting_seconds": 60, "bet_max": 10**9}
    table = (await anna.ask("open_table", game="sicbo", options=options))["table"]
    await anna.ask("watch", table=table)
    bets = [
        anna.ask("act", table=table, command=bet("BIG", 400_000)),
        anna.ask("act", table=table, command=bet("BIG", 500_000)),
    ]
    await asyncio.gather(*bets)
    assert await anna.refused("act", table=table, command=bet("BIG", 100_001)) == "no_funds"
    await anna.ask("act", table=table, command=bet("BIG", 100_000))
    assert (await anna.ask("balance"))["balance"] == 0
    items = (await anna.ask("statement"))["items"]
    assert sum(item["chips"] for item in items) == 0
    assert {item["other"] for item in items} == {"mint", f"pot:{table}:1"}


async def test_a_private_table(at: Visitors) -> None:
    anna, bob = await at.pair()
    opened = await anna.ask("open_table", game="sicbo", private=True)
    table, key = opened["table"], opened["key"]
    assert await bob.refused("act", table=table, command=bet("BIG", 1)) == "wrong_key"
    assert await bob.refused("sit", table=table) == "wrong_key"
    await bob.ask("sit", table=table, key=key)
    await bob.ask("act", table=table, command=bet("BIG", 1))
