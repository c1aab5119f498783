"""One's own bets at a table of Sic Bo in earlier rounds: shown, and placed again.

They are found where they are kept: the player's statement names the rows, the journal has the bets.
No table remembers the bets of everyone who ever came.
"""

from __future__ import annotations

from collections.abc import AsyncIterator

import msgspec

from gamehall.errors import BadRequest, IllegalCommand
from gamehall.games.sicbo import HISTORY_MAX, SicBo
from gamehall.games.sicbo_betting import PlacedBet
from gamehall.games.sicbo_events import (
    BetWindowClosed,
    NoBets,
    OneBet,
    Paid,
    PlaceBets,
    Rolled,
    placed_by,
)
from gamehall.games.sicbo_layout import Result
from gamehall.hall.beat.known_table import KnownTable
from gamehall.hall.beat.requests import Reply
from gamehall.hall.beat.sent_again import OTHER_CONTENT
from gamehall.hall.people.online import Online
from gamehall.hall.seats.seating import Seating
from gamehall.hall.tables.tables import Tables
from gamehall.store.appends import Request
from gamehall.store.store import Store

PAGE = 500
PAGES_MAX = 40
"""How far back a statement is read: a player who did so much elsewhere since has not bet here."""
BETS_MAX = 2000
"""Bets that are shown at once. Earlier rounds are left out then, but never the last."""


class BetRound(msgspec.Struct, frozen=True):
    """A finished round, with one's own bets in it."""

    round: int
    dice: tuple[int, ...]
    """Empty if the round was called off, and every stake went back."""
    sum: int
    result: Result | None
    bets: tuple[PlacedBet, ...]


class SicBoBets:
    def __init__(self, store: Store, tables: Tables, seating: Seating) -> None:
        self._store = store
        self._tables = tables
        self._seating = seating

    async def rebet(
        self, online: Online, table: int, round: int | None, request: Request | None, reply: Reply
    ) -> None:
        """Places the bets of the last round in which the player bet before `round`, or before the
        one now open: all of them or none.

        Raises:
            NoBets, BetWindowClosed, IllegalCommand, NoSuchTable, WrongKey, Unavailable
        """
        found = await self._load(table)
        # Where a round is over, the next one opens for these bets.
        open_round = found.state.opened.round + found.state.over
        first_after = open_round if round is None else round
        player = online.player.id
        async for before, rows in self._rows(table, player):
            if before < first_after:
                _, bets = await self._placed(found, rows)
                again = tuple(OneBet(bet.side, bet.amount) for bet in bets)
                self._seating.act(online, table, PlaceBets(again, round), request, reply)
                return
        if request is not None and found.knows(player, request.id):
            raise BadRequest(OTHER_CONTENT)
        if first_after < open_round:
            raise BetWindowClosed
        raise NoBets

    async def history(self, table: int, player: int) -> list[BetRound]:
        """The player's last finished rounds, oldest first. Raises IllegalCommand, NoSuchTable …"""
        found = await self._load(table)
        rounds: list[BetRound] = []
        shown = 0
        async for round, rows in self._rows(table, player):
            span = await self._store.round_span(table, round)
            if span is None:
                continue  # It is not over.
            seat, bets = await self._placed(found, rows)
            shown += len(bets)
            if rounds and shown > BETS_MAX:
                break
            (last,) = await self._store.read_at(table, [span.last_seq])
            rounds.append(_ended(round, seat, bets, last.line))
            if len(rounds) == HISTORY_MAX:
                break
        return rounds[::-1]

    async def _load(self, table: int) -> KnownTable:
        found = await self._tables.load(table)
        if found.kind.game.name != SicBo.name:
            raise IllegalCommand("There are no bets at this table: it is not Sic Bo.")
        return found

    async def _rows(self, table: int, player: int) -> AsyncIterator[tuple[int, list[int]]]:
        """Each round in which the player bet, newest first, and the rows of its bets."""
        round, rows = 0, list[int]()
        before: int | None = None
        for _ in range(PAGES_MAX):
            page = await self._store.statement(player, before=before, limit=PAGE)
            for item in page:
                if item.table != table or item.chips >= 0:
                    continue
                of_round = int(item.other.rpartition(":")[2])
                if rows and of_round != round:
                    yield round, rows
                    rows = []
                round = of_round
                rows.append(item.seq)
            if len(page) < PAGE:
                if rows:
                    yield round, rows
                return
            before = page[-1].id

    async def _placed(self, table: KnownTable, rows: list[int]) -> tuple[int, list[PlacedBet]]:
        """The seat that had these rows, and its bets."""
        lines = await self._store.read_at(table.id, rows)
        events = [event for line in lines for event in table.kind.codec.decode(line.line).events]
        placed = list(placed_by(events))
        return placed[0].seat, [PlacedBet(bet.bet, bet.side, bet.amount) for bet in placed]


# The row that ends a round has the payouts of thousands: only one's own are decoded.


class _EndRow(msgspec.Struct):
    events: list[msgspec.Raw]


class _Tagged(msgspec.Struct):
    type: str


class _Settled(msgspec.Struct):
    payouts: dict[int, msgspec.Raw]


_read_end_row = msgspec.json.Decoder(_EndRow).decode
_read_tag = msgspec.json.Decoder(_Tagged).decode
_read_rolled = msgspec.json.Decoder(Rolled).decode
_read_settled = msgspec.json.Decoder(_Settled).decode
_read_paid = msgspec.json.Decoder(tuple[Paid, ...]).decode


def _ended(round: int, seat: int, bets: list[PlacedBet], line: bytes) -> BetRound:
    events = {_read_tag(event).type: event for event in _read_end_row(line).events}
    if "rolled" not in events:
        back = tuple(PlacedBet(bet.bet, bet.side, bet.amount, bet.amount) for bet in bets)
        return BetRound(round, (), 0, None, back)
    rolled = _read_rolled(events["rolled"])
    paid = _read_paid(_read_settled(events["settled"]).payouts[seat])
    chips = {each.bet: each.chips for each in paid}
    brought = tuple(PlacedBet(bet.bet, bet.side, bet.amount, chips[bet.bet]) for bet in bets)
    return BetRound(round, rolled.dice, rolled.sum, rolled.result, brought)
