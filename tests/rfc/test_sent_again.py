"""A bet after the close, and a bet that is sent again: after the close, the end and a restart."""

from __future__ import annotations

from pathlib import Path

from tests.rfc.clients import Json
from tests.rfc.halls import CLOSED, ENDED, Visitors, open_hall

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
