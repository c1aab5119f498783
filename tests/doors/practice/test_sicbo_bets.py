"""Bets at the `practice` door, in a round that stays open."""

from __future__ import annotations

import pytest

from tests.doors.practice.clients import Json, Practice
from tests.doors.practice.halls import Visitors
from tests.doors.practice.shapes import START, WAITING


async def watch(player: Practice) -> Json:
    """With what the room starts."""
    player.seek("sicbo")
    await player.take(WAITING)
    start: Json = await player.take(START, game_id="sicbo")
    assert start["content"]["view"]["status"] == "BETTING_OPEN"
    return start


@pytest.mark.parametrize(
    ("bet", "code"),
    [
        ({"side": "BIG", "amount": 0}, "invalid_amount"),
        ({"side": "BIG", "amount": 1_000_001}, "invalid_amount"),
        ({"side": "BIG", "amount": 1.0}, "illegal_command"),
        ({"side": "BIG", "amount": "1"}, "illegal_command"),
        ({"side": "LEFT", "amount": 1}, "illegal_command"),
        ({"side": "BIG"}, "illegal_command"),
        ({"side": "BIG", "amount": 1, "round": 10**9}, "round_not_found"),
        ({"side": "BIG", "amount": 1, "more": 1}, "illegal_command"),
    ],
)
async def test_bets_that_are_refused(at: Visitors, bet: Json, code: str) -> None:
    anna = await at.player()
    room = (await watch(anna))["room"]
    anna.act(room, "bet", **bet)
    assert await anna.error() == code
    await anna.quiet()


async def test_no_more_can_be_bet_than_one_has(at: Visitors) -> None:
    anna = await at.player()
    room = (await watch(anna))["room"]
    anna.act(room, "bet", side="BIG", amount=1_000_000)
    await anna.room("bet_placed")
    await anna.room("view")
    anna.act(room, "bet", side="SMALL", amount=1)
    assert await anna.error() == "no_funds"


async def test_a_native_player_at_the_same_table(at: Visitors) -> None:
    anna, nora = await at.player(), await at.native()
    start = await watch(anna)
    before = start["content"]["view"]["tally"]
    await nora.ask("seek", game="sicbo")
    command = {"type": "bet", "side": "BIG", "amount": 70}
    await nora.ask("act", table=start["room"], command=command)
    anna.act(start["room"], "bet", side="SMALL", amount=7)
    tally = (await anna.room("bet_placed"))["tally"]
    assert (tally["big"], tally["small"]) == (before["big"] + 70, before["small"] + 7)
    assert (await anna.room("view"))["view"]["tally"] == tally


async def test_coming_back_to_ones_bets(at: Visitors) -> None:
    """Who has a bet in the round is shown it again; who only watched is not."""
    anna, bob = await at.pair()
    start = await watch(anna)
    assert start["move_turn"] is None
    await watch(bob)
    anna.act(start["room"], "bet", side="BIG", amount=17)
    seat = (await anna.room("bet_placed"))["seat"]
    for player in (anna, bob):
        await player.reset()
    again, watcher = await at.back(anna), await at.back(bob)
    shown = await again.take(START, room=start["room"], game_id="sicbo", move_turn=seat)
    assert shown["content"]["view"]["stake"] == {"big": 17, "small": 0}
    for player in (again, watcher):
        await player.quiet()
    again.act(start["room"], "bet", side="BIG", amount=3)
    assert (await again.room("bet_placed"))["stake"] == {"big": 20, "small": 0}
    assert (await watch(watcher))["move_turn"] is None
