"""Who does not read is skipped over and brought up to date later, or dropped."""

from __future__ import annotations

from tests.doors.caller.halls import QUICK, Visitors
from tests.doors.caller.playing import UNKNOWN

UNSENT_BYTES = 12_000_000
"""Far more than the kernel keeps of what was sent and not read."""
ANSWER_BYTES = len(f"MSG|{UNKNOWN}\n")
SETTINGS = (
    *QUICK,
    f"limits.unsent_bytes={UNSENT_BYTES}",
    "limits.messages_per_second=0",
    "limits.idle_seconds=0",
)


async def test_it_is_skipped_over_and_brought_up_to_date(at: Visitors) -> None:
    anna, slow = await at.caller("anna"), await at.caller("slow", buffer_bytes=4096)
    anna.say("/start")
    await anna.number(1)
    await slow.number(1)
    slow.stop_reading()
    asked = UNSENT_BYTES * 9 // 10 // ANSWER_BYTES
    slow.write(b"?\n" * asked + b"READY\n")
    anna.say("READY")
    await anna.number(2)
    assert slow.numbers == anna.numbers[:1]
    slow.read_on()
    await slow.until(lambda: slow.numbers == anna.numbers)
    # All answers that were owed, and then the card and the numbers anew.
    assert slow.lines[-3:-2] == [line for line in slow.lines if "NEW_CARD" in line][:1]
    assert len(slow.dealt) == 2, "nothing was skipped: it is not slow enough"
    assert slow.messages.count(UNKNOWN) == asked
    anna.plays = slow.plays = True
    for player in (anna, slow):
        player.say("READY")
    await slow.message("wins the round")


async def test_what_is_owed_cannot_be_skipped_so_it_is_dropped(at: Visitors) -> None:
    anna, slow = await at.caller("anna", plays=True), await at.caller("slow", buffer_bytes=4096)
    anna.say("/start")
    await slow.number(1)
    slow.stop_reading()
    slow.write(b"?\n" * (UNSENT_BYTES * 3 // 2 // ANSWER_BYTES))
    # It is not waited for any more.
    await anna.message("anna has a bingo and wins the round.")
    slow.read_on()
    await slow.end()
