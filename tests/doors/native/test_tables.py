"""Around a game: open a table, sit, watch, talk, leave."""

from __future__ import annotations

import hashlib

import pytest

from tests.doors.native.clients import Client, Door, Json
from tests.doors.native.playing import GAME, check_story, drop, match, play, resign
from tests.doors.native.visitors import Visitors

doors = pytest.mark.parametrize("door", ["ws", "tcp"])
VIEW = {
    "table", "seq", "game", "options", "seat", "status", "round", "commitment", "view", "legal",
    "picture", "players", "count", "clock", "outcome", "rematch", "watching", "key",
}  # fmt: skip
OPTIONS = {"columns": 7, "rows": 6, "length": 4, "move_seconds": 0}


async def open_table(client: Client, **how: object) -> int:
    table: int = (await client.ask("open_table", game=GAME, **how))["table"]
    return table


def actions(client: Client, since: int) -> list[str]:
    return [message["action"] for message in client.log[since:]]


@doors
async def test_open_and_sit(at: Visitors, door: Door) -> None:
    anna = await at.guest(door=door)
    opened = await anna.ask("open_table", game=GAME)
    assert set(opened) == {"table"}
    table = opened["table"]
    since = len(anna.log)
    assert await anna.ask("sit", table=table) == {"table": table, "seat": None}
    view = await anna.notice("table_view")
    assert set(view) == VIEW
    known = {"table": table, "game": GAME, "options": OPTIONS, "status": "waiting", "round": 1}
    assert known.items() <= view.items()
    assert (view["seat"], view["view"], view["legal"], view["outcome"]) == (None, None, [], None)
    assert view["players"] == [{"seat": 0, "id": anna.id, "name": anna.name}]
    assert view["count"] == 1
    assert len(bytes.fromhex(view["commitment"])) == 32
    assert actions(anna, since) == ["sit", "table_events", "table_view"]


async def test_the_draw_assigns_the_seats(at: Visitors) -> None:
    anna, bob = await at.pair()
    table = await open_table(anna)
    assert await anna.refused("sit", table=table, seat=0) == "seats_drawn"
    await anna.ask("sit", table=table)
    await anna.notice("table_view", status="waiting")
    since = len(bob.log)
    assert (await bob.ask("sit", table=table))["table"] == table
    seats = [(await client.notice("seated", table=table))["seat"] for client in (anna, bob)]
    assert sorted(seats) == [0, 1]
    assert actions(bob, since)[:2] == ["sit", "table_events"]
    for client, seat in zip((anna, bob), seats, strict=True):
        view = await client.notice("table_view", table=table, status="playing")
        assert (view["seat"], view["view"]["turn"], view["count"]) == (seat, 0, 2)
        drops = [{"type": "drop", "column": column} for column in range(7)]
        assert view["legal"] == (drops if seat == 0 else [])
        assert {player["id"] for player in view["players"]} == {anna.id, bob.id}


async def test_who_sits_already_gets_the_same_seat_and_a_view(at: Visitors) -> None:
    anna, bob = await at.pair()
    table = await match(anna, bob)
    since = len(bob.log)
    assert await bob.ask("sit", table=table) == {"table": table, "seat": 1}
    assert (await bob.notice("table_view"))["seat"] == 1
    assert actions(bob, since) == ["sit", "table_view"]
    check_story(bob, table)


async def test_a_full_table_takes_nobody_and_can_still_be_watched(at: Visitors) -> None:
    anna, bob = await at.pair()
    carol = await at.guest()
    table = await match(anna, bob)
    assert await carol.refused("sit", table=table) == "table_full"
    await carol.ask("watch", table=table)
    assert await carol.refused("sit", table=table) == "table_full"
    seq = await drop(anna, table, 3)
    assert (await carol.notice("table_events"))["seq"] == seq


