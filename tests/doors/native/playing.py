"""What two people at a table do, as the native door's page describes it."""

from __future__ import annotations

from typing import Any

from tests.doors.native.clients import Client, Json

GAME = "connect-four"
WON_BY_FIRST = (0, 1, 0, 1, 0, 1, 0)
"""Columns, turn by turn: seat 0 has four in column 0."""


async def match(first: Client, second: Client, **options: Any) -> int:
    """A table at which both sit and the game has begun; `first` begins."""
    await first.ask("challenge", player=second.id, game=GAME, options=options)
    challenge = (await second.notice("challenged", player=first.id))["challenge"]
    table: int = (await second.ask("accept", challenge=challenge))["table"]
    for client, seat in ((first, 0), (second, 1)):
        seated = await client.notice("seated", table=table)
        assert seated == {"table": table, "game": GAME, "seat": seat}
        await client.notice("table_view", table=table, status="playing")
    return table


async def drop(client: Client, table: int, column: int) -> int:
    """Where in the journal the move is."""
    command = {"type": "drop", "column": column}
    answer = await client.ask("act", table=table, command=command)
    assert answer["table"] == table
    seq: int = answer["seq"]
    return seq


async def play(
    first: Client, second: Client, table: int, columns: tuple[int, ...] = WON_BY_FIRST
) -> None:
    """They take turns; each move is told to the other before the next one."""
    players = (first, second)
    for turn, column in enumerate(columns):
        seq = await drop(players[turn % 2], table, column)
        told = await players[1 - turn % 2].notice("table_events", table=table, seq=seq)
        assert told["events"][0] == {
            "type": "dropped",
            "seat": turn % 2,
            "column": column,
            "at_ms": told["events"][0]["at_ms"],
        }


async def resign(client: Client, table: int) -> None:
    await client.ask("act", table=table, command={"type": "resign"})


def check_story(client: Client, table: int) -> int:
    """The last row that the client was told of; no row was left out, and none told twice."""
    seq: int | None = None
    for message in client.log:
        payload: Json = message["payload"]
        if payload.get("table") != table:
            continue
        match message["action"]:
            case "table_view":
                assert seq is None or payload["seq"] >= seq
                seq = payload["seq"]
            case "table_events":
                assert payload["events"]
                assert payload["seq"] > payload["after"]
                assert seq in (None, payload["after"]), f"{payload} after {seq}"
                seq = payload["seq"]
            case "table_over":
                assert payload["seq"] == payload["after"] == seq
    assert seq is not None, "never heard of that table"
    return seq
