"""Whether every chip is where the journals say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec

from gamehall.simulation.checker.journals import Books, Journal
from gamehall.table_log import house

MINT = "mint"
Moves = Counter[tuple[str, str]]


class Transfer(msgspec.Struct, frozen=True):
    """A transfer as it lies in the store; table 0 is the hall's own."""

    table: int
    seq: int
    source: str
    target: str
    chips: int


class Ledger(msgspec.Struct, frozen=True):
    transfers: tuple[Transfer, ...]
    balances: dict[int, int]
    """By player."""


def check_money(ledger: Ledger, books: Books) -> None:
    """Raises AssertionError."""
    held: Counter[str] = Counter()
    for transfer in ledger.transfers:
        held[transfer.source] -= transfer.chips
        held[transfer.target] += transfer.chips
    for player, chips in ledger.balances.items():
        told = f"player {player} has {chips} chips, and {held[f'player:{player}']} by the transfers"
        assert chips == held[f"player:{player}"], told
        assert chips >= 0, f"player {player} owes {-chips} chips"
    by_row: dict[tuple[int, int], Moves] = {}
    for transfer in ledger.transfers:
        moved = by_row.setdefault((transfer.table, transfer.seq), Counter())
        moved[transfer.source, transfer.target] += transfer.chips
    for journal in books.journals.values():
        for seq in range(1, journal.head + 1):
            there, moved = moves(journal, seq), by_row.pop((journal.table, seq), Counter())
            where = f"row {seq} of table {journal.table}"
            assert there == moved, f"{where} moves {dict(there)}, and {dict(moved)} moved"
        for pot in _ended_pots(journal):
            assert held[pot] == 0, f"{pot} is over, with {held[pot]} chips in it"
    strays = [row for row in by_row if row[0] != 0]
    assert not strays, f"chips moved by rows that are not there: {strays}"


def moves(journal: Journal, seq: int) -> Moves:
    """The chips that a row of the journal moves, by what its events say."""
    found: Moves = Counter()
    before = journal.states[seq - 1]
    row = journal.rows[seq - 1]
    state = None if before is None else journal.rules.fork(before)
    for event in row.events:
        if type(event) not in house.EVENT_TYPES and state is not None:
            for payment in journal.game.money(state.game, event):
                pot = f"pot:{journal.table}:{state.opened.round}"
                source, target = (
                    f"player:{state.chairs[party].player}"
                    if isinstance(party, int)
                    else pot
                    if party == "pot"
                    else party
                    for party in (payment.source, payment.target)
                )
                found[source, target] += payment.chips
        state = journal.rules.apply(state, event)
    return found


def _ended_pots(journal: Journal) -> Iterable[str]:
    for row in journal.rows:
        if any(isinstance(event, house.RoundEnded | house.RoundVoided) for event in row.events):
            yield f"pot:{journal.table}:{row.round}"
