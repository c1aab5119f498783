"""What can be asked for: lists in pages, journals, standings, chips."""

from __future__ import annotations

import hashlib
import json

import pytest

from tests.doors.native.clients import Client, Door, Json
from tests.doors.native.playing import GAME, drop, match, play, resign
from tests.doors.native.visitors import Visitors

SETTINGS: tuple[str, ...] = ()
"""A hall of its own: in the shared one there are more players than a list has."""
INFO = {
    "id", "game", "status", "round", "round_seq", "head", "hash", "names", "count", "private",
    "rated", "opened_at_ms", "changed_at_ms", "options", "most",
}  # fmt: skip
ROUND = {
    "table", "game", "round", "first_seq", "last_seq", "hash", "ended_at_ms", "reason", "rated",
    "results",
}  # fmt: skip


async def pages(client: Client, action: str, kind: str, cursor: str, **how: object) -> list[Json]:
    """Everything, two at a time; each page says where the next begins."""
    found: list[Json] = []
    payload: Json = {"limit": 2, **how}
    while True:
        page = await client.ask(action, **payload)
        assert set(page) == {kind, "next"}
        assert len(page[kind]) <= 2
        found += page[kind]
        if page["next"] is None:
            return found
        payload[cursor] = page["next"]


@pytest.mark.parametrize("door", ["ws", "tcp"])
async def test_games_and_ping_need_no_hello(at: Visitors, door: Door) -> None:
    stranger = await at.connect(door)
    assert await stranger.ask("ping") == {}
    games = (await stranger.ask("list_games"))["games"]
    (game,) = [game for game in games if game["name"] == GAME]
    assert game == {
        "name": GAME,
        "title": "Connect Four",
        "least": 2,
        "most": 2,
        "walk_in": False,
        "bots": ["random", "sensible", "strong", "perfect"],
        "commands": ["drop", "resign", "offer_draw", "answer_draw"],
        "options": {"columns": 7, "rows": 6, "length": 4, "move_seconds": 0},
    }
    for action in ("list_tables", "list_players", "history", "standings"):
        await stranger.ask(action)


async def test_tables_are_listed_in_pages(at: Visitors) -> None:
    anna, bob = await at.pair()
    first = (await anna.ask("open_table", game=GAME))["table"]
    opened = [first] + [(await anna.ask("open_table", game=GAME))["table"] for _ in range(4)]
    playing = await match(bob, await at.guest())
    listed = await pages(bob, "list_tables", "tables", "after", after=first - 1)
    assert [info["id"] for info in listed] == [*opened, playing]
    assert all(set(info) == INFO for info in listed)
    assert listed[-1]["names"] == [bob.name, at.clients[-1].name]
    for status, expected in (("playing", [playing]), ("waiting", opened), ("over", [])):
        how: Json = {"status": status, "after": first - 1, "game": GAME}
        found = await pages(bob, "list_tables", "tables", "after", **how)
        assert [info["id"] for info in found] == expected
    assert await bob.refused("list_tables", status="open") == "bad_request"
    assert await bob.refused("list_tables", game="chess") == "no_such_game"
    for limit in (0, 201, -1):
        assert await bob.refused("list_tables", limit=limit) == "bad_request"


async def test_players_are_listed_in_pages(at: Visitors) -> None:
    guests = [await at.guest(door="tcp") for _ in range(5)]
    await match(guests[1], guests[3])
    anna, after = guests[0], guests[0].id - 1
    for free, expected in ((None, guests), (True, guests[::2]), (False, guests[1::2])):
        how = {} if free is None else {"free": free}
        found = await pages(anna, "list_players", "players", "after", after=after, **how)
        assert [player["id"] for player in found] == [guest.id for guest in expected]
    assert found[0] == {"id": guests[1].id, "name": guests[1].name, "status": "busy"}


