"""Finding someone to play: wait lists, challenges, and the lobby live."""

from __future__ import annotations

import asyncio

import pytest

from tests.doors.native.clients import Client
from tests.doors.native.playing import GAME, match, resign
from tests.doors.native.visitors import Visitors
from tests.support.waiting import eventually


async def challenge(sender: Client, target: Client, **options: object) -> int:
    answer = await sender.ask("challenge", player=target.id, game=GAME, options=options)
    assert set(answer) == {"challenge"}
    id: int = answer["challenge"]
    return id


async def ids_here(client: Client, **how: object) -> set[int]:
    players = (await client.ask("list_players", limit=200, **how))["players"]
    return {player["id"] for player in players}


async def test_two_who_seek_the_same_are_seated(at: Visitors) -> None:
    anna, bob = await at.pair()
    carol = await at.guest()
    assert await anna.ask("seek", game=GAME, options={"columns": 9}) == {}
    assert await anna.ask("seek", game=GAME, options={"columns": 9}) == {}
    assert await carol.ask("seek", game=GAME, options={"columns": 9}, rated=True) == {}
    assert await bob.ask("seek", game=GAME, options={"columns": 9, "rows": 6}) == {}
    seats = [(await client.notice("seated"))["seat"] for client in (anna, bob)]
    assert sorted(seats) == [0, 1]
    view = await anna.notice("table_view", status="playing")
    assert view["options"]["columns"] == 9
    assert await bob.refused("seek", game=GAME) == "not_free"
    assert not carol.notices
    assert await carol.refused("seek", game="chess") == "no_such_game"
    assert await carol.refused("seek", game=GAME, options={"rows": 0}) == "bad_options"


async def test_who_no_longer_seeks_is_not_paired(at: Visitors) -> None:
    anna, bob = await at.pair()
    how = {"game": GAME, "options": {"columns": 10}}
    for payload in ({}, {"game": GAME}):
        await anna.ask("seek", **how)
        assert await anna.ask("cancel_seek", **payload) == {}
    await bob.ask("seek", **how)
    # Who plays is not sought any more, and who is gone neither.
    await match(await at.guest(), bob)
    dan = await at.guest()
    await dan.ask("seek", **how)
    dan.reset()
    carol = await at.guest()

    async def dan_is_gone() -> bool:
        return dan.id not in await ids_here(carol)

    await eventually(dan_is_gone, "the hall without Dan")
    await carol.ask("seek", **how)
    # Who is paired is busy before the answer comes.
    assert {anna.id, carol.id} <= await ids_here(carol, free=True)


async def test_a_challenge_is_accepted(at: Visitors) -> None:
    anna, bob = await at.pair()
    id = await challenge(anna, bob, rows=7)
    told = await bob.notice("challenged")
    assert 0 < told.pop("seconds") <= 60
    assert told == {
        "challenge": id,
        "player": anna.id,
        "name": anna.name,
        "game": GAME,
        "options": {"columns": 7, "rows": 7, "length": 4, "move_seconds": 0},
    }
    assert await anna.refused("accept", challenge=id) == "no_such_challenge"
    since = len(bob.log)
    accepted = await bob.ask("accept", challenge=id)
    assert (set(accepted), accepted["challenge"]) == ({"challenge", "table"}, id)
    assert (await anna.notice("seated"))["seat"] == 0
    assert (await bob.notice("seated"))["seat"] == 1
    actions = [message["action"] for message in bob.log[since:]]
    assert actions[:3] == ["accept", "table_events", "seated"]
    assert await bob.refused("accept", challenge=id) == "no_such_challenge"


async def test_a_challenge_is_refused_and_one_is_withdrawn(at: Visitors) -> None:
    anna, bob = await at.pair()
    id = await challenge(anna, bob)
    assert await anna.refused("refuse", challenge=id) == "no_such_challenge"
    assert await bob.refused("withdraw", challenge=id) == "no_such_challenge"
    assert await bob.ask("refuse", challenge=id) == {"challenge": id}
    refused = await anna.notice("challenge_refused")
    assert refused == {"challenge": id, "player": bob.id, "reason": "refused"}
    id = await challenge(anna, bob)
    assert await anna.ask("withdraw", challenge=id) == {"challenge": id}
    withdrawn = await bob.notice("challenge_withdrawn")
    assert withdrawn == {"challenge": id, "reason": "withdrawn"}
    for client, action in ((bob, "accept"), (bob, "refuse"), (anna, "withdraw")):
        assert await client.refused(action, challenge=id) == "no_such_challenge"


