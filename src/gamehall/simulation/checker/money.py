"""Whether every chip is where the journals say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import accumulate

import msgspec

from gamehall.simulation.checker.asked import asked_by_player
from gamehall.simulation.checker.journals import Books, Journal
from gamehall.simulation.checker.transcripts import Json, Transcript
from gamehall.table_log import house

MINT = "mint"
Moves = Counter[tuple[str, str]]


class Transfer(msgspec.Struct, frozen=True):
    """A transfer as it lies in the store; table 0 is the hall's own."""

    id: int
    table: int
    seq: int
    n: int
    source: str
    target: str
    chips: int


class Ledger(msgspec.Struct, frozen=True):
    transfers: tuple[Transfer, ...]
    """In their order."""
    balances: dict[int, int]
    """By player."""


def check_money(ledger: Ledger, books: Books) -> None:
    """Raises AssertionError."""
    held: Counter[str] = Counter()
    for transfer in ledger.transfers:
        held[transfer.source] -= transfer.chips
        held[transfer.target] += transfer.chips
    accounts = {account for account in held if account.startswith("player:")}
    unkept = accounts - {f"player:{player}" for player in ledger.balances}
    assert not unkept, f"these have no balance: {unkept}"
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
    for (table, seq), moved in by_row.items():
        assert table == 0, f"chips moved by a row that is not there: {seq} of table {table}"
        given = set(moved) == {(MINT, f"player:{seq}")}
        assert given, f"the hall itself moved chips: {dict(moved)}"


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


def check_refills(transcripts: Iterable[Transcript], ledger: Ledger) -> None:
    """Whoever had its chips filled up has asked for it, once for each time, and has got them.

    Raises AssertionError.
    """
    for player, requests in asked_by_player(transcripts).items():
        asked = [each for each in requests.values() if each.action == "refill" and not each.refused]
        filled = _filled_up(ledger, player)
        assert len(filled) <= len(asked), f"player {player} was given chips, and has not asked"
        told = Counter(each.accepted["balance"] for each in asked if each.accepted is not None)
        lost = told - Counter(filled)
        assert not lost, f"player {player} was told of chips that it was not given: {dict(lost)}"


def _filled_up(ledger: Ledger, player: int) -> list[int]:
    """The balance after each gift but the first, which is what everyone begins with."""
    account, balance, filled = f"player:{player}", 0, []
    for each in ledger.transfers:
        balance += each.chips * ((each.target == account) - (each.source == account))
        if (each.source, each.target) == (MINT, account) and each.n > 0:
            filled.append(balance)
    return filled


def check_statements(transcripts: Iterable[Transcript], ledger: Ledger) -> None:
    """What people were told of their chips is what the ledger had at some time.

    Raises AssertionError.
    """
    for transcript in transcripts:
        entries = list(_entries(ledger, f"player:{transcript.player}"))
        balances = list(accumulate((entry["chips"] for entry in entries), initial=0))
        for message in transcript.heard():
            told = f"{transcript.name} was told of chips that are not in the ledger: {message}"
            if message["action"] == "balance":
                assert message["payload"]["balance"] in balances, told
            elif message["action"] == "statement":
                items = [_told(item) for item in message["payload"]["items"]]
                newest = items[0]["id"] if items else 0
                there = [entry for entry in reversed(entries) if entry["id"] <= newest]
                is_all = message["payload"]["next"] is None
                assert items == (there if is_all else there[: len(items)]), told


def _entries(ledger: Ledger, account: str) -> Iterator[Json]:
    """The transfers from and to an account, as its statement has them, the oldest first."""
    for each in ledger.transfers:
        for mine, other, sign in ((each.source, each.target, -1), (each.target, each.source, 1)):
            if mine == account:
                place = {"id": each.id, "table": each.table, "seq": each.seq, "n": each.n}
                yield {**place, "chips": sign * each.chips, "other": other}


def _told(item: Json) -> Json:
    return {name: value for name, value in item.items() if name != "at_ms"}
