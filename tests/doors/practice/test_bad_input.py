"""Whatever a message says is answered, the connection stays, and two others play on all the
while."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.doors.practice import stones
from tests.doors.practice.bystanders import undisturbed
from tests.doors.practice.clients import NOTHING, Json, Practice
from tests.doors.practice.halls import Visitors
from tests.doors.practice.playing import CONNECT_FOUR, drop, match, move, play
from tests.doors.practice.shapes import (
    ACT,
    LOGGED_IN,
    LOGIN,
    LOGOUT,
    MOVE,
    SEEK,
    TOLD,
    WITHDRAW,
    WITHDRAWN,
)
from tests.support.processes import HallProcess

MESSAGE_BYTES = 300_000
# Room for a hundred thousand brackets, so that it is their depth that counts.
SETTINGS = (f"limits.message_bytes={MESSAGE_BYTES}",)
DEPTH = 100_000
logged_in = pytest.mark.parametrize("logged_in", [True, False], ids=["somebody", "nobody"])


@pytest.fixture(autouse=True)
async def bystanders(hall: HallProcess, at: Visitors) -> AsyncIterator[None]:
    async with undisturbed(hall):
        yield


async def client_of(at: Visitors, logged_in: bool) -> Practice:
    return await (at.player() if logged_in else at.stranger())


def nested(depth: int, opening: str = "[", closing: str = "]") -> str:
    return opening * depth + closing * depth


NO_MESSAGES = [
    # No JSON.
    "garbage", "{'code': 200004}", '{"code": 200004', '{"code": 200004}}', '{"code": 200004,}',
    '{"code": 200004} {"code": 200004}', '{"code": NaN}', '{"code": Infinity}', "\0",
    '\ufeff{"code": 200004}', '{"code": 200004}\0', "GET / HTTP/1.1", "200004 {}", "//", "<xml/>",
    # JSON of another kind.
    "[]", "[200004]", '[{"code": 200004}]', "1", "200004", "null", "true", '"200004"', "3.0",
    # Objects that are no message.
    "{}", '{"info": {}}', '{"code": null}', '{"code": "200004"}', '{"code": 200004.0}',
    '{"code": 200004.5}', '{"code": 2e5}', '{"code": true}', '{"code": [200004]}', '{"code": {}}',
    '{"Code": 200004}', '{"code": ""}', '{"action": "ping"}',
    # Half of a character that needs two.
    r'{"code": "\ud800"}', r'{"\ud800": 1}', r'{"code": 200004, "id": "\ud800"}',
    # Too deep, too long.
    nested(DEPTH), nested(DEPTH // 4, '{"a":', "}"), '{"code": ' + nested(DEPTH) + "}",
    '{"code": ' + "9" * 5000 + "}", '{"code": 1e400}',
]  # fmt: skip


@logged_in
async def test_what_is_no_message(at: Visitors, logged_in: bool) -> None:
    client = await client_of(at, logged_in)
    for number, text in enumerate(NO_MESSAGES):
        client.say(text)
        told = await client.next()
        assert (told["code"], told["info"]["code"]) == (TOLD, "bad_request"), text[:100]
        assert told["id"] == client.id, text[:100]
        if number % 20 == 0:
            await client.quiet()
    await client.quiet()


UNKNOWN = [0, 1, -1, 200001, 200007, 100001, 100004, 300001, 500001, 2**31, 2**63 - 1, -(2**63)]


async def test_codes_that_nobody_knows(at: Visitors) -> None:
    anna = await at.player()
    for code in UNKNOWN:
        for info in (None, {}, {"name": "x"}, {"game_id": "four_stone"}):
            anna.send(code, info)
            assert await anna.error() == "unknown_action", code
    await anna.quiet()


WRONG: list[Any] = [None, True, 0, 1, -1, 3.0, 1.5, 10**400, "", "x", [], {}, [[]], {"a": 1}, ["x"]]


@pytest.mark.parametrize("code", [LOGIN, LOGOUT, SEEK, WITHDRAW, ACT])
async def test_info_of_every_kind(at: Visitors, code: int) -> None:
    """Answered, whatever it is, and the connection stays."""
    client = await at.player()
    for info in (*WRONG, NOTHING):
        client.send(code, info)
        told = await client.next()
        assert told["code"] in (TOLD, WITHDRAWN), info
        if client.id is None:
            client.log_in()
            await client.take(LOGGED_IN)
    await client.quiet()


async def test_a_game_id_of_every_kind(at: Visitors) -> None:
    anna = await at.player()
    for game in (*WRONG, NOTHING):
        anna.send(SEEK, {} if game is NOTHING else {"game_id": game})
        expected = "no_such_game" if isinstance(game, str) else "bad_request"
        assert await anna.error() == expected, game
    await anna.quiet()


@pytest.mark.parametrize("field", ["room", "action", "move_turn", "position_init", "position_move"])
async def test_every_field_of_a_move(at: Visitors, field: str) -> None:
    game = await match(*await at.pair())
    right: Json = {"room": game.room, "action": MOVE, "move_turn": 0, **stones.fields("0302")}
    places: list[Any] = [[0], [0, 3, 0], [0.0, 3], [0, 3.0], ["0", "3"], [None, 3], [[0, 3]]]
    wrongs = [*WRONG, *(places if "position" in field else []), NOTHING]
    for wrong in wrongs:
        if field == "move_turn" and wrong == 0 and type(wrong) is int:
            continue  # It is the right one.
        info = {**right, field: wrong}
        game.first.send(ACT, {k: v for k, v in info.items() if v is not NOTHING})
        code = await game.first.error()
        expected = {
            "room": ("bad_request", "no_such_table"),
            "action": ("bad_request", "illegal_command"),
        }.get(field, ("bad_request",))
        assert code in expected, wrong
    for player in game.players:
        await player.quiet()
    game.first.send(ACT, right)
    await game.first.room(500002)


async def test_every_kind_of_field_of_a_native_command(at: Visitors) -> None:
    game = await match(*await at.pair(), CONNECT_FOUR)
    for value in WRONG:
        if type(value) is not int:
            game.first.act(game.room, "drop", column=value)
            assert await game.first.error() == "illegal_command", value
        elif value not in range(7):
            game.first.act(game.room, "drop", column=value)
            assert await game.first.error() in ("no_such_column", "illegal_command")
        game.first.act(game.room, "drop", column=3, more=value)
        assert await game.first.error() == "illegal_command", value
        game.first.act(game.room, "drop", column=3, seat=value)
        assert await game.first.error() == "illegal_command", value
    game.first.act(game.room, "drop")
    assert await game.first.error() == "illegal_command"
    for player in game.players:
        await player.quiet()
    await drop(game, (3,))


NO_ACTIONS = [
    500002, 500000, 0, -1, 2**63, "MOVE", "moved", "view", "open", "leave", "sit", "time_up", "",
]  # fmt: skip


async def test_actions_that_do_not_exist(at: Visitors) -> None:
    """The commands of the hall, of a clock and of other games are none of a player's."""
    game = await match(*await at.pair())
    for action in NO_ACTIONS:
        for fields in ({"move_turn": 0, **stones.fields("0302")}, dict[str, Any]()):
            game.first.act(game.room, action, **fields)
            assert await game.first.error() in ("illegal_command", "bad_request"), action
    for player in game.players:
        await player.quiet()


