"""Those who wait for a table that is on its way."""

from __future__ import annotations

from gamehall.errors import HallError, NoSuchTable, Unavailable
from gamehall.hall.beat.known_table import KnownTable
from gamehall.hall.tables.loading import Waiting


def test_a_table_that_is_asked_for_while_it_is_being_opened() -> None:
    """Someone may guess its number: it is looked for, in vain, and then opened."""
    heard: list[KnownTable | HallError] = []
    waiting, answer, too_late = Waiting(), NoSuchTable(), Unavailable()
    waiting.begin(3)
    waiting.add(3, heard.append)
    waiting.begin(3)
    waiting.end(3, answer)
    assert heard == [answer]
    waiting.end(3, too_late)
    assert heard == [answer]
