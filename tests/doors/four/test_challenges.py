"""A challenge has one outcome, which its challenger is told, and nobody is left as if in a game."""

from __future__ import annotations

import asyncio
from itertools import pairwise

import pytest

from tests.doors.four.clients import Four
from tests.doors.four.halls import Visitors
from tests.doors.four.playing import (
    WON_BY_FIRST,
    all_of,
    over,
    over_for,
    play,
    start,
    started,
    whole_game,
)
from tests.support.waiting import WAIT_SECONDS


async def challenged(challenger: Four, target: Four) -> None:
    challenger.challenge(target)
    told = await target.take("CHALLENGE_RECEIVED")
    assert told == {"challenger_id": challenger.id, "challenger_name": challenger.name}


async def no_answer_left(challenger: Four, target: Four) -> None:
    """The challenge is over: it can be neither accepted nor refused."""
    for answer in (target.accept, target.refuse):
        answer(challenger)
        assert await target.error()
        await target.quiet()


async def both_free(one: Four, other: Four) -> None:
    """Nothing is left to be said, and they can play with each other."""
    for player in (one, other):
        await player.quiet()
    await whole_game(one, other)


async def test_it_is_answered_only_to_the_challenged(at: Visitors) -> None:
    anna, bob = await at.pair()
    await challenged(anna, bob)
    await anna.quiet()
    bob.accept(anna)
    await started(anna, bob)


async def test_refused(at: Visitors) -> None:
    anna, bob = await at.pair()
    await challenged(anna, bob)
    bob.refuse(anna)
    assert await anna.refused()
    await bob.quiet()
    await no_answer_left(anna, bob)
    # A refusal is not for ever.
    await challenged(anna, bob)
    bob.refuse(anna)
    await anna.refused()
    await both_free(anna, bob)


async def test_accepted_twice(at: Visitors) -> None:
    anna, bob = await at.pair()
    await challenged(anna, bob)
    bob.accept(anna)
    bob.accept(anna)
    bob.refuse(anna)
    await started(anna, bob)
    await bob.error()
    await bob.error()
    await play(anna, bob, WON_BY_FIRST)
    await over(anna, bob, anna)
    await no_answer_left(anna, bob)
    await both_free(anna, bob)


async def test_refused_after_it_was_accepted(at: Visitors) -> None:
    anna, bob = await at.pair()
    await start(anna, bob)
    bob.refuse(anna)
    assert await bob.error()
    await play(anna, bob, WON_BY_FIRST)
    await over(anna, bob, anna)


async def test_answered_by_someone_else(at: Visitors) -> None:
    anna, bob = await at.pair()
    carl = await at.four("carl")
    await challenged(anna, bob)
    await no_answer_left(anna, carl)
    # Nor by who made it.
    await no_answer_left(anna, anna)
    for id in (bob.id, anna.id.replace("player_", "Player_"), "player_0", f"{anna.id} ", "anna"):
        bob.accept(id)
        assert await bob.error()
    bob.accept(anna)
    await started(anna, bob)
    await carl.quiet()


async def test_there_was_none(at: Visitors) -> None:
    anna, bob = await at.pair()
    await no_answer_left(anna, bob)
    await both_free(anna, bob)


async def test_the_same_one_again(at: Visitors) -> None:
    anna, bob = await at.pair()
    await challenged(anna, bob)
    anna.challenge(bob)
    assert await anna.error()
    # The first still stands.
    bob.accept(anna)
    await started(anna, bob)


async def test_who_cannot_be_challenged(at: Visitors) -> None:
    anna, bob = await at.pair()
    said = set()
    for id in (
        anna.id, "player_0", "player_999999999", "player_-1", "player_", "", "bob", bob.name,
        bob.id.upper(), f" {bob.id}", bob.id.replace("_", "_0"), f"player_{10**40}", "player_１",
    ):  # fmt: skip
        anna.challenge(id)
        said.add(await anna.error())
    assert len(said) >= 2, "to challenge oneself is another mistake than to challenge nobody"
    await both_free(anna, bob)


@pytest.mark.parametrize("way", ["leave", "reset"])
async def test_to_someone_who_then_goes(at: Visitors, way: str) -> None:
    anna, bob = await at.pair()
    await challenged(anna, bob)
    await getattr(bob, way)()
    assert await anna.refused()
    assert bob.id not in await anna.ids()
    anna.challenge(bob)
    assert await anna.error()
    await both_free(anna, await at.four("another bob"))


@pytest.mark.parametrize("way", ["leave", "reset"])
async def test_by_someone_who_then_goes(at: Visitors, way: str) -> None:
    anna, bob = await at.pair()
    await challenged(anna, bob)
    await getattr(anna, way)()
    async with asyncio.timeout(WAIT_SECONDS):
        while anna.id in await bob.ids():
            await asyncio.sleep(0.05)
    await no_answer_left(anna, bob)
    await both_free(await at.four("another anna"), bob)


