"""Whatever comes in is answered or closed as the specification says, the connection stays
otherwise, and two others play on all the while."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from websockets.frames import Opcode

from tests.practice import stones
from tests.practice.bystanders import undisturbed
from tests.practice.clients import NOTHING, Json, Practice
from tests.practice.halls import Visitors
from tests.practice.playing import CONNECT_FOUR, drop, match, move, play
from tests.practice.shapes import (
    ACT,
    LOGGED_IN,
    LOGIN,
    LOGOUT,
    MOVE,
    SEEK,
    START,
    TOLD,
    WAITING,
    WITHDRAW,
    WITHDRAWN,
)
from tests.processes import HallProcess

MESSAGE_BYTES = 300_000
# Room for a hundred thousand brackets, so that it is their depth that counts.
SETTINGS = (f"limits.message_bytes={MESSAGE_BYTES}",)
DEPTH = 100_000
BURST = 200
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


# In order


async def test_messages_at_once_are_answered_in_order(at: Visitors) -> None:
    client = await at.stranger()
    texts = [
        {"code": SEEK, "info": {"game_id": "nim"}},
        {"code": LOGIN, "id": "", "info": {"name": "anna in order"}},
        {"code": SEEK, "info": {"game_id": "chess"}},
        {"code": SEEK, "info": {"game_id": "nim"}},
        {"code": 7},
        {"code": WITHDRAW},
        {"code": ACT, "info": {"room": 1, "action": "resign"}},
        {"code": SEEK, "info": {"game_id": "nim"}},
        "garbage",
        {"code": LOGOUT},
        {"code": WITHDRAW},
        {"code": LOGIN, "id": "", "info": {"name": "bob in order"}},
    ]
    frames = [
        client.frame(Opcode.TEXT, (t if isinstance(t, str) else json.dumps(t)).encode())
        for t in texts
    ]
    client.write(b"".join(frames))
    said = [await client.next() for _ in texts]
    codes = [
        message["info"]["code"] if message["code"] == TOLD else message["code"] for message in said
    ]
    assert codes == [
        "not_logged_in", LOGGED_IN, "no_such_game", WAITING, "unknown_action", WITHDRAWN,
        "no_such_table", WAITING, "bad_request", "logged_out", "not_logged_in", LOGGED_IN,
    ]  # fmt: skip


async def test_a_whole_game_at_once(at: Visitors) -> None:
    """One side plays by itself: the refusals are its own, and the moves are told in order."""
    game = await match(*await at.pair())
    for _ in range(10):
        for digits in ("0302", "0203"):
            move(game.first, 0, game.room, digits)
    codes = [(await game.first.next())["code"] for _ in range(20)]
    assert codes == [100006] + [TOLD] * 19
    for player in game.players:
        while player.left_over:
            await player.next()
        await player.quiet()


# Bytes


@logged_in
async def test_what_is_not_utf8(at: Visitors, logged_in: bool) -> None:
    for bad in (b"\xff", b"\xc3(", b"\xed\xa0\x80", b"\xf8\x88\x80\x80\x80"):
        client = await client_of(at, logged_in)
        client.write(client.frame(Opcode.TEXT, b'{"code": 200004, "id": "' + bad + b'"}'))
        assert await client.error() == "bad_request"
        await client.end()
        assert client.close_code == 1007


@logged_in
async def test_binary_messages_are_refused_and_the_connection_stays(
    at: Visitors, logged_in: bool
) -> None:
    client = await client_of(at, logged_in)
    for data in (b'{"code": 200005}', b"", b"\xff\xfe\x00", bytes(range(256))):
        client.write(client.frame(Opcode.BINARY, data))
        assert await client.error() == "bad_request"
    await client.quiet()


async def test_blank_messages_are_ignored(at: Visitors) -> None:
    client = await at.player()
    for blank in ("", " ", "\t", "\r\n", "    " * 1000):
        client.say(blank)
    await client.quiet()


async def test_a_message_may_come_in_pieces(at: Visitors) -> None:
    client = await at.player()
    text = json.dumps({"code": WITHDRAW, "id": client.id}).encode()
    half = len(text) // 2
    client.write(client.frame(Opcode.TEXT, text[:half], fin=False))
    client.write(client.frame(Opcode.PING, b"in between"))
    client.write(client.frame(Opcode.CONT, text[half:]))
    await client.take(WITHDRAWN)
    for byte in client.frame(Opcode.TEXT, text):
        client.write(bytes((byte,)))
        await asyncio.sleep(0)
    await client.take(WITHDRAWN)


@logged_in
async def test_a_message_that_is_too_large_ends_the_connection(
    at: Visitors, logged_in: bool
) -> None:
    fits, larger = await client_of(at, logged_in), await client_of(at, logged_in)
    text = '{"code": 7%s}'
    fits.say(text % (" " * (MESSAGE_BYTES - len(text) + 2)))
    assert await fits.error() in ("not_logged_in", "unknown_action")
    larger.say(text % (" " * (MESSAGE_BYTES - len(text) + 3)))
    assert await larger.error() == "too_large"
    await larger.end()
    assert larger.close_code == 1009
    await fits.quiet()


NO_FRAMES = [
    b"\x81\x02{}",  # Not masked.
    b"\xc1\x80mask",  # An extension that nobody agreed on.
    b"\x83\x80mask",  # An opcode that does not exist.
    b"\x80\x80mask",  # A fragment without its beginning.
]


async def test_what_are_no_frames(at: Visitors) -> None:
    for frame in NO_FRAMES:
        client = await at.player()
        client.write(frame)
        assert await client.error() == "bad_request"
        await client.end()
        assert client.close_code == 1002


async def test_half_a_message_and_then_the_end(at: Visitors) -> None:
    for end in ("reset", "cut", "shut"):
        game = await match(*await at.pair())
        leaver = game.first
        text = json.dumps({"code": LOGOUT, "id": leaver.id}).encode()
        leaver.write(leaver.frame(Opcode.TEXT, text)[:-2])
        if end == "reset":
            await leaver.reset()
        else:
            getattr(leaver, end)()
        # It has not left: it was cut off, and comes back.
        again = await at.back(leaver)
        await again.take(START, room=game.room)
        await game.second.quiet()
        await play(game.with_(0, again), "0302")


# Too much


async def test_over_the_rate_is_refused_and_who_goes_on_is_closed(at: Visitors) -> None:
    hasty = await at.player()
    frame = hasty.frame(Opcode.TEXT, b'{"code": 200005}')
    hasty.write(frame * (BURST + 50))
    said = [await hasty.next() for _ in range(BURST + 50)]
    codes = [m["info"]["code"] if m["code"] == TOLD else m["code"] for m in said]
    # While the first are answered, the rate allows a few more. One was spent on the login.
    assert codes[: BURST - 1] == [WITHDRAWN] * (BURST - 1)
    assert set(codes[BURST - 1 :]) <= {"rate_limited", WITHDRAWN}
    assert "rate_limited" in codes
    async with asyncio.timeout(20):
        while said[-1]["code"] == TOLD:
            await asyncio.sleep(0.05)
            hasty.write(frame)
            said.append(await hasty.next())
    hasty.write(frame * BURST * 4)
    await hasty.end()
    assert hasty.close_code == 1008
    assert hasty.messages[-1]["info"]["code"] == "rate_limited"
    again = await at.back(hasty)
    await again.quiet()


async def test_many_logins_and_logouts(at: Visitors) -> None:
    client = await at.stranger()
    for _ in range(30):
        client.log_in()
        client.send(LOGOUT)
    for _ in range(30):
        await client.take(LOGGED_IN)
        assert await client.error() == "logged_out"
    await client.quiet()
