"""Who plays two-player Bingo by the `duel` door, as the requests in the journal name them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from gamehall.games.bingo_duel import BingoDuel
from gamehall.simulation.checker.journals import Books, Journal

REQUEST = re.compile(r"duel:(\d*):(\d+):[0-9a-f]{16}", re.ASCII)
"""The number of the match, if it has one, and a uid."""


class Named(msgspec.Struct, frozen=True):
    round: int
    match: int | None
    uid: str
    player: int


def duels(books: Books) -> list[Journal]:
    return [each for each in books.journals.values() if each.game.name == BingoDuel.name]


def named(journal: Journal) -> Iterator[Named]:
    """Everyone who came by that door, in order."""
    for row, request in zip(journal.rows, journal.requests, strict=True):
        found = None if request is None else REQUEST.fullmatch(request.id)
        if found is not None and request is not None:
            match = int(found[1]) if found[1] else None
            yield Named(row.round, match, found[2], request.player)
