"""Sic Bo over the ends of rounds, at the doors `rfc`, `mario`, `practice` and both native ones."""

from __future__ import annotations

from typing import Any

import pytest

from tests.hall.halls import until
from tests.mario.clients import MarioClient
from tests.native.clients import Client
from tests.nodes import told_judge as judge
from tests.nodes.node_doors import OpenDoors
from tests.nodes.told_beats import Order, Places, places
from tests.practice.clients import Practice
from tests.rfc.clients import RfcClient, Speaker

DOORS = ("rfc", "mario", "practice", "native", "native-tcp")
END: list[Order] = [(None, "close_betting", {}), (None, "reveal", {})]


def bet(name: str, amount: int, side: str = "BIG") -> Order:
    return name, "bet", {"side": side, "amount": amount}


class Table:
    """Someone of every door, at both nodes, each with a bet in the first round."""

    def __init__(self, at: Places) -> None:
        self.at = at
        self.speakers: list[tuple[str, Speaker]] = []
        self.natives: list[tuple[str, Client]] = []
        self.practising: list[tuple[str, Practice]] = []
        self.id = 0

    async def fill(self) -> None:
        self.id = await self.at.owner.hall.standing.table("sicbo")
        for node, doors in zip("ab", self.at.doors, strict=True):
            await self._visit(node, doors)

    async def _visit(self, node: str, doors: OpenDoors) -> None:
        rfc = await RfcClient.visit(doors)
        await rfc.log_in(f"rfc {node}", "pw_123")
        await rfc.subscribe()
        mario = await MarioClient.visit(doors)
        await mario.log_in(f"mario {node}")
        for name, speaker in ((f"rfc {node}", rfc), (f"mario {node}", mario)):
            await speaker.bet("BIG", 100)
            await speaker.bet("SMALL", 30)
            self.speakers.append((name, speaker))
        for door in ("ws", "tcp"):
            native = await (await Client.connect(doors, door)).hello(f"{door} {node}")  # type: ignore[arg-type]
            await native.ask("watch", table=self.id)
            await native.ask(
                "act", table=self.id, command={"type": "bet", "side": "BIG", "amount": 7}
            )
            self.natives.append((native.name, native))
        practice = await Practice.connect(doors.ports["practice"])
        practice.log_in(f"practice {node}")
        practice.seek("sicbo")
        await practice.until(lambda: len(practice.messages) == 3)
        practice.act(self.id, "bet", side="SMALL", amount=9)
        await practice.until(lambda: len(practice.messages) == 5)
        self.practising.append((practice.name, practice))

    @property
    def names(self) -> list[str]:
        return [name for name, _ in (*self.speakers, *self.natives, *self.practising)]

    async def judge(self, orders: list[Order]) -> None:
        """Has all of it done in one beat; everyone is told what the journal says."""
        seq = await self.at.level(self.id)
        spoken = [len(client.log) for _, client in self.speakers]
        said = [len(client.messages) for _, client in self.practising]
        await self.at.one_beat(self.id, orders)
        journal = await self.at.journal(self.id)
        assert len(journal.rounds) > 1
        for (name, speaker), start in zip(self.speakers, spoken, strict=True):
            in_room = isinstance(speaker, MarioClient)
            expected = judge.sicbo(journal, seq, name, in_room=in_room)
            await until(lambda c=speaker, n=start + len(expected): len(c.log) >= n)
            heard = [speaker.said(message) or {} for message in speaker.log[start:]]
            assert judge.without_time_left(heard) == expected
        for name, native in self.natives:
            await native.until(lambda c=native: _heard(c, self.id, journal.head), "the beat")
            judge.native(journal, native.log, self.id, seq, name)
        for (name, practice), start in zip(self.practising, said, strict=True):
            told = judge.practice(journal, seq, name, journal.rounds)
            await practice.until(lambda c=practice, n=start + len(told): len(c.messages) >= n)
            assert judge.in_brief(practice.messages[start:]) == told

    async def leave(self) -> None:
        for _, client in (*self.speakers, *self.natives, *self.practising):
            await client.close()


def _heard(client: Client, table: int, seq: int) -> bool | None:
    told = [each for each in client.heard("table_events") if each["table"] == table]
    return bool(told and told[-1]["seq"] >= seq) or None


async def test_the_end_of_a_round_and_the_bets_of_the_next() -> None:
    async with places(*DOORS) as at:
        table = Table(at)
        await table.fill()
        bets = [bet(name, 50) for name in table.names]
        await table.judge([*END, (None, "next_round", {}), *bets])
        await table.leave()


async def test_several_rounds_from_end_to_end() -> None:
    async with places(*DOORS) as at:
        table = Table(at)
        await table.fill()
        bets = [bet(name, 40, "SMALL") for name in table.names]
        another: list[Order] = [(None, "next_round", {}), *bets]
        await table.judge([*END, *another, *END, *another, *END, *another])
        await table.leave()


async def test_a_round_that_is_called_off_and_the_next() -> None:
    async with places(*DOORS) as at:
        table = Table(at)
        await table.fill()
        void: Order = (None, "void", {"reason": "a test"})
        bets = [bet(name, 60) for name in table.names]
        await table.judge([void, (None, "next_round", {}), *bets, *END])
        await table.leave()
