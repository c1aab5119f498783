"""A bet after the close, and a bet that is sent again: after the close, the end and a restart."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.doors.rfc.clients import Json, Speaker
from tests.doors.rfc.halls import CLOSED, ENDED, FAST, Visitors, open_hall
from tests.support.waiting import WAIT_SECONDS

BET = {"side": "BIG", "amount": 100}
PASSWORD = "pw_123"


async def test_after_the_close_and_a_restart(tmp_path: Path) -> None:
    with open_hall(tmp_path, *CLOSED) as hall:
        at = Visitors(hall)
        client = await at.rfc()
        await client.log_in("anna", PASSWORD)
        await client.subscribe()
        first = await client.request("place_bet", BET, "first")
        assert first["payload"]["roundId"] == "R1"
        await client.told("round_state", status="BETTING_CLOSE")
        for round in (None, "R1"):
            bet: Json = {**BET, "roundId": round}
            assert await client.refused("place_bet", bet) == "BET_WINDOW_CLOSED"
        assert await client.refused("place_bet", {**BET, "roundId": "R2"}) == "ROUND_NOT_FOUND"
        assert await client.request("place_bet", BET, "first") == first
        assert await client.refused("place_bet", {**BET, "amount": 5}, "first") == "BAD_REQUEST"
        assert await client.balance() == 999_900
        await at.leave()

        hall.restart()
        at = Visitors(hall)
        client = await at.rfc()
        await client.log_in("anna", PASSWORD)
        assert await client.request("place_bet", BET, "first") == first
        assert await client.refused("place_bet", {**BET, "amount": 5}, "first") == "BAD_REQUEST"
        assert await client.refused("place_bet", {**BET, "amount": 0}, "first") == "BAD_REQUEST"
        assert await client.refused("place_bet", BET, "second") == "BET_WINDOW_CLOSED"
        assert await client.balance() == 999_900
        state = await client.subscribe()
        assert (state["roundId"], state["status"]) == ("R1", "BETTING_CLOSE")
        await at.leave()


async def test_in_the_pause_after_a_round(tmp_path: Path) -> None:
    with open_hall(tmp_path, *ENDED) as hall:
        at = Visitors(hall)
        client = await at.rfc()
        await client.subscribe()
        first = await client.request("place_bet", BET, "first")
        await client.told("game_over", roundId="R1")
        for round in (None, "R1"):
            bet: Json = {**BET, "roundId": round}
            assert await client.refused("place_bet", bet) == "BET_WINDOW_CLOSED"
        assert await client.refused("place_bet", {**BET, "roundId": "R2"}) == "ROUND_NOT_FOUND"
        assert await client.request("place_bet", BET, "first") == first
        assert await client.refused("place_bet", {**BET, "side": "XIU"}, "first") == "BAD_REQUEST"
        other = await at.rfc()
        state = await other.subscribe()
        assert (state["status"], state["elapsedTime"]) == ("FINISH", 0)
        info = (await other.table_info())["tableInfo"]
        assert (info["status"], info["totalBet"], len(info["dice"])) == ("FINISH", 100, 3)
        await at.leave()


@pytest.mark.parametrize("door", ["rfc", "mario"])
async def test_when_later_rounds_have_opened(tmp_path: Path, door: str) -> None:
    """A bet that names its round is that bet for as long as the round is kept, after a crash too;
    in another round the same id is a new bet."""

    async def come(at: Visitors) -> Speaker:
        if door == "mario":
            return await at.mario("anna")
        client = await at.rfc()
        await client.log_in("anna", PASSWORD)
        await client.subscribe()
        return client

    with open_hall(tmp_path, *FAST) as hall:
        at = Visitors(hall)
        client = await come(at)
        answers: list[tuple[Json, Json]] = []
        for _ in range(4):
            # Existing clients count from 1 anew, and send no round.
            round = await client.new_round()
            answer = await client.request("place_bet", BET, 1)
            assert (answer["action"], answer["payload"]["roundId"]) == ("bet_accepted", round)
            answers.append(({**BET, "roundId": round}, answer))
        assert len({answer["payload"]["betId"] for _, answer in answers}) == 4

        async def check(client: Speaker) -> None:
            for bet, answer in answers:
                assert await client.request("place_bet", bet, 1) == answer
                other: Json = {**bet, "amount": 5}
                assert await client.refused("place_bet", other, 1) == "BAD_REQUEST"
                assert await client.refused("place_bet", bet, 2) == "BET_WINDOW_CLOSED"
                assert await client.refused("place_bet", bet) == "BET_WINDOW_CLOSED"

        await client.new_round()
        await check(client)
        hall.kill()
        hall.start()
        client = await come(at)
        await check(client)
        await at.leave()


async def test_who_asks_without_subscribing_keeps_the_rounds_going(tmp_path: Path) -> None:
    with open_hall(tmp_path, *FAST) as hall:
        at = Visitors(hall)
        client = await at.rfc()
        seen = set[str]()
        async with asyncio.timeout(WAIT_SECONDS):
            while len(seen) < 3:
                seen.add((await client.table_info())["tableInfo"]["roundId"])
                await asyncio.sleep(0.05)
        await at.leave()