async def test_who_shuts_its_end_is_gone(at: Visitors) -> None:
    """There is nobody any more who could answer."""
    anna, bob = await at.pair()
    await challenged(anna, bob)
    bob.shut()
    assert await anna.refused()
    await bob.end()
    assert bob.id not in await anna.ids()


async def test_to_someone_who_just_sat_down(at: Visitors) -> None:
    anna, bob = await at.pair()
    carl, dora = await at.four("carl"), await at.four("dora")
    await challenged(carl, bob)
    await start(anna, bob)
    assert await carl.refused()
    for busy in (anna, bob):
        dora.challenge(busy)
        assert await dora.error()
    await anna.quiet()
    await bob.quiet()
    # What was refused cannot be accepted later.
    bob.accept(carl)
    await bob.error()
    await play(anna, bob, WON_BY_FIRST)
    await over(anna, bob, anna)
    bob.accept(carl)
    await bob.error()
    await both_free(carl, bob)


async def test_three_to_one(at: Visitors) -> None:
    bob = await at.four("bob")
    three = [await at.four("challenger") for _ in range(3)]
    for challenger in three:
        await challenged(challenger, bob)
    for challenger in three:
        await challenger.quiet()
    bob.accept(three[1])
    await started(three[1], bob)
    for challenger in (three[0], three[2]):
        assert await challenger.refused()
        await challenger.quiet()
    await both_free(three[0], three[2])


async def test_one_to_three(at: Visitors) -> None:
    anna = await at.four("anna")
    three = [await at.four("target") for _ in range(3)]
    for target in three:
        await challenged(anna, target)
    three[0].refuse(anna)
    await anna.refused()
    three[2].accept(anna)
    await started(anna, three[2])
    await no_answer_left(anna, three[1])
    await anna.quiet()
    await play(anna, three[2], WON_BY_FIRST)
    await over(anna, three[2], anna)
    await no_answer_left(anna, three[1])


async def test_the_challenger_sits_down_elsewhere(at: Visitors) -> None:
    anna, bob = await at.pair()
    carl = await at.four("carl")
    await challenged(anna, bob)
    await start(carl, anna)
    await no_answer_left(anna, bob)
    # To sit down is the outcome of what one has asked others for.
    await anna.quiet()
    await both_free(bob, await at.four("dora"))


async def test_a_chain(at: Visitors) -> None:
    """Each has challenged the next; in the middle someone accepts."""
    chain = [await at.four("link") for _ in range(5)]
    for one, other in pairwise(chain):
        await challenged(one, other)
    chain[2].accept(chain[1])
    await started(chain[1], chain[2])
    assert await chain[0].refused()
    await no_answer_left(chain[2], chain[3])
    chain[4].accept(chain[3])
    await started(chain[3], chain[4])
    await chain[0].quiet()


async def test_two_that_cross(at: Visitors) -> None:
    anna, bob = await at.pair()
    await challenged(anna, bob)
    bob.challenge(anna)
    await started(anna, bob)
    await play(anna, bob, WON_BY_FIRST)
    await over(anna, bob, anna)
    await challenged(bob, anna)
    anna.challenge(bob)
    await started(bob, anna)
    await no_answer_left(anna, bob)
    await no_answer_left(bob, anna)


async def test_a_ring_of_three(at: Visitors) -> None:
    """Nobody's challenge crosses another's, so each waits for its answer."""
    ring = [await at.four("ring") for _ in range(3)]
    await all_of(*(challenged(ring[n], ring[(n + 1) % 3]) for n in range(3)))
    ring[1].accept(ring[0])
    await started(ring[0], ring[1])
    # Whoever challenged one that sat down is refused; whoever sat down has its outcome.
    assert await ring[2].refused()
    await no_answer_left(ring[1], ring[2])
    for player in ring:
        await player.quiet()


async def test_gone_from_a_game_and_challenged_before_it_is_noticed(at: Visitors) -> None:
    anna, bob = await at.pair()
    carl = await at.four("carl")
    await start(anna, bob)
    await bob.reset()
    for busy in (anna, bob):
        carl.challenge(busy)
        assert await carl.error()
    await anna.leave()
    # The game is over, and whoever was waited for is gone.
    carl.challenge(bob)
    assert await carl.error()
    assert bob.id not in await carl.ids()


async def test_after_the_opponent_has_left_one_is_free(at: Visitors) -> None:
    anna, bob = await at.pair()
    carl = await at.four("carl")
    await start(anna, bob)
    await anna.leave()
    await over_for(bob, bob)
    await both_free(carl, bob)
