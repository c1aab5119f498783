"""Games of two over the end of a round and into the next, at the doors `four`, `practice`, `duel`,
`watch` and both native ones."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

from tests.doors.duel import packets as p
from tests.doors.duel.clients import Client as Duelist
from tests.doors.four.clients import Four
from tests.doors.four.playing import WON_BY_FIRST, start
from tests.doors.native.clients import Client
from tests.doors.practice import shapes
from tests.doors.practice.clients import Practice
from tests.doors.watch.pages import Page
from tests.many_nodes.in_process.tables import told_judge as judge
from tests.many_nodes.in_process.tables.told_beats import Order, Places, heard, places, until
from tests.many_nodes.in_process.tables.told_journal import Journal, Round


def drops(first: str, second: str, *columns: int, so_far: int = 0) -> list[Order]:
    players = (first, second)
    return [
        (players[turn % 2], "drop", {"column": column})
        for turn, column in enumerate(columns, so_far)
    ]


def again(first: str, second: str) -> list[Order]:
    return [(first, "rematch", {}), (second, "rematch", {})]


async def known(at: Places, *names: str) -> None:
    def all_known() -> bool:
        online = at.owner.hall.rooms.players.online.values()
        return set(names) <= {each.player.name for each in online}

    await until(all_known)


async def spectators(at: Places, table: int) -> list[Client]:
    here, there = at.doors
    watching = [await Client.connect(here, "ws"), await Client.connect(there, "tcp")]
    for client in watching:
        await (await client.hello("someone")).ask("watch", table=table)
    return watching


async def test_connect_four_at_the_door_four() -> None:
    async with places("four", "native", "native-tcp") as at:
        here, there = (doors.ports["four"] for doors in at.doors)
        anna = await (await Four.connect(here)).register("anna")
        bob = await (await Four.connect(there)).register("bob")
        await known(at, "bob")
        await until(lambda: anna.number in at.other.hall.rooms.players.online)
        table = await start(anna, bob)
        at.find_owner(table)
        watching = await spectators(at, table)
        ids = (anna.id, bob.id)
        _, journal = await at.one_beat(table, drops("anna", "bob", *WON_BY_FIRST[:3]))
        for player in (anna, bob):
            for told in judge.four(journal.rounds[0], 0, ids):
                assert await player.take("GAME_UPDATE") == told
        rest = drops("anna", "bob", *WON_BY_FIRST[3:], so_far=3)
        # The seats move on by one.
        next_round = drops("bob", "anna", 5, 6)
        seq, journal = await at.one_beat(table, [*rest, *again("anna", "bob"), *next_round])
        assert len(journal.rounds) == 2
        for player in (anna, bob):
            for told in judge.four(journal.rounds[0], 3, ids):
                assert await player.take("GAME_UPDATE") == told
            over = await player.take("GAME_OVER")
            assert (over["winner"], over["you_won"]) == ("anna", player is anna)
        for client in watching:
            await heard(client, table, journal.head)
            judge.native(journal, client.log, table, seq, "someone")
        for player in (anna, bob):
            # Of what was played there afterwards they know nothing.
            player.send("LIST_PLAYERS")
            await player.take("LIST_PLAYERS")
            await player.close()
        for client in watching:
            await client.close()


async def test_connect_four_at_the_door_practice() -> None:
    async with places("practice") as at:
        rooms: dict[str, Practice] = {}
        for name, doors in zip(("anna", "bob"), at.doors, strict=True):
            practice = rooms[name] = await Practice.connect(doors.ports["practice"])
            practice.log_in(name)
            practice.seek("connect-four")
            await practice.until(partial(_said, practice, 2))
        for practice in rooms.values():
            await practice.until(partial(_started, practice))
        table = practice.messages[-1]["info"]["room"]
        at.find_owner(table)
        await known(at, *rooms)
        first, second = sorted(rooms, key=lambda name: _seat(rooms[name]))
        for orders in (
            drops(first, second, *WON_BY_FIRST[:2]),
            [
                *drops(first, second, *WON_BY_FIRST[2:]),
                *again(first, second),
                *drops(second, first, 5, 6, 5),
            ],
        ):
            said = {name: len(room.messages) for name, room in rooms.items()}
            seq, journal = await at.one_beat(table, orders)
            for name, room in rooms.items():
                told = judge.practice(journal, seq, name, journal.rounds[:1])
                await room.until(partial(_said, room, said[name] + len(told)))
                assert judge.in_brief(room.messages[said[name] :]) == told
        await until(lambda: _is_closed(at, table))
        # Another game, which begins and is played on in the same beat.
        said = {name: len(room.messages) for name, room in rooms.items()}
        table = await at.owner.hall.rooms.tables.open("connect-four", {}, drawn=False)
        sits = [at.sit(first), at.sit(second)]
        at.owner.bus.loses = frozenset({"rows"})
        await at.decide(table, [*sits, *drops(first, second, 0, 1, 2)])
        journal = await at.journal(table, 6)
        for name, room in rooms.items():
            told = judge.practice(journal, 0, name, journal.rounds)
            await room.until(partial(_said, room, said[name] + len(told)))
            assert judge.in_brief(room.messages[said[name] :]) == told
        for room in rooms.values():
            before = len(room.messages)
            room.send(0, {})
            await room.until(partial(_said, room, before + 1))
            assert room.messages[before]["info"]["code"] == "unknown_action", "nothing before it"
            await room.close()


def _is_closed(at: Places, table: int) -> bool:
    return all(node.hall.rooms.tables.loaded(table) is None for node in (at.owner, at.other))


def _said(room: Practice, count: int) -> bool:
    return len(room.messages) >= count


def _started(room: Practice) -> bool:
    return bool(room.messages[-1]["code"] == shapes.START)


def _seat(room: Practice) -> int:
    seat: int = room.messages[-1]["info"]["move_turn"]
    return seat


def picks(round: Round, first: str, second: str) -> list[Order]:
    """1, 2, 3 … until someone has won; seat 1 begins."""
    players, boards = (first, second), round.boards
    orders: list[Order] = []
    for turn in range(len(boards[0]) ** 2):
        orders.append((players[turn % 2], "pick", {"number": turn + 1}))
        if any(_lines(board, turn + 1) >= len(board) for board in boards):
            break
    return orders


def _lines(board: list[list[int]], highest: int) -> int:
    size = range(len(board))
    lines = [*board, *([row[n] for row in board] for n in size)]
    lines += [[board[n][n] for n in size], [board[n][-1 - n] for n in size]]
    return sum(max(line) <= highest for line in lines)


async def test_two_player_bingo_at_the_doors_duel_and_watch() -> None:
    async with places("duel", "watch", "native", "native-tcp") as at:
        duelists = [Duelist(doors.ports["duel"]) for doors in at.doors]
        for uid, duelist in zip("78", duelists, strict=True):
            duelist.hello("7:8:1:the key:fast")
            assert await asyncio.to_thread(duelist.take, p.ACCEPTED) == uid
        for duelist in duelists:
            await asyncio.to_thread(duelist.take, p.BOARD)
        await known(at, "7", "8")
        (table,) = (found.id for found in at.owner.hall.rooms.tables.all_loaded())
        at.find_owner(table)
        watching = await spectators(at, table)
        journal = await at.journal(table, await at.head(table))
        orders = picks(journal.rounds[0], "8", "7")
        for uid, duelist in zip("78", duelists, strict=True):
            assert duelist.board == journal.rounds[0].boards[int(uid) - 7]
        # Whose turn it is, is said after the last of three picks.
        _, journal = await at.one_beat(table, orders[:3])
        for uid, duelist in zip("78", duelists, strict=True):
            await _compare(duelist, judge.duel(journal.rounds[0], 0, uid))
        next_round: list[Order] = [("7", "pick", {"number": 1}), ("8", "pick", {"number": 2})]
        seq, journal = await at.one_beat(table, [*orders[3:], *again("7", "8"), *next_round])
        assert len(journal.rounds) == 2
        # Before anyone hangs up: that is one more row, which may come in the same notice.
        for client in watching:
            await heard(client, table, journal.head)
            judge.native(journal, client.log, table, seq, "someone")
            await client.close()
        for uid, duelist in zip("78", duelists, strict=True):
            await _compare(duelist, judge.duel(journal.rounds[0], 3, uid))
            await asyncio.to_thread(duelist.ended)
            duelist.close()
        for doors in at.doors:
            await asyncio.to_thread(_look, f"ws://127.0.0.1:{doors.ports['watch']}/", journal)


async def _compare(duelist: Duelist, expected: list[p.Packet]) -> None:
    assert [await asyncio.to_thread(duelist.read) for _ in expected] == expected


def _look(url: str, journal: Journal) -> None:
    """The first round, as the page shows it when the next is on or over."""
    with Page(url) as page:
        shown = [each["data"] for each in page.ping()["game_history"]]
    first = journal.rounds[0]
    boards = first.boards
    (winner, *_) = first.one("round_ended")["outcome"]["winners"] or (None,)
    expected = {
        **{f"uid_{seat + 1}": first.names[seat] for seat in (0, 1)},
        **{f"game_board_{seat + 1}": boards[seat] for seat in (0, 1)},
        **{f"history_{seat + 1}": judge.marks(first, seat) for seat in (0, 1)},
        "winner": None if winner is None else first.names[winner],
    }
    assert expected in [{key: each[key] for key in expected} for each in shown]


async def test_two_player_bingo_at_the_native_doors() -> None:
    """What is dealt to a seat is told to whoever sat there then, also to one who comes back."""
    async with places("native", "native-tcp") as at:
        here, there = at.doors
        anna = await (await Client.connect(here, "ws")).hello("anna")
        table = (await anna.ask("open_table", game="bingo-duel"))["table"]
        await anna.ask("sit", table=table)
        bob = await (await Client.connect(there, "tcp")).hello("bob")
        await bob.ask("sit", table=table)
        await anna.until(lambda: anna.heard("seated") or None, "the game")
        at.find_owner(table)
        watching = await spectators(at, table)
        journal = await at.journal(table, await at.head(table))
        players = {"anna": anna, "bob": bob}
        names: Any = journal.rounds[0].names
        orders = picks(journal.rounds[0], names[1], names[0])
        await known(at, "bob")
        seq, journal = await at.one_beat(table, [*orders, *again("anna", "bob")])
        assert journal.rounds[1].names == {0: names[1], 1: names[0]}
        for name, client in (*players.items(), *(("someone", each) for each in watching)):
            await heard(client, table, journal.head)
            judge.native(journal, client.log, table, seq, name)
        for name, client in players.items():
            before = len(client.log)
            assert (await client.ask("resume", table=table, after=seq))["missed"] == 1
            await client.until(partial(_told_again, client, before + 3), "what was missed")
            judge.native(journal, client.log[before:], table, seq, name)
        for client in (*players.values(), *watching):
            await client.close()


def _told_again(client: Client, count: int) -> bool | None:
    return True if len(client.log) >= count else None