async def test_a_private_table_needs_its_key(at: Visitors) -> None:
    anna, bob = await at.pair()
    opened = await anna.ask("open_table", game=GAME, private=True)
    table, key = opened["table"], opened["key"]
    for action in ("sit", "watch", "journal"):
        for wrong in ({}, {"key": "wrong"}, {"key": "schlüssel"}):
            assert await bob.refused(action, table=table, **wrong) == "wrong_key"
    listed = (await bob.ask("list_tables", after=table - 1))["tables"]
    assert table not in [info["id"] for info in listed]
    await anna.ask("sit", table=table)
    await bob.ask("watch", table=table, key=key)
    assert (await bob.notice("table_view"))["table"] == table
    assert (await bob.ask("journal", table=table, key=key))["rows"]
    await bob.ask("sit", table=table, key=key)
    await bob.notice("seated", table=table)
    # Who sits there needs no key.
    assert (await bob.ask("watch", table=table))["seat"] in (0, 1)


async def more_events(client: Client, told: int) -> None:
    await client.until(lambda: len(client.heard("table_events")) > told or None, "the bot's move")


@pytest.mark.parametrize("bots", [1, ["random"], ["sensible"]])
async def test_bots_of_the_house_play_to_the_end(at: Visitors, bots: object) -> None:
    anna = await at.guest()
    table = await open_table(anna, bots=bots)
    await anna.ask("sit", table=table)
    seat = (await anna.notice("seated", table=table))["seat"]
    view = await anna.notice("table_view", status="playing")
    (bot,) = [player for player in view["players"] if player["id"] != anna.id]
    assert bot["bot"] == (bots[0] if isinstance(bots, list) else "strong")
    while not anna.heard("table_over"):
        told = len(anna.heard("table_events"))
        await anna.ask("resume", table=table)
        view = await anna.notice("table_view")
        if view["legal"]:
            await anna.ask("act", table=table, command=view["legal"][0])
        elif view["status"] == "playing":
            await more_events(anna, told)
    over = await anna.notice("table_over")
    assert over["outcome"]["winners"] in ([], [seat], [1 - seat])


async def test_bots_that_do_not_exist_or_leave_no_seat(at: Visitors) -> None:
    anna = await at.guest()
    for bots, code in (
        (["genius"], "no_such_bot"),
        (2, "too_many"),
        (["random", "random"], "too_many"),
        (17, "bad_request"),
        (-1, "bad_request"),
        (True, "bad_request"),
    ):
        assert await anna.refused("open_table", game=GAME, bots=bots) == code
    assert await anna.refused("open_table", game="chess") == "no_such_game"
    for options in (
        {"columns": 2},
        {"columns": 7.0},
        {"columns": "7"},
        {"sides": 3},
        {"length": 9},
    ):
        assert await anna.refused("open_table", game=GAME, options=options) == "bad_options"


async def test_a_table_is_opened_once_for_each_request(at: Visitors) -> None:
    anna, bob = await at.pair()
    payload = {"game": GAME, "private": True}
    first = await anna.request("open_table", payload, "open")
    assert await anna.request("open_table", payload, "open") == first
    again = await at.back(anna, "tcp")
    assert (await again.request("open_table", payload, "open"))["payload"] == first["payload"]
    other = await anna.request("open_table", {"game": GAME}, "open")
    assert other["payload"]["code"] == "bad_request"
    # Another player's ids are another matter.
    assert (await bob.request("open_table", payload, "open"))["payload"] != first["payload"]


