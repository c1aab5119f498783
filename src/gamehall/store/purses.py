"""The chips that appends move, reckoned before anything is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from gamehall.store.appends import Append, NewRow, Short

_PLAYER = "player:"

Held = tuple[int, int, int | None]
"""A player, their chips, and the number of their last transfer."""
Entry = tuple[int, int, int, int, str, str, int, int, int | None, int | None]
"""A transfer as the ledger keeps it: id, table_id, seq, n, source, target, chips, at_ms,
source_before, target_before."""


def account_of(player: int) -> str:
    return f"{_PLAYER}{player}"


class Purses:
    """What each player has whom these appends concern: first before them, then after them."""

    def __init__(self, appends: Iterable[Append]) -> None:
        accounts: set[str] = set()
        for append in appends:
            for row in append.rows:
                for move in row.transfers:
                    accounts.add(move.source)
                    accounts.add(move.target)
        self._players = {of: int(of[len(_PLAYER) :]) for of in accounts if of.startswith(_PLAYER)}
        # Only players are in these: all other accounts are sums of transfers and may be negative.
        self._chips = dict.fromkeys(self._players, 0)
        self._last: dict[str, int | None] = dict.fromkeys(self._players)

    @property
    def players(self) -> list[int]:
        return list(self._players.values())

    def fill(self, held: Iterable[Held]) -> None:
        """Says what they have; players who are left out have nothing."""
        for player, chips, last in held:
            account = account_of(player)
            self._chips[account] = chips
            self._last[account] = last

    def take(self, rows: Sequence[NewRow]) -> Short | None:
        """Moves the chips of one append; if payers lack them, says so, and nothing has moved."""
        short = {}
        for place, row in enumerate(rows):
            lacking = self._move(row) if row.transfers else None
            if lacking:
                short[place] = tuple(sorted(lacking))
        if not short:
            return None
        for place, row in enumerate(rows):
            if place not in short:
                self._give_back(row)
        return Short(tuple(short), tuple(short.values()))

    def _move(self, row: NewRow) -> set[int]:
        """Moves the chips of a row, unless players lack them: those."""
        chips = self._chips
        lacking = set()
        for move in row.transfers:
            if move.target in chips:
                chips[move.target] += move.chips
            if move.source in chips:
                chips[move.source] -= move.chips
                if chips[move.source] < 0:
                    lacking.add(self._players[move.source])
        if lacking:
            self._give_back(row)
        return lacking

    def _give_back(self, row: NewRow) -> None:
        for move in row.transfers:
            for account, chips in ((move.source, move.chips), (move.target, -move.chips)):
                if account in self._chips:
                    self._chips[account] += chips

    def entries(
        self, appends: Iterable[Append], ids: Iterator[int]
    ) -> tuple[list[Entry], list[Held]]:
        """What `take` has moved for these, and what the players have then."""
        last = self._last
        concerned: set[str] = set()
        entries: list[Entry] = []
        for append in appends:
            table, at_ms = append.table, append.at_ms
            for seq, row in enumerate(append.rows, start=append.after + 1):
                for n, move in enumerate(row.transfers):
                    id = next(ids)
                    source, target = move.source, move.target
                    before = last.get(source), last.get(target)
                    entries.append((id, table, seq, n, source, target, move.chips, at_ms, *before))
                    for account in (source, target):
                        if account in last:
                            last[account] = id
                            concerned.add(account)
        held = sorted((self._players[of], self._chips[of], last[of]) for of in concerned)
        return entries, held
