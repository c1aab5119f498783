"""Whether all that is kept fits together: balances, transfers, pots, journals and their hashes.

Reads an audit once from front to back, in pages: what it keeps in mind does not grow with it.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from typing import Any, Generic, TypeVar

from gamehall.games.game import Game
from gamehall.hall.audit.findings import Findings, Problem
from gamehall.hall.audit.recount import Recount
from gamehall.hall.beat.steps import Kind
from gamehall.store.appends import Transfer
from gamehall.store.audit import AccountSum, Audit, AuditedTable, Entry, PotSum
from gamehall.table_log.journal import chained, codec_of
from gamehall.table_log.log import LogError
from gamehall.table_log.rules import TableRules

T = TypeVar("T")

_PLAYER = re.compile(r"player:[1-9][0-9]*")


async def examine(audit: Audit, games: Mapping[str, Game[Any]]) -> Findings:
    """Everything that was found. Raises errors.Unavailable if it cannot be read."""
    doctor = _Doctor(audit, games)
    await doctor.accounts()
    await doctor.mint()
    await doctor.tables()
    doctor.add_up()
    return doctor.findings


class _Ahead(Generic[T]):
    """One item after the other, of pages; the next can be looked at before it is taken."""

    def __init__(self, pages: AsyncIterator[list[T]]) -> None:
        self._pages = pages
        self._page: list[T] = []
        self._place = 0

    async def peek(self) -> T | None:
        if self._place == len(self._page):
            self._page = await anext(self._pages, [])
            self._place = 0
        return self._page[self._place] if self._page else None

    def take(self) -> None:
        self._place += 1


class _Doctor:
    def __init__(self, audit: Audit, games: Mapping[str, Game[Any]]) -> None:
        self._audit = audit
        self._kinds = {
            name: Kind(game, TableRules(game), codec_of(game)) for name, game in games.items()
        }
        self._pots: _Ahead[PotSum]
        self.findings = Findings()
        self._found = self.findings.found

    # Accounts

    async def accounts(self) -> None:
        held = self.findings.held
        async for page in self._audit.accounts():
            for each in page:
                if _PLAYER.fullmatch(each.account):
                    self._player(each)
                elif each.account in ("house", "mint"):
                    held[each.account] = each.chips
                else:
                    held["other"] += each.chips
                    what = "There is no such account, but transfers name it."
                    self._found(Problem("balances", what, account=each.account))

    def _player(self, of: AccountSum) -> None:
        balance = of.balance or 0
        self.findings.players += 1
        self.findings.held["players"] += balance
        if of.balance is None:
            self._found(Problem("balances", "It has transfers but no balance.", account=of.account))
        elif balance != of.chips:
            what = f"The balance is {balance}, but its transfers add up to {of.chips}."
            self._found(Problem("balances", what, account=of.account))
        elif of.listed != of.chips:
            what = f"The balance is {balance}, but its statement adds up to {of.listed}."
            self._found(Problem("balances", what, account=of.account))
        if min(balance, of.chips) < 0:
            what = f"It is below zero: {min(balance, of.chips)}."
            self._found(Problem("negative", what, account=of.account))

    async def mint(self) -> None:
        """What has no table comes from the mint, and is counted by player."""
        player, next_n = 0, 0
        async for page in self._audit.transfers(0):
            for entry in page:
                self.findings.minted += 1
                if entry.seq != player:
                    player, next_n = entry.seq, 0
                if entry.n != next_n:
                    what = f"The mint's transfer {next_n} to this player is missing."
                    self._found(Problem("money", what, account=f"player:{player}"))
                next_n = entry.n + 1
                if (entry.source, entry.target) != ("mint", f"player:{player}") or entry.chips < 1:
                    what = f"Not the mint's to this player: {_words(entry)}."
                    self._found(Problem("money", what, account=f"player:{player}"))

    def add_up(self) -> None:
        total = sum(self.findings.held.values())
        if total:
            self._found(Problem("zero", f"All accounts add up to {total}."))

    # Tables

    async def tables(self) -> None:
        self._pots = _Ahead(self._audit.pots())
        async for page in self._audit.tables():
            for table in page:
                await self._pots_before(table.id)
                if not table.head:
                    await self._forgotten(table)
                else:
                    await self._table(table)
        await self._pots_before(None)

    async def _table(self, table: AuditedTable) -> None:
        findings = self.findings
        findings.tables += 1
        game = table.game or ""
        kind = self._kinds.get(game)
        recount = None if kind is None else Recount(kind, table.id)
        if recount is None:
            findings.unknown[game] = findings.unknown.get(game, 0) + 1
        entries = _Ahead(self._audit.transfers(table.id))
        chain, head = "", 0
        async for page in self._audit.lines(table.id):
            for seq, line in page:
                if seq != head + 1:
                    what = f"Rows are missing before this one: the last is {head}."
                    self._found(Problem("journals", what, table=table.id, seq=seq))
                if recount is not None:
                    recount = await self._row(recount, entries, table.id, seq, line, chain)
                chain, head = chained(chain, line), seq
                findings.rows += 1
        if head != table.head:
            what = f"The journal ends with row {head}, but the table with row {table.head}."
            self._found(Problem("journals", what, table=table.id))
        elif chain != table.hash:
            what = f"The chain of hashes over {head} rows does not lead to the table's hash."
            self._found(Problem("journals", what, table=table.id))
        await self._rest(entries, table, recounted=recount is not None, known=kind is not None)
        await self._pots_of(table, recount)

    async def _row(
        self,
        recount: Recount,
        entries: _Ahead[Entry],
        table: int,
        seq: int,
        line: bytes,
        chain: str,
    ) -> Recount | None:
        """Compares a row's money; None when nothing after it can be recomputed."""
        try:
            row = recount.take(seq, line)
        except LogError as error:
            what = f"{error} The money from here on was not recomputed."
            self._found(Problem("journals", what, table=table, seq=seq))
            return None
        if row.previous is not None and row.previous != chain:
            what = "The chain of hashes breaks here: a row of the round before was changed."
            self._found(Problem("journals", what, table=table, seq=seq))
        await self._compare(entries, row.transfers, table, seq)
        self.findings.transfers += len(row.transfers)
        return recount

    async def _compare(
        self, entries: _Ahead[Entry], due: tuple[Transfer, ...], table: int, seq: int
    ) -> None:
        paid: dict[int, Entry] = {}
        while (entry := await entries.peek()) is not None and entry.seq <= seq:
            entries.take()
            if entry.seq < seq:
                self._stray(entry, table)
            else:
                paid[entry.n] = entry
        for n, transfer in enumerate(due):
            found = paid.pop(n, None)
            if found is None:
                what = f"Transfer {n} is missing: {_words(transfer)}."
                self._found(Problem("money", what, table=table, seq=seq))
            elif (found.source, found.target, found.chips) != (
                transfer.source,
                transfer.target,
                transfer.chips,
            ):
                what = f"Transfer {n} is {_words(found)}; by the rules it is {_words(transfer)}."
                self._found(Problem("money", what, table=table, seq=seq))
        for entry in paid.values():
            self._stray(entry, table)

    def _stray(self, entry: Entry, table: int) -> None:
        what = f"No event causes transfer {entry.n}: {_words(entry)}."
        self._found(Problem("money", what, table=table, seq=entry.seq))

    async def _rest(
        self, entries: _Ahead[Entry], table: AuditedTable, *, recounted: bool, known: bool
    ) -> None:
        """The transfers after the last row that was recomputed."""
        while (entry := await entries.peek()) is not None:
            entries.take()
            if recounted:
                self._stray(entry, table.id)
            elif not known:
                self.findings.unknown_transfers += 1

    async def _forgotten(self, table: AuditedTable) -> None:
        """A table that is gone, with its journal; its transfers stay for ever."""
        if table.head is None:
            rows = sum([len(page) async for page in self._audit.lines(table.id)])
            if rows:
                what = f"The table is gone, but {rows} rows of its journal are there."
                self._found(Problem("journals", what, table=table.id))
        if not table.given:
            what = "There has never been such a table, but the ledger or a journal names it."
            self._found(Problem("money", what, table=table.id))
        self.findings.forgotten += 1
        async for page in self._audit.transfers(table.id):
            self.findings.forgotten_transfers += len(page)
        await self._pots_of(table, None)

    # Pots

    async def _pots_before(self, table: int | None) -> None:
        """Passes over pots of tables that do not exist."""
        while (pot := await self._pots.peek()) is not None:
            if table is not None and pot.table >= table:
                return
            self._pots.take()
            self.findings.held["pots"] += pot.chips
            if pot.chips:
                what = f"There is no such table, but its pot holds {pot.chips}."
                self._found(Problem("pots", what, account=pot.account))

    async def _pots_of(self, table: AuditedTable, recount: Recount | None) -> None:
        """A closed round's is empty; the running round's holds what the events put there."""
        running: str | None = None
        due: int | None = None
        if recount is not None:
            self.findings.closed_rounds += recount.closed_rounds
            if recount.running is not None:
                running, due = recount.running
                self.findings.running_rounds += 1
        elif table.status in ("waiting", "playing"):
            running = f"pot:{table.id}:{table.round}"
        held = 0
        while (pot := await self._pots.peek()) is not None and pot.table == table.id:
            self._pots.take()
            self.findings.held["pots"] += pot.chips
            if pot.account == running:
                held = pot.chips
            elif pot.chips:
                what = f"The round is closed, but its pot holds {pot.chips}."
                self._found(Problem("pots", what, table=table.id, account=pot.account))
        if due is None:
            self.findings.unknown_pots += held != 0
        elif held != due:
            what = f"The pot holds {held}, but {due} are at stake."
            self._found(Problem("pots", what, table=table.id, account=running))


def _words(transfer: Entry | Transfer) -> str:
    return f"{transfer.chips} from {transfer.source} to {transfer.target}"
