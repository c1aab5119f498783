"""Who does not read is skipped over and told its room anew later, or dropped."""

from __future__ import annotations

from websockets.frames import Opcode

from tests.doors.practice import stones
from tests.doors.practice.clients import Practice
from tests.doors.practice.halls import Visitors
from tests.doors.practice.playing import (
    match,
    move,
    moved,
    over,
    play,
    resumed,
    whole_game,
)
from tests.doors.practice.shapes import ROOM, TOLD

UNSENT_BYTES = 12_000_000
"""Far more than the kernel keeps of what was sent and not read."""
LONG_ID = "\N{ALIEN MONSTER}" * 63
"""It is in each answer, which is four times as long by it."""
SETTINGS = (
    f"limits.unsent_bytes={UNSENT_BYTES}",
    "limits.messages_per_second=0",
    "limits.idle_seconds=0",
)


async def fall_behind(slow: Practice, bytes: int) -> int:
    """It asks much and reads no answer; how often it asked."""
    slow.send(0)
    await slow.error()
    slow.stop_reading()
    asked = bytes // len(slow.texts[-1].encode())
    slow.write(slow.frame(Opcode.TEXT, b'{"code": 0}') * asked)
    return asked


async def test_it_is_skipped_over_and_told_anew(at: Visitors) -> None:
    slow = await at.player("slow", f"{LONG_ID}1", buffer_bytes=4096)
    game = await match(slow, await at.player("quick"))
    seat = game.players.index(slow)
    quick = game.players[1 - seat]
    await play(game, "0302 0001")
    asked = await fall_behind(slow, UNSENT_BYTES * 9 // 10)
    # It still moves, and so does the other; of that it hears nothing yet.
    moves = "0302 0001 0203 0100"
    for turn in (2, 3):
        digits = moves.split()[turn]
        move(game.players[turn % 2], turn % 2, game.room, digits)
        assert await quick.take(ROOM) == moved(turn % 2, game.room, digits)
    slow.read_on()
    for _ in range(asked):
        assert (await slow.next())["code"] == TOLD
    await resumed(slow, game, seat, moves)
    for player in game.players:
        await player.quiet()
    await play(game, f"{moves} {stones.FIRE_WINS}", 4)
    await over(game, 0, "one_stone")


async def test_what_is_owed_cannot_be_skipped_so_it_is_dropped(at: Visitors) -> None:
    slow = await at.player("slow", f"{LONG_ID}2", buffer_bytes=4096)
    game = await match(slow, await at.player("quick"))
    seat = game.players.index(slow)
    await play(game, "0302")
    await fall_behind(slow, UNSENT_BYTES * 3 // 2)
    # It answers no ping either, so it can be replaced if it is still there.
    again = await at.back(slow)
    await resumed(again, game, seat, "0302")
    slow.read_on()
    await slow.end()
    game = game.with_(seat, again)
    await play(game, stones.WATER_WINS, 1)
    await over(game, 1, "one_stone")
    await whole_game(*game.players)
