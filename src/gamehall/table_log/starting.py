"""How a round begins to be played: when enough sit there, and can pay."""

from __future__ import annotations

from typing import Any

from gamehall.games.game import Game
from gamehall.table_log import house
from gamehall.table_log.decision import Decision
from gamehall.table_log.table_state import TableState


def start_if_ready(decision: Decision) -> None:
    game = decision.game
    if not _can_start(game, decision.state):
        return
    if decision.cannot_pay:
        _unseat(decision)
        if not _can_start(game, decision.state):
            return
    state: TableState = decision.state
    if state.opened.drawn and len(state.chairs) > 1:
        order = decision.context.chance.shuffled("seats", sorted(state.chairs))
        decision.emit(house.SeatsDrawn(tuple(order)))
    decision.emit(house.Started(decision.at_ms))
    if type(game).begin is not Game.begin:
        for event in game.begin(decision.state.game, decision.context):
            decision.emit(event)


def _can_start(game: Game[Any], state: TableState) -> bool:
    if state.game is not None or state.closed is not None:
        return False
    return len(state.chairs) >= game.seats(state.options).least


def _unseat(decision: Decision) -> None:
    """Who cannot pay gives up the seat; where nobody else may take it, the table closes."""
    state: TableState = decision.state
    broke = sorted(state.seat_of[p] for p in decision.cannot_pay if p in state.seat_of)
    for seat in broke:
        decision.emit(house.Left(seat, house.NO_FUNDS))
    state = decision.state
    if not broke or _can_start(decision.game, state):
        return
    if seats_are_given(decision.game, state) or not has_people(state):
        decision.shut(house.NO_FUNDS)


def seats_are_given(game: Game[Any], state: TableState) -> bool:
    """Whether nobody may sit down but those for whom the table was opened."""
    least = game.seats(state.options).least
    return state.opened.by_invitation or (state.game is None and len(state.reserved) >= least)


def opens_by_itself(game: Game[Any], state: TableState) -> bool:
    """Whether a round begins though nobody sits there."""
    return game.seats(state.options).least == 0


def has_people(state: TableState) -> bool:
    """Whether anyone but bots may act."""
    return any(state.chairs[seat].bot is None for seat in state.seat_of.values())
