"""A dice game with draws, a timer and rounds that follow at once, and logs of it for tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from gamehall.errors import NotYourTurn
from gamehall.games.chance import commitment_to
from gamehall.games.game import (
    Cell,
    Command,
    Context,
    Event,
    Game,
    Options,
    Outcome,
    Picture,
    Seats,
    Start,
    Timer,
)
from gamehall.table_log import house
from gamehall.table_log.decision import Draws
from gamehall.table_log.journal import Row, RowCodec, chained
from gamehall.table_log.log import Trailer
from gamehall.table_log.rules import TableRules
from gamehall.table_log.table_state import TableState


class Roll(Command, frozen=True):
    pass


class Late(Command, frozen=True):
    pass


class Rolled(Event, frozen=True):
    seat: int
    dice: tuple[int, int]


class TooLate(Event, frozen=True):
    seat: int


class DiceOptions(Options, frozen=True):
    again_ms: int | None = None
    patience_ms: int = 1000


class Dice(msgspec.Struct):
    options: DiceOptions
    due_ms: int
    sums: tuple[int, ...] = ()
    late: int | None = None


class DiceGame(Game[Dice]):
    name = "dice"
    title = "Dice"
    commands = (Roll,)
    timers = (Late,)
    events = (Rolled, TooLate)
    options = DiceOptions

    def seats(self, options: DiceOptions) -> Seats:
        return Seats(2, 2)

    def start(self, start: Start) -> Dice:
        return Dice(start.options, start.at_ms + start.options.patience_ms)

    def decide(
        self, state: Dice, seat: int | None, command: Any, context: Context
    ) -> tuple[Event, ...]:
        turn = len(state.sums)
        if isinstance(command, Late):
            return (TooLate(turn),)
        if seat != turn:
            raise NotYourTurn
        first, second = context.chance.below(f"roll:{turn}", 6, 6)
        return (Rolled(turn, (first + 1, second + 1)),)

    def apply(self, state: Dice, event: Any) -> Dice:
        if isinstance(event, TooLate):
            state.late = event.seat
        else:
            state.sums = (*state.sums, sum(event.dice))
        return state

    def fork(self, state: Dice) -> Dice:
        return msgspec.structs.replace(state)

    def legal(self, state: Dice, seat: int) -> Iterable[Command]:
        return [Roll()] if seat == len(state.sums) else []

    def view(self, state: Dice, seat: int | None) -> dict[str, Any]:
        return {"sums": state.sums}

    def picture(self, view: Any) -> Picture:
        return Picture((tuple(Cell(str(n), "first") for n in view["sums"]),), "Dice on the table")

    def outcome(self, state: Dice) -> Outcome | None:
        again_ms = state.options.again_ms
        if state.late is not None:
            return Outcome((1 - state.late,), "late", again_ms=again_ms)
        if len(state.sums) < 2:
            return None
        best = max(state.sums)
        winners = tuple(s for s, n in enumerate(state.sums) if n == best)
        return Outcome(winners if len(winners) == 1 else (), "sum", again_ms=again_ms)

    def leave(self, state: Dice, seat: int) -> tuple[Event, ...]:
        return (TooLate(seat),)

    def timer(self, state: Dice) -> Timer | None:
        return Timer(state.due_ms, Late())


ANA = house.Person(11, "Ana")
BO = house.Person(12, "Bo", bot="random")


class FixedSecrets:
    def secret(self, round: int) -> bytes:
        return bytes([round]) * 32

    def commitment(self, round: int) -> str:
        return commitment_to(self.secret(round))


class Recorder:
    """A table that writes down what happens, as the hall does."""

    def __init__(
        self,
        game: Game[Any],
        options: Mapping[str, Any] | None = None,
        *,
        draws: Draws | None = None,
        nonce: str = "00ff",
    ) -> None:
        self.draws = draws or FixedSecrets()
        self.rules = TableRules(game)
        self.codec = RowCodec(game)
        self.at_ms = 1_700_000_000_000
        self.lines: list[bytes] = []
        self.hashes: list[str] = []
        self.state: TableState | None = None
        self.act(None, house.Open(game.name, dict(options or {}), nonce))

    @property
    def hash(self) -> str:
        return self.hashes[-1] if self.hashes else ""

    def act(
        self,
        seat: int | None,
        command: Command,
        wait_ms: int = 10,
        walks_in: house.Person | None = None,
    ) -> None:
        self.at_ms += wait_ms
        state = self.state
        round = 1 if state is None else state.opened.round
        decision = self.rules.decide(
            state, seat, command, self.at_ms, self.draws, self.hash, walks_in
        )
        self.state = decision.state
        if walks_in is not None:
            seat = decision.state.seat_of[walks_in.player]
        events = tuple(decision.events)
        row = Row(7, len(self.lines) + 1, round, self.at_ms, seat, command, events)
        line = self.codec.encode(row)
        self.hashes.append(chained(self.hash, line))
        self.lines.append(line)

    def sit_both(self) -> None:
        self.act(None, house.Sit(ANA))
        self.act(None, house.Sit(BO))

    def trailer(self) -> bytes:
        return msgspec.json.encode(Trailer(len(self.lines), self.hash))

    def exported(self) -> list[bytes]:
        return [*self.lines, self.trailer()]


def two_rounds() -> Recorder:
    """A finished table: a round, a rematch that the timer ends, both leave."""
    table = Recorder(DiceGame())
    table.sit_both()
    table.act(0, Roll())
    table.act(1, Roll())
    table.act(1, house.Rematch())
    table.act(0, house.Rematch())
    table.act(0, Roll())
    table.act(None, Late(), wait_ms=1000)
    table.act(0, house.Leave())
    table.act(1, house.Leave())
    return table
