"""Who does not read gets all of it later, or is dropped; the opponent notices neither."""

from __future__ import annotations

import asyncio

from tests.doors.four.clients import Four
from tests.doors.four.halls import Visitors
from tests.doors.four.playing import (
    WON_BY_FIRST,
    back_in_game,
    over,
    over_for,
    play,
    start,
    update,
    whole_game,
)

UNSENT_BYTES = 12_000_000
KERNEL_BYTES = 4_194_304
"""What the kernel keeps at most of what was sent and not read, by Linux's defaults."""
SETTINGS = (
    f"limits.unsent_bytes={UNSENT_BYTES}",
    "limits.messages_per_second=0",
    "limits.idle_seconds=0",
)
NONSENSE = b'{"type": "a question that has no answer"}\n'


async def answer_bytes(client: Four) -> int:
    """How long the answer to nonsense is."""
    client.write(NONSENSE)
    await client.error()
    return len(client.lines[-1]) + 1


async def test_it_gets_everything_in_order(at: Visitors) -> None:
    anna, slow = await at.four("anna"), await at.four("slow", buffer_bytes=4096)
    asked = KERNEL_BYTES * 3 // 2 // await answer_bytes(slow)
    game = await start(anna, slow)
    slow.stop_reading()
    slow.write(NONSENSE * asked)
    for turn, column in enumerate(WON_BY_FIRST):
        (anna, slow)[turn % 2].play(column)
        told = update(WON_BY_FIRST[: turn + 1], anna.id, slow.id)
        assert await anna.take("GAME_UPDATE") == told
    await over_for(anna, anna)
    anna.challenge(slow)
    await anna.quiet()
    heard = len(slow.messages)
    slow.read_on()
    await slow.until(lambda: slow.messages[-1]["type"] == "CHALLENGE_RECEIVED")
    types = [message["type"] for message in slow.messages[heard:]]
    assert types.count("ERROR") == asked
    # Boards may be left out, but for the last one.
    boards = [message["data"] for message in slow.messages if message["type"] == "GAME_UPDATE"]
    assert boards[-1] == update(WON_BY_FIRST, anna.id, slow.id)
    assert types[-3:] == ["GAME_UPDATE", "GAME_OVER", "CHALLENGE_RECEIVED"]
    slow.skip_to_last()
    await slow.take("CHALLENGE_RECEIVED", challenger_id=anna.id)
    slow.accept(anna)
    assert (await anna.take("GAME_START"))["game_id"] > game


async def test_what_is_owed_cannot_be_skipped_so_it_is_dropped(at: Visitors) -> None:
    anna, slow = await at.four("anna"), await at.four("slow", buffer_bytes=4096)
    carl = await at.four("carl")
    asked = (UNSENT_BYTES * 3 // 2 + KERNEL_BYTES) // await answer_bytes(slow)
    game = await start(anna, slow)
    await play(anna, slow, WON_BY_FIRST[:3])
    slow.stop_reading()
    logged = len(at.hall.stderr)
    slow.write(NONSENSE * asked)
    await whole_game(carl, await at.four("dora"))
    await asyncio.to_thread(
        at.hall.wait_until,
        lambda: any("slow_reader_dropped" in line for line in at.hall.stderr[logged:]),
    )
    slow.read_on()
    await slow.end()
    # To the hall it has lost its connection, and so it may come back.
    again = await back_in_game(at.port, slow, 2, anna.name, game, WON_BY_FIRST[:3])
    await play(anna, again, WON_BY_FIRST, 3)
    await over(anna, again, anna)
    await again.leave()
