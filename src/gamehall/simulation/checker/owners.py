"""Whether owners follow upon each other: epochs and journals only grow."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from gamehall.simulation.checker.journals import Books


class Moment(NamedTuple):
    """A table as the store had it at some time."""

    table: int
    epoch: int
    head: int
    hash: str
    owner: str | None


def check_owners(moments: Iterable[Moment], books: Books) -> None:
    """`moments`: in the order of time.

    Raises AssertionError unless they fit together, and the journals.
    """
    before: dict[int, Moment] = {}
    owners: dict[tuple[int, int], str] = {}
    for moment in moments:
        table, epoch, head, hash, owner = moment
        last = before.get(table)
        if last is not None:
            assert epoch >= last.epoch, f"an epoch has shrunk: {moment} after {last}"
            assert head >= last.head, f"rows are gone: {moment} after {last}"
        before[table] = moment
        assert table in books.journals, f"a table is gone: {moment}"
        hashes = books.journals[table].hashes
        assert hashes[head : head + 1] == [hash], f"rows have changed since {moment}"
        if owner is not None:
            first = owners.setdefault((table, epoch), owner)
            assert first == owner, f"two owners in one epoch: {moment} and {first}"
