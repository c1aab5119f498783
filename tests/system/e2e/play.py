"""Connect Four, as the tests play it."""

from __future__ import annotations

from typing import NamedTuple

from tests.system.e2e.clients import Client, Json

LONG = {"columns": 12, "rows": 12, "length": 12}
LONG_MOVES = 144
"""Until the board is full: nobody makes a line of twelve."""
UNHURRIED = ("limits.messages_per_second=0",)
"""Tests are faster than people."""


def column(move: int) -> int:
    """Where to drop at each move of a long game, so that no line comes about."""
    return (move + move // 24) % 12


class Game(NamedTuple):
    table: int
    seats: tuple[Client, Client]
    """Who begins, and the other one."""


async def sit_down(first: Client, second: Client, options: Json) -> Game:
    """A new table at which both sit; the draw says where."""
    table = (await first.ask("open_table", game="connect-four", options=options))["table"]
    await first.ask("sit", table=table)
    await second.ask("sit", table=table)
    return await begun(table, first, second)


async def begun(table: int, first: Client, second: Client) -> Game:
    """The game at a table to which both have come."""
    seats = {(await client.notice("seated", table))["seat"]: client for client in (first, second)}
    return Game(table, (seats[0], seats[1]))