async def test_rooms_of_others_and_of_nobody(at: Visitors) -> None:
    game = await match(*await at.pair())
    eve = await at.player("eve")
    for room in (game.room, 2**31 - 1, 0, -1, 2**62):
        for action in (MOVE, "move", "resign", "offer_draw"):
            eve.act(room, action, move_turn=0, **stones.fields("0302"))
            assert await eve.error() == "no_such_table"
    other = await match(eve, await at.player("other"))
    seat = other.players.index(eve)
    move(eve, seat, game.room, "0302")
    assert await eve.error() == "no_such_table"
    for player in (*game.players, *other.players):
        await player.quiet()
    await play(game, "0302")


async def test_an_id_that_is_not_ones_own(at: Visitors) -> None:
    game = await match(*await at.pair())
    anna, bob = game.players
    info = {"room": game.room, "action": "resign", "game_id": "four_stone"}
    for code in (LOGOUT, SEEK, WITHDRAW, ACT, 0):
        for id in (bob.id, "somebody", anna.id + "x", anna.id.swapcase(), 5):
            anna.send(code, info, id=id)
            told = await anna.next()
            assert (told["code"], told["id"]) == (TOLD, anna.id)
            assert told["info"]["code"] == "bad_request"
    for player in game.players:
        await player.quiet()
        player.ids = {player.id}
    await play(game, "0302")


async def test_without_an_id_ones_own_is_meant(at: Visitors) -> None:
    game = await match(*await at.pair())
    for turn, (id, digits) in enumerate((("", "0302"), (None, "0001"), (NOTHING, "0203"))):
        info = {"room": game.room, "action": MOVE, "move_turn": turn % 2, **stones.fields(digits)}
        message = {"code": ACT, "id": id, "info": info}
        mover = game.players[turn % 2]
        mover.say({key: value for key, value in message.items() if value is not NOTHING})
        for player in game.players:
            await player.room(500002)


async def test_timestamps_and_more_keys_do_not_matter(at: Visitors) -> None:
    anna = await at.player()
    for timestamp in (None, "now", -1, 10**400, ["x"], {"x": 1}, True, "x" * 10_000, NOTHING):
        anna.send(WITHDRAW, {"more": 1}, timestamp=timestamp, version=2, extra={"a": [1, 2]})
        await anna.take(WITHDRAWN)


async def test_much_to_repeat_is_not_repeated(at: Visitors) -> None:
    anna, _, room = await match(*await at.pair())
    long = "x" * 200_000
    for message in (
        {"code": SEEK, "info": {"game_id": long}},
        {"code": SEEK, "info": {long: 1}},
        {"code": long},
        {"code": SEEK, "id": long, "info": {"game_id": "nim"}},
        {"code": LOGIN, "id": "", "info": {"name": long}},
        {"code": ACT, "info": {"room": room, "action": long}},
        {"code": ACT, "info": {"room": room, "action": "resign", long: 1}},
        {"code": ACT, "info": {"room": room, "action": "move", "from": long}},
    ):
        anna.say(message)
        assert (await anna.next())["code"] == TOLD
    # Each answer has a bound, which the client checks.
    assert max(map(len, anna.texts)) < 1000
