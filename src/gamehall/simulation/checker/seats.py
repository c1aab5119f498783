"""Whether seats bind people as they should: nobody to two tables, and nobody for ever."""

from __future__ import annotations

from collections.abc import Iterable

from gamehall.simulation.checker.journals import Books, Journal

Place = tuple[int, int]
"""A table, and a row of its journal."""
BY_THE_LOBBY = ("pair:", "challenge:")
"""How the origins of tables begin that the lobby opens for two."""


def check_seats(books: Books, order: Iterable[Place]) -> None:
    """Nobody is brought to a table, by the lobby, while another keeps it busy. Whoever wants to may
    sit down at many.

    `order`: the rows in the order in which they were written, as far as the store tells.

    Raises AssertionError.
    """
    busy: dict[int, frozenset[int]] = {}
    """Players, by the table."""
    for table, seq in order:
        journal = books.journals[table]
        now = journal.busy(seq)
        come = now - journal.bound(seq - 1) if journal.origin.startswith(BY_THE_LOBBY) else ()
        for player in come:
            others = [other for other, players in busy.items() if player in players]
            assert others in ([], [table]), f"player {player} plays at {others}, and at {table} too"
        busy[table] = now


def check_playable(books: Books) -> None:
    """Every table is finished, or someone or its timer can go on there.

    Raises AssertionError.
    """
    for journal in books.journals.values():
        assert _goes_on(journal), f"table {journal.table} is open, and nobody can finish it"


def _goes_on(journal: Journal) -> bool:
    state = journal.states[-1]
    if state is None or state.closed is not None or journal.due_ms is not None:
        return True
    if journal.origin.startswith("house:"):
        return True  # It rests until someone comes.
    if state.status != "playing":
        return bool(state.seat_of)
    return any(
        True for seat in state.seat_of.values() for _ in journal.game.legal(state.game, seat)
    )
