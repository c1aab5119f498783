"""Challenges, answers and ends that meet: many times, and each time with one outcome."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from random import Random

from tests.doors.four.clients import Four
from tests.doors.four.halls import Visitors
from tests.doors.four.playing import (
    WON_BY_SECOND,
    all_of,
    over,
    over_for,
    play,
    started,
    whole_game,
)

PAIRS = 12
ROUNDS = 4


async def in_many_pairs(at: Visitors, race: Callable[[Four, Four], Awaitable[None]]) -> None:
    pairs = [await at.pair() for _ in range(PAIRS)]
    for _ in range(ROUNDS):
        await all_of(*(race(*pair) for pair in pairs))


async def finish(first: Four, second: Four) -> None:
    await play(first, second, WON_BY_SECOND)
    await over(first, second, second)
    for player in (first, second):
        await player.quiet()


async def test_both_challenge_at_once(at: Visitors) -> None:
    firsts = set()

    async def race(anna: Four, bob: Four) -> None:
        anna.challenge(bob)
        bob.challenge(anna)
        for player in (anna, bob):
            await player.until(lambda: bool(player.left_over))  # noqa: B023 (awaited)
        # Only one of the two was ever told of a challenge, and is the second then.
        was_told = [bool(p.left_over[0]["type"] == "CHALLENGE_RECEIVED") for p in (anna, bob)]
        assert sorted(was_told) == [False, True]
        first, second = (bob, anna) if was_told[0] else (anna, bob)
        await second.take("CHALLENGE_RECEIVED", challenger_id=first.id)
        await started(first, second)
        firsts.add(first.name.split()[0])
        await finish(first, second)

    await in_many_pairs(at, race)
    assert firsts <= {"anna", "bob"}


async def test_both_accept_what_crossed(at: Visitors) -> None:
    """As players do who see a challenge just when they made one themselves."""

    async def race(anna: Four, bob: Four) -> None:
        anna.challenge(bob)
        bob.challenge(anna)
        anna.accept(bob)
        bob.accept(anna)
        for player in (anna, bob):
            await player.until(lambda: count(player, "GAME_UPDATE") == 1)  # noqa: B023
        first = anna if number(anna) == 1 else bob
        second = bob if first is anna else anna
        errors = 0
        for player in (anna, bob):
            player.send("LIST_PLAYERS")
            while (message := await player.next())["type"] != "LIST_PLAYERS":
                errors += message["type"] == "ERROR"
        # One challenge was accepted by crossing or by the answer, and the rest is over.
        assert 1 <= errors <= 2, errors
        await finish(first, second)

    await in_many_pairs(at, race)


def count(player: Four, type: str) -> int:
    return sum(message["type"] == type for message in player.left_over)


def number(player: Four) -> int:
    (start,) = [m["data"] for m in player.left_over if m["type"] == "GAME_START"]
    found: int = start["your_number"]
    return found


async def test_accepted_while_the_challenger_goes(at: Visitors) -> None:
    rng = Random(1)

    async def race() -> None:
        anna, bob = await at.pair()
        anna.challenge(bob)
        await bob.take("CHALLENGE_RECEIVED")
        if rng.random() < 0.5:
            bob.accept(anna)
            anna.send("DISCONNECT")
        else:
            anna.send("DISCONNECT")
            bob.accept(anna)
        await anna.end()
        message = await bob.next()
        if message["type"] == "GAME_START":
            await bob.take("GAME_UPDATE")
            await over_for(bob, bob)
        else:
            assert message["type"] == "ERROR"
        await whole_game(bob, await at.four("carl"))

    await all_of(*(race() for _ in range(PAIRS * 2)))


async def test_accepted_while_the_challenger_drops(at: Visitors) -> None:
    """Either the challenge was over, or there is a game to which it can come back."""
    rng = Random(2)
    seen = set()

    async def race() -> None:
        anna, bob = await at.pair()
        anna.challenge(bob)
        await bob.take("CHALLENGE_RECEIVED")
        if rng.random() < 0.5:
            bob.accept(anna)
            await anna.reset()
        else:
            resetting = asyncio.create_task(anna.reset())
            bob.accept(anna)
            await resetting
        type = (await bob.next())["type"]
        seen.add(type)
        again = await (await at.stranger()).register(anna.name)
        if type == "GAME_START":
            await bob.take("GAME_UPDATE")
            assert again.id == anna.id
            await again.take("GAME_START", your_number=1, player2=bob.name)
            await again.take("GAME_UPDATE")
            await finish(again, bob)
        else:
            assert type == "ERROR"
            assert again.id != anna.id
            await whole_game(again, bob)

    await all_of(*(race() for _ in range(PAIRS * 2)))
    assert seen <= {"GAME_START", "ERROR"}


async def test_the_challenged_goes_while_it_accepts(at: Visitors) -> None:
    async def race() -> None:
        anna, bob = await at.pair()
        anna.challenge(bob)
        await bob.take("CHALLENGE_RECEIVED")
        bob.accept(anna)
        bob.send("DISCONNECT")
        await bob.end()
        # What it sent was taken in this order, so there was a game and it has left it.
        await anna.take("GAME_START", your_number=1, player2=bob.name)
        await anna.take("GAME_UPDATE")
        await over_for(anna, anna)
        await whole_game(anna, await at.four("carl"))

    await all_of(*(race() for _ in range(PAIRS)))


async def test_two_accept_one_challenger_at_once(at: Visitors) -> None:
    async def race() -> None:
        anna, bob = await at.pair()
        carl = await at.four("carl")
        for target in (bob, carl):
            anna.challenge(target)
            await target.take("CHALLENGE_RECEIVED")
        for target in (bob, carl):
            target.accept(anna)
        for target in (bob, carl):
            await target.until(lambda: bool(target.left_over))  # noqa: B023 (awaited)
        lucky, other = (bob, carl) if bob.left_over[0]["type"] == "GAME_START" else (carl, bob)
        await started(anna, lucky)
        assert await other.error()
        await finish(anna, lucky)
        await whole_game(other, anna)

    await all_of(*(race() for _ in range(PAIRS)))


async def test_accepted_and_refused_at_once(at: Visitors) -> None:
    async def race(anna: Four, bob: Four) -> None:
        for answers in ((bob.accept, bob.refuse), (bob.refuse, bob.accept)):
            anna.challenge(bob)
            await bob.take("CHALLENGE_RECEIVED")
            for answer in answers:
                answer(anna)
            if answers[0] == bob.accept:
                await started(anna, bob)
                await bob.error()
                await finish(anna, bob)
            else:
                await bob.error()
                await anna.refused()
            for player in (anna, bob):
                await player.quiet()

    await in_many_pairs(at, race)


async def test_challenged_while_it_sits_down(at: Visitors) -> None:
    """Whenever the challenge comes, it is refused, and is not heard of in the game."""

    async def race(anna: Four, bob: Four) -> None:
        late = await at.four("late")
        anna.challenge(bob)
        await bob.take("CHALLENGE_RECEIVED")
        bob.accept(anna)
        late.challenge(bob)
        late.challenge(anna)
        outcomes = [(await late.next())["type"] for _ in range(2)]
        assert set(outcomes) <= {"ERROR", "CHALLENGE_REFUSED"}
        await late.quiet()
        for player in (anna, bob):
            await player.until(lambda: count(player, "GAME_UPDATE") == 1)  # noqa: B023
            while player.left_over[0]["type"] == "CHALLENGE_RECEIVED":
                await player.take("CHALLENGE_RECEIVED", challenger_id=late.id)
        await started(anna, bob)
        for player in (anna, bob):
            await player.quiet()
        await finish(anna, bob)
        await late.leave()

    await in_many_pairs(at, race)
