"""All that a run leaves behind, and what is demanded of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from gamehall.simulation.checker.arena import Arena, check_arena
from gamehall.simulation.checker.doors.doors import check_doors
from gamehall.simulation.checker.journals import read_books
from gamehall.simulation.checker.memory import Kept, check_memory
from gamehall.simulation.checker.money import (
    Ledger,
    check_money,
    check_refills,
    check_statements,
)
from gamehall.simulation.checker.native.answers import check_answers
from gamehall.simulation.checker.owners import Moment, check_owners
from gamehall.simulation.checker.private import check_private, check_private_elsewhere, parted
from gamehall.simulation.checker.records import Record
from gamehall.simulation.checker.requests import check
from gamehall.simulation.checker.seats import Place, check_playable, check_seats
from gamehall.simulation.checker.secrets import check_secrets
from gamehall.simulation.checker.silence import check_silence
from gamehall.simulation.checker.tournaments import check_tournaments
from gamehall.simulation.checker.transcripts import Transcript


class Evidence(msgspec.Struct):
    """Of a run of real nodes, less is known than of a simulated one."""

    people: Sequence[Transcript]
    """At the native door."""
    records: Sequence[Record]
    ledger: Ledger
    moments: Sequence[Moment]
    """Of the tables' owners."""
    visitors: Mapping[str, Sequence[Transcript]] = {}
    """At other doors, by their names."""
    order: Sequence[Place] = ()
    """Every row, in the order in which they were written."""
    kept: Sequence[Kept] = ()
    """In memory, at the end."""
    arena: Arena | None = None
    """What the hall keeps and shows as a portal."""
    unheard: int = 0
    """Connections whose transcripts are not here: of those who were at this hall before."""
    settled: Mapping[int, int] = {}
    """By table, the last row that was written so long before the end that everyone who follows it
    must have heard of it. Of real nodes, nobody knows."""


def judge(evidence: Evidence) -> None:
    """Raises AssertionError, which says what is wrong."""
    books = read_books(list(evidence.records))
    check_owners(evidence.moments, books)
    visitors = [each for found in evidence.visitors.values() for each in found]
    elsewhere = sum(len(each.by_connection()) for each in visitors)
    check(evidence.people, books, elsewhere + evidence.unheard)
    check_secrets(evidence.people, books)
    check_seats(books, evidence.order)
    check_playable(books)
    check_money(evidence.ledger, books)
    check_refills(evidence.people, evidence.ledger)
    check_statements(evidence.people, evidence.ledger)
    check_private(evidence.people, books)
    check_private_elsewhere(evidence.visitors, evidence.people, books)
    public, _ = parted(books)
    check_doors({"native": evidence.people, **evidence.visitors}, public)
    check_tournaments(evidence.people, books, evidence.order)
    if evidence.arena is not None:
        check_arena(evidence.visitors.get("arena", ()), evidence.arena)
    check_memory(evidence.kept, evidence.people, books)
    check_answers(evidence.people, books)
    check_silence(evidence.people, books, evidence.settled)
