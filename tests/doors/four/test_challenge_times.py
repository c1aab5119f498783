"""A challenge that nobody answers runs out."""

from __future__ import annotations

import asyncio
from random import Random

from tests.doors.four.clients import Four
from tests.doors.four.halls import Visitors
from tests.doors.four.playing import all_of, start, started, whole_game

CHALLENGE_SECONDS = 2
SETTINGS = (f"lobby.challenge_seconds={CHALLENGE_SECONDS}", "limits.messages_per_second=0")
PAIRS = 20


async def test_its_challenger_is_told_once(at: Visitors) -> None:
    anna, bob = await at.pair()
    for _ in range(2):
        anna.challenge(bob)
        await bob.take("CHALLENGE_RECEIVED")
        assert await anna.refused()
        for player in (anna, bob):
            await player.quiet()
    for answer in (bob.accept, bob.refuse):
        answer(anna)
        assert await bob.error()
    await whole_game(anna, bob)


async def test_one_that_was_accepted_does_not_run_out(at: Visitors) -> None:
    anna, bob = await at.pair()
    carl, dora = await at.four("carl"), await at.four("dora")
    await start(anna, bob)
    # Made later, so when it has run out the other would have, too.
    carl.challenge(dora)
    await carl.refused()
    await carl.quiet()
    for player in (anna, bob):
        await player.quiet()


async def test_accepted_in_the_moment_in_which_it_runs_out(at: Visitors) -> None:
    rng = Random(4)
    pairs = [await at.pair() for _ in range(PAIRS)]
    moments = [CHALLENGE_SECONDS + rng.uniform(-0.02, 0.02) for _ in pairs]
    outcomes = await all_of(*map(one_moment, pairs, moments))
    assert set(outcomes) <= {"game", "refused"}
    for anna, bob in pairs:
        for player in (anna, bob):
            await player.quiet()


async def one_moment(pair: tuple[Four, Four], seconds: float) -> str:
    """Either a game for both, or a refusal for one and an error for the other."""
    anna, bob = pair
    anna.challenge(bob)
    await bob.take("CHALLENGE_RECEIVED")
    await asyncio.sleep(seconds)
    bob.accept(anna)
    await bob.until(lambda: bool(bob.left_over))
    if bob.left_over[0]["type"] == "GAME_START":
        await started(anna, bob)
        return "game"
    await bob.error()
    await anna.refused()
    await whole_game(anna, bob)
    return "refused"
