"""Whether seats bind people as they should: nobody to two tables, and nobody for ever."""

from __future__ import annotations

from collections.abc import Iterable

from gamehall.simulation.checker.cup import Cup, is_cup
from gamehall.simulation.checker.journals import Books, Journal
from gamehall.simulation.checker.lobby import invited

Place = tuple[int, int]
"""A table, and a row of its journal."""
BY_THE_LOBBY = ("pair:", "challenge:")
"""How the origins of tables begin that the lobby opens for two."""


def check_seats(books: Books, order: Iterable[Place]) -> None:
    """Nobody is brought to a table by the lobby while another one keeps it busy, of whatever kind.
    Where people sit down by themselves, they may do so at many, also while the lobby opens a table
    for them.

    The lobby looks in the store before it seats anyone, so a seat counts at once, though nobody may
    have heard of it.

    `order`: the rows in the order in which they were written, as far as the store tells.

    Raises AssertionError.
    """
    busy: dict[int, frozenset[int]] = {}
    """Players, by the table."""
    free_for: dict[int, frozenset[int]] = {}
    """Players who were free when the lobby opened that table."""
    for table, seq in order:
        journal = books.journals[table]
        now = journal.busy(seq)
        if _is_by_the_lobby(journal):
            if seq == 1:
                free_for[table] = frozenset(invited(journal)).difference(*busy.values())
            for player in now - journal.bound(seq - 1):
                others = [
                    other
                    for other, players in busy.items()
                    if player in players and other != table
                    if player not in free_for[table] or _is_by_the_lobby(books.journals[other])
                ]
                assert not others, f"player {player} plays at {others}, and at {table} too"
        busy[table] = now


def _is_by_the_lobby(journal: Journal) -> bool:
    return journal.origin.startswith(BY_THE_LOBBY)


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
    if is_cup(journal) and not state.over:
        return Cup(journal).goes_on()
    if state.status != "playing":
        return bool(state.seat_of)
    return any(
        True for seat in state.seat_of.values() for _ in journal.game.legal(state.game, seat)
    )
