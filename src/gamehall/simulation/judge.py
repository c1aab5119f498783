"""What is in the vault after a run, and what everyone was told, before the checker."""

from __future__ import annotations

from collections.abc import Sequence

from gamehall.simulation.checker.doors import check_doors
from gamehall.simulation.checker.journals import Books, kept_rows, read_books
from gamehall.simulation.checker.money import Ledger, Transfer, check_money
from gamehall.simulation.checker.requests import check
from gamehall.simulation.checker.secrets import check_secrets
from gamehall.simulation.checker.transcripts import Transcript
from gamehall.simulation.clients.client import Client
from gamehall.simulation.clients.person import Person
from gamehall.simulation.vault import Vault


def judge(vault: Vault, clients: Sequence[Client]) -> None:
    """Raises AssertionError."""
    books = _books(vault)
    doors: dict[str, list[Transcript]] = {}
    for client in clients:
        doors.setdefault(client.door, []).append(client.transcript)
    people = doors.get(Person.door, [])
    check(people, books)
    check_secrets(people, books)
    check_money(_ledger(vault), books)
    check_doors(doors, books)


def _books(vault: Vault) -> Books:
    """Raises AssertionError."""
    ask = vault.connection.execute
    return read_books(
        kept_rows(
            ask("SELECT id, game, head, hash, status, origin FROM tables ORDER BY id"),
            ask("SELECT table_id, seq, line, player, request, digest FROM journal ORDER BY seq"),
            ask("SELECT table_id, player FROM seated"),
        )
    )


def _ledger(vault: Vault) -> Ledger:
    ask = vault.connection.execute
    moved = ask("SELECT table_id, seq, source, target, chips FROM transfers")
    return Ledger(
        tuple(Transfer(*row) for row in moved),
        dict(ask("SELECT player, chips FROM balances")),
    )
