"""How a beat falls into scenes: what belongs to which round, and how the table stood then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce

from gamehall.games.game import Event
from gamehall.table_log import house
from gamehall.table_log.journal import Row
from gamehall.table_log.rules import TableRules
from gamehall.table_log.table_state import TableState


def acts_of(rows: Sequence[Row]) -> list[tuple[Event, ...]]:
    """The events of a beat, cut wherever a round opens, and after each row in which a game starts:
    people are shown how it begins, and then told the moves."""
    acts: list[list[Event]] = [[]]
    for row in rows:
        starts = False
        for event in row.events:
            if type(event) is house.Opened and acts[-1]:
                acts.append([])
            acts[-1].append(event)
            starts = starts or type(event) is house.Started
        if starts and row is not rows[-1]:
            acts.append([])
    return [tuple(act) for act in acts]


def states_after(
    acts: Sequence[tuple[Event, ...]],
    rules: TableRules,
    before: TableState | None,
    state: TableState,
) -> list[TableState]:
    """The states after each act, of which the last is `state`. Nothing is replayed for one act, as
    nearly every beat has."""
    if len(acts) == 1:
        return [state]
    assert before is not None, "a table opens in one act"
    states = [before]
    for act in acts[:-1]:
        states.append(reduce(rules.apply, act, rules.fork(states[-1])))
    return [*states[1:], state]


class Chairs:
    """Who sits on which chair, followed event by event."""

    __slots__ = ("_came", "_chairs")

    def __init__(self, before: TableState | None) -> None:
        self._chairs: Mapping[int, house.Person] = {} if before is None else before.chairs
        self._came: dict[int, house.Person] = {}

    def follow(self, event: Event, after: TableState) -> None:
        """`after` is the state at the end of the act."""
        if isinstance(event, house.Seated):
            self._came[event.seat] = event.person
        elif isinstance(event, house.Opened):
            self._chairs = {chair.seat: chair.person for chair in event.chairs}
            self._came = {}
        elif isinstance(event, house.SeatsDrawn):
            # The game starts with it, and with that the act ends.
            self._chairs, self._came = after.chairs, {}

    def on(self, seat: int) -> house.Person | None:
        """The player who sits there, or was the last to leave."""
        return self._came.get(seat) or self._chairs.get(seat)