async def test_history_and_standings(at: Visitors) -> None:
    anna, bob = await at.pair()
    tables = []
    for _ in range(3):
        table = await match(anna, bob)
        await play(anna, bob, table)
        tables.append(table)
    table = await match(anna, bob)
    await anna.ask("offer_draw", table=table)
    await bob.ask("answer_draw", table=table, accept=True)
    tables.append(table)
    rounds = await pages(anna, "history", "rounds", "before", player=bob.id, game=GAME)
    assert [item["table"] for item in rounds] == tables[::-1], "the newest is the first"
    assert all(set(item) == ROUND for item in rounds)
    assert [item["reason"] for item in rounds] == ["agreed", "line", "line", "line"]
    assert rounds[1]["results"] == [
        {"seat": 0, "player": anna.id, "name": anna.name, "result": "win", "score": None},
        {"seat": 1, "player": bob.id, "name": bob.name, "result": "loss", "score": None},
    ]
    assert {item["result"] for item in rounds[0]["results"]} == {"draw"}
    for player, result, expected in ((bob, "draw", tables[3:]), (bob, "win", [])):
        found = await pages(anna, "history", "rounds", "before", player=player.id, result=result)
        assert [item["table"] for item in found] == expected
    times = {"since_ms": rounds[2]["ended_at_ms"], "until_ms": rounds[1]["ended_at_ms"]}
    found = await pages(anna, "history", "rounds", "before", player=anna.id, result="win", **times)
    assert rounds[2] in found
    assert rounds[1] not in found
    assert await anna.refused("history", result="win") == "bad_request"
    assert await anna.refused("history", player=anna.id, result="won") == "bad_request"
    standings = (await anna.ask("standings", game=GAME, limit=200))["standings"]
    mine = {item["player"]: item for item in standings}
    count = {"played": 4, "won": 3, "drawn": 1, "lost": 0}
    assert mine[anna.id] == {"player": anna.id, "name": anna.name, **count}
    assert (mine[bob.id]["won"], mine[bob.id]["lost"]) == (0, 3)
    won = [item["won"] for item in standings]
    assert won == sorted(won, reverse=True)


async def test_rounds_of_one_table_are_all_in_the_history(at: Visitors) -> None:
    anna, bob = await at.pair()
    table = await match(anna, bob)
    for round in (1, 2, 3):
        await resign(anna, table)
        for client in (anna, bob):
            await client.notice("table_over", table=table, round=round)
            await client.ask("rematch", table=table)
        await anna.notice("table_view", table=table, round=round + 1)
    rounds = await pages(anna, "history", "rounds", "before", player=anna.id)
    assert [item["round"] for item in rounds] == [3, 2, 1]


async def test_a_journal_is_chained_once_it_is_over(at: Visitors) -> None:
    anna, bob = await at.pair()
    table = await match(anna, bob)
    await drop(anna, table, 3)
    running = await bob.ask("journal", table=table)
    assert set(running) == {"table", "rows", "next", "head", "hash"}
    assert all(row["filtered"] for row in running["rows"][1:])
    assert not any("secret" in event for row in running["rows"] for event in row["events"])
    await resign(bob, table)
    rows: list[Json] = []
    payload: Json = {"table": table, "limit": 2}
    while payload.get("after") is not None or not rows:
        page = await bob.ask("journal", **payload)
        rows += page["rows"]
        payload["after"] = page["next"]
    assert [row["seq"] for row in rows] == list(range(1, page["head"] + 1))
    chain = ""
    for line in await raw_rows(bob, table):
        chain = hashlib.sha256(chain.encode() + line).hexdigest()
    assert chain == page["hash"]
    assert await bob.refused("journal", table=2**31 - 1) == "no_such_table"


async def test_the_journal_of_one_round(at: Visitors) -> None:
    anna, bob = await at.pair()
    table = await match(anna, bob)
    assert await bob.refused("journal", table=table, round=1) == "round_running"
    await resign(bob, table)
    over = await anna.notice("table_over", table=table, round=1)
    for client in (anna, bob):
        await client.ask("rematch", table=table)
    await anna.notice("table_view", table=table, round=2)
    page = await bob.ask("journal", table=table, round=1)
    assert [row["seq"] for row in page["rows"]] == list(range(1, over["seq"] + 1))
    assert (page["head"], page["hash"]) == (over["seq"], over["hash"])
    assert page["next"] is None
    assert page["rows"][-1]["events"][-1]["secret"] == over["secret"]
    later = await bob.ask("journal", table=table, round=1, after=2, limit=1)
    assert ([row["seq"] for row in later["rows"]], later["next"]) == ([3], 3)
    assert await bob.refused("journal", table=table, round=2) == "round_running"
    assert await bob.refused("journal", table=table, round=3) == "no_such_round"
    for wrong in (0, 1.0, "1", True):
        assert await bob.refused("journal", table=table, round=wrong) == "bad_request"


async def raw_rows(client: Client, table: int) -> list[bytes]:
    """The rows as they were hashed: without spaces, and with their fields in the same order."""
    page = await client.ask("journal", table=table)
    return [
        json.dumps(row, separators=(",", ":"), ensure_ascii=False).encode() for row in page["rows"]
    ]


async def test_chips(at: Visitors) -> None:
    anna = await at.guest()
    assert await anna.ask("balance") == {"balance": 1_000_000}
    statement = await anna.ask("statement", limit=2)
    assert statement["next"] is None
    (gift,) = statement["items"]
    assert set(gift) == {"id", "table", "seq", "n", "chips", "other", "at_ms"}
    assert (gift["chips"], gift["other"]) == (1_000_000, "mint")
    assert (await anna.ask("statement", before=gift["id"]))["items"] == []
