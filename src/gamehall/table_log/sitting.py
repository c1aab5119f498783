"""Who sits where: coming and going, and the start of a round when enough sit there and can pay."""

from __future__ import annotations

from typing import Any

from gamehall.errors import NotSeated, RoundOver, SeatsDrawn, SeatTaken, TableFull
from gamehall.games.game import Event, Game
from gamehall.table_log import house
from gamehall.table_log.decision import Decision
from gamehall.table_log.table_state import TableState


def sit(decision: Decision, _: int | None, command: house.Sit) -> None:
    state: TableState = decision.state
    person = command.person
    if person.player in state.seat_of:
        return
    if state.over and state.again_ms is None:
        raise RoundOver
    seat = free_seat(decision.game, state, person.player, command.seat)
    joined: tuple[Event, ...] = ()
    if state.game is not None and not state.over:
        joined = decision.game.join(state.game, seat, decision.context)
    decision.emit(house.Seated(seat, person))
    for event in joined:
        decision.emit(event)
    start_if_ready(decision)


def has_seat_for(game: Game[Any], state: TableState, player: int) -> bool:
    """Whether a seat is free that is not reserved for someone else."""
    held = sum(1 for p in state.reserved if p.player != player and p.player not in state.seat_of)
    return len(state.chairs) + held < game.seats(state.options).most


def free_seat(game: Game[Any], state: TableState, player: int, wish: int | None) -> int:
    """The seat for this player. Raises TableFull, SeatsDrawn, SeatTaken."""
    for seat in state.gone:
        if state.chairs[seat].player == player:
            return seat
    if not has_seat_for(game, state, player):
        raise TableFull
    most = game.seats(state.options).most
    if wish is None:
        next_seat = len(state.chairs)
        if next_seat not in state.chairs:
            return next_seat
        return next(seat for seat in range(most) if seat not in state.chairs)
    if state.opened.drawn and state.game is None:
        raise SeatsDrawn
    if wish in state.chairs:
        raise SeatTaken
    if not 0 <= wish < most:
        raise SeatTaken("There is no such seat.")
    return wish


def leave(decision: Decision, seat: int | None, command: house.Leave) -> None:
    game = decision.game
    state: TableState = decision.state
    if seat is None:
        raise NotSeated
    running = state.game is not None and not state.over
    events = game.leave(state.game, seat) if running else ()
    decision.emit(house.Left(seat, command.reason))
    for event in events:
        decision.emit(event)
    if has_people(decision.state) or opens_by_itself(game, decision.state):
        return
    if state.over:
        decision.shut("finished")
    elif not running and not decision.state.reserved:
        decision.shut("empty")


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
