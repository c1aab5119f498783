"""A bet after the close, and a bet that is sent again: after the close, the end and a restart."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.rfc.clients import Json
from tests.rfc.halls import CLOSED, ENDED, FAST, Visitors, open_hall

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


async def test_when_the_next_round_has_opened(tmp_path: Path) -> None:
    """A bet that names its round is that bet also then, and after a restart."""
    with open_hall(tmp_path, *FAST) as hall:
        at = Visitors(hall)
        client = await at.rfc()
        await client.log_in("anna", PASSWORD)
        await client.subscribe()
        bet: Json = {**BET, "roundId": "R1"}
        first = await client.request("place_bet", bet, "first")
        await client.told("round_state", roundId="R2", status="BETTING_OPEN")
        assert await client.request("place_bet", bet, "first") == first
        other: Json = {**bet, "amount": 5}
        assert await client.refused("place_bet", other, "first") == "BAD_REQUEST"
        assert await client.refused("place_bet", bet, "second") == "BET_WINDOW_CLOSED"
        assert await client.refused("place_bet", bet) == "BET_WINDOW_CLOSED"
        hall.kill()
        hall.start()
        client = await at.rfc()
        await client.log_in("anna", PASSWORD)
        answer = await client.request("place_bet", bet, "first")
        # Unless the second round has ended meanwhile too: then it is too old.
        late = answer["payload"].get("code") == "BET_WINDOW_CLOSED"
        state = await client.subscribe()
        assert answer == first or (late and state["roundId"] != "R2")
        await at.leave()


async def test_who_asks_without_subscribing_keeps_the_rounds_going(tmp_path: Path) -> None:
    with open_hall(tmp_path, *FAST) as hall:
        at = Visitors(hall)
        client = await at.rfc()
        seen = set[str]()
        async with asyncio.timeout(20):
            while len(seen) < 3:
                seen.add((await client.table_info())["tableInfo"]["roundId"])
                await asyncio.sleep(0.05)
        await at.leave()
