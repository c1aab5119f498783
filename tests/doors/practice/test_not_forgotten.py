"""What is easily lost: the end of a game, a bet, a wish to wait no longer."""

from __future__ import annotations

from tests.doors.practice.clients import Practice
from tests.doors.practice.halls import Visitors
from tests.doors.practice.playing import FOUR_STONE, match, play
from tests.doors.practice.shapes import OVER, START, TOLD, WAITING, WITHDRAW, WITHDRAWN
from tests.doors.practice.test_slow_reader import LONG_ID, UNSENT_BYTES, fall_behind

SETTINGS = (
    f"limits.unsent_bytes={UNSENT_BYTES}",
    "limits.messages_per_second=0",
    "limits.idle_seconds=0",
    "sicbo.betting_seconds=2",
    "sicbo.reveal_seconds=0.1",
    "sicbo.pause_seconds=0.1",
)


async def test_who_does_not_keep_up_still_hears_the_end(at: Visitors) -> None:
    slow = await at.player("slow", f"{LONG_ID}3", buffer_bytes=4096)
    game = await match(slow, await at.player("quick"))
    seat = game.players.index(slow)
    quick = game.players[1 - seat]
    await play(game, "0302 0001")
    asked = await fall_behind(slow, UNSENT_BYTES * 9 // 10)
    quick.act(game.room, "resign")
    ended = {"room": game.room, "result": {"winner": seat, "reason": "resigned"}}
    assert await quick.take(OVER) == ended
    slow.read_on()
    for _ in range(asked):
        assert (await slow.next())["code"] == TOLD
    assert await slow.take(OVER) == ended


async def test_who_has_bet_comes_back_to_the_round(at: Visitors) -> None:
    anna = await at.player("anna")
    anna.seek("sicbo")
    await anna.take(WAITING)
    room = (await anna.take(START))["room"]
    anna.act(room, "bet", side="BIG", amount=70)
    await anna.room("bet_placed")
    await anna.reset()
    again = await at.back(anna)
    told = await again.take(START, room=room)
    assert told["content"]["view"]["stake"] == {"big": 70, "small": 0}
    assert await again.room("betting_closed")
    while (message := await again.next())["code"] != OVER:
        pass
    assert message["info"]["room"] == room


async def withdraws(player: Practice) -> str:
    """What came of it."""
    player.send(WITHDRAW)
    while (message := await player.next())["code"] not in (WITHDRAWN, TOLD):
        if message["code"] == START:
            return "playing"
    return "withdrawn" if message["code"] == WITHDRAWN else str(message["info"]["code"])


async def test_who_was_told_that_it_waits_no_longer_is_not_seated(at: Visitors) -> None:
    for _ in range(20):
        anna, bob = await at.pair()
        anna.seek(FOUR_STONE)
        await anna.take(WAITING)
        bob.seek(FOUR_STONE)
        outcome = await withdraws(anna)
        await bob.take(WAITING)
        if outcome == "withdrawn":
            await anna.quiet()
            bob.send(WITHDRAW)
            await bob.take(WITHDRAWN)
        elif outcome == "not_free":
            await anna.take(START)
