"""A table as one seat or a spectator may see it."""

from __future__ import annotations

from itertools import islice

from gamehall.games.game import Command
from gamehall.hall.beat.known_table import KnownTable
from gamehall.hall.people.notices import ClockInfo, SeatInfo, TableView
from gamehall.hall.people.online import Online
from gamehall.hall.people.players import Players
from gamehall.table_log.table_state import TableState

LEGAL_MAX = 512
OTHERS_MAX = 50


def view_of(
    table: KnownTable, seat: int | None, players: Players, now_ms: int, watching: int
) -> TableView:
    state = table.state
    game = table.kind.game
    started = state.game is not None
    view = game.view(state.game, seat) if started else None
    legal: tuple[Command, ...] = ()
    # A walk-in would get the next seat.
    acting = len(state.chairs) if seat is None and state.walk_in else seat
    if acting is not None and state.status == "playing":
        legal = tuple(islice(game.legal(state.game, acting), LEGAL_MAX))
    timer = table.kind.rules.timer(state)
    return TableView(
        table=table.id,
        seq=table.head,
        game=game.name,
        options=state.opened.options,
        seat=seat if started else None,
        status=state.status,
        round=state.opened.round,
        commitment=state.opened.commitment,
        view=view,
        legal=legal,
        picture=game.picture(view) if started else None,
        players=_seats(state, seat, players),
        count=len(state.seat_of),
        clock=None
        if timer is None
        else ClockInfo(timer.due_ms, timer.waits_for, table.time.at(now_ms)),
        outcome=state.outcome,
        rematch=tuple(sorted(state.rematch)),
        watching=watching,
        key=table.key if state.opened.private and seat is not None else None,
    )


def view_for(
    table: KnownTable, online: Online | None, players: Players, now_ms: int, watching: int
) -> TableView:
    """The table as this player, or a stranger, may see it."""
    seat = None if online is None else table.state.seat_of.get(online.player.id)
    return view_of(table, seat, players, now_ms, watching)


def _seats(state: TableState, seat: int | None, players: Players) -> tuple[SeatInfo, ...]:
    """The viewer and up to 50 others."""
    shown = list(islice((s for s in state.chairs if s != seat), OTHERS_MAX))
    if seat is not None and seat in state.chairs:
        shown.append(seat)
    return tuple(_seat(state, s, players) for s in sorted(shown))


def _seat(state: TableState, seat: int, players: Players) -> SeatInfo:
    person = state.chairs[seat]
    online = players.online.get(person.player)
    here = person.bot is not None or (online is not None and online.here)
    return SeatInfo(seat, person.player, person.name, person.bot, here, seat in state.gone)
