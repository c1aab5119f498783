"""Prints rounds of every game as JSON, as each who looks at them is told: a view, then events.

The page's reducers are held against it: they must come to the views that the rules give.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from gamehall.games.bingo import Bingo, Deal
from gamehall.games.bingo_duel import BingoDuel
from gamehall.games.connect_four import ConnectFour, Drop
from gamehall.games.four_stone import FourStone
from gamehall.games.game import Command, Game
from gamehall.games.sicbo import SicBo
from gamehall.games.two_in_turn import AnswerDraw, OfferDraw
from gamehall.table_log import house
from gamehall.table_log.decision import Decision
from gamehall.testing import Playout

SIGHTS = (None, 0, 1)
"""A spectator and two seats."""
SEEDS_MOST = 300
LINES = {
    "across": (0, 0, 1, 1, 2, 2, 3),
    "upright": (0, 1, 0, 1, 0, 1, 0),
    "rising": (0, 1, 1, 2, 2, 3, 2, 3, 3, 5, 3),
    "falling": (6, 5, 5, 4, 4, 3, 4, 3, 3, 1, 3),
    "of five": (0, 0, 1, 1, 3, 3, 4, 4, 2),
}
"""The drops that end with a line of Connect Four."""


class Step(msgspec.Struct):
    glance: Any
    """What is told from time to time where people walk in, as of before the events."""
    events: list[Any]
    view: Any


class Course(msgspec.Struct):
    """A round as one sight is told of it; what it is not told of is no step."""

    seat: int | None
    first: Any
    steps: list[Step] = []


class Recording(msgspec.Struct):
    game: str
    options: dict[str, Any]
    courses: list[Course]
    reason: str | None = None
    """Why the round ended."""


class Recorder(Playout):
    """A playout that keeps what everyone was told."""

    def __init__(
        self, game: Game[Any], options: Mapping[str, Any] | None = None, **how: Any
    ) -> None:
        self.recordings: list[Recording] = []
        super().__init__(game, options, **how)

    def act(
        self, seat: int | None, command: Command, walks_in: house.Person | None = None
    ) -> Decision:
        running = self.recordings and self.state.status == "playing"
        before = self.game.fork(self.state.game) if running else None
        decision = super().act(seat, command, walks_in)
        if running:
            self._record(before, decision)
        if any(isinstance(event, house.Started) for event in decision.events):
            courses = [Course(seat, self.game.view(self.state.game, seat)) for seat in SIGHTS]
            options = self.state.opened.options
            self.recordings.append(Recording(self.game.name, options, courses))
        return decision

    def _record(self, state: Any, decision: Decision) -> None:
        """The game's events are applied here once more: with the last of a round, the table may
        begin the next one."""
        recording = self.recordings[-1]
        glance = self.game.glance(state) if self.state.walk_in else None
        events = []
        for event in decision.events:
            if isinstance(event, house.RoundEnded):
                recording.reason = event.outcome.reason
                break
            if type(event) not in house.EVENT_TYPES:
                events.append(event)
                state = self.game.apply(state, event)
        for course in recording.courses:
            seen = [self.game.seen(event, course.seat) for event in events]
            told = [event for event in seen if event is not None]
            if told:
                course.steps.append(
                    Step(msgspec.to_builtins(glance), told, self.game.view(state, course.seat))
                )


def ended(
    game: Game[Any], options: dict[str, Any], reason: str, *, seed: int = 0, **how: Any
) -> Recording:
    """A round of random moves that ends by this reason: that of the seed, if it does, or of the
    next that does."""
    for each in range(seed, seed + SEEDS_MOST):
        table = Recorder(game, options, seed=each, strays=0.04, **how)
        if table.run().outcome.reason == reason:
            return table.recordings[0]
    raise AssertionError(f"no seed ends {game.name} by {reason}")


def left(game: Game[Any], options: dict[str, Any], seat: int) -> Recording:
    """A round in which this seat is given up after some moves."""
    table = Recorder(game, options, seed=seat)
    for _ in range(5):
        table.step()
    table.act(seat, house.Leave())
    return table.recordings[0]


def bingo_unclaimed() -> Recording:
    """Every number is called, and nobody says anything."""
    table = Recorder(Bingo(), {"free_centre": False}, people=1)
    table.act(0, Deal())
    while not table.ended:
        table.fire()
    return table.recordings[0]


def bingo_left() -> Recording:
    """One who has a card goes, and one who has come too late for one; then all."""
    table = Recorder(Bingo(), people=3)
    table.act(0, Deal())
    table.fire()
    table.sit()
    for seat in (3, 2, 1, 0):
        table.act(seat, house.Leave())
        if seat:
            table.fire()
    return table.recordings[0]


def sicbo_rounds(seed: int) -> list[Recording]:
    """Some in a row: each shows those before."""
    table = Recorder(SicBo(), seed=seed)
    for _ in range(3):
        table.run()
    return table.recordings


def dropped(columns: tuple[int, ...]) -> Recording:
    table = Recorder(ConnectFour())
    for n, column in enumerate(columns):
        table.act(n % 2, Drop(column))
    return table.recordings[0]


def draw_agreed() -> Recording:
    """Offers that are refused, overtaken by a drop, and accepted."""
    table = Recorder(ConnectFour())
    for seat, command in (
        (0, OfferDraw()),
        (0, Drop(3)),
        (1, AnswerDraw(False)),
        (0, OfferDraw()),
        (1, Drop(3)),
        (1, OfferDraw()),
        (0, AnswerDraw(True)),
    ):
        table.act(seat, command)
    return table.recordings[0]


def all_recordings() -> Iterator[Recording]:
    four, duel, stone = ConnectFour(), BingoDuel(), FourStone()
    yield from map(dropped, LINES.values())
    yield ended(four, {}, "line")
    yield ended(four, {"columns": 4, "rows": 5, "length": 3}, "line", seed=3)
    yield ended(four, {"columns": 5, "rows": 3, "length": 3}, "board_full", seed=113)
    yield ended(four, {}, "resigned", seed=1)
    yield ended(four, {"move_seconds": 0.0125}, "time")
    yield draw_agreed()
    yield left(four, {"move_seconds": 20}, 1)
    yield ended(stone, {}, "one_stone", seed=10)
    yield ended(stone, {}, "no_move", seed=252)
    yield ended(stone, {}, "repetition", seed=88)
    yield ended(stone, {}, "resigned")
    yield ended(stone, {"move_seconds": 2.5}, "time")
    yield left(stone, {}, 0)
    yield ended(duel, {"size": 3}, "bingo")
    yield ended(duel, {"size": 3}, "draw", seed=3)
    yield ended(duel, {"size": 3}, "resigned", seed=6)
    yield ended(duel, {}, "bingo", rated=True)
    yield left(duel, {}, 0)
    yield ended(Bingo(), {}, "bingo", people=3)
    yield bingo_unclaimed()
    yield bingo_left()
    # The first has a big and a small result, the other a triple that neither wins.
    for seed in (1, 4):
        yield from sicbo_rounds(seed)


if __name__ == "__main__":
    sys.stdout.buffer.write(msgspec.json.encode(list(all_recordings())))
