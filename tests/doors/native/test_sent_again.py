"""Requests sent again when their round is long over: answered as before, and never done again."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.doors.native.clients import Client, Door, Json
from tests.doors.native.playing import match
from tests.doors.native.visitors import Visitors
from tests.store.postgres_server import new_url
from tests.support.processes import HallProcess

SICBO = ("sicbo.betting_seconds=2", "sicbo.reveal_seconds=0.1", "sicbo.pause_seconds=0.1")
doors = pytest.mark.parametrize("door", ["ws", "tcp"])


@pytest.fixture
def fast_hall(tmp_path: Path) -> Iterator[HallProcess]:
    with HallProcess(tmp_path, settings=SICBO) as hall:
        yield hall


async def rematch(clients: tuple[Client, Client], table: int) -> None:
    for client in clients:
        await client.ask("rematch", table=table)
    for client in clients:
        await client.notice("table_view", table=table, status="playing")


async def view_of(client: Client, table: int) -> Json:
    client.notices.clear()
    await client.ask("resume", table=table)
    return await client.notice("table_view", table=table)


@pytest.mark.parametrize(("door", "store"), [("ws", "sqlite"), ("tcp", "postgresql")])
async def test_a_resign_of_another_round(tmp_path: Path, door: Door, store: str) -> None:
    settings = (f"store.url={await new_url()}",) if store == "postgresql" else ()
    with HallProcess(tmp_path, settings=settings) as hall:
        await resign_again(hall, door)


async def resign_again(hall: HallProcess, door: Door) -> None:
    at = Visitors(hall)
    both = anna, bob = await at.guest(door=door), await at.guest(door=door)
    table = await match(anna, bob)
    resigned = {"table": table, "command": {"type": "resign"}}
    first = await anna.request("act", resigned, "gives up")
    dropped = {"table": table, "command": {"type": "drop", "column": 3}}
    for number in range(3):
        # Seats move on, so Bob begins every other round.
        await rematch(both, table)
        assert await anna.request("act", resigned, "gives up") == first
        other = await anna.request("act", dropped, "gives up")
        assert other["payload"]["code"] == "bad_request"
        assert (await view_of(anna, table))["status"] == "playing"
        assert (await bob.request("act", resigned, f"b{number}"))["action"] == "act"
    await rematch(both, table)
    await at.leave()

    hall.kill()
    await asyncio.to_thread(hall.start)
    at = Visitors(hall)
    anna = await at.back(anna)
    bob = await at.back(bob)
    assert await anna.request("act", resigned, "gives up") == first
    assert (await bob.request("act", dropped, "b0"))["payload"]["code"] == "bad_request"
    view = await view_of(anna, table)
    assert (view["status"], view["round"]) == ("playing", 5)
    await at.leave()


@doors
async def test_a_start_of_bingo(fast_hall: HallProcess, door: Door) -> None:
    at = Visitors(fast_hall)
    anna = await at.guest(door=door)
    starts: list[Json] = []
    for number in range(3):
        await anna.ask("seek", game="bingo")
        table = (await anna.notice("table_view", game="bingo"))["table"]
        start = {"table": table, "command": {"type": "start"}}
        starts.append(await anna.request("act", start, f"start {number}"))
        # With nobody left the round is over, and the next one waits for a start.
        await anna.ask("leave", table=table)
        anna.notices.clear()
    assert len({each["payload"]["seq"] for each in starts}) == 3
    await anna.ask("seek", game="bingo")
    for number, first in enumerate(starts):
        assert await anna.request("act", start, f"start {number}") == first
    assert not (await view_of(anna, table))["view"]["playing"]
    await at.leave()

    fast_hall.kill()
    await asyncio.to_thread(fast_hall.start)
    at = Visitors(fast_hall)
    anna = await at.back(anna)
    for number, first in enumerate(starts):
        assert await anna.request("act", start, f"start {number}") == first
    assert not (await view_of(anna, table))["view"]["playing"]
    await at.leave()


@doors
async def test_bets(fast_hall: HallProcess, door: Door) -> None:
    """A bet that names its round is known by it; one that names none is known at the table."""

    async def round_opens(client: Client) -> int:
        client.notices.clear()

        def find() -> int | None:
            for notice in client.notices:
                for event in notice["payload"].get("events", ()):
                    if event["type"] == "opened":
                        round: int = event["round"]
                        return round
            return None

        return await client.until(find, "the next round")

    at = Visitors(fast_hall)
    anna = await at.guest(door=door)
    await anna.ask("seek", game="sicbo")
    table = (await anna.notice("table_view", game="sicbo"))["table"]

    def bet(round: int | None, amount: int = 100) -> Json:
        command: Json = {"type": "bet", "side": "BIG", "amount": amount}
        if round is not None:
            command["round"] = round
        return {"table": table, "command": command}

    first_round = await round_opens(anna)
    named = await anna.request("act", bet(first_round), "named")
    unnamed = await anna.request("act", bet(None), "unnamed")
    assert (named["action"], unnamed["action"]) == ("act", "act")
    for _ in range(3):
        later = await round_opens(anna)
    assert await anna.request("act", bet(first_round), "named") == named
    assert await anna.request("act", bet(None), "unnamed") == unnamed
    other = await anna.request("act", bet(first_round, 5), "named")
    assert other["payload"]["code"] == "bad_request"
    other = await anna.request("act", bet(None, 5), "unnamed")
    assert other["payload"]["code"] == "bad_request"
    refused = await anna.request("act", bet(first_round), "never sent before")
    assert refused["payload"]["code"] == "bet_window_closed"
    later = await round_opens(anna)
    again = await anna.request("act", bet(later), "named")
    assert again["payload"]["seq"] > named["payload"]["seq"]
    await at.leave()

    fast_hall.kill()
    await asyncio.to_thread(fast_hall.start)
    at = Visitors(fast_hall)
    anna = await at.back(anna)
    assert await anna.request("act", bet(first_round), "named") == named
    assert await anna.request("act", bet(later), "named") == again
    assert await anna.request("act", bet(None), "unnamed") == unnamed
    stakes = [item for item in (await anna.ask("statement"))["items"] if item["chips"] == -100]
    assert len(stakes) == 3
    await at.leave()
