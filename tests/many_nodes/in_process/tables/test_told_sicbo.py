"""Sic Bo over the ends of rounds, at the doors `rfc`, `mario`, `practice` and both native ones."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sized
from functools import partial

from tests.doors.mario.clients import MarioClient
from tests.doors.native.clients import Client
from tests.doors.practice.clients import Practice
from tests.doors.rfc.clients import RfcClient, Speaker
from tests.many_nodes.in_process.tables import told_judge as judge
from tests.many_nodes.in_process.tables.node_doors import OpenDoors
from tests.many_nodes.in_process.tables.told_beats import Order, Places, heard, places, until
from tests.many_nodes.in_process.tables.told_journal import Journal

Tell = Callable[[int, list[Order]], Awaitable[tuple[int, Journal]]]
DOORS = ("rfc", "mario", "practice", "native", "native-tcp")
END: list[Order] = [(None, "close_betting", {}), (None, "reveal", {})]


def bet(name: str, amount: int, side: str = "BIG") -> Order:
    return name, "bet", {"side": side, "amount": amount}


class Table:
    """Someone of every door, each with a bet in the first round."""

    def __init__(self, at: Places) -> None:
        self.at = at
        self.speakers: list[tuple[str, Speaker]] = []
        self.natives: list[tuple[str, Client]] = []
        self.practising: list[tuple[str, Practice]] = []
        self.id = 0

    async def fill(self, *nodes: int) -> None:
        """Brings them to these of the nodes, of which the first owns the table."""
        self.id = await self.at.owner.hall.house_tables.table("sicbo")
        for node in nodes:
            await self._visit("ab"[node], self.at.doors[node])

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
            native = await (await Client.connect(doors, door)).hello(f"{door} {node}")
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

    async def judge(self, orders: list[Order], tell: Tell | None = None) -> None:
        """Has all of it done in one beat; everyone is told what the journal says."""
        tell = tell or self.at.one_beat
        await self.at.head(self.id)
        spoken = [len(client.log) for _, client in self.speakers]
        said = [len(client.messages) for _, client in self.practising]
        seq, journal = await tell(self.id, orders)
        for (name, speaker), start in zip(self.speakers, spoken, strict=True):
            in_room = isinstance(speaker, MarioClient)
            expected = judge.sicbo(journal, seq, name, in_room=in_room)
            count = start + len(expected)
            await until(partial(_heard_all, speaker.log, count))
            said_here = [speaker.said(message) or {} for message in speaker.log[start:]]
            assert judge.without_time_left(said_here) == expected
        for name, native in self.natives:
            await heard(native, self.id, journal.head)
            judge.native(journal, native.log, self.id, seq, name)
        for (name, practice), start in zip(self.practising, said, strict=True):
            told = judge.practice(journal, seq, name, journal.rounds)
            await practice.until(partial(_heard_all, practice.messages, start + len(told)))
            assert judge.in_brief(practice.messages[start:]) == told

    async def bet_that_is_answered_by_its_row(self) -> None:
        """It is accepted in its own round, also if the node knows of it in the next one only."""
        head = await self.at.head(self.id)
        owner = self.at.owner.hall.rooms.tables.loaded(self.id)
        assert owner is not None
        round = f"R{owner.state.opened.round}"
        self.at.owner.bus.loses = frozenset({"rows", "answer"})
        (_, rfc), *_ = (each for each in self.speakers if each[0] == "rfc b")
        betting = asyncio.ensure_future(rfc.bet("SMALL", 11))
        await until(lambda: owner.head > head)
        await self.at.decide(self.id, [*END, (None, "next_round", {})])
        await self.at.catch_up(self.id)
        assert (await betting)["roundId"] == round

    async def leave(self) -> None:
        for clients in (self.speakers, self.natives, self.practising):
            for _, client in clients:
                await client.close()


async def test_rounds_of_sic_bo() -> None:
    async with places(*DOORS) as at:
        table = Table(at)
        await table.fill(0, 1)
        bets = [bet(name, 50) for name in table.names]
        another: list[Order] = [(None, "next_round", {}), *bets]
        # The end of a round, and the bets of the next; then several from end to end.
        await table.judge([*END, *another])
        await table.judge([*END, *another, *END, *another, *END, *another])
        # One that is called off.
        await table.judge([(None, "void", {"reason": "a test"}), *another, *END])
        await table.judge([(None, "next_round", {}), *bets])
        await table.bet_that_is_answered_by_its_row()
        await table.leave()


async def test_rounds_of_sic_bo_whose_owner_is_gone() -> None:
    async with places(*DOORS) as at:
        table = Table(at)
        await table.fill(1)
        another: list[Order] = [(None, "next_round", {}), *(bet(name, 50) for name in table.names)]
        await table.judge([*END, *another, *END, *another], at.one_last_beat)
        await table.leave()


def _heard_all(messages: Sized, count: int) -> bool:
    return len(messages) >= count
