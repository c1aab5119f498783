"""Nodes die, freeze and are cut off, servers go away, while people play on at all of them: every
acknowledged move and bet is there, once, and nobody was told anything else."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator

import pytest

from tests.bus import redis_server
from tests.many_nodes.processes.hall_nodes import HallNodes
from tests.many_nodes.processes.runs import Run, running
from tests.store import postgres_server
from tests.support.people import playing
from tests.support.people.listeners import limit
from tests.support.people.players import Player
from tests.support.people.traffic import Pair, Traffic
from tests.support.waiting import WAIT_SECONDS
from tests.system.e2e.play import LONG

STAYS_SECONDS = WAIT_SECONDS
"""The patience of someone who waits at a node, whatever becomes of it."""


@pytest.fixture(autouse=True)
def mended(halls: HallNodes) -> Iterator[None]:
    """After each test all nodes run and reach everything again."""
    yield
    for node in halls:
        node.heal()
    dead = [node for node in halls if not node.process.running]

    async def start() -> None:
        await asyncio.gather(*(node.start() for node in dead))

    asyncio.run(start())


async def until(holds: Callable[[], bool], what: str) -> None:
    async with limit(what):
        while not holds():
            await asyncio.sleep(0.02)


async def new_owners(run: Run, *pairs: Pair) -> None:
    """Each of these pairs plays at a table of another owner: at the same table, or at its next one
    if the game was about to end."""
    before = [(pair, run.owners.owner(pair.table)) for pair in pairs]

    def all_new() -> bool:
        return all(run.owners.owner(pair.table) not in (was, None) for pair, was in before)

    await until(all_new, "new owners")


async def test_a_node_is_killed(halls: HallNodes) -> None:
    async with running(halls) as run, Traffic(run) as traffic:
        for place in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
            await traffic.pair(*place)
        for node in range(3):
            await traffic.bettor(node)
        await traffic.bingo(0, 1, 2)
        await traffic.goes_on()
        await halls[0].kill()
        await traffic.goes_on()
        await halls[0].start()
        await traffic.goes_on()


async def test_a_node_is_frozen_for_longer_than_its_lease(halls: HallNodes) -> None:
    async with running(halls) as run, Traffic(run) as traffic:
        owned = await traffic.pair(0, 1, 2)
        others = [await traffic.pair(1, 2), await traffic.bettor(2)]
        await traffic.goes_on()
        # Someone waits at the frozen node, and hears what it says when it wakes.
        stays = await run.guest("stays", 0, patience_seconds=STAYS_SECONDS)
        await stays.ask("watch", table=owned.table)
        halls[0].freeze()
        asked = asyncio.create_task(say_of(stays, owned.table))
        await owned.players[0].move_to(1)
        await new_owners(run, owned)
        await traffic.goes_on(owned, *others)
        halls[0].thaw()
        await asked
        await traffic.goes_on()
        head = owned.players[0].seen(owned.table)
        table = owned.table
        await stays.until(lambda: stays.seen(table) >= head, "what happened meanwhile")


async def say_of(player: Player, table: int) -> None:
    await player.ask("resume", table=table)


async def test_what_is_sent_again_to_the_next_owner(halls: HallNodes) -> None:
    """It is answered as the owner before it did, who was killed, and is not done twice."""
    async with running(halls) as run:
        anna, bob, carl = [await run.guest(name, at) for name, at in (("a", 0), ("b", 1), ("c", 0))]
        table = await playing.opened(anna, bob, game="connect-four", **LONG)
        seats = await playing.in_seats(table, anna, bob)
        await playing.drop_all((0, 1, 2, 3), table, *seats)
        hours = {"betting_seconds": 7200}
        bets = (await carl.ask("open_table", game="sicbo", options=hours))["table"]
        await carl.ask("watch", table=bets)
        assert await playing.bet(carl, bets, "BIG", 100)
        await halls[0].kill()
        for player in (anna, bob, carl):
            await player.ask_again()
        await playing.drop_all((4, 5), table, *seats)


@pytest.mark.slow
async def test_players_of_a_frozen_node_stay(halls: HallNodes) -> None:
    """Their requests lie in its buffers, and are done when it wakes, or refused: once."""
    async with running(halls) as run, Traffic(run) as traffic:
        pair, other = await traffic.pair(0, 1, 2), await traffic.pair(1, 0, 2)
        for player in (pair.players[0], other.players[1]):
            player.patience_seconds = STAYS_SECONDS
        await traffic.goes_on()
        halls[0].freeze()
        await new_owners(run, pair)
        halls[0].thaw()
        await traffic.goes_on()


@pytest.mark.parametrize("how", ["refuse", pytest.param("hang", marks=pytest.mark.slow)])
async def test_a_node_is_cut_off_from_redis(halls: HallNodes, how: str) -> None:
    """Its tables go on for its own players, and everything else among the others."""
    async with running(halls) as run, Traffic(run) as traffic:
        own = await traffic.pair(0, 0)
        others = [await traffic.pair(1, 2), await traffic.pair(2, 1)]
        across = await traffic.pair(0, 1)
        await traffic.goes_on()
        getattr(halls[0].redis, how)()
        await traffic.goes_on(own, *others)
        refused = len(across.players[1].refusals)
        await until(lambda: len(across.players[1].refusals) > refused, "a refusal")
        assert set(across.players[1].refusals) == {"unavailable"}
        halls[0].redis.heal()
        await traffic.goes_on()


@pytest.mark.parametrize("how", ["hang", pytest.param("refuse", marks=pytest.mark.slow)])
async def test_a_node_is_cut_off_from_postgresql(halls: HallNodes, how: str) -> None:
    """Its tables go on at other nodes, and so do its players, if they go there."""
    async with running(halls) as run, Traffic(run) as traffic:
        owned = await traffic.pair(0, 1, 2)
        others = [await traffic.pair(1, 2), await traffic.bettor(1)]
        stays = await traffic.pair(0, 0)
        for player in stays.players:
            player.patience_seconds = STAYS_SECONDS
        await traffic.goes_on()
        getattr(halls[0].postgres, how)()
        await traffic.goes_on(*others)
        await owned.players[0].move_to(2)
        await traffic.goes_on(owned)
        halls[0].postgres.heal()
        await traffic.goes_on()
        for player in stays.players:
            assert set(player.refusals) <= {"unavailable"}


async def test_redis_is_killed_and_comes_back(halls: HallNodes) -> None:
    async with running(halls) as run, Traffic(run) as traffic:
        for place in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
            await traffic.pair(*place)
        own = [await traffic.pair(node, node) for node in range(3)]
        await traffic.bettor(1)
        await traffic.goes_on()
        redis_server.server().kill()
        try:
            await traffic.goes_on(*own)
        finally:
            redis_server.server().start()
        await traffic.goes_on()


async def test_postgresql_is_killed_and_comes_back(halls: HallNodes) -> None:
    async with running(halls) as run, Traffic(run) as traffic:
        pairs = [await traffic.pair(*place) for place in ((0, 1, 2), (1, 2, 0), (2, 0, 1))]
        await traffic.bettor(1)
        await traffic.goes_on()
        postgres_server.server().stop(signal.SIGQUIT)
        try:
            everyone = [player for pair in pairs for player in pair.players]
            await until(
                lambda: any("unavailable" in player.refusals for player in everyone), "a refusal"
            )
        finally:
            postgres_server.server().start()
        await traffic.goes_on()


async def test_a_planned_stop(halls: HallNodes) -> None:
    async with running(halls) as run, Traffic(run) as traffic:
        pairs = [await traffic.pair(*place) for place in ((0, 1, 2), (0, 2, 1), (1, 0, 2))]
        await traffic.bettor(0)
        await traffic.goes_on()
        owner_gone = asyncio.create_task(new_owners(run, *pairs[:2]))
        await halls[0].stop()
        await owner_gone
        await traffic.goes_on()
        going = [player for pair in pairs for player in pair.players]
        assert any(
            message["action"] == "going_away"
            for player in going
            for message in player.transcript.heard()
        )
        await halls[0].start()
        await traffic.goes_on()


async def test_a_node_that_joins_later(halls: HallNodes) -> None:
    async with running(halls) as run, Traffic(run) as traffic:
        pair = await traffic.pair(0, 1)
        await traffic.goes_on()
        node = halls.add()
        await node.start()
        for player in pair.players:
            await player.move_to(node.number)
        late = await traffic.pair(node.number, 0, 1)
        await traffic.goes_on()
        await node.kill()
        await traffic.goes_on(pair, late)
        halls.nodes.pop()
