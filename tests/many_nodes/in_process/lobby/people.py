"""People at different nodes who know of each other."""

from __future__ import annotations

from gamehall.hall.beat.table import Table
from gamehall.hall.people.notices import Seated, TableView
from gamehall.hall.people.online import Online
from gamehall.hall.tables.replica import Replica
from tests.hall.halls import FakeLink, until
from tests.many_nodes.in_process.halls import NodeHall, me

GAME = "connect-four"


def id_of(link: FakeLink) -> int:
    return me(link).player.id


def known(hall: NodeHall, link: FakeLink) -> Online | None:
    """The player as that node knows it."""
    return hall.hall.rooms.players.online.get(id_of(link))


async def arrive(halls: list[NodeHall], *names: str) -> list[FakeLink]:
    """One at each node, in turn; everyone is known everywhere."""
    links = [await halls[place % len(halls)].guest(name) for place, name in enumerate(names)]
    await until(lambda: all(is_free(hall, link) for hall in halls for link in links))
    return links


def is_free(hall: NodeHall, link: FakeLink) -> bool:
    online = known(hall, link)
    return online is not None and online.challengeable


async def challenge(hall: NodeHall, sender: FakeLink, target: FakeLink) -> int:
    return await hall.hall.challenges.challenge(me(sender), id_of(target), GAME, {})


async def seated(*links: FakeLink) -> int:
    """The one table at which all of them sit, shown to each; they sit nowhere else."""
    await until(lambda: all(link.of(Seated) and link.of(TableView) for link in links))
    tables = {notice.table for link in links for notice in link.of(Seated)}
    assert len(tables) == 1, tables
    assert all(len(link.of(Seated)) == 1 for link in links)
    return int(tables.pop())


def owners(halls: list[NodeHall], table: int) -> tuple[int, int]:
    """How many nodes own the table, and how many follow it."""
    found = [hall.hall.rooms.tables.loaded(table) for hall in halls]
    return (
        sum(isinstance(each, Table) for each in found),
        sum(isinstance(each, Replica) for each in found),
    )
