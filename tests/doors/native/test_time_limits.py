"""What happens by itself when nobody does anything: each with its limit made short."""

from __future__ import annotations

import pytest

from tests.doors.native.clients import Door
from tests.doors.native.playing import GAME, match, resign
from tests.doors.native.test_tables import check_secret
from tests.doors.native.visitors import Visitors

SETTINGS = (
    "table.grace_seconds=0.3",
    "table.rematch_seconds=0.3",
    # What people have to do in time, on a busy machine too, if they do it.
    "lobby.challenge_seconds=3",
    "lobby.seat_seconds=3",
    "limits.hello_seconds=3",
    "players.open_registration=false",
)
doors = pytest.mark.parametrize("door", ["ws", "tcp"])


async def test_a_challenge_expires(at: Visitors) -> None:
    anna, bob = await at.pair()
    id = (await anna.ask("challenge", player=bob.id, game=GAME))["challenge"]
    assert 0 < (await bob.notice("challenged"))["seconds"] <= 3
    for client in (anna, bob):
        assert await client.notice("challenge_expired") == {"challenge": id}
    assert await bob.refused("accept", challenge=id) == "no_such_challenge"
    assert await anna.refused("withdraw", challenge=id) == "no_such_challenge"


@doors
async def test_who_does_not_come_back_loses(at: Visitors, door: Door) -> None:
    anna, bob = await at.pair(door)
    carol = await at.guest()
    table = await match(anna, bob)
    await carol.ask("watch", table=table)
    anna.reset()
    for client in (bob, carol):
        assert (await client.notice("player_dropped"))["seconds"] == 0.3
        left = await client.notice("player_left")
        assert (left["player"], left["reason"]) == (anna.id, "dropped")
        over = await client.notice("table_over")
        assert over["outcome"] == {"winners": [1], "reason": "left"}
    again = await at.back(anna)
    assert again.welcome["tables"] == []
    assert await again.refused("resume", table=table, after=0) == "not_seated"
    assert not bob.heard("player_back")


async def test_who_logs_out_loses_too(at: Visitors) -> None:
    anna, bob = await at.pair()
    table = await match(anna, bob)
    await anna.ask("logout")
    assert (await bob.notice("table_over", table=table))["outcome"]["winners"] == [1]


async def test_a_reserved_seat_lapses(at: Visitors) -> None:
    anna, bob = await at.pair()
    table = (await anna.ask("open_table", game=GAME))["table"]
    await bob.ask("watch", table=table)
    view = await bob.notice("table_view")
    over = await bob.notice("table_over", table=table)
    assert over["outcome"] is None, "a game that never began is void"
    check_secret(view, over)
    assert await anna.refused("sit", table=table) == "table_closed"
    listed = await bob.ask("list_tables", status="closed", after=table - 1)
    assert [info["id"] for info in listed["tables"]] == [table]


async def test_a_table_that_all_have_left_closes(at: Visitors) -> None:
    anna, bob = await at.pair()
    table = (await anna.ask("open_table", game=GAME))["table"]
    await anna.ask("sit", table=table)
    await bob.ask("watch", table=table)
    await anna.ask("leave", table=table)
    assert (await anna.notice("player_left"))["reason"] == "left"
    assert (await bob.notice("table_over", table=table))["outcome"] is None
    assert await anna.refused("leave", table=table) == "table_closed"


async def test_a_table_closes_if_nobody_wants_a_rematch(at: Visitors) -> None:
    anna, bob = await at.pair()
    table = await match(anna, bob)
    await resign(anna, table)

    def closed() -> bool | None:
        told = [told for told in bob.heard("table_events") if told["table"] == table]
        return told[-1]["events"][-1]["type"] == "closed" or None

    await bob.until(closed, "the end of the table")
    assert await bob.refused("rematch", table=table) == "table_closed"


@doors
async def test_silence_before_hello_ends_the_connection(at: Visitors, door: Door) -> None:
    silent, asking = await at.connect(door), await at.connect(door)
    named = await at.guest(door=door)
    # To ask this and that is not to say who one is.
    assert await asking.ask("ping") == {}
    for client in (silent, asking):
        assert await client.error() == "not_logged_in"
        assert await client.closed() == (1008 if door == "ws" else None)
    assert await named.ask("ping") == {}


async def test_registration_can_be_closed(at: Visitors) -> None:
    anna = await at.guest()
    code = await anna.refused("register", name="Someone", password="a passphrase")
    assert code == "registration_closed"
