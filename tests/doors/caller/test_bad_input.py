"""Whatever someone sends is answered or closed as described, and the others play on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from random import Random

import pytest

from tests.doors.caller.bystanders import undisturbed
from tests.doors.caller.clients import Caller
from tests.doors.caller.halls import Visitors
from tests.doors.caller.playing import UNKNOWN
from tests.support.waiting import eventually

SETTINGS = (
    "bingo.pause_seconds=0.005",
    "bingo.ready_seconds=0.02",
    "limits.connections_per_address=40",
)
BURST = 200
NOT_TEXT = "This message is not valid UTF-8."
TOO_LARGE = "This message is larger than the 65536 bytes that are accepted."
TOO_MANY = "Too many messages at once. Wait a moment and send it again."


@pytest.fixture(autouse=True)
async def bystanders(at: Visitors) -> AsyncIterator[None]:
    async with undisturbed(at):
        yield


async def still_answers(client: Caller) -> None:
    before = client.messages.count(UNKNOWN)
    client.say("still there?")
    await client.until(lambda: client.messages.count(UNKNOWN) > before)


@pytest.mark.parametrize(
    "line",
    [
        b"ready",
        b"bingo",
        b"READY|",
        b"READY READY",
        b"/START",
        b"/",
        b"CHECK_NUMBER|7",
        b"MSG|I have won",
        b'{"action": "ping"}',
        b"\x00\x01\x02",
        b"GET / HTTP/1.1\r",
        "Ωμέγα ||".encode(),
        b"x" * 65536,
    ],
    ids=lambda line: line[:12],
)
async def test_a_line_that_means_nothing(at: Visitors, line: bytes) -> None:
    client = await at.caller("odd")
    before = client.messages.count(UNKNOWN)
    client.write(line + b"\n")
    await client.until(lambda: client.messages.count(UNKNOWN) > before)


@pytest.mark.parametrize("line", [b"\xff", b"anna\xc3", b"\xed\xa0\x80", b"\xf8\x88\x80\x80"])
async def test_what_is_no_text(at: Visitors, line: bytes) -> None:
    nobody = await at.stranger()
    nobody.write(line + b"\nodd\n")
    await nobody.message("Connected as odd")
    assert nobody.messages[0] == NOT_TEXT
    nobody.write(line + b"\n")
    await nobody.message(NOT_TEXT, 1)
    await still_answers(nobody)


@pytest.mark.parametrize("end", [b"", b"\n"], ids=["no end", "an end"])
@pytest.mark.parametrize("named", [True, False])
async def test_a_line_of_100_kilobytes(at: Visitors, named: bool, end: bytes) -> None:
    client = await (at.caller("long") if named else at.stranger())
    client.write(b"READY " * 17_000 + end)
    await client.end()
    assert client.messages[-1] == TOO_LARGE


async def test_half_a_line_and_gone(at: Visitors) -> None:
    for half in (b"", b"od", b"odd\nREA", b"odd\nBINGO\n\xff\xfe"):
        client = await at.stranger()
        client.write(half)
        await client.close()
        client = await at.stranger()
        client.write(half)
        await client.reset()


async def test_one_who_lies(at: Visitors) -> None:
    """All numbers come all the same, and each claim is answered."""
    liar = await at.caller("liar")
    await liar.number(2)
    claims = 50
    before = len(liar.messages)
    liar.write(b"BINGO\n" * claims)
    answered = (
        "That is no bingo yet: no line of your card has been called in full.",
        "No round is being played. Anyone at the table can start one.",
        "liar has a bingo and wins the round.",  # Chance may make it true.
    )
    await liar.until(lambda: sum(said in answered for said in liar.messages[before:]) >= claims)
    await still_answers(liar)


async def test_one_who_is_silent(at: Visitors) -> None:
    silent = await at.caller("silent")
    # Its time-out and no more passes for each number, until one of the others wins.
    await silent.new_card()
    await silent.message("wins the round", len(silent.messages))
    await silent.new_card(1)


async def test_over_the_rate_is_refused_and_who_goes_on_is_closed(at: Visitors) -> None:
    hasty = await at.caller("hasty")
    hasty.write(b"?\n" * (BURST + 50))
    await hasty.message(TOO_MANY)

    async def is_heard() -> bool:
        await hasty.answer("?")
        return hasty.messages[-1] != TOO_MANY

    await eventually(is_heard, "an answer within the rate")
    hasty.write(b"?\n" * BURST * 4)
    await hasty.end()
    assert hasty.messages[-1] == TOO_MANY


async def test_too_many_from_one_address(at: Visitors) -> None:
    strangers = [await at.stranger() for _ in range(40)]
    turned_away = [client for client in strangers if client.messages or client.ended]
    for client in strangers[-2:]:
        await client.end()
        turned_away.append(client)
    for client in turned_away:
        assert client.messages == [
            "There are too many connections from your address. Close one first."
        ]


@pytest.mark.parametrize("seed", range(4))
async def test_noise(at: Visitors, seed: int) -> None:
    """Whatever comes back has the form of this door, which the client checks."""
    rng = Random(seed)
    client = await at.stranger()
    words = [b"READY", b"BINGO", b"/start", b"|", b"\n", b"\r\n", b"\xff", b"odd", b" ", b"\x00"]
    for _ in range(40):
        client.write(b"".join(rng.choices(words, k=rng.randrange(1, 6))))
        if rng.random() < 0.3:
            await asyncio.sleep(0)
    client.write(b"\nodd\n")
    await client.message("Connected as")
    await still_answers(client)