async def test_a_spectator_sees_all_and_may_do_nothing(at: Visitors) -> None:
    anna, bob = await at.pair()
    table = await match(anna, bob)
    carol = await at.guest(door="tcp")
    since = len(carol.log)
    assert await carol.ask("watch", table=table) == {"table": table, "seat": None}
    view = await carol.notice("table_view")
    assert actions(carol, since) == ["watch", "table_view"]
    assert (set(view), view["seat"], view["legal"]) == (VIEW, None, [])
    await play(anna, bob, table)
    over = await carol.notice("table_over", table=table)
    assert over["outcome"] == {"winners": [0], "reason": "line"}
    assert check_story(carol, table) == over["seq"]
    for action, more in (("act", {"command": {"type": "resign"}}), ("leave", {}), ("rematch", {})):
        assert await carol.refused(action, table=table, **more) == "not_seated"
    assert await carol.ask("unwatch", table=table) == {"table": table}
    await anna.ask("rematch", table=table)
    await bob.ask("rematch", table=table)
    await bob.notice("table_view", table=table, round=2)
    heard = len(carol.log)
    assert await carol.refused("resume", table=table, after=0) == "not_seated"
    assert len(carol.log) == heard + 1


async def test_nothing_is_told_twice_to_who_watches_and_then_sits(at: Visitors) -> None:
    anna, bob = await at.pair()
    other = await at.back(bob, "ws")
    table = await open_table(anna)
    await anna.ask("sit", table=table)
    for client in (bob, other):
        await client.ask("watch", table=table)
    await bob.ask("sit", table=table)
    for client in (anna, bob, other):
        await client.notice("seated", table=table)
    seat = bob.heard("seated")[0]["seat"]
    seq = await drop(*((bob, table, 3) if seat == 0 else (anna, table, 3)))
    for client in (bob, other):
        await client.notice("table_events", seq=seq)
        await client.ask("ping")
        assert check_story(client, table) == seq


@doors
async def test_talk(at: Visitors, door: Door) -> None:
    anna, bob = await at.pair(door)
    carol = await at.guest()
    table = await match(anna, bob)
    await carol.ask("watch", table=table)
    assert await (await at.guest()).refused("say", table=table, text="hi") == "not_seated"
    said = {"table": table, "player": carol.id, "name": carol.name, "text": "Wie schön! ♥"}
    since = len(carol.log)
    assert await carol.ask("say", table=table, text="Wie schön! ♥") == {"table": table}
    for client in (anna, bob, carol):
        assert await client.notice("said") == said
    assert actions(carol, since) == ["say", "said"]
    for number in range(4):
        await carol.ask("say", table=table, text=f"{number}")
    assert await carol.refused("say", table=table, text="too much") == "rate_limited"
    await anna.ask("say", table=table, text="x" * 500)
    assert await anna.refused("say", table=table, text="x" * 501) == "bad_request"
    assert await anna.refused("say", table=table, text="") == "bad_request"


async def test_to_leave_a_running_game_is_to_lose_it(at: Visitors) -> None:
    anna, bob = await at.pair()
    table = await match(anna, bob)
    since = len(anna.log)
    left = await anna.ask("leave", table=table)
    assert set(left) == {"table", "seq"}
    for client in (anna, bob):
        told = await client.notice("table_events", table=table, seq=left["seq"])
        kinds = [event["type"] for event in told["events"]]
        assert kinds == ["left", "abandoned", "round_ended"]
        gone = await client.notice("player_left")
        reason = {"seat": 0, "reason": "left"}
        assert gone == {"table": table, "player": anna.id, "name": anna.name, **reason}
        over = await client.notice("table_over")
        assert over["outcome"] == {"winners": [1], "reason": "left"}
    assert actions(anna, since) == ["leave", "table_events", "player_left", "table_over"]
    assert await anna.refused("leave", table=table) == "not_seated"
    assert await bob.refused("rematch", table=table) == "not_free"


async def test_the_end_reveals_what_was_committed(at: Visitors) -> None:
    anna, bob = await at.pair()
    table = await match(anna, bob)
    view = [v for v in anna.heard("table_view") if v["table"] == table][-1]
    await resign(bob, table)
    over = await anna.notice("table_over", table=table)
    assert set(over) == {"table", "seq", "after", "round", "outcome", "secret", "hash"}
    check_secret(view, over)


def check_secret(view: Json, over: Json) -> None:
    secret = bytes.fromhex(over["secret"])
    assert hashlib.sha256(secret).hexdigest() == view["commitment"]
