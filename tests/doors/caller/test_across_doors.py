"""One round with players of the `caller` door, of the native door, and with programs."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.doors.caller.clients import has_bingo
from tests.doors.caller.halls import QUICK, Visitors
from tests.doors.native.clients import Client

SETTINGS = QUICK


class NativePlayer:
    """Marks and answers as a client of the `caller` door does, in the native dialect."""

    def __init__(self, client: Client, table: int) -> None:
        self._client = client
        self._table = table
        self.card: list[list[int]] = []
        self.numbers: list[int] = []

    async def act(self, type: str) -> dict[str, Any]:
        payload = {"table": self._table, "command": {"type": type}}
        answer = await self._client.request("act", payload)
        # Someone else may have claimed a moment before.
        assert answer["action"] == "act" or answer["payload"]["code"] == "no_round", answer
        return answer

    async def play(self) -> list[int]:
        """To the end of the round: the seats that have won."""
        while True:
            for event in (await self._client.notice("table_events"))["events"]:
                if event["type"] == "cards_dealt":
                    ((_, card),) = event["cards"].items()
                    self.card = [card[place : place + 5] for place in range(0, 25, 5)]
                    self.numbers = []
                elif event["type"] == "called":
                    await self._check(event["number"])
                elif event["type"] == "round_ended":
                    winners: list[int] = event["outcome"]["winners"]
                    return winners

    async def _check(self, number: int) -> None:
        self.numbers.append(number)
        self.card = [[0 if here == number else here for here in column] for column in self.card]
        await self.act("claim" if has_bingo(self.card) else "ready")


async def test_a_caller_and_a_native_player_in_one_round(at: Visitors) -> None:
    anna = await at.caller("anna", plays=True)
    client, table, seat = await at.sit("nora|pipe")
    nora = NativePlayer(client, table)
    winners: set[str] = set()
    before = 0
    async with asyncio.timeout(100):
        # Chance decides who wins; soon each of them has.
        while len(winners) < 2:
            if winners:
                # Not before the next round is open: a start that comes too early is refused.
                await anna.message("can be started with /start", before)
            before = len(anna.messages)
            if winners:
                anna.say("/start")
            else:
                await nora.act("start")
            nora_wins = await nora.play() == [seat]
            winner, card = ("nora/pipe", nora.card) if nora_wins else ("anna", anna.card)
            said = await anna.message("wins the round", before)
            assert said == f"{winner} has a bingo and wins the round."
            assert card is not None
            assert has_bingo(card)
            assert anna.numbers == nora.numbers
            winners.add(winner)


async def test_a_native_player_sees_a_caller_claim_falsely_and_go(at: Visitors) -> None:
    anna = await at.caller("anna")
    client, table, _ = await at.sit("nora")
    anna.say("/start")
    await anna.number(1)
    assert "no bingo yet" in await anna.answer("BINGO")
    await client.ask("act", table=table, command={"type": "ready"})
    await anna.number(2)
    anna.say("/quit")
    left = await client.notice("player_left")
    assert (left["name"], left["reason"]) == ("anna", "left")


async def test_a_native_spectator_never_sees_a_card(at: Visitors) -> None:
    anna = await at.caller("anna")
    client = await at.native("watcher")
    await client.ask("watch", table=await at.table(client))
    anna.say("/start")
    card = await anna.new_card()
    await anna.number(1)
    told: list[dict[str, Any]] = []
    while not any(event["type"] == "called" for event in told):
        told += (await client.notice("table_events"))["events"]
    assert [event["cards"] for event in told if event["type"] == "cards_dealt"] == [{}]
    assert str([number for column in card for number in column]) not in str(client.log)
