"""Appends and answers, in few words, for the suites of stores."""

from __future__ import annotations

import asyncio
import secrets
from typing import Any

from gamehall.store.appends import (
    Answer,
    Append,
    Durable,
    FinishedRound,
    NewRow,
    Opening,
    SeatResult,
    Summary,
    TableStatus,
    Transfer,
)
from gamehall.store.store import Store
from tests.support.waiting import WAIT_SECONDS

LIMIT_SECONDS = WAIT_SECONDS
NOW_MS = 1_762_000_000_000


def append(table: int, after: int = 0, *rows: NewRow, **fields: Any) -> Append:
    """One that fits epoch 1; without an `after` it opens the table."""
    if after == 0:
        fields.setdefault("opening", opening())
    values: dict[str, Any] = {
        "table": table,
        "epoch": 1,
        "after": after,
        "beat_id": secrets.randbits(63),
        "rows": rows or (NewRow(f'{{"table":{table},"seq":{after + 1}}}'.encode()),),
        "hash": f"{table}-{after}",
        "at_ms": NOW_MS + after,
        "due_ms": None,
    }
    return Append(**(values | fields))


def opening(
    origin: str | None = None,
    *,
    game: str = "connect-four",
    private: bool = False,
    rated: bool = False,
    owner: str = "",
) -> Opening:
    return Opening(game, private, rated, origin, owner)


def summary(
    status: TableStatus,
    *came: int,
    went: tuple[int, ...] = (),
    round: int = 1,
    round_seq: int = 1,
) -> Summary:
    names = tuple(f"name-{player}" for player in came)
    return Summary(status, round, round_seq, names, len(came), came, went)


def finished(
    results: dict[int, Any], *, round: int = 1, first_seq: int = 1, last_seq: int = 1
) -> FinishedRound:
    """`results`: win, draw or loss of each player, in the order of their seats."""
    seats = tuple(
        SeatResult(seat, player, f"name-{player}", result)
        for seat, (player, result) in enumerate(results.items())
    )
    return FinishedRound(round, first_seq, last_seq, "abc", NOW_MS, "line", seats)


def pay(source: int | str, target: int | str, chips: int) -> Transfer:
    """Between players, named by their numbers, and other accounts."""
    return Transfer(_account(source), _account(target), chips)


def paying(*transfers: Transfer) -> NewRow:
    return NewRow(b"{}", transfers=transfers)


def _account(who: int | str) -> str:
    return f"player:{who}" if isinstance(who, int) else who


async def answers(store: Store, *appends: Append) -> list[Answer]:
    """What the store says to appends that are made at once."""
    told: list[list[Answer]] = [[] for _ in appends]
    for one, to in zip(appends, told, strict=True):
        store.append(one, to.append)
        assert not to, "answered within the call"
    async with asyncio.timeout(LIMIT_SECONDS):
        while not all(told):
            await asyncio.sleep(0.001)
    assert all(len(to) == 1 for to in told), "answered twice"
    return [to[0] for to in told]


async def answer(store: Store, one: Append) -> Answer:
    return (await answers(store, one))[0]


async def opened(store: Store, **fields: Any) -> int:
    """A new table with one row."""
    table = await store.new_table()
    assert await answer(store, append(table, **fields)) == Durable()
    return table


async def guest(store: Store, chips: int = 0, name: str = "Ada") -> int:
    return (await store.add_player(name, "guest", chips=chips, at_ms=NOW_MS)).id
