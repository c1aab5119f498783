"""What follows when the store finds players short of the chips that a step costs them.

Who asks for what it cannot pay is refused. But nobody else waits for someone who cannot pay what a
round begins with, or what is due in it: that player gives up the seat.
"""

from __future__ import annotations

from typing import Any

from gamehall.errors import HallError, Internal, NoFunds
from gamehall.games.game import Game
from gamehall.hall.beat.requests import Ask, Reply
from gamehall.hall.beat.steps import Step, starts
from gamehall.table_log import house
from gamehall.table_log.sitting import seats_are_given
from gamehall.table_log.table_state import TableState


def asked_instead(
    step: Step,
    lacking: frozenset[int],
    game: Game[Any],
    state: TableState,
    could_leave: Reply,
) -> list[Ask] | HallError:
    """What is asked in place of a step that these players cannot pay; or its refusal.

    `could_leave` hears whether they could give up their seats. Internal: a timer that not even
    their leaving can pay for; it would ring for ever.
    """
    ask = step.ask
    again = lacking <= ask.cannot_pay
    if again and ask.player is None:
        return Internal()
    if again or (ask.player in lacking and not _gives_up_own_seat(step, game, state)):
        return NoFunds()
    ask.cannot_pay |= lacking
    if starts(step.row):
        return [ask]  # Decided again, the round begins without them.
    leave = house.Leave(house.NO_FUNDS)
    leaving = [
        Ask(ask.table, player, leave, could_leave, at_ms=ask.at_ms) for player in sorted(lacking)
    ]
    return [*leaving, ask]


def _gives_up_own_seat(step: Step, game: Game[Any], state: TableState) -> bool:
    """Whether the player loses the seat by asking: it has one, or nobody else may have it."""
    if not starts(step.row):
        return False
    return not isinstance(step.ask.command, house.Sit) or seats_are_given(game, state)
