"""Beats that reach over the ends of rounds: told at their owner, and caught up with elsewhere."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import msgspec

from gamehall.errors import HallError
from gamehall.games.house import Person
from gamehall.hall.asks import Ask, Done
from tests.hall.halls import until
from tests.nodes.node_doors import OpenDoors, open_doors
from tests.nodes.node_halls import NodeHall, nodes
from tests.nodes.told_journal import Journal

Order = tuple[str | None, str, dict[str, Any]]
"""Who asks (None: the hall), for what, with which fields."""
PATIENT = {
    "sicbo": {"betting_seconds": 3600, "reveal_seconds": 3600, "pause_seconds": 3600},
    "bingo": {"pause_seconds": 3600, "ready_seconds": 3600},
}
"""Nothing happens but what the tests do."""


class Places:
    """Two nodes with their doors: `owner` has the tables, `other` hears of them."""

    def __init__(self, owner: NodeHall, other: NodeHall, doors: list[OpenDoors]) -> None:
        self.owner = owner
        self.other = other
        self.doors = doors

    async def journal(self, table: int) -> Journal:
        head = self.head(table)
        lines = await self.owner.hall.tables.lines(table, 1, head)
        return Journal([line.line for line in lines])

    def head(self, table: int, node: NodeHall | None = None) -> int:
        found = (node or self.owner).hall.tables.loaded(table)
        assert found is not None
        return found.head

    async def level(self, table: int) -> int:
        """The head, once both know it."""
        await until(lambda: self.head(table) == self.head(table, self.other))
        return self.head(table)

    async def one_beat(self, table: int, orders: Sequence[Order]) -> None:
        """Has all of it decided in one beat, of which the other node hears nothing until it reads
        the journal."""
        self.owner.bus.loses = frozenset({"rows"})
        found = self.owner.hall.tables.loaded(table)
        replica = self.other.hall.tables.loaded(table)
        assert found is not None
        assert found.owned
        assert replica is not None
        assert not replica.owned
        answers: list[Done | HallError] = []
        for name, action, fields in orders:
            command = found.kind.codec.decode_command(
                msgspec.json.encode({"type": action, **fields})
            )
            person = None if name is None else self._person(name)
            player = None if person is None else person.player
            found.put(Ask(table, player, command, answers.append, person=person))
        await until(lambda: len(answers) == len(orders))
        refused = [answer for answer in answers if isinstance(answer, HallError)]
        assert not refused, refused
        # Heads are compared from time to time; this is what follows then.
        self.other.hall.tables.relay.catch_up(replica)  # type: ignore[arg-type]
        await self.level(table)

    def _person(self, name: str) -> Person:
        online = self.owner.hall.players.online.values()
        (player,) = (each.player for each in online if each.player.name == name)
        return Person(player.id, player.name)


@asynccontextmanager
async def places(*doors: str) -> AsyncIterator[Places]:
    async with nodes(2, options=PATIENT) as (owner, other):
        async with open_doors(owner, *doors) as here, open_doors(other, *doors) as there:
            yield Places(owner, other, [here, there])
