"""Who someone is: guests, members, tokens, and one player on several connections."""

from __future__ import annotations

import asyncio

import pytest

from tests.doors.native.clients import Client, Door
from tests.doors.native.playing import drop, match
from tests.doors.native.visitors import Visitors
from tests.support.waiting import WAIT_SECONDS

doors = pytest.mark.parametrize("door", ["ws", "tcp"])
PASSWORD = "a long passphrase"


async def names_here(client: Client) -> set[str]:
    page = await client.ask("list_players", limit=200)
    assert page["next"] is None
    return {player["name"] for player in page["players"]}


@doors
async def test_a_guest_is_welcomed(at: Visitors, door: Door) -> None:
    guest = await at.guest("  Zoë ♟ of the hall ", door)
    player, server = guest.welcome["player"], guest.welcome["server"]
    assert set(guest.welcome) == {"player", "token", "server", "tables"}
    assert set(player) == {"id", "name", "guest", "balance"}
    assert player["name"].startswith("Zoë ♟ of the hall")
    assert (player["guest"], player["balance"]) == (True, 1_000_000)
    assert player["id"] > 0
    assert (set(server), server["protocol"]) == ({"version", "protocol"}, 1)
    assert len(guest.token) > 30
    assert guest.welcome["tables"] == []


async def test_without_a_name_there_is_one(at: Visitors) -> None:
    client = await at.connect()
    client.send("hello")
    answer = await client.answer()
    assert answer["payload"]["player"]["name"].startswith("Guest")
    assert "requestId" not in answer


async def test_two_of_one_name_get_two_names(at: Visitors) -> None:
    first, second = await at.guest("Twin"), await at.guest("tWIN", "tcp")
    assert first.name == "Twin"
    assert (second.name, second.id) == ("tWIN2", first.id + 1)


@pytest.mark.parametrize(
    "name", ["", "   ", "x" * 33, "a\nb", "a\0b", "a\x1b[2J", "a\u202eb", "\x7f"]
)
async def test_a_bad_name_is_refused_and_another_may_be_tried(at: Visitors, name: str) -> None:
    client = await at.connect()
    assert await client.refused("hello", name=name) == "bad_name"
    assert await client.refused("register", name=name, password=PASSWORD) == "bad_name"
    await client.hello("x" * 32)


@doors
async def test_a_second_hello_is_refused_and_changes_nothing(at: Visitors, door: Door) -> None:
    guest = await at.guest(door=door)
    assert await guest.refused("hello", name="someone else") == "bad_request"
    assert await guest.refused("hello", token=guest.token) == "bad_request"
    assert (await guest.ask("balance"))["balance"] == 1_000_000


async def test_a_token_is_the_same_player_with_its_seats(at: Visitors) -> None:
    anna, bob = await at.pair()
    table = await match(anna, bob)
    again = await at.back(anna, "tcp")
    assert again.welcome["player"] == anna.welcome["player"]
    assert again.token == anna.token
    assert again.welcome["tables"] == [{"table": table, "seat": 0}]
    await drop(again, table, 3)


async def test_all_connections_of_a_player_hear_all(at: Visitors) -> None:
    anna, bob = await at.pair()
    other = await at.back(anna, "tcp")
    table = await match(anna, bob)
    assert (await other.notice("seated", table=table))["seat"] == 0
    seq = await drop(other, table, 3)
    for client in (anna, other, bob):
        await client.notice("table_events", table=table, seq=seq)
    # As long as one of them is left, nobody has dropped.
    other.reset()
    seq = await drop(bob, table, 3)
    await anna.notice("table_events", table=table, seq=seq)
    assert not bob.heard("player_dropped")


async def test_a_guest_who_registers_keeps_seats_and_chips(at: Visitors) -> None:
    anna, bob = await at.pair()
    table = await match(anna, bob)
    name = f"Member {anna.id}"
    welcome = await anna.ask("register", name=name, password=PASSWORD)
    assert welcome["player"] == {"id": anna.id, "name": name, "guest": False, "balance": 1_000_000}
    assert welcome["token"] != anna.token
    assert welcome["tables"] == [{"table": table, "seat": 0}]
    await drop(anna, table, 3)


