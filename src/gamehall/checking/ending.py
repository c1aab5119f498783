"""Ends: a game can go on as long as it is not over, and comes to its end whoever leaves."""

from __future__ import annotations

from random import Random

from gamehall.checking.finding import Broken, Check
from gamehall.table_log import house
from gamehall.testing import Playout

STEPS_MOST = 2000
"""Random steps by which a round is over."""


def stuck(table: Playout) -> bool:
    """Whether nobody can move and nothing happens by itself, though the round runs."""
    if not table.running or table.rules.timer(table.state) is not None:
        return False
    seats = table.seats
    if table.state.walk_in:
        seats.append(len(table.state.chairs))
    return not any(table.legal(seat) for seat in seats)


def _who_leaves(table: Playout, rng: Random) -> None:
    seats = table.seats
    if not seats:
        return
    goes = rng.choice(seats)
    one_left = table.fork(goes)
    one_left.act(goes, house.Leave())
    _runs_out(one_left, len(table.ended), f"seat {goes} has left")
    all_left = table.fork()
    for seat in seats:
        if len(all_left.ended) == len(table.ended):
            all_left.act(seat, house.Leave())
    begins_empty = table.game.seats(table.state.options).least == 0
    if begins_empty and all_left.rules.timer(all_left.state) is None:
        return  # Such a round may wait for people.
    _runs_out(all_left, len(table.ended), "all have left")


def _runs_out(table: Playout, ended: int, when: str) -> None:
    for _ in range(STEPS_MOST):
        if len(table.ended) > ended or table.state.over:
            return
        if stuck(table):
            raise Broken(f"When {when}, nobody can move and nothing happens by itself.")
        table.step()
    raise Broken(f"When {when}, the round is not over after {STEPS_MOST} random steps.")


def _known_winners(table: Playout) -> None:
    events = [event for row in table.rows for event in row.events]
    seats = {event.seat for event in events if isinstance(event, house.Seated)}
    winners = table.ended[-1].outcome.winners
    if not seats.issuperset(winners) or len(set(winners)) < len(winners):
        raise Broken(
            f"The winners of a round are {list(winners)}: seats, each once, at which someone sat."
        )


CHECK = Check(
    "Ends",
    f"Every round ends, within {STEPS_MOST} random steps, also when people leave.",
    at_moment=_who_leaves,
    at_end=_known_winners,
)
