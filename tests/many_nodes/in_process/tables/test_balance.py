"""Nodes that share the tables evenly: handed over in peace, and played at all the while."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from itertools import cycle

import pytest

from gamehall.games import GAMES
from gamehall.games.connect_four import Drop, Dropped
from gamehall.hall.beat.requests import Ask, Done
from gamehall.hall.beat.table import Table
from gamehall.hall.seats import table_talk
from gamehall.hall.tables import balance
from gamehall.hall.tables.balance import SLACK_MIN
from gamehall.hall.tables.replica import Replica
from gamehall.store.appends import Request
from gamehall.store.people import Player
from tests.hall.halls import LIMIT_SECONDS, FakeLink, answer_of, until
from tests.many_nodes.in_process.halls import NodeHall, nodes
from tests.many_nodes.in_process.tables.test_tables import columns, game
from tests.system.e2e.play import LONG, LONG_MOVES, column

GAME = "connect-four"


@pytest.fixture(autouse=True)
def by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nodes look when the test says so."""
    monkeypatch.setattr(balance, "LOOK_SECONDS", 3600.0)


async def opened(hall: NodeHall, number: int, game: str = GAME) -> list[int]:
    return [await hall.hall.rooms.tables.open(game, {}) for _ in range(number)]


async def counts(halls: Sequence[NodeHall]) -> list[int]:
    """How many tables each of them has."""
    found = await halls[0].database.open_tables()
    return [found.get(hall.hall.rooms.nodes.name, 0) for hall in halls]


async def evened_out(halls: Sequence[NodeHall]) -> int:
    """When nobody hands anything over any more; how many tables were."""
    total = 0
    async with asyncio.timeout(LIMIT_SECONDS):
        while handed := sum([await hall.hall.rooms.balance.even_out() for hall in halls]):
            total += handed
    return total


async def handed_over(giver: NodeHall, taker: NodeHall, table: int) -> None:
    """Returns when the table, which no request may keep busy for ever, is the other's."""
    async with asyncio.timeout(LIMIT_SECONDS):
        name, handing = taker.hall.rooms.nodes.name, giver.hall.rooms.balance
        await handing._offer(name, [table])
        while not await handing._hand_over(table, name):
            await asyncio.sleep(0.001)


async def test_who_has_too_many_hands_the_quietest_over_until_each_has_its_share() -> None:
    async with nodes(2) as (a, b):
        table, anna, bob = await game(a, b)
        quiet = await opened(a, 15)
        assert isinstance(await a.ask(anna, table, Drop(3)), Done)
        assert await evened_out([a, b]) == 8
        assert await counts([a, b]) == [8, 8]
        await until(lambda: all(b.hall.rooms.tables.owned(each) for each in quiet[:8]))
        assert isinstance(a.hall.rooms.tables.loaded(table), Table)
        assert isinstance(await b.ask(bob, table, Drop(4)), Done)
        assert a.hall.rooms.balance.handed_over == 8


async def test_nothing_moves_where_nobody_has_far_more_than_its_share() -> None:
    async with nodes(3) as halls:
        tables = [
            await opened(hall, number) for hall, number in zip(halls, (11, 2, 5), strict=True)
        ]
        every = [table for some in tables for table in some]
        before = await halls[0].database.heads(every)
        assert await evened_out(halls) == 0
        assert await halls[0].database.heads(every) == before
        # Two more are too many; and then nothing moves again.
        every += await opened(halls[0], 2)
        assert await evened_out(halls) == 6
        await until(lambda: all(any(h.hall.rooms.tables.owned(t) for h in halls) for t in every))
        assert sorted(await counts(halls)) == [6, 7, 7]
        before = await halls[0].database.heads(every)
        assert await evened_out(halls) == 0
        assert await halls[0].database.heads(every) == before


async def test_a_game_is_played_on_while_its_table_goes_from_node_to_node() -> None:
    async with nodes(3) as halls:
        a, b, c = halls
        anna, bob, eve = await a.guest("anna"), await b.guest("bob"), await c.guest("eve")
        table = await a.hall.rooms.tables.open(GAME, LONG, drawn=False)
        await a.sit(anna, table)
        await b.sit(bob, table)
        await c.hall.seating.watch(eve, table, None)
        playing = asyncio.ensure_future(play(table, (a, anna), (b, bob)))
        for giver, taker in ((a, b), (b, c), (c, a), (a, c)):
            await handed_over(giver, taker, table)
            await until(partial(taker.hall.rooms.tables.owned, table))
            assert not giver.hall.rooms.tables.owned(table)
        played = await playing
        await until(lambda: all(columns(link) == played for link in (anna, bob, eve)))
        assert isinstance(a.hall.rooms.tables.loaded(table), Replica)


