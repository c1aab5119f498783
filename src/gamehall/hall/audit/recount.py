"""The money of a table, recomputed from the events in its journal by the rules."""

from __future__ import annotations

import msgspec

from gamehall.hall.beat.steps import Kind
from gamehall.hall.beat.summaries import transfers_of
from gamehall.store.appends import Transfer
from gamehall.table_log import house
from gamehall.table_log.decision import Decision
from gamehall.table_log.journal import Row
from gamehall.table_log.log import LogError, shortened
from gamehall.table_log.table_state import TableState


class _NoDraws:
    """Events hold what chance gave, so nothing is drawn again."""

    def secret(self, round: int) -> bytes:
        raise NotImplementedError

    def commitment(self, round: int) -> str:
        raise NotImplementedError


class Recounted(msgspec.Struct, frozen=True):
    """What one row says."""

    transfers: tuple[Transfer, ...]
    previous: str | None
    """The chain's hash before the row, as a round that opens in it names it."""


class Recount:
    """Takes the rows of a journal from the first on, and follows the money."""

    def __init__(self, kind: Kind, table: int) -> None:
        self._kind = kind
        self._table = table
        self._state: TableState | None = None
        self._pots: dict[str, int] = {}
        """Those that are not empty."""
        self.closed_rounds = 0

    def take(self, seq: int, line: bytes) -> Recounted:
        """Goes on with the next row.

        Raises:
            LogError: it is no row of this table, or the rules cannot follow it.
        """
        row = self._read(seq, line)
        decision = Decision(self._kind.rules, self._state, row.at_ms, _NoDraws(), "")
        try:
            for event in row.events:
                decision.emit(event)
            transfers = transfers_of(decision, self._table)
        except Exception as error:
            # A row that was changed can make any rules fail.
            what = f"The rules cannot follow this row ({type(error).__name__})."
            raise LogError(seq, what) from error
        self._state = decision.state
        for transfer in transfers:
            self._count(transfer.source, -transfer.chips)
            self._count(transfer.target, transfer.chips)
        previous = None
        for event in row.events:
            if isinstance(event, house.Opened):
                previous = event.previous
            elif isinstance(event, house.RoundEnded | house.RoundVoided):
                self.closed_rounds += 1
        return Recounted(transfers, previous)

    @property
    def running(self) -> tuple[str, int] | None:
        """The pot of the round that is open, and what lies in it; None between rounds."""
        state = self._state
        if state is None or state.over or state.closed is not None:
            return None
        pot = f"pot:{self._table}:{state.opened.round}"
        return pot, self._pots.get(pot, 0)

    def _read(self, seq: int, line: bytes) -> Row:
        game = self._kind.game.name
        try:
            row = self._kind.codec.decode(line)
        except (ValueError, RecursionError) as error:
            raise LogError(
                seq, f"This is no row of a {game} table: {shortened(str(error))}."
            ) from None
        if (row.table, row.seq) != (self._table, seq):
            raise LogError(seq, f"It says that it is row {row.seq} of table {row.table}.")
        return row

    def _count(self, account: str, chips: int) -> None:
        if account.startswith("pot:"):
            chips += self._pots.pop(account, 0)
            if chips:
                self._pots[account] = chips
