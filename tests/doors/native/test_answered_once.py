"""A request that was answered is not refused as well, whatever becomes of its table meanwhile."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamehall.errors import Unavailable
from gamehall.hall.beat.known_table import KnownTable
from tests.doors.native.clients import Client
from tests.hall.halls import TestHall
from tests.many_nodes.in_process.tables.node_doors import open_doors


@pytest.mark.parametrize(
    ("game", "action"), [("connect-four", "resume"), ("connect-four", "watch"), ("sicbo", "sit")]
)
async def test_who_was_answered_is_shown_the_table(
    game: str, action: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = TestHall(tmp_path)
    await house.start()
    tables = house.hall.rooms.tables
    load, loads = tables.load, 0

    async def loaded_once(table: int) -> KnownTable:
        nonlocal loads
        loads += 1
        if loads > 1:
            raise Unavailable  # It has lost its owner by now.
        return await load(table)

    async with open_doors(house, "native") as doors:
        anna = await (await Client.connect(doors, "ws")).hello("anna")
        table = (await anna.ask("open_table", game=game))["table"]
        if action == "resume":
            await anna.ask("sit", table=table)
            await anna.notice("table_view")
        monkeypatch.setattr(tables, "load", loaded_once)
        await anna.ask(action, table=table)
        assert (await anna.notice("table_view"))["table"] == table
        await anna.still_answers()
        await anna.close()
    await house.stop()
