"""Cards and calls of finished rounds follow from the secret that was committed before."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from tests.doors.caller.clients import Card
from tests.doors.caller.halls import QUICK, Visitors, open_hall
from tests.support.processes import Process

Row = dict[str, Any]


@pytest.fixture
async def played(tmp_path: Path) -> tuple[list[Row], dict[str, Card], list[int]]:
    """The journal of the second round at a table, with the cards and numbers that players got."""
    with open_hall(tmp_path, *QUICK) as hall:
        at = Visitors(hall)
        players = {name: await at.caller(name, plays=True) for name in ("anna", "bob", "carl")}
        anna = players["anna"]
        for count in range(2):
            before = len(anna.messages)
            anna.say("/start")
            for player in players.values():
                await player.new_card(count)
            await anna.message("wins the round", before)
        source = f"{hall.web_url}/api/tables/1/journal?round=2"
        with Process("verify", source) as verify:
            assert await asyncio.to_thread(verify.wait) == 0, verify.report()
        assert verify.stdout[-1].startswith("Verified"), verify.report()
        rows = await asyncio.to_thread(read, source)
        await at.leave()
    return rows, {name: each.dealt[1] for name, each in players.items()}, anna.numbers


def read(source: str) -> list[Row]:
    with urlopen(source) as answer:
        return [json.loads(line) for line in answer]


async def judged(rows: list[Row], folder: Path) -> int:
    """What `gamehall verify` says to a file with these rows."""
    file = folder / "round.jsonl"
    file.write_text("".join(f"{json.dumps(row, separators=(',', ':'))}\n" for row in rows))
    with Process("verify", str(file)) as verify:
        return await asyncio.to_thread(verify.wait)


async def test_players_got_what_the_journal_says_and_the_secret_gives(
    played: tuple[list[Row], dict[str, Card], list[int]], tmp_path: Path
) -> None:
    rows, cards, numbers = played
    # It opens in the row that ends the round before.
    (opened,) = events_of(rows, "opened", 1)
    (ended,) = events_of(rows, "round_ended", 2)
    secret = bytes.fromhex(ended["secret"])
    assert hashlib.sha256(secret).hexdigest() == opened["commitment"]
    (dealt,) = events_of(rows, "cards_dealt", 2)
    assert {chair["person"]["name"] for chair in opened["chairs"]} == set(cards)
    for chair in opened["chairs"]:
        seat, name = chair["seat"], chair["person"]["name"]
        card = [number for column in cards[name] for number in column]
        assert dealt["cards"][str(seat)] == card == card_of(secret, seat)
    called = [event["number"] for event in events_of(rows, "called", 2)]
    assert called == numbers == order_of(secret)[: len(numbers)]


async def test_a_card_that_was_exchanged_is_found(
    played: tuple[list[Row], dict[str, Card], list[int]], tmp_path: Path
) -> None:
    rows = played[0]
    assert await judged(rows, tmp_path) == 0
    (dealt,) = events_of(rows, "cards_dealt", 2)
    seats = sorted(dealt["cards"])
    dealt["cards"][seats[0]], dealt["cards"][seats[1]] = (dealt["cards"][s] for s in seats[1::-1])
    assert await judged(rows, tmp_path) == 1


def events_of(rows: list[Row], type: str, round: int) -> list[Row]:
    """Beside the rows a journal has a line of its own, without events."""
    of_round = [row for row in rows if row.get("round") == round and "events" in row]
    return [event for row in of_round for event in row["events"] if event["type"] == type]


# The draws, from their description alone


def words(secret: bytes, label: str) -> Iterator[int]:
    for block in range(1000):
        told = label.encode() + b"\0" + block.to_bytes(4, "big")
        digest = hmac.new(secret, told, hashlib.sha256).digest()
        yield from (int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4))


def below(stream: Iterator[int], size: int) -> int:
    return next(word for word in stream if word < 2**32 - 2**32 % size) % size


def card_of(secret: bytes, seat: int) -> list[int]:
    stream = words(secret, f"card:{seat}")
    card = []
    for first in (1, 16, 31, 46, 61):
        left = list(range(first, first + 15))
        card += sorted(left.pop(below(stream, len(left))) for _ in range(5))
    card[12] = 0
    return card


def order_of(secret: bytes) -> list[int]:
    stream = words(secret, "calls")
    order = list(range(1, 76))
    for top in range(74, 0, -1):
        other = below(stream, top + 1)
        order[top], order[other] = order[other], order[top]
    return order
