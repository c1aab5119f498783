"""Whose connection drops is not waited for, and may come back by its name."""

from __future__ import annotations

import re

import pytest

from tests.doors.caller.halls import QUICK, Visitors
from tests.doors.caller.playing import CAN_START, WAIT, begin, to_the_end

SETTINGS = QUICK


async def test_the_same_card_and_all_numbers_so_far(at: Visitors) -> None:
    anna, bob = await begin(at)
    await bob.reset()
    for count in (3, 4, 5):
        anna.say("READY")
        await anna.number(count)
    again = await at.caller("bob")
    await again.number(5)
    assert again.lines[0] == "MSG|Connected as bob"
    assert again.dealt == bob.dealt
    assert again.numbers == anna.numbers
    assert len(again.lines) == 1 + 1 + 5, again.lines
    # From here on it is waited for again: nobody but Bob has to answer.
    anna.say("READY")
    await anna.number(6)
    await again.number(6)
    await to_the_end(anna, again)


@pytest.mark.parametrize("end", ["close", "shut"])
async def test_a_connection_that_was_closed_gives_way_at_once(at: Visitors, end: str) -> None:
    anna, bob = await begin(at)
    # Whatever was sent shortly before may still be answered, so the hall waits with its own end.
    bob.say("READY")
    if end == "close":
        await bob.close()
    else:
        bob.shut()
    again = await at.caller("bob")
    assert again.messages == ["Connected as bob"]
    assert again.dealt == bob.dealt
    await to_the_end(anna, again)


async def test_while_one_is_connected_another_gets_a_number(at: Visitors) -> None:
    anna, bob = await begin(at)
    other = await at.stranger()
    other.say("bob")
    await other.message(WAIT)
    assert re.fullmatch(r"Connected as bob\d \(bob is in use\)", other.messages[0])
    await to_the_end(anna, bob)
    assert other.dealt == []


async def test_from_another_address_one_is_someone_else(at: Visitors) -> None:
    _, bob = await begin(at)
    await bob.reset()
    thief = await at.stranger(address="127.0.0.2")
    thief.say("bob")
    await thief.message(WAIT)
    assert re.fullmatch(r"Connected as bob\d \(bob is in use\)", thief.messages[0])
    again = await at.caller("bob")
    assert again.dealt == bob.dealt


async def test_who_waited_waits_on(at: Visitors) -> None:
    anna, bob = await begin(at)
    late = await at.caller("late")
    await late.reset()
    again = await at.caller("late")
    assert again.messages == ["Connected as late", WAIT]
    assert again.dealt == []
    await to_the_end(anna, bob)
    again.say("/start")
    await again.new_card()


async def test_who_comes_back_after_the_end(at: Visitors) -> None:
    anna, bob = await begin(at)
    await bob.reset()
    await to_the_end(anna)
    again = await at.caller("bob")
    assert again.messages == ["Connected as bob", CAN_START]
    again.say("/start")
    await again.new_card()
    await anna.new_card(1)


async def test_who_is_away_is_not_waited_for_in_the_next_round_either(at: Visitors) -> None:
    anna, bob = await begin(at)
    await bob.reset()
    await to_the_end(anna)
    before = len(anna.messages)
    anna.say("/start")
    await anna.message("anna has a bingo", before)
    again = await at.caller("bob")
    assert again.messages == ["Connected as bob", CAN_START]
