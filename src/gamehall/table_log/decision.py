"""What one command causes, gathered event by event while the state moves on."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from gamehall.games.chance import Chance
from gamehall.games.game import Context, Event, Game, Payment
from gamehall.table_log import house
from gamehall.table_log.money import PaidInRound

if TYPE_CHECKING:
    from gamehall.table_log.rules import TableRules


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
        payments: tuple[Payment, ...] = ()
        if self.rules.has_money:
            payments = self.rules.payments(state, event)
            for payment in payments:
                self.payments.append((state.opened.round, state.chairs, payment))
        if type(event) in house.EVENT_TYPES:
            self.by_the_house = True
            if isinstance(event, house.RoundEnded):
                players = self.rules.players(state)
                self.ended.append(EndedRound(state.opened.round, players, state.quitters, event))
        self.state = self.rules.record(state, event, payments)
        self.events.append(event)

    @property
    def game(self) -> Game[Any]:
        return self.rules.game

    @property
    def context(self) -> Context:
        return Context(self.at_ms, Chance(self.draws.secret(self.state.opened.round)))

    def secret(self) -> str:
        return self.draws.secret(self.state.opened.round).hex()

    def open(self, **fields: Any) -> None:
        """Opens a round: its commitment and the chain so far are told first of all."""
        commitment = self.draws.commitment(fields["round"])
        self.emit(house.Opened(commitment=commitment, previous=self.chain, **fields))

    def shut(self, reason: str) -> None:
        """Closes the table. Every end reveals, also that of a round which never began."""
        if not self.state.over:
            self.emit(house.RoundVoided(reason, self.secret(), self.at_ms))
        self.emit(house.Closed(reason))
