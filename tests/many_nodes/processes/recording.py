"""A run that went well, written down, and the same with something wrong in it."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from random import Random

import msgspec
import pytest

from gamehall.simulation.checker.journals import Record, Written, read_books
from gamehall.simulation.checker.requests import check
from gamehall.simulation.checker.transcripts import Transcript
from gamehall.table_log.journal import chained
from tests.many_nodes.processes import playing
from tests.many_nodes.processes.hall_nodes import hall_nodes
from tests.many_nodes.processes.owners import OwnerWatch
from tests.many_nodes.processes.records import read_records
from tests.many_nodes.processes.runs import Run, running
from tests.store.postgres_server import new_url
from tests.system.e2e.clients import Json

WON_BY_FIRST = (0, 1, 0, 1, 0, 1, 0)


Forge = Callable[["Recording"], object]


class Recording:
    """What was told and what was written; a copy of it may be changed at will."""

    def __init__(
        self,
        url: str,
        transcripts: list[Transcript],
        records: list[Record],
        owners: OwnerWatch,
        tables: dict[str, int],
    ) -> None:
        self.url = url
        self.transcripts = transcripts
        self.records = {record.table: record for record in records}
        self.owners = owners
        self.tables = tables
        """By what is played there."""

    def copy(self) -> Recording:
        return Recording(
            self.url,
            deepcopy(self.transcripts),
            list(self.records.values()),
            self.owners,
            self.tables,
        )

    def check(self) -> None:
        """Raises AssertionError."""
        check(self.transcripts, read_books(list(self.records.values())))

    def of(self, name: str) -> Transcript:
        (found,) = [transcript for transcript in self.transcripts if transcript.name == name]
        return found

    # What was told

    def places(self, name: str, what: str, action: str, table: int | None = None) -> list[int]:
        """Where someone's transcript has such messages, of that table if one is named."""
        return [
            place
            for place, line in enumerate(self.of(name).lines)
            if line.what == what
            and line.message["action"] == action
            and table in (None, line.message.get("payload", {}).get("table"))
        ]

    def forge(self, name: str, place: int, change: Callable[[Json], object]) -> None:
        """Changes a message's payload."""
        lines = self.of(name).lines
        message = lines[place].message
        change(message["payload"])
        lines[place] = lines[place]._replace(text=json.dumps(message))

    # What was written

    def write(self, table: int, written: list[Written]) -> None:
        """Another journal of that table, soundly chained."""
        hash = ""
        for row in written:
            hash = chained(hash, row.line)
        self.records[table] = msgspec.structs.replace(
            self.records[table], written=tuple(written), head=len(written), hash=hash
        )

    def rewrite(self, table: int, **fields: object) -> None:
        self.records[table] = msgspec.structs.replace(self.records[table], **fields)


async def recorded(data: Path) -> Recording:
    """One node and every game, with spectators, chat, and someone who drops out and comes back."""
    url = await new_url()
    tables: dict[str, int] = {}
    with hall_nodes(data, url, None) as halls:
        async with running(halls, 1) as run:
            await _play(run, tables)
        return Recording(url, run.transcripts, await read_records(url), run.owners, tables)


async def _play(run: Run, tables: dict[str, int]) -> None:
    anna, bob, carl = [await run.guest(name) for name in ("anna", "bob", "carl")]
    tables["finished"] = table = await playing.challenged(anna, bob, "connect-four")
    await carl.ask("watch", table=table)
    await carl.ask("say", table=table, text="well played")
    await anna.notice("said", table=table)
    seq = await playing.drop_all(WON_BY_FIRST, table, anna, bob)
    await playing.all_heard(table, seq, anna, bob, carl)
    for player in (anna, bob):
        await player.ask("leave", table=table)
    tables["duel"] = table = await playing.opened(anna, bob, game="bingo-duel", size=3)
    await carl.ask("watch", table=table)
    moves = [playing.play_legally(player, table, Random(1)) for player in (anna, bob)]
    await playing.together(*moves)
    for player in (anna, bob):
        await player.ask("leave", table=table)
    tables["bingo"] = table = await playing.at_the_halls_table("bingo", anna, bob)
    await anna.ask("act", table=table, command={"type": "start"})
    await playing.together(*(playing.play_called_bingo(p, table) for p in (anna, bob)))
    tables["sicbo"] = table = await playing.at_the_halls_table("sicbo", anna, carl)
    for chips in (100, 200):
        await playing.bet(anna, table, "BIG", chips)
    over = await carl.notice("table_over", table=table)
    await playing.heard_more(anna, table, over["seq"])
    for player in (anna, bob):
        await player.ask("leave", table=tables["bingo"])
    start = anna.now()
    for player in (anna, bob):
        await player.ask("seek", game="connect-four")
    tables["running"] = table = (await anna.notice("seated", start=start))["table"]
    await playing.begun(table, anna, bob)
    seats = {await playing.seat_of(player, table): player for player in (anna, bob)}
    await playing.drop_all((3, 3, 3), table, seats[0], seats[1])
    await bob.move_to(0)
    await playing.drop_all((4,), table, seats[1], seats[0])


def finds(true: Recording, forge: Forge) -> str:
    forged = true.copy()
    forge(forged)
    with pytest.raises(AssertionError) as found:
        forged.check()
    return str(found.value)


def compact(row: Json) -> bytes:
    return json.dumps(row, separators=(",", ":")).encode()
