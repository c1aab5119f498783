"""Whole rounds, by clients that do as existing ones do."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.doors.caller.clients import Caller, has_bingo
from tests.doors.caller.halls import QUICK, Visitors
from tests.doors.caller.playing import CAN_START, UNKNOWN, WAIT
from tests.doors.native.clients import Client
from tests.support.waiting import WAIT_SECONDS

SETTINGS = QUICK
NO_ROUND = "No round is being played. Anyone at the table can start one."


async def three(at: Visitors, **how: bool) -> list[Caller]:
    return [await at.caller(name, **how) for name in ("anna", "bob", "carl")]


async def seen(at: Visitors, watcher: Client, **wanted: Any) -> dict[str, Any]:
    """The table as a spectator sees it, once this is in its view."""
    table = await at.table(watcher)
    async with asyncio.timeout(WAIT_SECONDS):
        while True:
            await watcher.ask("watch", table=table)
            view = await watcher.notice("table_view")
            if wanted.items() <= view["view"].items():
                return view


async def test_a_round_to_its_end_and_another(at: Visitors) -> None:
    players = await three(at, plays=True)
    anna = players[0]
    for count in range(2):
        before = len(anna.messages)
        anna.say("/start")
        won = await anna.message("wins the round", before)
        for player in players:
            await player.new_card(count)
            assert await player.message("wins the round", before) == won
            await player.message("A new round can be started", before)
        winner = players[["anna", "bob", "carl"].index(won.split()[0])]
        assert winner.card is not None
        assert has_bingo(winner.card)
        # Everyone got the same numbers in the same order, the winner all of them.
        assert all(player.numbers == anna.numbers for player in players)
        cards = {str(player.dealt[count]) for player in players}
        assert len(cards) == len(players)
    assert anna.dealt[0] != anna.dealt[1], "cards are new each time"


async def test_who_comes_late_waits_and_is_dealt_in_at_the_next(at: Visitors) -> None:
    anna = await at.caller("anna")
    anna.say("/start")
    await anna.number(1)
    late = await at.caller("late", plays=True)
    assert late.messages[-1] == WAIT
    anna.say("READY")
    await anna.number(2)
    assert await late.answer("BINGO") == (
        "You have no card in this round. You will be dealt in at the next."
    )
    late.say("READY")
    anna.plays = True
    anna.say("READY")
    await late.message("anna has a bingo and wins the round.")
    assert late.dealt == []
    late.say("/start")
    await late.new_card()
    await late.number(3)
    await late.message("wins the round", len(late.messages))


async def test_a_round_is_started_by_anyone_but_not_twice(at: Visitors) -> None:
    anna, bob = await at.caller("anna"), await at.caller("bob")
    assert await anna.answer("BINGO") == NO_ROUND
    bob.say("/start")
    await anna.new_card()
    refusal = "A round is on. Wait for its end to start another."
    assert await anna.answer("/start") == refusal
    assert await bob.answer("/start") == refusal
    assert len(anna.dealt) == len(bob.dealt) == 1


async def test_a_false_bingo_is_refused_and_answers_the_number(at: Visitors) -> None:
    anna, bob = await at.caller("anna"), await at.caller("bob")
    anna.say("/start")
    await bob.number(1)
    bob.say("READY")
    refused = await anna.answer("BINGO")
    assert refused == "That is no bingo yet: no line of your card has been called in full."
    # Nobody else hears of it, and the next number comes without a READY of hers.
    await bob.number(2)
    await anna.number(2)
    assert not any("no bingo" in message for message in bob.messages)
    anna.plays = bob.plays = True
    for player in (anna, bob):
        player.say("READY")
    await anna.message("wins the round")


async def test_the_next_number_waits_for_everyone(at: Visitors) -> None:
    anna, bob = await at.caller("anna"), await at.caller("bob")
    for line in ("READY", "/start", "READY"):
        anna.say(line)
    await bob.number(1)
    # Some in advance: they answer this number, and no later one.
    for _ in range(4):
        anna.say("READY")
    assert await anna.answer("hello?") == UNKNOWN
    assert len(bob.numbers) == 1
    bob.say("READY")
    await bob.number(2)
    bob.say("READY")
    watcher = await at.native("watcher")
    view = await seen(at, watcher, ready=1)
    assert view["view"]["called"] == bob.numbers == anna.numbers
    assert view["clock"]["due_ms"] - view["clock"]["now_ms"] > 1_000_000, "nobody waits for anna"
    anna.say("READY")
    await anna.number(3)


async def test_who_leaves_has_lost_and_is_not_waited_for(at: Visitors) -> None:
    anna, bob = await at.caller("anna", plays=True), await at.caller("bob")
    anna.say("/start")
    await bob.number(1)
    bob.say("/quit")
    await bob.end()
    assert bob.messages[-1] == "Goodbye."
    assert await anna.message("wins") == "anna has a bingo and wins the round."
    again = await at.caller("bob", plays=True)
    assert again.messages == ["Connected as bob", CAN_START]


async def test_who_left_comes_back_as_someone_who_waits(at: Visitors) -> None:
    anna, bob = await at.caller("anna"), await at.caller("bob")
    anna.say("/start")
    await bob.new_card()
    bob.say("/quit")
    await bob.end()
    again = await at.caller("bob")
    assert again.messages[-1] == WAIT
    assert again.dealt == []


async def test_a_round_that_everyone_leaves_ends_at_once(at: Visitors) -> None:
    anna = await at.caller("anna")
    anna.say("/start")
    await anna.number(1)
    late = await at.caller("late", plays=True)
    anna.say("/quit")
    assert await late.message("left") == "Nobody is left in the round."
    await late.message("A new round can be started")
    late.say("/start")
    await late.message("late has a bingo")


async def test_a_claim_may_come_late(at: Visitors) -> None:
    anna = await at.caller("anna")
    anna.say("/start")
    await anna.new_card()
    while anna.card is None or not has_bingo(anna.card):
        await anna.number(len(anna.numbers) + 1)
        anna.say("READY")
    await anna.number(len(anna.numbers) + 1)
    anna.say("BINGO")
    await anna.message("anna has a bingo and wins the round.")


async def test_who_wins_and_goes_at_once_is_still_named(at: Visitors) -> None:
    anna, bob = await at.caller("anna"), await at.caller("bob")
    anna.say("/start")
    await anna.new_card()
    while anna.card is None or not has_bingo(anna.card):
        await anna.number(len(anna.numbers) + 1)
        anna.say("READY")
        bob.say("READY")
    anna.write(b"BINGO\n/quit\n")
    await bob.message("anna has a bingo and wins the round.")


async def test_all_numbers_are_called_and_nobody_claims(at: Visitors) -> None:
    anna = await at.caller("anna")
    anna.say("/start")
    for count in range(1, 76):
        await anna.number(count)
        anna.say("READY")
    assert sorted(anna.numbers) == list(range(1, 76))
    assert await anna.message("Nobody") == "All numbers have been called. Nobody wins the round."
    await anna.message("A new round can be started", 2)
