"""Challenges between players of this door and of the native one, both ways."""

from __future__ import annotations

import pytest

from tests.doors.four.halls import Visitors
from tests.doors.four.natives import two
from tests.doors.four.playing import over_for, update
from tests.doors.native.playing import GAME, drop


async def test_a_challenge_that_the_native_one_refuses(at: Visitors) -> None:
    anna, nora = await two(at)
    challenge = await nora.challenged_by(anna)
    await nora.client.ask("refuse", challenge=challenge)
    assert await anna.refused()
    await nora.meets(anna, first=False)


async def test_a_challenge_that_the_four_one_refuses(at: Visitors) -> None:
    anna, nora = await two(at)
    challenge = await nora.challenges(anna)
    anna.refuse(nora.id)
    told = await nora.client.notice("challenge_refused")
    assert told == {"challenge": challenge, "player": anna.number, "reason": "refused"}
    await anna.quiet()
    await nora.meets(anna, first=True)


async def test_a_challenge_that_is_withdrawn(at: Visitors) -> None:
    anna, nora = await two(at)
    challenge = await nora.challenges(anna)
    await nora.client.ask("withdraw", challenge=challenge)
    # There is no word for it here; who answers it is told.
    await anna.quiet()
    for answer in (anna.accept, anna.refuse):
        answer(nora.id)
        assert await anna.error()
    await nora.meets(anna, first=True)


@pytest.mark.parametrize("way", ["leave", "reset"])
async def test_the_challenger_goes(at: Visitors, way: str) -> None:
    anna, nora = await two(at)
    challenge = await nora.challenged_by(anna)
    await getattr(anna, way)()
    told = await nora.client.notice("challenge_withdrawn")
    assert told == {"challenge": challenge, "reason": "gone"}
    assert await nora.client.refused("accept", challenge=challenge) == "no_such_challenge"


@pytest.mark.parametrize("way", ["leave", "reset"])
async def test_the_challenged_goes(at: Visitors, way: str) -> None:
    anna, nora = await two(at)
    challenge = await nora.challenges(anna)
    await getattr(anna, way)()
    told = await nora.client.notice("challenge_refused")
    assert told == {"challenge": challenge, "player": anna.number, "reason": "gone"}


async def test_the_native_one_sits_down_elsewhere(at: Visitors) -> None:
    anna, nora = await two(at)
    bob = await at.four("bob")
    await nora.challenged_by(anna)
    await nora.meets(bob, first=True)
    assert await anna.refused()
    anna.challenge(nora.id)
    assert await anna.error()


async def test_a_native_one_who_finds_a_game_by_the_wait_list(at: Visitors) -> None:
    anna, nora = await two(at)
    other = await at.native("other")
    await nora.challenged_by(anna)
    for client in (nora.client, other):
        await client.ask("seek", game=GAME)
    await nora.client.notice("seated")
    assert await anna.refused()
    await anna.quiet()


@pytest.mark.parametrize("native_first", [True, False])
async def test_two_that_cross(at: Visitors, native_first: bool) -> None:
    anna, nora = await two(at)
    if native_first:
        await nora.challenges(anna)
        anna.challenge(nora.id)
    else:
        await nora.challenged_by(anna)
        await nora.client.ask("challenge", player=anna.number, game=GAME)
    await nora.sits(anna, 0 if native_first else 1)
    await anna.quiet()


async def test_only_this_game_on_this_board(at: Visitors) -> None:
    anna, nora = await two(at)
    for game, options in (
        (GAME, {"columns": 8}),
        (GAME, {"rows": 7}),
        (GAME, {"length": 5}),
        ("bingo-duel", {}),
    ):
        code = await nora.client.refused(
            "challenge", player=anna.number, game=game, options=options
        )
        assert code == "not_free"
    await anna.quiet()
    same = {"columns": 7, "rows": 6, "length": 4}
    await nora.meets(anna, first=True, **same)


async def test_with_a_clock(at: Visitors) -> None:
    anna, nora = await two(at)
    await nora.meets(anna, first=True, move_seconds=0.8)
    await drop(nora.client, nora.table, 3)
    assert await anna.take("GAME_UPDATE") == update((3,), nora.id, anna.id)
    assert await over_for(anna, nora)
    assert await nora.outcome() == {"winners": [0], "reason": "time"}
    await nora.meets(anna, first=True, move_seconds=0.8)
    assert await over_for(anna, anna)
    await anna.quiet()


async def test_with_another_clock_they_do_not_cross(at: Visitors) -> None:
    anna, nora = await two(at)
    await nora.challenges(anna, move_seconds=60)
    await nora.challenged_by(anna)
    anna.accept(nora.id)
    await nora.sits(anna, 0)
    await anna.quiet()
