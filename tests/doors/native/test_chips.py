"""Chips at the native door: what one has, where it came from, and new ones for who has none."""

from __future__ import annotations

from tests.doors.native.clients import Client, Json
from tests.doors.native.visitors import Visitors
from tests.support.waiting import eventually

SETTINGS = ("players.start_balance=1000", "sicbo.betting_seconds=3600")


async def bet(client: Client, *amounts: int) -> int:
    """The table at which this much lies on BIG now."""
    await client.ask("seek", game="sicbo")
    table: int = (await client.notice("table_view", game="sicbo"))["table"]
    for amount in amounts:
        command = {"type": "bet", "side": "BIG", "amount": amount}
        await client.ask("act", table=table, command=command)
    return table


async def statement(client: Client, limit: int) -> list[Json]:
    items: list[Json] = []
    payload: Json = {"limit": limit}
    while True:
        page = await client.ask("statement", **payload)
        items += page["items"]
        if page["next"] is None:
            return items
        payload["before"] = page["next"]


async def lose_everything(client: Client) -> None:
    """Bets all it has, round after round, until it is gone."""
    options = {"betting_seconds": 0.5, "reveal_seconds": 0, "pause_seconds": 0.1}
    table = (await client.ask("open_table", game="sicbo", options=options))["table"]
    await client.ask("watch", table=table)

    async def is_broke() -> bool:
        chips: int = (await client.ask("balance"))["balance"]
        if chips > 0:
            await client.ask("resume", table=table)
            round = (await client.notice("table_view", table=table))["round"]
            command = {"type": "bet", "side": "BIG", "amount": chips, "round": round}
            answer = await client.request("act", {"table": table, "command": command})
            # A refusal says that no round is open yet.
            if answer["action"] == "act":
                await client.notice("table_over", table=table, round=round)
        return chips == 0

    await eventually(is_broke, "the loss of the last chip")
    await client.ask("unwatch", table=table)


async def test_who_is_nearly_broke_gets_new_chips(at: Visitors) -> None:
    anna = await at.guest()
    answer = await anna.request("refill", {})
    assert answer["payload"]["code"] == "not_broke"
    assert answer["payload"]["message"] == "New chips are for those who have fewer than 1000."
    await lose_everything(anna)
    filled = await anna.request("refill", {}, "once")
    assert filled["payload"] == {"balance": 1000}
    assert await anna.ask("balance") == {"balance": 1000}
    assert await anna.refused("refill") == "not_broke"
    await lose_everything(anna)
    again = await anna.request("refill", {}, "once")
    assert again == filled, "the same request is answered, and not done, again"
    assert await anna.ask("balance") == {"balance": 0}
    assert await anna.refused("refill") == "refilled_today"


async def test_chips_at_stake_are_not_gone(at: Visitors) -> None:
    anna = await at.guest()
    await bet(anna, 1000)
    answer = await anna.request("refill", {})
    assert answer["payload"]["code"] == "not_broke"
    assert "at stake" in answer["payload"]["message"]


async def test_a_refill_takes_no_payload_and_a_name(at: Visitors) -> None:
    stranger = await at.connect()
    assert await stranger.refused("refill") == "not_logged_in"
    anna = await at.guest()
    assert await anna.refused("refill", to=10**9) == "bad_request"


async def test_a_statement_adds_up_to_the_balance(at: Visitors) -> None:
    anna, bob = await at.pair()
    table = await bet(anna, 100, 200, 650)
    await bet(bob, 7)
    items = await statement(anna, 200)
    assert sum(item["chips"] for item in items) == (await anna.ask("balance"))["balance"] == 50
    # All bets of this file are in one long round.
    pot = f"pot:{table}:1"
    assert [(item["chips"], item["other"]) for item in items] == [
        (-650, pot), (-200, pot), (-100, pot), (1000, "mint"),
    ]  # fmt: skip
    assert {(item["table"], item["seq"]) for item in items if item["other"] == "mint"} == {
        (0, anna.id)
    }
    assert {item["table"] for item in items if item["other"] == pot} == {table}
    seqs = [item["seq"] for item in items if item["other"] == pot]
    assert seqs == sorted(seqs, reverse=True)
    for limit in (1, 2, 5):
        assert await statement(anna, limit) == items
    bobs = await statement(bob, 1)
    assert sum(item["chips"] for item in bobs) == 993
    foreign = await anna.ask("statement", before=bobs[0]["id"])
    assert foreign == {"items": [], "next": None}
