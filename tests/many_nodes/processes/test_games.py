"""Every game with its players at different nodes, and what people do around games."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from tests.doors.four.playing import WON_BY_FIRST
from tests.many_nodes.processes.hall_nodes import HallNodes
from tests.many_nodes.processes.runs import running
from tests.support.people import playing
from tests.support.people.listeners import limit
from tests.support.people.players import Player
from tests.system.e2e.clients import Json, Refused
from tests.system.e2e.play import LONG


async def test_connect_four_by_challenge(halls: HallNodes) -> None:
    async with running(halls) as run:
        anna, bob, carl = [await run.guest(name, at) for at, name in enumerate(("a", "b", "c"))]
        table = await playing.challenged(anna, bob, "connect-four")
        await carl.ask("watch", table=table)
        seq = await playing.drop_all(WON_BY_FIRST, table, anna, bob)
        await playing.all_heard(table, seq, anna, bob, carl)
        overs = [await player.notice("table_over", table=table) for player in (anna, bob, carl)]
        assert overs[0] == overs[1] == overs[2]
        assert overs[0]["outcome"]["winners"] == [0]
        for player in (anna, bob):
            await player.ask("rematch", table=table)
        view = await bob.notice("table_view", table=table, round=2)
        assert view["seat"] == 0, "the other begins"
        await playing.drop_all((3, 3), table, bob, anna)
        await bob.ask("act", table=table, command={"type": "resign"})
        await anna.notice("table_over", table=table, round=2)


@pytest.mark.parametrize(("game", "options"), [("four-stone", {}), ("bingo-duel", {"size": 4})])
async def test_games_for_two(halls: HallNodes, game: str, options: dict[str, object]) -> None:
    """The table is opened at a node where nobody sits, and watched at the one where it is."""
    async with running(halls) as run:
        anna, bob, carl, dora = [
            await run.guest(name, at) for name, at in (("a", 1), ("b", 2), ("c", 0), ("d", 2))
        ]
        opened = await carl.ask("open_table", game=game, options=options)
        table = opened["table"]
        for player in (carl, dora):
            await player.ask("watch", table=table)
        # Carl's own seat is reserved: it sits down, and gives it to nobody else by leaving.
        for player in (anna, carl):
            await player.ask("sit", table=table)
        await playing.begun(table, anna, carl)
        await bob.ask("watch", table=table)
        plays = [playing.play_legally(player, table, Random(7)) for player in (anna, carl)]
        await playing.together(*plays)
        overs = [await each.notice("table_over", table=table) for each in (anna, bob, carl, dora)]
        assert all(over == overs[0] for over in overs)


async def test_called_bingo(halls: HallNodes) -> None:
    async with running(halls) as run:
        players = [await run.guest(name, at) for at, name in enumerate(("a", "b", "c"))]
        table = await playing.at_the_halls_table("bingo", *players)
        start = [player.now() for player in players]
        await players[2].ask("act", table=table, command={"type": "start"})
        await playing.together(*(playing.play_called_bingo(each, table) for each in players))
        overs = [
            await each.notice("table_over", start=place, table=table)
            for each, place in zip(players, start, strict=True)
        ]
        assert overs[0] == overs[1] == overs[2]
        for player in players:
            await player.ask("leave", table=table)


async def test_sic_bo(halls: HallNodes) -> None:
    async with running(halls) as run:
        players = [await run.guest(name, at) for at, name in enumerate(("a", "b", "c"))]
        table = await playing.at_the_halls_table("sicbo", *players)
        bets = [playing.bet_in_time(each, table, "BIG", 100 + n) for n, each in enumerate(players)]
        for round in set(await asyncio.gather(*bets)):
            overs = [await each.notice("table_over", table=table, round=round) for each in players]
            assert overs[0] == overs[1] == overs[2]
        balances = [(await player.ask("balance"))["balance"] for player in players]
        assert all(balance != 1_000_000 for balance in balances), balances


async def test_seeking_at_all_nodes_at_once(halls: HallNodes) -> None:
    """The checker looks for anyone who was paired twice; here everyone is, once."""
    async with running(halls) as run:
        # An odd number at each of two nodes: someone plays someone elsewhere.
        people = [await run.guest(f"seeker {n}", n % 3) for n in (0, 0, 0, 1, 1, 2)]
        await asyncio.gather(
            *(each.ask("seek", game="connect-four", options={"columns": 8}) for each in people)
        )
        tables = [(await each.notice("seated"))["table"] for each in people]
        assert sorted(tables.count(table) for table in set(tables)) == [2, 2, 2], tables
        for player, table in zip(people, tables, strict=True):
            await player.notice("table_view", table=table, status="playing")


async def test_many_sit_down_at_one_table_at_once(halls: HallNodes) -> None:
    async with running(halls) as run:
        people = [await run.guest(f"sitter {n}", n % 3) for n in range(6)]
        table = (await people[0].ask("open_table", game="connect-four"))["table"]

        async def sits(player: Player) -> bool:
            try:
                await player.ask("sit", table=table)
            except Refused as refusal:
                if refusal.code not in ("table_full", "round_over"):
                    raise
                return False
            return True

        assert sum(await asyncio.gather(*(sits(player) for player in people))) == 2


async def test_chat_presence_and_how_many_watch(halls: HallNodes) -> None:
    async with running(halls) as run:
        anna, bob, carl = [await run.guest(name, at) for at, name in enumerate(("a", "b", "c"))]
        table = await playing.opened(anna, bob, game="connect-four")
        await carl.ask("watch", table=table)
        await anna.notice("watching", table=table, count=1)
        for player, text in ((anna, "hello"), (bob, "good luck"), (carl, "hush")):
            starts = [other.now() for other in (anna, bob, carl)]
            await player.ask("say", table=table, text=text)
            for other, start in zip((anna, bob, carl), starts, strict=True):
                said = await other.notice("said", start=start, table=table)
                assert (said["player"], said["text"]) == (player.id, text)
        await bob.leave()
        for other in (anna, carl):
            await other.notice("player_dropped", table=table, player=bob.id)
        await bob.enter()
        for other in (anna, carl):
            await other.notice("player_back", table=table, player=bob.id)
        await playing.drop_all((3, 4), table, *await playing.in_seats(table, anna, bob))


async def test_the_lobby_has_everyone(halls: HallNodes) -> None:
    async with running(halls) as run:
        people = [await run.guest(f"visitor {n}", n % 3) for n in range(6)]
        for player in people[:3]:
            await playing.know_of(player, *people)
        await people[0].ask("watch_lobby")
        start = people[0].now()
        opened = await people[1].ask("open_table", game="connect-four")
        await people[1].ask("sit", table=opened["table"])

        def tells_of_it() -> bool:
            return any(
                opened["table"] in [table["id"] for table in message["payload"]["tables"]]
                for message in people[0].transcript.heard(start)
                if message["action"] == "lobby"
            )

        await people[0].until(tells_of_it, "the new table in the lobby")


async def test_one_who_comes_back_at_another_node_again_and_again(halls: HallNodes) -> None:
    async with running(halls) as run:
        anna, bob = await run.guest("anna", 0), await run.guest("bob", 1)
        table = await playing.opened(anna, bob, game="connect-four", **LONG)
        seats = await playing.in_seats(table, anna, bob)
        for node in (2, 0, 1, 2, 0):
            await asyncio.gather(anna.move_to(node), bob.move_to((node + 1) % 3))
            await playing.drop_all((node, node + 3), table, *seats)
        assert await playing.in_seats(table, anna, bob) == seats


async def test_two_devices_at_two_nodes(halls: HallNodes) -> None:
    """Whoever is here twice may act at either, and hears of everything at both."""
    async with running(halls) as run:
        anna, bob = await run.guest("anna", 0), await run.guest("bob", 1)
        table = await playing.opened(anna, bob, game="connect-four")
        other = await run.again(anna, 2)
        await other.ask("resume", table=table)
        seats = await playing.in_seats(table, anna, bob)
        for turn, column in enumerate((3, 3, 4, 4, 2, 2)):
            mover = seats[turn % 2]
            if mover is anna and turn > 1:
                mover = other
            drop = {"type": "drop", "column": column}
            seq = (await mover.ask("act", table=table, command=drop))["seq"]
            await playing.all_heard(table, seq, anna, bob, other)
        await anna.leave()
        seats = [other if player is anna else player for player in seats]
        await playing.drop_all((0, 0), table, *seats)
        dropped = [m for m in bob.transcript.heard() if m["action"] == "player_dropped"]
        assert not dropped, "one device is still here"


async def test_challenges_that_cross(halls: HallNodes) -> None:
    """They make one game."""
    async with running(halls) as run:
        anna, bob = await run.guest("anna", 0), await run.guest("bob", 1)
        await playing.know_of(anna, bob)
        await playing.know_of(bob, anna)
        for _ in range(3):
            starts = anna.now(), bob.now()
            await asyncio.gather(
                anna.ask("challenge", player=bob.id, game="connect-four"),
                bob.ask("challenge", player=anna.id, game="connect-four"),
            )
            tables = [
                (await player.notice("seated", start=start))["table"]
                for player, start in zip((anna, bob), starts, strict=True)
            ]
            assert tables[0] == tables[1]
            await playing.begun(tables[0], anna, bob)
            async with limit("the end of both challenges"):
                while await anna.ask("challenges") != {"received": [], "sent": []}:
                    await asyncio.sleep(0.02)
            for player in (anna, bob):
                await player.ask("leave", table=tables[0])


async def challenge_when_free(first: Player, second: Player) -> Json:
    """Challenges as soon as the lead has heard that the second has left its last table."""
    async with limit(f"{second.name} is free"):
        while True:
            try:
                return await first.ask("challenge", player=second.id, game="connect-four")
            except Refused as refusal:
                if refusal.code != "not_free":
                    raise
            await asyncio.sleep(0.02)


async def test_a_challenge_is_accepted_and_withdrawn_at_once(halls: HallNodes) -> None:
    """One of both happens, and both people know which."""
    async with running(halls) as run:
        anna, bob = await run.guest("anna", 0), await run.guest("bob", 1)
        await playing.know_of(anna, bob)
        for _ in range(5):
            start = bob.now()
            sent = await challenge_when_free(anna, bob)
            await bob.notice("challenged", start=start, player=anna.id)
            done = await asyncio.gather(
                bob.ask("accept", challenge=sent["challenge"]),
                anna.ask("withdraw", challenge=sent["challenge"]),
                return_exceptions=True,
            )
            refused = [isinstance(each, Refused) for each in done]
            assert sorted(refused) == [False, True], done
            if isinstance(done[0], dict):
                table = done[0]["table"]
                await playing.begun(table, anna, bob)
                for player in (anna, bob):
                    await player.ask("leave", table=table)
