"""What several files of tests let people do."""

from __future__ import annotations

from tests.doors.caller.clients import Caller
from tests.doors.caller.halls import Visitors

WAIT = "A round is on. You are dealt in at the next one."
CAN_START = "A new round can be started with /start."
UNKNOWN = "Send READY, BINGO, /start or /quit."


async def begin(at: Visitors) -> tuple[Caller, Caller]:
    """Anna and Bob after the second number."""
    anna, bob = await at.caller("anna"), await at.caller("bob")
    anna.say("/start")
    for count in (1, 2):
        for player in (anna, bob):
            await player.number(count)
            if count == 1:
                player.say("READY")
    return anna, bob


async def to_the_end(*players: Caller) -> None:
    for player in players:
        player.plays = True
        player.say("READY")
    for player in players:
        await player.message("wins the round")
