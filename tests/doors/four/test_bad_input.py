"""Whatever someone sends is answered or closed as described, and the others play on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from random import Random
from typing import Any

import pytest

from tests.doors.four.bystanders import undisturbed
from tests.doors.four.clients import NOTHING, Four
from tests.doors.four.halls import Visitors, new_name
from tests.doors.four.playing import WON_BY_FIRST, over, play, start, update
from tests.support.waiting import eventually

SETTINGS = ("limits.connections_per_address=40",)
BURST = 200
LINE_BYTES = 65536

GARBAGE: list[bytes] = [
    b"garbage",
    b"{",
    b"}",
    b'{"type": "LIST_PLAYERS"',
    b'{"type": "LIST_PLAYERS", "data": nul}',
    b'{"type": "LIST_PLAYERS", "data": null} {"type": "LIST_PLAYERS", "data": null}',
    b"{'type': 'LIST_PLAYERS', 'data': null}",
    b'{"type": LIST_PLAYERS}',
    b"null",
    b"true",
    b"17",
    b"-0.5e9",
    b"NaN",
    b'"LIST_PLAYERS"',
    b"[]",
    b'["LIST_PLAYERS", null]',
    b'[{"type": "LIST_PLAYERS", "data": null}]',
    b"{}",
    b'{"data": null}',
    b'{"data": {"name": "x"}}',
    b'{"type": null, "data": null}',
    b'{"type": 5, "data": null}',
    b'{"type": ["LIST_PLAYERS"], "data": null}',
    b'{"type": {"type": "LIST_PLAYERS"}, "data": null}',
    b'{"type": "", "data": null}',
    b'{"type": "list_players", "data": null}',
    b'{"type": "LIST_PLAYERS ", "data": null}',
    b'{"type": "GAME_START", "data": null}',
    b'{"type": "GAME_OVER", "data": {"winner": "me"}}',
    b'{"type": "REGISTER_OK", "data": {"player_id": "player_1"}}',
    b'{"type": "ERROR", "data": {"message": "no"}}',
    b'{"action": "hello", "payload": {"name": "x"}}',
    b"GET / HTTP/1.1\r",
    b"\x16\x03\x01\x02",
    b"\x00",
    b'{"type": "x\\ud800", "data": null}',
    b"[" * 60_000,
    b'{"type": "REGISTER", "data": ' + b"[" * 30_000 + b"]" * 30_000 + b"}",
    b'{"type": "LIST_PLAYERS", "data": ' + b'{"a":' * 10_000 + b"1" + b"}" * 10_000 + b"}",
    b'{"type": "PLAY_MOVE", "data": {"column": ' + b"9" * 5000 + b"}}",
    b"x" * LINE_BYTES,
]
NOT_TEXT = [b"\xff", b'{"type": "REGISTER\xc3", "data": null}', b"\xed\xa0\x80", b"\xf8\x88\x80"]

IDS: list[Any] = [None, True, 1, 1.0, "", "player_", "1", ["player_1"], {"id": "player_1"}]
COLUMNS: list[Any] = [None, True, False, "3", "", 3.0, 3.5, 1e300, [3], {"column": 3}]
FIELDS = {
    "CHALLENGE": ("opponent_id", IDS),
    "CHALLENGE_ACCEPTED": ("challenger_id", IDS),
    "CHALLENGE_REFUSED": ("challenger_id", IDS),
    "PLAY_MOVE": ("column", COLUMNS),
}


@pytest.fixture(autouse=True)
async def bystanders(at: Visitors) -> AsyncIterator[None]:
    async with undisturbed(at):
        yield


async def answered_with_errors(client: Four, lines: list[bytes]) -> None:
    """One for each, and nothing else."""
    for line in lines:
        client.write(line + b"\n")
        try:
            assert await client.error()
        except BaseException as error:
            error.add_note(f"to {line[:80]!r}")
            raise


async def test_lines_that_mean_nothing(at: Visitors) -> None:
    nobody = await at.stranger()
    await answered_with_errors(nobody, [*GARBAGE, *NOT_TEXT])
    await nobody.register(new_name("odd"))
    await answered_with_errors(nobody, [*GARBAGE, *NOT_TEXT])
    await nobody.quiet()


async def test_wrong_values(at: Visitors) -> None:
    odd, even = await at.pair()
    others: list[Any] = [None, [], "x", 3, {}, NOTHING]
    for type, (field, values) in FIELDS.items():
        tried = [*others, *({field: value} for value in values)]
        for data in tried:
            odd.send(type, data)
            assert await odd.error(), (type, data)
    for player in (odd, even):
        await player.quiet()
    await start(odd, even)
    for data in (*others, *({"column": value} for value in COLUMNS)):
        odd.send("PLAY_MOVE", data)
        assert await odd.error(), data
    await play(odd, even, WON_BY_FIRST)
    await over(odd, even, odd)


async def test_names(at: Visitors) -> None:
    nobody = await at.stranger()
    bad: list[Any] = [
        "",
        " ", "\t", "a\nb", "a\x00b", "\u202eabc", "x" * 33, None, 7, True, ["bob"], {},
        "\ud800",
    ]  # fmt: skip
    for name in bad:
        nobody.send("REGISTER", {"name": name})
        assert await nobody.error(), name
    instead: list[Any] = [None, {}, [], "bob", NOTHING, {"nickname": "bob"}]
    for data in instead:
        nobody.send("REGISTER", data)
        assert await nobody.error(), data
    # Nobody is told who is there, and nobody plays, without a name.
    for type, data in (
        ("LIST_PLAYERS", None),
        ("CHALLENGE", {"opponent_id": "player_1"}),
        ("CHALLENGE_ACCEPTED", {"challenger_id": "player_1"}),
        ("CHALLENGE_REFUSED", {"challenger_id": "player_1"}),
        ("PLAY_MOVE", {"column": 3}),
    ):
        nobody.send(type, data)
        assert await nobody.error()
    await nobody.register(new_name("somebody"))
    nobody.send("REGISTER", {"name": new_name("other")})
    assert await nobody.error()
    await nobody.quiet()
    watcher = await at.four()
    good = [" spaces ", "王小明", "Ωmega|{}", 'quo"te\\', "x" * 32, "🎲", "é", "player_1"]
    for name in good:
        client = await (await at.stranger()).register(name)
        shown = {player["id"]: player["name"] for player in await watcher.players()}
        assert shown[client.id] == name.strip()
        client.send("DISCONNECT")
        await client.end()


async def test_what_needs_no_data_takes_any(at: Visitors) -> None:
    odd = await at.four("odd")
    nothings: list[Any] = [None, {}, NOTHING]
    for data in nothings:
        odd.send("LIST_PLAYERS", data)
        await odd.take("LIST_PLAYERS")
    for data in nothings:
        leaver = await at.four("leaver")
        leaver.send("DISCONNECT", data)
        await leaver.end()
    nobody = await at.stranger()
    await nobody.leave()
    assert not nobody.messages


async def test_blank_lines_are_ignored(at: Visitors) -> None:
    odd = await at.stranger()
    name = new_name("odd")
    register = json.dumps({"type": "REGISTER", "data": {"name": name}})
    odd.write(b"\n\r\n   \n\t\n" + register.encode() + b"\r\n\n\n")
    await odd.take("REGISTER_OK")
    odd.write(b" \t " + b'{"type": "LIST_PLAYERS", "data": null}' + b"  \n\n")
    await odd.take("LIST_PLAYERS")
    await odd.quiet()


@pytest.mark.parametrize("end", [b"", b"\n"], ids=["no end", "an end"])
@pytest.mark.parametrize("named", [True, False])
async def test_a_line_of_100_kilobytes(at: Visitors, named: bool, end: bytes) -> None:
    client = await (at.four("long") if named else at.stranger())
    client.write(b'{"type": "LIST_PLAYERS", "data": "' + b"x" * 100_000 + b'"}' + end)
    assert await client.error()
    await client.end()
    assert not client.left_over


async def test_half_a_line_and_gone(at: Visitors) -> None:
    whole = json.dumps({"type": "REGISTER", "data": {"name": new_name("half")}}).encode() + b"\n"
    for half in (b"", whole[:20], whole + b'{"type": "LIST', whole + b"\xff\xfe"):
        for end in ("close", "reset"):
            client = await at.stranger()
            client.write(half)
            await getattr(client, end)()


async def test_byte_by_byte(at: Visitors) -> None:
    odd = await at.four("odd")
    even = await at.four("éven 王")
    lines = "".join(
        json.dumps({"type": type, "data": data}, ensure_ascii=False) + "\n"
        for type, data in (("LIST_PLAYERS", None), ("CHALLENGE", {"opponent_id": even.id}))
    )
    for byte in lines.encode():
        odd.write(bytes((byte,)))
        await asyncio.sleep(0)
    assert even.name in [player["name"] for player in (await odd.take("LIST_PLAYERS"))["players"]]
    await even.take("CHALLENGE_RECEIVED", challenger_id=odd.id)


async def test_many_in_one_go_are_answered_in_order(at: Visitors) -> None:
    odd, even = await at.pair()
    await start(odd, even)
    asked = "LIST_PLAYERS", "PLAY_MOVE", "LIST_PLAYERS", "PLAY_MOVE", "NONSENSE", "LIST_PLAYERS"
    lines = [json.dumps({"type": type, "data": {"column": 3}}) for type in asked]
    odd.write("".join(f"{line}\n" for line in lines).encode())
    told = [await odd.next() for _ in asked]
    types = [message["type"] for message in told]
    assert types == [
        "LIST_PLAYERS",
        "GAME_UPDATE",
        "LIST_PLAYERS",
        "ERROR",
        "ERROR",
        "LIST_PLAYERS",
    ]
    assert told[1]["data"] == update((3,), odd.id, even.id)
    await odd.quiet()
    # A whole life in one write.
    brief = await at.stranger()
    name = new_name("brief")
    life: list[tuple[str, Any]] = [
        ("REGISTER", {"name": name}),
        ("LIST_PLAYERS", None),
        ("CHALLENGE", {"opponent_id": even.id}),
        ("PLAY_MOVE", {"column": 1}),
        ("LIST_PLAYERS", None),
        ("DISCONNECT", None),
        ("LIST_PLAYERS", None),
    ]
    brief.write("".join(json.dumps({"type": t, "data": d}) + "\n" for t, d in life).encode())
    await brief.end()
    types = [message["type"] for message in brief.messages]
    assert types == ["REGISTER_OK", "LIST_PLAYERS", "ERROR", "ERROR", "LIST_PLAYERS"]


async def test_over_the_rate_is_refused_and_who_goes_on_is_closed(at: Visitors) -> None:
    hasty = await at.four("hasty")
    for _ in range(BURST + 50):
        hasty.send("LIST_PLAYERS")
    told = [await hasty.next() for _ in range(BURST + 50)]
    types = [message["type"] for message in told]
    assert types[: BURST - 1] == ["LIST_PLAYERS"] * (BURST - 1)
    assert set(types) == {"LIST_PLAYERS", "ERROR"}

    async def is_heard() -> bool:
        hasty.send("LIST_PLAYERS")
        return bool((await hasty.next())["type"] != "ERROR")

    await eventually(is_heard, "an answer within the rate")
    for _ in range(BURST * 4):
        hasty.send("LIST_PLAYERS")
    await hasty.end()
    assert hasty.messages[-1]["type"] == "ERROR"


async def test_too_many_from_one_address(at: Visitors) -> None:
    strangers = [await at.stranger() for _ in range(40)]
    for client in strangers[-2:]:
        assert await client.error()
        await client.end()


@pytest.mark.parametrize("seed", range(3))
async def test_noise(at: Visitors, seed: int) -> None:
    """Whatever comes back has the form of this door, which the client checks."""
    rng = Random(seed)
    client = await at.stranger()
    words = [b'{"type":', b'"LIST_PLAYERS"', b',"data":', b"null}", b"{}", b"\n", b"\r\n", b"\xff"]
    for _ in range(40):
        client.write(b"".join(rng.choices(words, k=rng.randrange(1, 6))))
        if rng.random() < 0.3:
            await asyncio.sleep(0)
    name = new_name("noise")
    client.write(b"\n" + json.dumps({"type": "REGISTER", "data": {"name": name}}).encode() + b"\n")
    while (await client.next())["type"] != "REGISTER_OK":
        pass
    await client.quiet()
