"""Random bets on every side through every door at once: each is paid what a calculation apart from
the hall says, balances follow from it, and the doctor finds the ledger sound."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random

import pytest

from gamehall.server import Server
from tests.doors.native.clients import Client, Door, Json
from tests.doors.practice.clients import Practice
from tests.doors.rfc.clients import Speaker
from tests.doors.rfc.inside import (
    BY_HAND,
    Inside,
    close_betting,
    hall_inside,
    visit,
    visit_natively,
)
from tests.games.sicbo_odds import SIDES, returned
from tests.system.e2e.test_sicbo_crash import doctor_finds_nothing

START = 10**9
SETTINGS = (
    *BY_HAND,
    f"players.start_balance={START}",
    "limits.messages_per_second=0",
    "practice.begin_ms=0",
)
BETS = 50
"""Of each player in a round, all sent before the first is answered."""
IDS = count()
"""Of requests: none is used twice."""
Bet = tuple[str, int]


@dataclass
class Bettor:
    """One player. It keeps the books of its own: what it bet, and what each bet has brought."""

    balance: int = START
    bets: list[Bet] = field(default_factory=list)

    async def place(self, bets: Sequence[Bet]) -> None:
        raise NotImplementedError

    async def brought(self, round: int) -> list[int]:
        """What its bets have brought: each, or all of them together."""
        raise NotImplementedError

    async def chips(self) -> int:
        raise NotImplementedError

    async def play(self, round: int, dice: Sequence[int]) -> int:
        """Compares a round that has ended; how many bets it had."""
        expected = [returned(side, amount, dice) for side, amount in self.bets]
        told = await self.brought(round)
        assert told in (expected, [sum(expected)]), (dice, self.bets, told)
        self.balance += sum(expected) - sum(amount for _, amount in self.bets)
        assert await self.chips() == self.balance
        compared = len(self.bets)
        self.bets = []
        return compared


@dataclass
class AtSicBoDoor(Bettor):
    client: Speaker = field(kw_only=True)
    door: str = field(kw_only=True)

    async def place(self, bets: Sequence[Bet]) -> None:
        ids = [next(IDS) for _ in bets]
        for id, (side, amount) in zip(ids, bets, strict=True):
            payload = {"roundId": "", "side": side, "amount": amount}
            request = {"action": "place_bet", "requestId": id, "payload": payload}
            await self.client.send(self.client.wrapped(request))
        for id, bet in zip(ids, bets, strict=True):
            answer = await self.client.answer(id)
            assert answer["action"] == "bet_accepted", answer
            assert (answer["payload"]["side"], answer["payload"]["amount"]) == bet
        self.bets += bets

    async def brought(self, round: int) -> list[int]:
        payouts = len(self.bets) if self.door == "rfc" else 1
        told = [await self.client.told("payout", roundId=f"R{round}") for _ in range(payouts)]
        assert all((each["outcome"] == "WIN") == (each["payout"] > 0) for each in told)
        return [each["payout"] for each in told]

    async def chips(self) -> int:
        return await self.client.balance()


@dataclass
class AtNativeDoor(Bettor):
    client: Client = field(kw_only=True)
    table: int = field(kw_only=True)

    async def place(self, bets: Sequence[Bet]) -> None:
        """The first half one by one, the other at once."""
        half = len(bets) // 2
        commands: list[Json] = [
            {"type": "bet", "side": side, "amount": amount} for side, amount in bets[:half]
        ]
        several = [{"side": side, "amount": amount} for side, amount in bets[half:]]
        commands.append({"type": "place_bets", "bets": several})
        ids = [f"{next(IDS)}" for _ in commands]
        for id, command in zip(ids, commands, strict=True):
            self.client.send("act", {"table": self.table, "command": command}, id)
        for id in ids:
            answer = await self.client.answer(id)
            assert answer["action"] == "act", answer
        self.bets += bets

    async def brought(self, round: int) -> list[int]:
        def find() -> list[int] | None:
            for notice in self.client.notices:
                for event in notice["payload"].get("events", ()):
                    if event["type"] == "settled":
                        (own,) = event["payouts"].values()
                        return [chips for _, chips in own]
            return None

        chips = await self.client.until(find, "the payouts")
        self.client.notices.clear()
        return chips

    async def chips(self) -> int:
        balance: int = (await self.client.ask("balance"))["balance"]
        return balance


@dataclass
class AtPractice(Bettor):
    client: Practice = field(kw_only=True)
    room: int = field(kw_only=True)

    async def place(self, bets: Sequence[Bet]) -> None:
        for side, amount in bets:
            self.client.act(self.room, "bet", side=side, amount=amount)
        await self.client.until(lambda: len(self._events("bet_placed")) == len(bets))
        placed = [(event["side"], event["amount"]) for event in self._events("bet_placed")]
        assert placed == list(bets)
        self.bets += bets

    async def brought(self, round: int) -> list[int]:
        await self.client.until(lambda: bool(self._events("settled")))
        (settled,) = self._events("settled")
        (own,) = settled["payouts"].values()
        self.client.messages.clear()
        return [chips for _, chips in own]

    async def chips(self) -> int:
        """The door tells no balance: what the bets have brought is all there is to compare."""
        return self.balance

    def _events(self, kind: str) -> list[Json]:
        told = (message["info"] or {} for message in self.client.messages)
        return [info for info in told if info.get("action") == kind]


async def at_practice(server: Server, name: str) -> AtPractice:
    client = await Practice.connect(Inside(server).ports["practice"])
    client.log_in(name)
    client.seek("sicbo")
    await client.until(lambda: len(client.messages) == 3)
    return AtPractice(client=client, room=client.messages[2]["info"]["room"])


async def at_every_door(server: Server, each: int) -> list[Bettor]:
    bettors: list[Bettor] = []
    for n in range(each):
        for door in ("rfc", "mario"):
            client = await visit(server, door, f"{door}{n}")
            bettors.append(AtSicBoDoor(client=client, door=door))
        native: tuple[Door, ...] = ("ws", "tcp")
        for way in native:
            found, table = await visit_natively(server, way, f"{way}{n}")
            bettors.append(AtNativeDoor(client=found, table=table))
        bettors.append(await at_practice(server, f"practice{n}"))
    return bettors


def random_bets(rng: Random) -> list[Bet]:
    return [(rng.choice(SIDES), rng.randint(1, 10 ** rng.randint(1, 6))) for _ in range(BETS)]


async def play(data: Path, *, bettors: int, rounds: int) -> tuple[int, set[str]]:
    """How many bets were compared, and the sides that have won."""
    rng = Random(17)
    compared, won = 0, set[str]()
    async with hall_inside(data, *SETTINGS) as server:
        players = await at_every_door(server, bettors)
        watcher = await visit(server, "rfc", "watcher")
        for round in range(1, rounds + 1):
            await asyncio.gather(*(player.place(random_bets(rng)) for player in players))
            await close_betting(server)
            dice = (await watcher.told("reveal_result", roundId=f"R{round}"))["dice"]
            await watcher.told("new_round")
            won |= {side for side in SIDES if returned(side, 1, dice)}
            compared += sum(await asyncio.gather(*(each.play(round, dice) for each in players)))
    await asyncio.to_thread(doctor_finds_nothing, data)
    return compared, won


async def test_a_thousand_bets(tmp_path: Path) -> None:
    compared, _ = await play(tmp_path, bettors=1, rounds=4)
    assert compared == 1000


@pytest.mark.slow
async def test_ten_thousand_bets(tmp_path: Path) -> None:
    compared, won = await play(tmp_path, bettors=2, rounds=20)
    assert compared == 10_000
    # Chance rolls the dice: 20,000 trials of so many rounds never had fewer than 30.
    assert len(won) > 25, "or else little was tried"
