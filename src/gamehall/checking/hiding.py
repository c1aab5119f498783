"""Secrets: in two worlds that differ only in what someone may not know, they see the same.

What a seat knows it learns in two ways: from events, as they are `seen`, and from its `view`, when
it comes back. One that tells more than the other either leaks or forgets.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

import msgspec

from gamehall.checking.determined import decided
from gamehall.checking.finding import Broken, Check
from gamehall.checking.sight import anatomy, plain, shown, sight, told
from gamehall.errors import Refused
from gamehall.games.game import Command, Event, Game
from gamehall.table_log import house
from gamehall.table_log.rules import TableRules
from gamehall.table_log.table_state import TableState
from gamehall.testing import FixedDraws, Playout

OTHER_SECRETS = 2
"""Worlds with other chance that each journal is played again in."""
OBSERVERS_MAX = 4
MOVES_MAX = 6


class World(msgspec.Struct):
    state: TableState
    events: tuple[Event, ...]
    """The last that happened."""


def _look_the_same(game: Game[Any], one: World, other: World, observer: int | None) -> bool:
    """Whether this observer was told the same in both. Raises Broken if its view disagrees."""
    heard, heard_otherwise = (told(game, w.events, observer) for w in (one, other))
    seen, seen_otherwise = (sight(game, w.state, observer) for w in (one, other))
    who = "a spectator" if observer is None else f"seat {observer}"
    if heard == heard_otherwise:
        for key in game.glance(one.state.game) or ():
            seen["view"].pop(key, None)
            seen_otherwise["view"].pop(key, None)
        for part in ("view", "legal", "clock"):
            if seen[part] != seen_otherwise[part]:
                raise Broken(
                    f"`{'timer' if part == 'clock' else part}` tells {who} what no event has told"
                    f" it: in two worlds that it must not tell apart it has {shown(seen[part])}"
                    f" and {shown(seen_otherwise[part])}."
                )
        return True
    same_state = anatomy(one.state.game) == anatomy(other.state.game)
    if seen == seen_otherwise and not same_state:
        raise Broken(
            f"An event tells {who} what its view does not show: {shown(heard)} in one world,"
            f" {shown(heard_otherwise)} in another. Hide it in `seen`, or show it in `view`."
        )
    return False


def _observers(state: TableState) -> list[int | None]:
    return [None, *sorted(state.chairs)[:OBSERVERS_MAX]]


def _with_other_chance(table: Playout, draws: FixedDraws) -> None:
    """The same commands with another secret, for as long as the rules go along."""
    rules, game = TableRules(table.game), table.game
    state: TableState | None = None
    other: TableState | None = None
    alike: dict[int | None, bool] = {None: True}
    for row in table.rows:
        for event in row.events:
            state = rules.apply(state, event)
        try:
            decision = decided(rules, other, row, draws)
        except Refused:
            return
        other = decision.state
        assert state is not None
        if _over(row.events) or _over(decision.events):
            return
        if state.game is None:
            continue
        one, two = World(state, row.events), World(other, tuple(decision.events))
        # Who sits down now has seen what spectators have.
        for observer in _observers(state):
            if alike.setdefault(observer, alike[None]):
                alike[observer] = _look_the_same(game, one, two, observer)


def _over(events: Iterable[Event]) -> bool:
    """Whether a round has ended: from then on nothing of it is secret."""
    return any(isinstance(event, house.RoundEnded | house.RoundVoided) for event in events)


def _other_commands(table: Playout, rng: Random) -> None:
    """At one moment a seat does this or that: who cannot know which sees no difference."""
    for seat in table.seats[:OBSERVERS_MAX]:
        moves = table.legal(seat)
        chosen = rng.sample(moves, min(MOVES_MAX, len(moves)))
        worlds = [world for command in chosen if (world := _after(table, seat, command))]
        for other in worlds[1:]:
            if worlds[0].state.over or other.state.over:
                continue
            for observer in _observers(table.state):
                if observer != seat:
                    _look_the_same(table.game, worlds[0], other, observer)


def _after(table: Playout, seat: int, command: Command) -> World | None:
    fork = table.fork()
    try:
        events = tuple(fork.act(seat, command).events)
    except Refused:
        return None  # Another check says so.
    return World(fork.state, events)


def _insiders(table: Playout) -> None:
    seats = sorted(table.state.chairs)
    for event in (event for row in table.rows for event in row.events):
        if type(event) not in table.game.events:
            continue
        insiders = set(table.game.insiders(event))
        public = plain(table.game.seen(event, None))
        for seat in seats:
            if seat not in insiders and plain(table.game.seen(event, seat)) != public:
                raise Broken(
                    f"Seat {seat} sees more of {shown(event)} than a spectator does, and `insiders`"
                    " does not name it: the hall would not tell it."
                )


def _journal(table: Playout) -> None:
    _insiders(table)
    for number in range(1, OTHER_SECRETS + 1):
        _with_other_chance(table, FixedDraws(f"{table.seed}, otherwise {number}"))


CHECK = Check(
    "Secrets",
    "Nobody is shown what no event has told them, and events tell no more than the view.",
    at_moment=_other_commands,
    at_end=_journal,
)
