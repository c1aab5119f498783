"""kill -9 in the middle of a round: the same cards, the numbers so far, and on to the end."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

from tests.doors.caller.clients import Caller
from tests.doors.caller.halls import QUICK, Visitors, open_hall
from tests.doors.native.clients import Client
from tests.support.processes import HallProcess

NAMES = ("anna", "bob|pipe", "王")
CALLS = (0, 2, 5)
"""How many numbers have been called, the least, when the hall is killed."""


async def enter(at: Visitors) -> list[Caller]:
    """Everyone under its own name, each told how the round stands."""
    players = []
    for name in NAMES:
        player = await at.stranger()
        said = await player.answer(name)
        assert said == f"Connected as {name.replace('|', '/')}"
        players.append(player)
    return players


async def crash(hall: HallProcess, players: list[Caller], native: Client) -> None:
    hall.restart()
    for player in players:
        await player.end()
    await native.closed()


async def test_a_round_goes_on_after_each_crash(tmp_path: Path) -> None:
    with open_hall(tmp_path, *QUICK) as hall:
        at = Visitors(hall)
        players = await enter(at)
        native, table, seat = await at.sit("nora")
        token = native.heard("hello")[-1]["token"]
        players[0].say("/start")
        cards = [await player.new_card() for player in players]
        await native.until(lambda: dealt(native) or None, "a card")
        card, called = dealt(native)[0][str(seat)], list[int]()
        for calls in CALLS:
            while len(players[0].numbers) < calls:
                await ready(players, native, table)
            await crash(hall, players, native)
            called = max((player.numbers for player in players), key=len)
            players = await enter(at)
            for player in players:
                await player.until(lambda: len(player.numbers) >= len(called))  # noqa: B023
                assert player.numbers[: len(called)] == called
            assert [player.dealt for player in players] == [[own] for own in cards]
            native = await at.native_again(token)
            await native.ask("resume", table=table, after=0)
            view = (await native.notice("table_view"))["view"]
            assert [number for column in view["card"] for number in column] == card
            assert view["called"][: len(called)] == called
        for player in players:
            player.plays = True
        await ready(players, native, table)
        await ask(native, "leave", table=table)
        for player in players:
            await player.message("wins the round")
        await at.leave()


def dealt(native: Client) -> list[dict[str, list[int]]]:
    told = [event for notice in native.heard("table_events") for event in notice["events"]]
    return [event["cards"] for event in told if event["type"] == "cards_dealt"]


async def ask(native: Client, action: str, **payload: Any) -> None:
    """With an id of its own: those of the connection before count as the same request."""
    answer = await native.request(action, payload, secrets.token_hex(8))
    assert answer["action"] == action, answer


async def ready(players: list[Caller], native: Client, table: int) -> None:
    """Everyone answers the number, and gets the next one."""
    count = len(players[0].numbers)
    if count:
        for player in players:
            player.say("READY")
        await ask(native, "act", table=table, command={"type": "ready"})
    for player in players:
        await player.number(count + 1)
