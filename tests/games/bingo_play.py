"""Playing called Bingo by hand, for its tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from gamehall import errors
from gamehall.games.bingo import (
    NUMBERS,
    Bingo,
    BingoClaimed,
    BingoOptions,
    Call,
    Card,
    Claim,
    Deal,
    Ready,
    State,
)
from gamehall.games.chance import Chance
from gamehall.games.game import Command, Start
from gamehall.table_log import house
from gamehall.testing import Playout, ScriptedChance, a_context
from tests.games.counting import operations

GAME = Bingo()
OPEN_MS = 1_000_000
PAUSE_MS, READY_MS = 1_000, 10_000

LOWEST = [0] * 25
"""The places of a card that has the five lowest numbers of each column:

     B   I   N   G   O
     1  16  31  46  61
     2  17  32  47  62
     3  18  33  48  63
     4  19  34  49  64
     5  20  35  50  65
"""
HIGHEST = [10] * 25
"""Likewise, with the five highest: 11 to 15, 26 to 30, 41 to 45, 56 to 60, 71 to 75."""


def order_of_calls(first: Sequence[int]) -> list[int]:
    """As `ScriptedChance` takes it: these numbers, and then the others."""
    rest = [n for n in range(1, NUMBERS + 1) if n not in first]
    return [n - 1 for n in (*first, *rest)]


class Hand:
    """A round of which the test has written down the cards and the calls."""

    def __init__(
        self,
        calls: Sequence[int] = (),
        cards: Mapping[int, Sequence[int]] | None = None,
        **options: Any,
    ) -> None:
        """`cards` has the places of each seat's card; without it seat 0 has the lowest numbers and
        seat 1 the highest."""
        dealt = {0: LOWEST, 1: HIGHEST} if cards is None else cards
        script: dict[str, Sequence[int]] = {f"card:{seat}": dealt[seat] for seat in dealt}
        self.chance: Chance = ScriptedChance({**script, "calls": order_of_calls(calls)})
        self.at_ms = OPEN_MS
        self.state = GAME.start(Start(BingoOptions(**options), tuple(dealt), 1, OPEN_MS))

    def do(self, seat: int | None, command: Command) -> tuple[Any, ...]:
        """The events, after they were applied. Raises Refused."""
        events = GAME.decide(self.state, seat, command, a_context(self.at_ms, self.chance))
        for event in events:
            self.state = GAME.apply(self.state, event)
        return events

    def deal(self) -> Hand:
        self.do(0, Deal())
        return self

    def call(self, times: int = 1) -> Hand:
        """The next numbers, each when it is due."""
        for _ in range(times):
            self.at_ms = self.due_ms
            self.do(None, Call())
        return self

    def join(self, seat: int) -> None:
        for event in GAME.join(self.state, seat, a_context(self.at_ms, self.chance)):
            self.state = GAME.apply(self.state, event)

    def part(self, seat: int) -> None:
        for event in GAME.leave(self.state, seat):
            self.state = GAME.apply(self.state, event)

    def away(self, seat: int) -> None:
        GAME.presence(self.state, seat, False)

    def back(self, seat: int) -> None:
        GAME.presence(self.state, seat, True)

    def ready(self, *seats: int) -> Hand:
        for seat in seats:
            GAME.note(self.state, seat, Ready(), self.at_ms)
        return self

    @property
    def due_ms(self) -> int:
        timer = GAME.timer(self.state)
        assert timer is not None
        return timer.due_ms

    def refusal(self, seat: int | None, command: Command) -> type[errors.Refused]:
        with pytest.raises(errors.Refused) as refused:
            self.do(seat, command)
        return refused.type

    def claim_costs(self, seat: int) -> int:
        """How many operations it takes to judge a claim."""
        return operations(lambda: self._judged(seat))

    def _judged(self, seat: int) -> None:
        try:
            GAME.decide(self.state, seat, Claim(), a_context(self.at_ms, self.chance))
        except errors.Refused:
            return


# At a table, with real chance


def a_table(people: int = 3, seed: int = 0, **options: Any) -> Playout:
    return Playout(GAME, options, seed=seed, people=people)


def game_of(table: Playout) -> State:
    state = table.state.game
    assert isinstance(state, State)
    return state


def call_until(table: Playout, holds: Callable[[State], bool]) -> None:
    """Numbers are called until then."""
    while not holds(game_of(table)):
        table.fire()


def win(table: Playout, seat: int) -> None:
    """The seat wins the running round, as soon as it can."""
    call_until(table, lambda state: state.has_bingo(seat))
    assert isinstance(table.act(seat, Claim()).events[0], BingoClaimed)


def naive_bingo(card: Card, called: Sequence[int]) -> bool:
    """Judged as one would on paper, with the card as rows."""
    rows = [[card[column * 5 + row] for column in range(5)] for row in range(5)]
    lines = [*rows, *(list(column) for column in zip(*rows, strict=True))]
    lines += [[rows[n][n] for n in range(5)], [rows[n][4 - n] for n in range(5)]]
    return any(all(n == 0 or n in called for n in line) for line in lines)


def leave(table: Playout, seat: int, reason: str = "left") -> list[Any]:
    return table.act(seat, house.Leave(reason)).events