async def test_a_challenge_sent_again_is_one(at: Visitors) -> None:
    anna, bob = await at.pair()
    payload = {"player": bob.id, "game": GAME}
    first = await anna.request("challenge", payload, "c")
    assert await anna.request("challenge", payload, "c") == first
    assert await anna.refused("challenge", **payload) == "too_many"
    id = first["payload"]["challenge"]
    accepted = await bob.request("accept", {"challenge": id}, "a")
    assert await bob.request("accept", {"challenge": id}, "a") == accepted
    assert len(bob.heard("challenged")) == 1
    other = await bob.request("refuse", {"challenge": id}, "a")
    assert other["payload"]["code"] == "bad_request"


async def test_challenges_that_cross_make_one_game(at: Visitors) -> None:
    anna, bob = await at.pair()
    ids = await asyncio.gather(challenge(anna, bob), challenge(bob, anna))
    assert ids[0] == ids[1]
    for client in (anna, bob):
        await client.notice("seated")
        await client.ask("ping")
        assert len(client.heard("seated")) == 1


async def test_who_cannot_be_challenged(at: Visitors) -> None:
    anna, bob = await at.pair()
    carol = await at.guest()
    assert await anna.refused("challenge", player=anna.id, game=GAME) == "bad_request"
    assert await anna.refused("challenge", player=2**40, game=GAME) == "no_such_player"
    assert await anna.refused("challenge", player=bob.id, game="chess") == "no_such_game"
    await challenge(carol, bob)
    table = await match(anna, bob)
    refused = await carol.notice("challenge_refused")
    assert (refused["player"], refused["reason"]) == (bob.id, "playing")
    assert await carol.refused("challenge", player=bob.id, game=GAME) == "not_free"
    assert await bob.refused("challenge", player=carol.id, game=GAME) == "not_free"
    await resign(bob, table)
    await anna.notice("table_over")
    await challenge(carol, bob)
    await carol.close()
    assert (await bob.notice("challenge_withdrawn"))["reason"] == "gone"
    assert await bob.refused("challenge", player=carol.id, game=GAME) == "no_such_player"


async def test_one_who_goes_refuses(at: Visitors) -> None:
    anna, bob = await at.pair()
    id = await challenge(anna, bob)
    bob.reset()
    gone = await anna.notice("challenge_refused")
    assert gone == {"challenge": id, "player": bob.id, "reason": "gone"}


@pytest.mark.parametrize("game", ["chess", ""])
async def test_a_game_that_is_not_there(at: Visitors, game: str) -> None:
    anna = await at.guest()
    for action in ("seek", "open_table"):
        assert await anna.refused(action, game=game) == "no_such_game"


async def test_the_lobby_is_told_of_changes(at: Visitors) -> None:
    watcher = await at.guest(door="tcp")
    assert await watcher.ask("watch_lobby") == {}
    anna, bob = await at.pair()
    table = await match(anna, bob)
    statuses: dict[int, list[str]] = {anna.id: [], bob.id: [], table: []}

    async def hear_of(id: int, kind: str, status: str) -> None:
        def find() -> bool | None:
            lobbies = watcher.heard("lobby")
            found = [x for lobby in lobbies for x in lobby[kind] if x["id"] == id]
            statuses[id] = [x["status"] for x in found]
            return statuses[id][-1:] == [status] or None

        await watcher.until(find, f"{kind} {id} {status}")

    await hear_of(anna.id, "players", "busy")
    await hear_of(table, "tables", "playing")
    await resign(anna, table)
    await hear_of(table, "tables", "over")
    await hear_of(anna.id, "players", "free")
    await bob.close()
    await hear_of(bob.id, "players", "gone")
    listed = [x for lobby in watcher.heard("lobby") for x in lobby["tables"] if x["id"] == table]
    assert set(watcher.heard("lobby")[0]) == {"tables", "players"}
    assert listed[-1] == {
        "id": table,
        "game": GAME,
        "status": "over",
        "names": [anna.name, bob.name],
        "count": 2,
        "rated": False,
        "options": {"columns": 7, "rows": 6, "length": 4, "move_seconds": 0},
        "most": 2,
    }
    assert await watcher.ask("unwatch_lobby") == {}
    since = len(watcher.log)
    await match(anna, watcher)
    assert "lobby" not in [message["action"] for message in watcher.log[since:]]


async def test_private_tables_are_not_told_of(at: Visitors) -> None:
    watcher, anna = await at.pair()
    await watcher.ask("watch_lobby")
    private = (await anna.ask("open_table", game=GAME, private=True))["table"]
    await anna.ask("sit", table=private)
    public = (await anna.ask("open_table", game=GAME))["table"]

    def told() -> set[int]:
        return {x["id"] for lobby in watcher.heard("lobby") for x in lobby["tables"]}

    await watcher.until(lambda: public in told() or None, "the public table")
    assert private not in told()
