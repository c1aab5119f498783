"""Beats that reach over the ends of rounds: told at their owner, and caught up with elsewhere."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import msgspec

from gamehall.errors import HallError
from gamehall.hall.beat.requests import Ask, Done
from gamehall.hall.beat.table import Table
from gamehall.hall.tables.replica import Replica
from gamehall.table_log.house import Person
from tests.doors.native.clients import Client
from tests.many_nodes.in_process.halls import NodeHall, nodes
from tests.many_nodes.in_process.tables.node_doors import OpenDoors, open_doors
from tests.many_nodes.in_process.tables.told_journal import Journal

Order = tuple[str | None, str, dict[str, Any]]
"""Who asks (None: the hall), for what, with which fields."""
PATIENT = {
    "sicbo": {"betting_seconds": 3600, "reveal_seconds": 3600, "pause_seconds": 3600},
    "bingo": {"pause_seconds": 3600, "ready_seconds": 3600},
}
"""Nothing happens but what the tests do."""


WAIT_SECONDS = 60.0


async def until(condition: Callable[[], bool]) -> None:
    """Returns when it holds, also on a busy machine."""
    async with asyncio.timeout(WAIT_SECONDS):
        while not condition():
            await asyncio.sleep(0.005)


class Places:
    """Two nodes with their doors: `owner` has the tables, `other` hears of them."""

    def __init__(self, owner: NodeHall, other: NodeHall, doors: list[OpenDoors]) -> None:
        self.owner = owner
        self.other = other
        self.doors = doors

    def find_owner(self, table: int) -> None:
        """Whichever it is."""
        if not self.owner.hall.rooms.tables.owned(table):
            self.owner, self.other = self.other, self.owner

    async def journal(self, table: int, head: int) -> Journal:
        lines = await self.owner.hall.rooms.tables.lines(table, 1, head)
        return Journal([line.line for line in lines])

    async def head(self, table: int) -> int:
        """The last row, once both nodes know it."""

        def heads() -> list[int]:
            known = (node.hall.rooms.tables.loaded(table) for node in (self.owner, self.other))
            return [each.head for each in known if each is not None]

        await until(lambda: len(heads()) == 2 and len(set(heads())) == 1)
        return heads()[0]

    async def one_beat(self, table: int, orders: Sequence[Order]) -> tuple[int, Journal]:
        """Has all of it decided in one beat, of which the other node hears nothing until it reads
        the journal. The row before, and the journal with it."""
        seq = await self.head(table)
        self.owner.bus.loses = frozenset({"rows"})
        await self.decide(table, orders)
        await self.catch_up(table)
        return seq, await self.journal(table, seq + len(orders))

    async def one_last_beat(self, table: int, orders: Sequence[Order]) -> tuple[int, Journal]:
        """As `one_beat`, with which the owner's node ends; the other takes the table over."""
        seq = await self.head(table)
        self.owner.bus.loses = frozenset({"rows"})
        await self.decide(table, orders)
        journal = await self.journal(table, seq + len(orders))
        await self.owner.crash()
        await until(lambda: self.other.hall.rooms.tables.owned(table))
        return seq, journal

    async def catch_up(self, table: int) -> None:
        """Heads are compared from time to time; this is what follows then."""
        replica = self.other.hall.rooms.tables.loaded(table)
        assert isinstance(replica, Replica)
        await self.other.hall.rooms.tables.relay.read_on(replica)
        self.owner.bus.loses = frozenset()

    async def decide(self, table: int, orders: Sequence[Order]) -> None:
        """All of it in one beat."""
        found = self.owner.hall.rooms.tables.loaded(table)
        assert isinstance(found, Table)
        answers: list[Done | HallError] = []
        for name, action, fields in orders:
            command = found.kind.codec.decode_command(
                msgspec.json.encode({"type": action, **fields})
            )
            person = None if name is None else self.person(name)
            player = None if person is None else person.player
            found.put(Ask(table, player, command, answers.append, person=person))
        await until(lambda: len(answers) == len(orders))
        refused = [answer for answer in answers if isinstance(answer, HallError)]
        assert not refused, refused

    def sit(self, name: str) -> Order:
        person = self.person(name)
        return name, "sit", {"person": {"player": person.player, "name": person.name}}

    def person(self, name: str) -> Person:
        online = self.owner.hall.rooms.players.online.values()
        (player,) = (each.player for each in online if each.player.name == name)
        return Person(player.id, player.name)


@asynccontextmanager
async def places(*doors: str) -> AsyncIterator[Places]:
    async with (
        nodes(2, options=PATIENT) as (owner, other),
        open_doors(owner, *doors) as here,
        open_doors(other, *doors) as there,
    ):
        yield Places(owner, other, [here, there])


async def heard(client: Client, table: int, seq: int) -> None:
    """Returns when the client was told of this row."""

    def find() -> bool | None:
        told = [each["seq"] for each in client.heard("table_events") if each["table"] == table]
        return True if told and told[-1] >= seq else None

    await client.until(find, f"row {seq} of table {table}")
