"""`legal` and `decide` agree, and whatever is not allowed is refused and does nothing else."""

from __future__ import annotations

import re
from random import Random

from gamehall.checking.finding import Broken, Check
from gamehall.checking.sight import shown
from gamehall.errors import Refused
from gamehall.games.game import Command, Event
from gamehall.testing import Playout, arbitrary_command

CODE = re.compile(r"[a-z]+(_[a-z]+)*")
STRANGE = 4
"""Commands made up for each seat, beside those that others may send."""


def _agree(table: Playout, rng: Random) -> None:
    listed = {seat: table.legal(seat) for seat in table.seats}
    for seat, commands in listed.items():
        for command in commands:
            _accepted(table, seat, command)
        if not commands:
            _waits(table, seat, [move for moves in listed.values() for move in moves[:3]])
        for _ in range(STRANGE):
            _decided(table, seat, arbitrary_command(table.game, rng))
    _timer(table, list(listed))


def _decided(table: Playout, seat: int | None, command: Command) -> tuple[Event, ...] | Refused:
    """What the rules say to it. Raises Broken if it is neither events nor a refusal."""
    try:
        events = table.game.decide(table.state.game, seat, command, table.context)
    except Refused as refusal:
        if not CODE.fullmatch(refusal.code):
            raise Broken(
                f"A refusal has the code {refusal.code!r}: use words joined by _."
            ) from None
        return refusal
    for event in events:
        if type(event) not in table.game.events:
            raise Broken(f"`decide` gives {shown(event)}, whose type is not in `events`.")
    draft = table.game.fork(table.state.game)
    for event in events:
        try:
            draft = table.game.apply(draft, event)
        except Refused as refusal:
            raise Broken(f"`apply` refuses {shown(event)} ({refusal.code}). It must not.") from None
    return events


def _accepted(table: Playout, seat: int, command: Command) -> None:
    if type(command) not in table.game.commands:
        raise Broken(f"`legal` lists {shown(command)}, whose type is not in `commands`.")
    answer = _decided(table, seat, command)
    if isinstance(answer, Refused):
        raise Broken(
            f"`legal` lists {shown(command)} for seat {seat}, and `decide` refuses it"
            f" ({answer.code})."
        )


def _waits(table: Playout, seat: int, moves: list[Command]) -> None:
    for command in moves:
        if not isinstance(_decided(table, seat, command), Refused):
            raise Broken(
                f"`legal` lists nothing for seat {seat}, and `decide` accepts {shown(command)} from"
                " it. Is its turn looked at?"
            )


def _timer(table: Playout, seats: list[int]) -> None:
    timer = table.game.timer(table.state.game)
    if timer is None:
        return
    if type(timer.command) not in table.game.timers:
        raise Broken(f"`timer` sends {shown(timer.command)}, whose type is not in `timers`.")
    later = table.fork()
    later.at_ms = max(later.at_ms, timer.due_ms)
    answer = _decided(later, None, timer.command)
    if isinstance(answer, Refused):
        raise Broken(f"`decide` refuses what the timer sends, {shown(timer.command)}.")
    for seat in seats:
        if not isinstance(_decided(later, seat, timer.command), Refused):
            raise Broken(
                f"`decide` accepts {shown(timer.command)} from seat {seat}: that is the timer's,"
                " for which `seat` is None."
            )


def _nothing_when_over(table: Playout) -> None:
    if table.running or not table.state.over:
        return
    for seat in table.state.chairs:
        if list(table.game.legal(table.state.game, seat)):
            raise Broken(f"The round is over, and `legal` still lists something for seat {seat}.")


CHECK = Check(
    "Legal commands",
    "All that `legal` lists is accepted; anything else is accepted or refused, and no more.",
    at_moment=_agree,
    at_end=_nothing_when_over,
)