@doors
async def test_register_log_out_log_in(at: Visitors, door: Door) -> None:
    client = await at.connect(door)
    name = f"Regular {door}"
    registered = await client.ask("register", name=name, password=PASSWORD)
    assert registered["player"]["guest"] is False
    assert await client.ask("logout") == {}
    for action in ("balance", "logout", "watch_lobby"):
        assert await client.refused(action) == "not_logged_in"
    assert await client.refused("hello", token=registered["token"]) == "bad_token"
    welcome = await client.ask("login", name=name.upper(), password=PASSWORD)
    assert welcome["player"] == registered["player"]
    other = await at.connect()
    assert (await other.hello(token=welcome["token"])).id == registered["player"]["id"]
    # One token's end is not that of the others.
    assert await client.ask("logout") == {}
    assert (await other.ask("balance"))["balance"] == 1_000_000


async def test_a_registered_name_is_its_owners(at: Visitors) -> None:
    client = await at.connect()
    first = await client.ask("register", name="Owner", password=PASSWORD)
    other = await at.connect("tcp")
    assert await other.refused("register", name="oWNER", password="another one") == "name_taken"
    assert (await other.hello("owner")).name == "owner2"
    assert await other.refused("register", name="Owner", password="another one") == "name_taken"
    # Sent again, as after a lost answer, it is a login.
    again = await at.connect()
    second = await again.ask("register", name="Owner", password=PASSWORD)
    assert second["player"] == first["player"]


@pytest.mark.parametrize("password", ["", "short", "x" * 129])
async def test_a_bad_password_is_refused(at: Visitors, password: str) -> None:
    client = await at.connect()
    assert await client.refused("register", name="Nobody", password=password) == "bad_password"
    assert await client.refused("login", name="Nobody", password=password) == "login_failed"


@doors
async def test_the_fifth_failed_login_closes(at: Visitors, door: Door) -> None:
    client = await at.connect(door)
    for attempt in range(4):
        name = f"Nobody {attempt}"
        assert await client.refused("login", name=name, password=PASSWORD) == "login_failed"
    assert await client.ask("ping") == {}
    assert await client.refused("hello", token="no such token") == "bad_token"
    assert await client.closed() == (1008 if door == "ws" else None)


@doors
async def test_a_password_cannot_be_guessed_through_register_either(
    at: Visitors, door: Door
) -> None:
    owner, client = await at.connect(), await at.connect(door)
    name = f"Owned at {door}"
    await owner.ask("register", name=name, password=PASSWORD)
    for attempt in range(5):
        guess = f"guess number {attempt}"
        assert await client.refused("register", name=name, password=guess) == "name_taken"
    assert await client.closed() == (1008 if door == "ws" else None)


async def test_who_logs_in_as_another_leaves_the_first_ones_seat(at: Visitors) -> None:
    anna, bob = await at.pair()
    table = await match(anna, bob)
    other = await at.connect()
    await other.ask("register", name=f"Second self {anna.id}", password=PASSWORD)
    await anna.ask("login", name=f"Second self {anna.id}", password=PASSWORD)
    dropped = await bob.notice("player_dropped", table=table)
    assert dropped == {"table": table, "player": anna.id, "name": anna.name, "seconds": 60.0}
    assert await anna.refused("act", table=table, command={"type": "resign"}) == "not_seated"


async def test_who_logs_out_leaves_its_seat(at: Visitors) -> None:
    anna, bob = await at.pair()
    table = await match(anna, bob)
    await anna.ask("logout")
    assert (await bob.notice("player_dropped", table=table))["player"] == anna.id
    assert await anna.refused("act", table=table, command={"type": "resign"}) == "not_logged_in"
    seen = len(anna.log)
    await bob.ask("say", table=table, text="still there?")
    await anna.ask("ping")
    assert [message["action"] for message in anna.log[seen:]] == ["pong"]


async def test_who_goes_while_being_greeted_leaves_no_trace(at: Visitors) -> None:
    watcher = await at.guest()
    for door in ("ws", "tcp") * 10:
        client = await at.connect(door)
        client.send("hello", {"name": f"Ghost {door}"})
        await client.drain()
        client.reset()

    async def gone() -> None:
        while any(name.startswith("Ghost") for name in await names_here(watcher)):
            await asyncio.sleep(0.05)

    await asyncio.wait_for(gone(), WAIT_SECONDS)
