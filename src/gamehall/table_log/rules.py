"""The rules of a table: those of the house around those of one game, as pure as the game itself.

The table decides with them, and so does everyone who verifies a finished log.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from copy import copy
from typing import Any, Protocol

import msgspec

from gamehall.errors import (
    BadOptions,
    NotFree,
    NotSeated,
    NotStarted,
    RoundOver,
    RoundRunning,
    SeatsDrawn,
    SeatTaken,
    TableClosed,
    TableFull,
)
from gamehall.games.chance import Chance
from gamehall.games.game import Command, Context, Event, Game, Payment, Timer
from gamehall.table_log import house
from gamehall.table_log.money import PaidInRound, check_payments, count_payments, given_back
from gamehall.table_log.table_state import RECORD, TableState, opened_state

VOID_PAUSE_MS = 1000
"""How long after a void the next round opens, where rounds open by themselves."""


class Draws(Protocol):
    """Where the secrets of a table's rounds come from: the draw key, or a finished log."""

    def secret(self, round: int) -> bytes: ...
    def commitment(self, round: int) -> str: ...


class EndedRound(msgspec.Struct, frozen=True, gc=False):
    round: int
    players: dict[int, house.Person]
    """Those for whom it counts, by seat."""
    quitters: frozenset[int]
    """The seats that were given up before the end."""
    event: house.RoundEnded


class Decision(msgspec.Struct, eq=False, gc=False):
    """What one command caused, gathered event by event while the state moves on."""

    rules: TableRules
    state: Any
    """The state after the events; None only before a table's first row."""
    at_ms: int
    draws: Draws
    chain: str
    events: list[Event] = []
    by_the_house: bool = False
    """Whether any of the events is the hall's own."""
    payments: list[PaidInRound] = []
    """With the round and the chairs at that moment: a command can end one and open the next."""
    ended: list[EndedRound] = []
    cannot_pay: Collection[int] = ()
    """Players who lack the chips for the round that begins, if one does."""

    def emit(self, event: Event) -> None:
        state = self.state
        if self.rules.has_money:
            for payment in self.rules.payments(state, event):
                self.payments.append((state.opened.round, state.chairs, payment))
        if type(event) in house.EVENT_TYPES:
            self.by_the_house = True
            if isinstance(event, house.RoundEnded):
                players = self.rules.players(state)
                self.ended.append(EndedRound(state.opened.round, players, state.quitters, event))
        self.state = self.rules.apply(state, event)
        self.events.append(event)

    @property
    def context(self) -> Context:
        return Context(self.at_ms, Chance(self.draws.secret(self.state.opened.round)))

    def secret(self) -> str:
        return self.draws.secret(self.state.opened.round).hex()

    def open(self, **fields: Any) -> None:
        """Opens a round: its commitment and the chain so far are told first of all."""
        commitment = self.draws.commitment(fields["round"])
        self.emit(house.Opened(commitment=commitment, previous=self.chain, **fields))