async def play(table: int, *seats: tuple[NodeHall, FakeLink]) -> list[int]:
    """Each move is answered, though none has a request id by which it could be asked again."""
    moves = []
    for move in range(LONG_MOVES // 2):
        hall, link = seats[move % 2]
        answer = await hall.ask(link, table, Drop(column(move)))
        assert isinstance(answer, Done), (move, answer)
        moves.append(column(move))
    return moves


async def test_no_timer_is_put_off_because_a_table_is_handed_over() -> None:
    async with nodes(2) as (a, b):
        anna, bob = await a.guest("anna"), await b.guest("bob")
        table = await a.hall.rooms.tables.open(GAME, {"move_seconds": 20}, drawn=False)
        await a.sit(anna, table)
        await b.sit(bob, table)
        before = a.hall.rooms.tables.loaded(table)
        assert isinstance(before, Table)
        due_ms = before.alarm.due_ms
        assert due_ms is not None
        await handed_over(a, b, table)
        await until(lambda: b.hall.rooms.tables.owned(table))
        after = b.hall.rooms.tables.loaded(table)
        assert isinstance(after, Table)
        assert after.alarm.due_ms == due_ms


@pytest.mark.parametrize("lost", ["table-handed", "table-offer"])
async def test_what_the_bus_loses_costs_time_only(
    lost: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(balance, "OFFER_SECONDS", 0.3)
    async with nodes(2) as (a, b):
        table, anna, bob = await game(a, b)
        a.bus.loses = frozenset({lost})
        if lost == "table-offer":
            await opened(a, 12)
            assert await a.hall.rooms.balance.even_out() == 0
            assert a.hall.rooms.tables.owned(table)
        else:
            await handed_over(a, b, table)
            await until(lambda: b.hall.rooms.tables.owned(table))
        assert isinstance(await a.ask(anna, table, Drop(3)), Done)
        assert isinstance(await b.ask(bob, table, Drop(4)), Done)
        await until(lambda: columns(anna) == columns(bob) == [3, 4])


async def test_what_another_node_cannot_own_stays_where_it_is() -> None:
    async with nodes(1) as (a,):
        without = NodeHall(a._url, a._prefix, {each.name: each for each in GAMES[1:]})
        await without.start()
        try:
            await until(lambda: len(a.hall.rooms.nodes.live) == 2)
            tables = await opened(a, 16, GAMES[0].name)
            before = await a.database.heads(tables)
            for _ in range(4):
                assert await a.hall.rooms.balance.even_out() == 0
            assert await a.database.heads(tables) == before
            # What it can own it gets all the same.
            others = await opened(a, 8, GAMES[1].name)
            await evened_out([a])
            assert await counts([without]) == [8]
            await until(lambda: all(without.hall.rooms.tables.owned(table) for table in others))
        finally:
            await without.stop()


async def test_a_node_that_is_about_to_stop_gets_none() -> None:
    async with nodes(2) as (a, b):
        await opened(a, 12)
        b.hall.rooms.balance.takes = False
        assert await evened_out([a, b]) == 0
        b.hall.rooms.balance.takes = True
        assert await evened_out([a, b]) == 6


class Rolling:
    """A hall whose nodes are started anew one after the other, while a game is played there."""

    def __init__(self, halls: list[NodeHall]) -> None:
        self.halls = halls
        self.up = set(halls)
        self.players: list[Player] = []
        self.links: list[FakeLink] = []
        self.moves: list[int] = []
        self.goes_on = True
        self._between = asyncio.Lock()
        """Whoever asks is not at a node that stops just then."""

    async def begin(self) -> None:
        self.table = await self.halls[0].hall.rooms.tables.open(GAME, LONG, drawn=False)
        for hall, name in zip(self.halls, ("anna", "bob"), strict=False):
            link = await hall.guest(name)
            assert link.online is not None
            self.players.append(link.online.player)
            await hall.sit(link, self.table)
        for hall in self.halls:
            await self.come(hall)

    async def come(self, hall: NodeHall) -> None:
        """Both players are there too, from now on."""
        for player in self.players:
            link = FakeLink()
            hall.hall.rooms.players.attach(link, player)
            assert link.online is not None
            await hall.hall.rooms.attendance.come_back(link.online, link)
            self.links.append(link)

    async def play(self) -> None:
        for move, hall in enumerate(cycle(self.halls)):
            if not self.goes_on or len(self.moves) == LONG_MOVES - 1:
                return
            if hall in self.up:
                async with self._between:
                    await self._drop(hall, f"move {move}")
            await asyncio.sleep(0.05)

    async def _drop(self, hall: NodeHall, id: str) -> None:
        number = len(self.moves)
        player, drop = self.players[number % 2].id, Drop(column(number))
        request = Request(player, id, b"d")
        answer = await answer_of(
            lambda reply: hall.hall.rooms.tables.put(Ask(self.table, player, drop, reply, request))
        )
        assert isinstance(answer, Done), (number, answer)
        self.moves.append(drop.column)

    async def restart(self, hall: NodeHall) -> None:
        async with self._between:
            self.up.discard(hall)
        await hall.stop()
        await hall.start()
        await until(lambda: all(len(each.hall.rooms.nodes.live) == 3 for each in self.halls))
        await self.come(hall)
        self.up.add(hall)


async def test_after_a_rolling_restart_the_tables_are_shared_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(balance, "LOOK_SECONDS", 0.2)
    monkeypatch.setattr(balance, "PAUSE_SECONDS", 0.05)
    async with nodes(3) as halls:
        rolling = Rolling(halls)
        await rolling.begin()
        for hall in halls:
            await opened(hall, 15)
        playing = asyncio.ensure_future(rolling.play())
        for hall in halls:
            await rolling.restart(hall)

        await balanced(halls)
        rolling.goes_on = False
        await playing
        assert len(rolling.moves) > 5
        rows = await halls[0].database.read(rolling.table, 0, 1000)
        assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
        codec = halls[0].hall.rooms.tables.kind(GAME).codec
        events = [event for row in rows for event in codec.read(row.line).events]
        assert [each.column for each in events if isinstance(each, Dropped)] == rolling.moves
        await until(lambda: all(head(hall, rolling.table) == len(rows) for hall in halls))
        for link in rolling.links[-2:]:
            heard = columns(link)
            assert rolling.moves[len(rolling.moves) - len(heard) :] == heard
        for link in rolling.links:
            check_order(link)


async def balanced(halls: Sequence[NodeHall]) -> None:
    """Returns when no node has far more than its share."""
    async with asyncio.timeout(LIMIT_SECONDS):
        while True:
            found = await counts(halls)
            if max(found) <= -(-sum(found) // len(found)) + SLACK_MIN and sum(found) == 46:
                return
            await asyncio.sleep(0.05)


def head(hall: NodeHall, table: int) -> int:
    """The last row that people at this node were told of."""
    found = hall.hall.rooms.tables.loaded(table)
    return 0 if found is None else found.head


def check_order(link: FakeLink) -> None:
    """Each beat that it was told follows the one before."""
    for (before, _), (told, seat) in zip(link.told, link.told[1:], strict=False):
        assert told.seen_by(seat)[0] <= before.seq < told.seq


async def watched_by_one_each(*halls: NodeHall, table: int) -> None:
    """Returns when everyone there was told of all."""
    audiences = [each.hall.rooms.audiences for each in halls]
    for each in halls:
        await each.hall.rooms.seating.watch(await each.guest("anna"), table, None)
    await until(lambda: {each.of(table).watching for each in audiences} == {len(halls)})


async def counted_once(hall: NodeHall, owner: NodeHall, table: int) -> None:
    """Returns when a follower knows of the one who watches beside its own, from the owner alone."""
    elsewhere = {owner.hall.rooms.nodes.name: 1}
    await until(lambda: hall.hall.rooms.audiences.of(table).elsewhere == elsewhere)


async def test_who_watches_is_counted_once_when_the_table_is_another_nodes() -> None:
    async with nodes(3) as (a, b, c):
        [table] = await opened(a, 1)
        await watched_by_one_each(b, c, table=table)
        await handed_over(a, b, table)
        await counted_once(c, b, table)
        await counted_once(b, c, table)


async def test_who_watches_is_counted_again_by_a_node_that_follows_anew() -> None:
    async with nodes(2) as (a, b):
        [table] = await opened(a, 1)
        await watched_by_one_each(a, b, table=table)
        replica = b.hall.rooms.tables.loaded(table)
        assert replica is not None
        b.hall.rooms.tables.lose(replica)
        await until(lambda: b.hall.rooms.tables.loaded(table) is not None)
        await counted_once(b, a, table)


async def test_who_watches_at_a_node_that_does_not_follow_is_not_counted() -> None:
    async with nodes(2) as (a, b):
        [table] = await opened(a, 1)
        counts = table_talk._Counts(((table, 5),))
        a.hall.rooms.table_talk._hear_follower(b.hall.rooms.nodes.name, counts)
        assert not a.hall.rooms.audiences.has_people(table)