class TableRules:
    """The rules of tables at which `game` is played."""

    def __init__(
        self,
        game: Game[Any],
        rematch_ms: int = 120_000,
        defaults: Mapping[str, Any] | None = None,
    ) -> None:
        """`defaults` are options that hold where none are given."""
        self.game = game
        self._defaults = defaults or {}
        self._rematch_ms = rematch_ms
        self.has_money = type(game).money is not Game.money
        self._deals = type(game).begin is not Game.begin

    def read_options(self, options: object) -> Any:
        """The game's options, checked. Raises BadOptions."""
        try:
            given = msgspec.convert(options, dict[str, Any])
            read = msgspec.convert({**self._defaults, **given}, self.game.options)
        except msgspec.ValidationError as error:
            raise BadOptions(f"The game cannot be played with these options: {error}") from None
        self.game.seats(read)
        return read

    def fork(self, state: TableState, *, to_close: bool = False) -> TableState:
        """A copy that `decide` and `apply` may change; `to_close` is without the game's help."""
        forked = copy(state)
        if state.game is not None and not to_close:
            forked.game = self.game.fork(state.game)
        forked.owns_seats = False
        forked.owns_stakes = False
        return forked

    # Deciding

    def decide(
        self,
        state: TableState | None,
        seat: int | None,
        command: Command,
        at_ms: int,
        draws: Draws,
        chain: str,
        walks_in: house.Person | None = None,
        cannot_pay: Collection[int] = (),
    ) -> Decision:
        """What `command` causes. None as `state` is a table that is not open yet; else `state` is
        a fork, and belongs to the decision. `walks_in` is who is seated by this command;
        `cannot_pay` are players who lack the chips for a round that it begins.

        Raises:
            Refused: nothing has changed, `state` neither.
            RulesFault: the game did what no game may; `state` is of no use any more.
        """
        decision = Decision(self, state, at_ms, draws, chain, cannot_pay=cannot_pay)
        round, pot = (1, 0) if state is None else (state.opened.round, state.pot)
        self._decide(decision, state, seat, command, walks_in)
        if self.has_money and (decision.payments or decision.ended):
            check_payments(round, pot, decision.payments, (over.round for over in decision.ended))
        return decision

    def _decide(
        self,
        decision: Decision,
        state: TableState | None,
        seat: int | None,
        command: Command,
        walks_in: house.Person | None,
    ) -> None:
        if state is None:
            if not isinstance(command, house.Open):
                raise NotStarted
            self._open(decision, command)
            return
        if state.closed is not None:
            raise TableClosed
        handler = _HOUSE.get(type(command))
        if handler is not None:
            handler(self, decision, seat, command)
        else:
            self._play(decision, seat, command, walks_in)
        self._end_if_over(decision)

    def _play(
        self,
        decision: Decision,
        seat: int | None,
        command: Command,
        walks_in: house.Person | None,
    ) -> None:
        state: TableState = decision.state
        if state.game is None:
            raise NotStarted
        if state.over:
            raise RoundOver
        if walks_in is not None:
            seat = self._free_seat(state, walks_in.player, None)
        events = self.game.decide(state.game, seat, command, decision.context)
        if walks_in is not None and seat is not None:
            # Only now: a command that is refused leaves no trace.
            decision.emit(house.Seated(seat, walks_in))
        for event in events:
            decision.emit(event)

    def _open(self, decision: Decision, command: house.Open) -> None:
        self.read_options(command.options)
        decision.open(
            game=command.game,
            # As they were written down then: deciding again must not add options of today.
            options=command.options,
            round=1,
            nonce=command.nonce,
            drawn=command.drawn,
            private=command.private,
            rated=command.rated,
            reserved=command.reserved,
            reserved_until_ms=command.reserved_until_ms,
            by_invitation=command.by_invitation is True,
        )
        self._start_if_ready(decision)

    def _sit(self, decision: Decision, _: int | None, command: house.Sit) -> None:
        state: TableState = decision.state
        person = command.person
        if person.player in state.seat_of:
            return
        if state.over and state.again_ms is None:
            raise RoundOver
        seat = self._free_seat(state, person.player, command.seat)
        joined: tuple[Event, ...] = ()
        if state.game is not None and not state.over:
            joined = self.game.join(state.game, seat, decision.context)
        decision.emit(house.Seated(seat, person))
        for event in joined:
            decision.emit(event)
        self._start_if_ready(decision)

    def has_seat_for(self, state: TableState, player: int) -> bool:
        """Whether a seat is free that is not reserved for someone else."""
        held = sum(
            1 for p in state.reserved if p.player != player and p.player not in state.seat_of
        )
        return len(state.chairs) + held < self.game.seats(state.options).most

    def _free_seat(self, state: TableState, player: int, wish: int | None) -> int:
        for seat in state.gone:
            if state.chairs[seat].player == player:
                return seat
        if not self.has_seat_for(state, player):
            raise TableFull
        most = self.game.seats(state.options).most
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

    def _start_if_ready(self, decision: Decision) -> None:
        if not self._can_start(decision.state):
            return
        if decision.cannot_pay:
            self._unseat(decision)
            if not self._can_start(decision.state):
                return
        state: TableState = decision.state
        if state.opened.drawn and len(state.chairs) > 1:
            order = decision.context.chance.shuffled("seats", sorted(state.chairs))
            decision.emit(house.SeatsDrawn(tuple(order)))
        decision.emit(house.Started(decision.at_ms))
        if self._deals:
            for event in self.game.begin(decision.state.game, decision.context):
                decision.emit(event)

    def _can_start(self, state: TableState) -> bool:
        if state.game is not None or state.closed is not None:
            return False
        return len(state.chairs) >= self.game.seats(state.options).least

    def _unseat(self, decision: Decision) -> None:
        """Who cannot pay gives up the seat; where nobody else may take it, the table closes."""
        state: TableState = decision.state
        broke = sorted(state.seat_of[p] for p in decision.cannot_pay if p in state.seat_of)
        for seat in broke:
            decision.emit(house.Left(seat, house.NO_FUNDS))
        state = decision.state
        if not broke or self._can_start(state):
            return
        if self.seats_are_given(state) or not _has_people(state):
            self._shut(decision, house.NO_FUNDS)

    def seats_are_given(self, state: TableState) -> bool:
        """Whether nobody may sit down but those for whom the table was opened."""
        least = self.game.seats(state.options).least
        return state.opened.by_invitation or (state.game is None and len(state.reserved) >= least)

    def _leave(self, decision: Decision, seat: int | None, command: house.Leave) -> None:
        state: TableState = decision.state
        if seat is None:
            raise NotSeated
        running = state.game is not None and not state.over
        events = self.game.leave(state.game, seat) if running else ()
        decision.emit(house.Left(seat, command.reason))
        for event in events:
            decision.emit(event)
        if _has_people(decision.state) or self._opens_by_itself(decision.state):
            return
        if state.over:
            self._shut(decision, "finished")
        elif not running and not decision.state.reserved:
            self._shut(decision, "empty")

    def _opens_by_itself(self, state: TableState) -> bool:
        return self.game.seats(state.options).least == 0

    def _rematch(self, decision: Decision, seat: int | None, _: house.Rematch) -> None:
        state: TableState = decision.state
        if seat is None:
            raise NotSeated
        if not state.over:
            raise NotStarted if state.game is None else RoundRunning
        if state.again_ms is not None:
            raise RoundOver("The next round opens by itself.")
        if not self.game.public:
            raise RoundOver("Only the hall opens such rounds.")
        if state.gone:
            raise NotFree("Someone has left this table.")
        if seat in state.rematch:
            return
        decision.emit(house.RematchWanted(seat))
        if len(decision.state.rematch) == len(state.chairs):
            # The seats move on by one, so that another begins.
            seats = sorted(state.chairs)
            moved = dict(zip(seats, seats[1:] + seats[:1], strict=True))
            self._open_next(decision, moved)

    def _next_round(self, decision: Decision, _: int | None, __: house.NextRound) -> None:
        state: TableState = decision.state
        if not state.over:
            raise RoundRunning
        seats = () if state.walk_in else sorted(state.seat_of.values())
        self._open_next(decision, {seat: seat for seat in seats})

    def _open_next(self, decision: Decision, seats: dict[int, int]) -> None:
        state: TableState = decision.state
        chairs = (house.Chair(seats[seat], state.chairs[seat]) for seat in seats)
        decision.open(
            game=state.opened.game,
            options=state.next_options or state.opened.options,
            round=state.opened.round + 1,
            nonce=state.opened.nonce,
            drawn=False,
            private=state.opened.private,
            rated=state.opened.rated,
            chairs=tuple(sorted(chairs, key=lambda chair: chair.seat)),
            carry=msgspec.to_builtins(self.game.carry(state.game)),
            by_invitation=state.opened.by_invitation,
        )
        self._start_if_ready(decision)

    def _expire(self, decision: Decision, _: int | None, __: house.Expire) -> None:
        state: TableState = decision.state
        if state.game is not None or not state.reserved:
            return
        nobody_else = len(state.reserved) >= self.game.seats(state.options).least
        decision.emit(house.ReservationsLapsed())
        if nobody_else or not _has_people(state):
            self._shut(decision, "no_show")

    def _set_options(self, decision: Decision, _: int | None, command: house.SetOptions) -> None:
        state: TableState = decision.state
        self.read_options(command.options)
        if command.options != (state.next_options or state.opened.options):
            decision.emit(house.OptionsSet(command.options))

    def _void(self, decision: Decision, _: int | None, command: house.Void) -> None:
        state: TableState = decision.state
        if state.over:
            raise RoundOver
        if state.game is None:
            raise NotStarted
        opens_again = self.game.public and self._opens_by_itself(state)
        again_ms = VOID_PAUSE_MS if opens_again else None
        decision.emit(
            house.RoundVoided(command.reason, decision.secret(), decision.at_ms, again_ms)
        )

    def _close(self, decision: Decision, _: int | None, command: house.Close) -> None:
        self._shut(decision, command.reason)

    def _shut(self, decision: Decision, reason: str) -> None:
        """Every end reveals, also that of a round which never began."""
        if not decision.state.over:
            decision.emit(house.RoundVoided(reason, decision.secret(), decision.at_ms))
        decision.emit(house.Closed(reason))

    def _end_if_over(self, decision: Decision) -> None:
        state: TableState = decision.state
        if state.game is None or state.over:
            return
        outcome = self.game.outcome(state.game)
        if outcome is None:
            return
        decision.emit(house.RoundEnded(outcome, decision.secret(), decision.at_ms))
        if not state.seat_of and not self._opens_by_itself(state):
            decision.emit(house.Closed("finished"))
        elif outcome.again_ms == 0:
            self._next_round(decision, None, house.NextRound())

    # Recording

    def apply(self, state: TableState | None, event: Event) -> TableState:
        """The next state; `state` may be changed. Total, as a game's own `apply`."""
        if isinstance(event, house.Opened):
            return opened_state(event, self.game)
        assert state is not None, "a log begins with Opened"
        recorder = RECORD.get(type(event))
        if recorder is not None:
            recorder(self.game, state, event)
        else:
            if self.has_money:
                self._count_stakes(state, event)
            state.game = self.game.apply(state.game, event)
        return state

    def _count_stakes(self, state: TableState, event: Event) -> None:
        payments = self.game.money(state.game, event)
        if payments:
            state.pot += count_payments(state.own_stakes(), payments)

    # What follows from a state

    def players(self, state: TableState) -> dict[int, house.Person]:
        """Those for whom a round counts that has just ended."""
        seats = self.game.took_part(state.game)
        chairs = state.chairs
        return dict(chairs) if seats is None else {seat: chairs[seat] for seat in seats}

    def payments(self, state: TableState | None, event: Event) -> tuple[Payment, ...]:
        """The chips that an event moves; `state` is the one before it."""
        if not self.has_money or state is None:
            return ()
        if isinstance(event, house.RoundVoided):
            return given_back(state.stakes, state.pot)
        if type(event) in house.EVENT_TYPES:
            return ()
        return self.game.money(state.game, event)

    def timer(self, state: TableState) -> Timer | None:
        """The one thing that happens by itself next at this table."""
        if state.closed is not None:
            return None
        if state.game is None:
            return Timer(state.opened.reserved_until_ms, house.Expire()) if state.reserved else None
        if not state.over:
            return self.game.timer(state.game)
        if state.again_ms is not None:
            return Timer(state.ended_at_ms + state.again_ms, house.NextRound())
        return Timer(state.ended_at_ms + self._rematch_ms, house.Close("finished"))


def _has_people(state: TableState) -> bool:
    """Whether anyone but bots may act."""
    return any(state.chairs[seat].bot is None for seat in state.seat_of.values())


_HOUSE: dict[type, Any] = {
    house.Sit: TableRules._sit,
    house.Leave: TableRules._leave,
    house.Rematch: TableRules._rematch,
    house.NextRound: TableRules._next_round,
    house.Expire: TableRules._expire,
    house.SetOptions: TableRules._set_options,
    house.Void: TableRules._void,
    house.Close: TableRules._close,
}
